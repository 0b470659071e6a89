"""What people do in a scene: actions, their pools, their dice, and their results."""

from __future__ import annotations

from typing import Annotated, Protocol

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Says, Story, Title
from ledger.rules.moc.acting import acts, nobody_acts
from ledger.rules.moc.domains import (
    MOST,
    ActionId,
    AgScore,
    Approval,
    BonusFaces,
    CharacteristicName,
    Dice,
    DiceAdvantage,
    ElementName,
    Faces,
    HowMany,
    Level,
    MartialArt,
    MovementMode,
    Needed,
    PartNumber,
    PrimaryName,
    RollKind,
    Sides,
    SkillName,
    Time,
    Tn,
)
from ledger.rules.moc.sheet import SubPool, Token
from ledger.rules.moc.state import Scene, action_in
from ledger.rules.moc.terms import Number


class OfAnAction(Protocol):
    """An input that names its action."""

    @property
    def action(self) -> str: ...


def scene_of(table: Table[object]) -> Scene | None:
    return table.get(table.scene, Scene) if table.scene is not None and table.has(table.scene) else None


def _actor(table: Table[object], do: OfAnAction) -> str | None:
    scene = scene_of(table)
    action = action_in(scene, do.action) if scene is not None else None
    return action.character if action is not None else None


def _defender(table: Table[object], do: TakeOffSuccesses) -> str | None:
    return do.target


ACTOR = either(_actor, "the player of the acting character")

# --- declaring ---


@acts("character")
@declares(
    "declare-action",
    either("character"),
    records=(
        "action-declared", "martial-art-named", "pool-split", "token-spent", "fatigue-gained",
        "characteristic-activated", "gm-dice-granted", "action-taken", "recovery-pre-empted", "recovery-completed",
        "scene-recovery-due",
        "scene-recovery-taken",
    ),
)  # fmt: skip
class DeclareAction:
    """Declare an action, with or without a skill. If there is no skill, the game master names the Element and the
    Primary.

    `text`: what the character tries to do, usually given. `skill`: nearly always given. `tn`: usually given.
    `roll_kind`: skill, extended, movement, opposed, dodge, to_hit. `required`: the level needed to pass. `opposed`:
    whether somebody resists the action. `defence`: whether the action is only a defence. `base_time`, `time`: for an
    extended action. `tokens`: the characteristics that tokens add immediately. `parts`: the parts of a split pool, in
    order. `penalty`: more dice that the game master takes from a split pool. `extra_dice`: dice that the game master
    adds, with a `reason`. `names`: characteristics that the game master allows although the skill does not list them.
    `ag`: the AG score of the character attacked, if the target numbers of attacks are looked up in a table. Leave it
    out to use the Coordination of the `defender`. `martial_arts`: the area of Martial Arts whose level replaces the
    skill level in an attack (`to_hit`). `mode`: for a movement, the way of moving: primary, secondary, or the name of
    one that the character bought. `half`: whether the action takes only half of the character's action in this turn. A
    split pool always takes the whole action, and a defence alone takes none of it. `needed`: instead of `tn`, the
    number to reach for the required level.
    """

    character: CharacterId
    text: Story = ""
    skill: SkillName | None = None
    element: ElementName | None = None
    primary: PrimaryName | None = None
    roll_kind: RollKind = "skill"
    tn: Tn = 7
    required: Annotated[Level, Says("Level required", "The level needed to pass.")] = "near"
    opposed: bool = False
    defence: bool = False
    tokens: tuple[Token, ...] = ()
    base_time: Annotated[Time | None, Says("Base time", "For an extended action: how long it usually takes.")] = None
    time: Annotated[Time | None, Says("Time", "For an extended action: how long the character spends on it.")] = None
    parts: Annotated[tuple[SubPool, ...], Says("Parts", "The actions of a split pool, in order.")] = ()
    penalty: Annotated[Dice, Says("Penalty", "Additional dice that the game master takes from a split pool.")] = 0
    extra_dice: Annotated[Dice, Says("Extra dice", "Dice that the game master adds.")] = 0
    reason: Reason = ""
    names: Annotated[
        tuple[CharacteristicName, ...],
        Says("Allowed", "Characteristics that the skill does not list but the game master allows."),
    ] = ()
    ag: Annotated[
        AgScore | None,
        Says("AG", "The AG score of the character attacked. Leave it out to use the defender's Coordination."),
    ] = None
    defender: CharacterId | None = None
    martial_arts: MartialArt | None = None
    needed: Needed | None = None
    half: bool = False
    mode: MovementMode = "primary"


# --- pools ---


@nobody_acts
@declares("grant-dice", GM, records=("gm-dice-granted",))
class GrantDice:
    """Give an action extra dice for something that serves the story, or take dice away from it.

    `number`: a negative number takes that many dice away, for example as a penalty.
    """

    action: ActionId
    number: Annotated[
        Number, Between(-MOST, MOST), Says("Dice", "How many dice are added. A number below 0 takes dice away.")
    ]
    reason: Reason
    part: PartNumber = 0


@acts(_actor)
@declares("spend-token", ACTOR, records=("token-spent", "fatigue-gained", "characteristic-activated"))
class SpendToken:
    """Spend a token to add a characteristic to the dice pool.

    `primary`: the Primary that gives the token, if several are possible. `part`: the part of a split pool that gets the
    dice.
    """

    action: ActionId
    characteristic: CharacteristicName
    primary: PrimaryName | None = None
    part: PartNumber = 0
    named: Annotated[
        bool, Says("Allowed", "The game master allows this characteristic, although the skill does not list it.")
    ] = False


def _layer(table: Table[object], do: UsePeriodDice) -> str | None:
    return do.whose if do.whose is not None else _actor(table, do)


@acts(_layer)
@declares(
    "use-period-dice",
    either(_layer, "the player of the acting character"),
    records=("period-dice-used", "own-dice-added", "dice-laid"),
)
class UsePeriodDice:
    """Add dice to a roll that were bought with an Advantage. `advantage`: the Advantage (action hero, weapons master or
    floating dice) and its period, such as `action-hero:scene`.

    `whose`: if there is no action, the character who adds floating dice to the next initiative roll.
    """

    action: ActionId
    advantage: DiceAdvantage
    number: Annotated[HowMany, Says("Dice", "How many dice are added.")]
    part: PartNumber = 0
    whose: CharacterId | None = None


@acts(_actor)
@declares("use-bit", ACTOR, records=("bit-used", "own-dice-added"))
class UseBit:
    """Use a Bit. It counts as three levels of the narrow skill that it stands for, so its owner counts as trained in
    that skill.

    A Bit with the name of a skill in the table stands for that skill only. Each Bit counts once on a roll.
    """

    action: ActionId
    part: PartNumber = 0


@acts(_actor)
@declares("roll-dice", ACTOR, records=("dice-rolled", "recovery-pre-empted"))
class RollDice:
    """Roll an action or one of its parts. `faces`: the pool dice. `bonus`: the bonus dice that 10s add, in order."""

    action: ActionId
    part: PartNumber = 0
    faces: Faces | None = None
    bonus: BonusFaces = ()
    sides: Sides = 10


# --- results ---


@acts(_actor)
@declares("declare-successes", ACTOR, records=("successes-declared",))
class DeclareSuccesses:
    """Declare successes against a target.

    `number`: how many successes from the roll. `beads`: how many more from beads, which everybody sees.
    """

    action: ActionId
    target: CharacterId
    number: Annotated[HowMany, Says("Successes", "How many successes from the roll.")]
    beads: Annotated[HowMany, Says("From beads", "More successes from beads, which everybody sees.")] = 0
    part: PartNumber = 0


@acts("target")
@declares(
    "take-off-successes",
    either(_defender, "the player of the target"),
    records=("successes-taken-off", "recovery-pre-empted"),
)
class TakeOffSuccesses:
    """Take off some of the successes that were declared against a character who resists.

    `target`: the character who resists. `defence`, `defence_part`: the action, and its part, that rolled the defence.
    """

    action: ActionId
    target: CharacterId
    number: Annotated[HowMany, Says("Successes", "How many successes are taken off.")]
    beads: Annotated[HowMany, Says("From beads", "More successes from beads.")] = 0
    defence: Annotated[ActionId, Says("Defence", "The action that rolled the defence.")] = ""
    defence_part: PartNumber = 0
    part: PartNumber = 0


@nobody_acts
@declares(
    "resolve",
    ACTOR,
    records=(
        "automatic-success-returned",
        "action-resolved", "actions-preempted", "preemption-waived", "effect-modifier-returned", "plays-returned",
        "beads-trumped", "movement-made", "villains-drew",
    ),
)  # fmt: skip
class Resolve:
    """Resolve the next part of an action, or the part named.

    `waive`: whether the other parts go on after a failure. Only a game master can decide this. `penalty`: if a move is
    fumbled, what the player suggests instead of the usual penalty to dodging.
    """

    action: ActionId
    part: PartNumber | None = None
    waive: bool = False
    reason: Reason = ""
    penalty: Annotated[
        Title, Says("Penalty", "If a move is fumbled: what happens instead of the usual penalty to dodging.")
    ] = ""


@nobody_acts
@declares("tell-consequence", ACTOR, records=("consequence-told", "defence-halved"))
class TellConsequence:
    """Describe a consequence of an action. A game master does this. If an Effect Modifier (EM) decided the action, the
    player may do it, with the game master's approval.

    `half_defence`: whether the character defends with half the dice until the turn ends.
    """

    action: ActionId
    text: Story
    approved: Approval = None
    half_defence: bool = False

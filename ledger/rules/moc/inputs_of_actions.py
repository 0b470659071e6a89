"""What people do in a scene: actions, their pools, their dice, and what they come to."""

from __future__ import annotations

from typing import Annotated, Protocol

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import CharacterId, Reason, Says, Story, Title
from ledger.rules.moc.acting import acts, nobody_acts
from ledger.rules.moc.domains import (
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


ACTOR = either(_actor, "who plays the acting character")

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
    """An action, with or without a skill. Without one, the game master names Element and Primary.

    `text`: what is tried, often said. `skill`: nearly always said. `tn`: often said.
    `roll_kind`: skill, extended, movement, opposed, dodge, to_hit. `required`: the level it passes with.
    `base_time`, `time`: of an extended action. `tokens`: characteristics activated at once.
    `parts`: the sub-pools of a split, in order; `penalty`: dice the game master takes beyond the usual.
    `extra_dice`: dice of the game master's, with their `reason`. `names`: characteristics the game master allows.
    `ag`: of who is attacked, where a dial looks the target number up; left out, the C of the `defender`.
    `martial_arts`: the area whose level takes the place of the skill when attacking (`to_hit`).
    `mode`: how a movement moves: primary, secondary, or one bought.
    `half`: it takes half of the turn's action; a split takes the whole, a mere defence none.
    `needed`: in place of `tn`, the number that the required level takes.
    """

    character: CharacterId
    text: Story = ""
    skill: SkillName | None = None
    element: ElementName | None = None
    primary: PrimaryName | None = None
    roll_kind: RollKind = "skill"
    tn: Tn = 7
    required: Annotated[Level, Says("Level required", "The level it passes with.")] = "near"
    opposed: bool = False
    defence: bool = False
    tokens: tuple[Token, ...] = ()
    base_time: Annotated[Time | None, Says("Base time", "Of an extended action, how long it takes as a rule.")] = None
    time: Annotated[Time | None, Says("Time", "Of an extended action, how long is spent on it.")] = None
    parts: Annotated[tuple[SubPool, ...], Says("Parts", "The actions of a split pool, in their order.")] = ()
    penalty: Annotated[Dice, Says("Penalty", "Dice the game master takes beyond the usual.")] = 0
    extra_dice: Annotated[Dice, Says("Extra dice", "Dice of the game master's.")] = 0
    reason: Reason = ""
    names: Annotated[
        tuple[CharacteristicName, ...], Says("Allowed", "Characteristics the game master allows beside the skill's.")
    ] = ()
    ag: Annotated[AgScore | None, Says("AG", "Of who is attacked; left out, the C of the defender.")] = None
    defender: CharacterId | None = None
    martial_arts: MartialArt | None = None
    needed: Needed | None = None
    half: bool = False
    mode: MovementMode = "primary"


# --- pools ---


@nobody_acts
@declares("grant-dice", GM, records=("gm-dice-granted",))
class GrantDice:
    """Dice for what serves the story."""

    action: ActionId
    number: HowMany
    reason: Reason
    part: PartNumber = 0


@acts(_actor)
@declares("spend-token", ACTOR, records=("token-spent", "fatigue-gained", "characteristic-activated"))
class SpendToken:
    """A characteristic joins the pool. `part`: in a split, the sub-pool its dice go to."""

    action: ActionId
    characteristic: CharacteristicName
    primary: PrimaryName | None = None
    part: PartNumber = 0
    named: Annotated[bool, Says("Allowed", "The game master allows a characteristic that is not the skill's.")] = False


def _layer(table: Table[object], do: UsePeriodDice) -> str | None:
    return do.whose if do.whose is not None else _actor(table, do)


@acts(_layer)
@declares(
    "use-period-dice",
    either(_layer, "who plays the acting character"),
    records=("period-dice-used", "own-dice-added", "dice-laid"),
)
class UsePeriodDice:
    """`advantage`: action-hero, weapons-master or floating-dice with its period: `action-hero:scene`.

    `whose`: in place of an action, whose floating dice are laid on its initiative that is rolled next.
    """

    action: ActionId
    advantage: DiceAdvantage
    number: HowMany
    part: PartNumber = 0
    whose: CharacterId | None = None


@acts(_actor)
@declares("use-bit", ACTOR, records=("bit-used", "own-dice-added"))
class UseBit:
    """A Bit acts as three dots of the narrow skill it stands for, in which nobody with it is untrained.

    One with the name of a skill of the table stands for that skill only. Each Bit counts once on a roll.
    """

    action: ActionId
    part: PartNumber = 0


@acts(_actor)
@declares("roll-dice", ACTOR, records=("dice-rolled", "recovery-pre-empted"))
class RollDice:
    """The dice of an action or of one of its parts. `faces`: the pool; `bonus`: dice opened by 10s, in order."""

    action: ActionId
    part: PartNumber = 0
    faces: Faces | None = None
    bonus: BonusFaces = ()
    sides: Sides = 10


# --- what it comes to ---


@acts(_actor)
@declares("declare-successes", ACTOR, records=("successes-declared",))
class DeclareSuccesses:
    """`number`: rolled successes put on a target; `beads`: those of beads, openly, on top."""

    action: ActionId
    target: CharacterId
    number: HowMany
    beads: Annotated[HowMany, Says("Of beads", "Successes of beads, openly, on top.")] = 0
    part: PartNumber = 0


@acts("target")
@declares(
    "take-off-successes",
    either(_defender, "who plays the target"),
    records=("successes-taken-off", "recovery-pre-empted"),
)
class TakeOffSuccesses:
    """The resister reveals how many are taken off. `defence`: the action (and part) its own dice were rolled for."""

    action: ActionId
    target: CharacterId
    number: HowMany
    beads: Annotated[HowMany, Says("Of beads", "Successes of beads among them.")] = 0
    defence: Annotated[ActionId, Says("Defence", "The action its own dice were rolled for.")] = ""
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
    """The next part of an action, or the one named. `waive`: what fails does not end the rest (game master).

    `penalty`: what the player names in place of a level of dodge, should the move be fumbled.
    """

    action: ActionId
    part: PartNumber | None = None
    waive: bool = False
    reason: Reason = ""
    penalty: Annotated[Title, Says("Penalty", "In place of a level of dodge, should the move be fumbled.")] = ""


@nobody_acts
@declares("tell-consequence", ACTOR, records=("consequence-told", "defence-halved"))
class TellConsequence:
    """Of an action decided by an EM the player may tell it, with approval; where dice fell, the game master does.

    `half_defence`: until the turn is over the character defends with half the dice.
    """

    action: ActionId
    text: Story
    approved: Approval = None
    half_defence: bool = False

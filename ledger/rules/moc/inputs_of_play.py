"""What people do in a scene: actions, what is played on them, dice, and changes told with Storytelling beads."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either, owner
from ledger.rules.moc.sheet import CardPoints, SubPool, Token
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


ACTOR = either(_actor, "who plays the acting character")
#: What a trump of what resisted, or of what healed, can lead to.
TOLD_ANEW = (
    "harm-undone", "damage-resisted", "harm-applied", "tokens-lost", "character-downed", "character-dazed",
    "recovery-pre-empted", "damage-healed", "healing-failed",
)  # fmt: skip


@declares(
    "declare-action",
    either("character"),
    records=(
        "action-declared", "pool-split", "token-spent", "fatigue-gained", "characteristic-activated",
        "gm-dice-granted", "recovery-pre-empted",
    ),
)  # fmt: skip
class DeclareAction:
    """An action, with or without a skill. Without one, the game master names Element and Primary.

    `roll_kind`: skill, extended, movement, opposed, dodge, to_hit. `required`: the level it passes with.
    `base_time` and `time`: of an extended action. `tokens`: characteristics activated at once.
    `parts`: the sub-pools of a split, in order; `penalty`: dice the game master takes beyond the usual.
    `extra_dice`: dice of the game master's, with their `reason`. `names`: characteristics the game master allows.
    `ag`: of who is attacked, where a dial looks the target number up; left out, the C of the `defender`.
    `martial_arts`: the area whose level takes the skill's place.
    `needed`: in place of `tn`, the number that the required level takes.
    """

    character: str
    text: str = ""
    skill: str | None = None
    element: str | None = None
    primary: str | None = None
    roll_kind: str = "skill"
    tn: Number = 7
    required: Number = "near"
    opposed: bool = False
    defence: bool = False
    tokens: tuple[Token, ...] = ()
    base_time: Number = None
    time: Number = None
    parts: tuple[SubPool, ...] = ()
    penalty: Number = 0
    extra_dice: Number = 0
    reason: str = ""
    names: tuple[str, ...] = ()
    ag: Number = None
    defender: str | None = None
    martial_arts: str | None = None
    needed: Number = None


@declares("grant-dice", GM, records=("gm-dice-granted",))
class GrantDice:
    """Dice for what serves the story."""

    action: str
    number: Number
    reason: str
    part: Number = 0


@declares("spend-token", ACTOR, records=("token-spent", "fatigue-gained", "characteristic-activated"))
class SpendToken:
    """A characteristic joins the pool. `part`: in a split, the sub-pool its dice go to."""

    action: str
    characteristic: str
    primary: str | None = None
    part: Number = 0
    named: bool = False


def _layer(table: Table[object], do: UsePeriodDice) -> str | None:
    return do.whose if do.whose is not None else _actor(table, do)


@declares(
    "use-period-dice",
    either(_layer, "who plays the acting character"),
    records=("period-dice-used", "own-dice-added", "dice-laid"),
)
class UsePeriodDice:
    """`advantage`: action-hero, weapons-master or floating-dice with its period: `action-hero:scene`.

    `whose`: in place of an action, whose floating dice are laid on its initiative that is rolled next.
    """

    action: str
    advantage: str
    number: Number
    part: Number = 0
    whose: str | None = None


@declares("use-bit", ACTOR, records=("own-dice-added",))
class UseBit:
    """A Bit acts as three dots of a narrow skill."""

    action: str
    part: Number = 0


@declares("play-beads", either("character"), records=("beads-played", "own-dice-added"))
class PlayBeads:
    """`use`: add_successes, reduce_difficulty, add_dice, free_marginal, storytelling, archetype, other, superhuman,
    martial_arts. `successes`: 1 or -1, what a Storytelling bead does to another's action. `characteristic`: of the
    superhuman one. `approved`: by the game master, where that is needed.
    """

    action: str
    character: str
    use: str
    number: Number = 1
    element: str = ""
    part: Number = 0
    successes: Number = 1
    characteristic: str = ""
    effect: str = ""
    approved: bool | None = None


@declares("roll-dice", ACTOR, records=("dice-rolled", "recovery-pre-empted"))
class RollDice:
    """The dice of an action or of one of its parts. `faces`: the pool; `bonus`: dice opened by 10s, in order."""

    action: str
    part: Number = 0
    faces: tuple[Number, ...] | None = None
    bonus: tuple[Number, ...] = ()
    sides: Number = 10


@declares("play-card", owner("character"), records=("card-played-on-dice", "card-discarded", "villain-card-used"))
class PlayCard:
    """A card's points on dice. `suit`: the Element a Wildcard names. `other`: another use, with approval.

    `card_class`: suited, related or off, for who wants to be sure of it: refused where it is another.
    """

    action: str
    character: str
    card: str
    points: tuple[CardPoints, ...] = ()
    suit: str | None = None
    part: Number = 0
    other: str = ""
    approved: bool | None = None
    card_class: str | None = None


@declares("declare-successes", ACTOR, records=("successes-declared",))
class DeclareSuccesses:
    """`number`: rolled successes put on a target; `beads`: those of beads, openly, on top."""

    action: str
    target: str
    number: Number
    beads: Number = 0
    part: Number = 0


@declares(
    "take-off-successes",
    either(_defender, "who plays the target"),
    records=("successes-taken-off", "recovery-pre-empted"),
)
class TakeOffSuccesses:
    """The resister reveals how many are taken off. `defence`: the action (and part) its own dice were rolled for."""

    action: str
    target: str
    number: Number
    beads: Number = 0
    defence: str = ""
    defence_part: Number = 0
    part: Number = 0


@declares(
    "trump",
    either("character"),
    records=(
        "play-trumped", "card-discarded", "villain-card-used", "effect-modifier-returned", "effect-modifier-restored",
        "plays-returned", *TOLD_ANEW,
    ),
)  # fmt: skip
class Trump:
    """A play, or a roll, is cancelled by a card or a chip.

    `on`: the play's id, wherever it lies; or the dice themselves: `roll` of the `action`, `damage` or `resisting` of
    the `hit`, `initiative` or `healing` of `whose`. `change`: told by beads or by a card; its id is that of its play.
    What resisted is told anew until something else befalls who was hit; so is healing. `action` may be empty.
    `allowed`: the game master lets a card cancel the roll. `card_class`: as of a card on dice.
    """

    action: str
    character: str
    on: str
    card: str | None = None
    chip: str | None = None
    suit: str | None = None
    part: Number = 0
    allowed: bool | None = None
    card_class: str | None = None
    hit: str = ""
    change: str = ""
    whose: str = ""


@declares(
    "trump-by-fiat",
    GM,
    records=(
        "play-trumped-by-fiat", "effect-modifier-returned", "effect-modifier-restored", "plays-returned",
        "villains-drew", "chip-awarded", *TOLD_ANEW,
    ),
)  # fmt: skip
class TrumpByFiat:
    """The game master cancels a play, an action or a roll without a card. `chip`: given for it; left out, none.

    `play`: its id, or the dice as of a trump (`roll`: the action, rolled or not); so the other fields.
    """

    action: str
    play: str
    chip: str | None = None
    reason: str = ""
    part: Number = 0
    hit: str = ""
    change: str = ""
    whose: str = ""


@declares("shift-failure", either("character"), records=("failure-shifted", "card-discarded", "villain-card-used"))
class ShiftFailure:
    """An opponent spends one bead (`element`), a `card` or a `chip` to make a Failure spectacular."""

    action: str
    character: str
    element: str | None = None
    card: str | None = None
    chip: str | None = None
    part: Number = 0


@declares(
    "determine-action",
    either("character"),
    records=("action-determined", "consequence-told", "card-discarded", "villain-card-used", "proposal-vetoed"),
)
class DetermineAction:
    """An EM decides the action in place of dice, approved: a `card`, a `chip`, or a `number` of beads of an `element`.

    `text`: what its player tells of it; `consequence`: what is bad about it. `level`: what it comes to; left out, the
    level it needs.
    """

    action: str
    character: str
    text: str
    element: str | None = None
    number: Number = 1
    card: str | None = None
    chip: str | None = None
    level: Number = None
    consequence: str = ""
    part: Number = 0
    approved: bool | None = None


@declares(
    "claim-success",
    either("character"),
    records=("automatic-success-claimed", "automatic-success-approved"),
)
class ClaimSuccess:
    """A white chip makes it a Success. `approved`: by the game master.

    On a roll that is hidden from who claims it is taken whatever was rolled; where it was not needed it comes back when
    the roll is told.
    """

    action: str
    character: str
    part: Number = 0
    chip: str = "white"
    approved: bool | None = None


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

    action: str
    part: Number = None
    waive: bool = False
    reason: str = ""
    penalty: str = ""


@declares("tell-consequence", ACTOR, records=("consequence-told",))
class TellConsequence:
    """Of an action decided by an EM the player may tell it, with approval; where dice fell, the game master does."""

    action: str
    text: str
    approved: bool | None = None


# --- story ---


@declares("change-story", either("character"), records=("story-changed",))
class ChangeStory:
    """Storytelling beads change what is told; their number is the tier.

    `scope`: turn, scene, session or world, no further than the tier reaches; left out, as far as it may reach.
    """

    character: str
    beads: Number
    text: str
    scope: str | None = None


PlayInput: TypeAlias = (
    DeclareAction | GrantDice | SpendToken | UsePeriodDice | UseBit | PlayBeads | RollDice | PlayCard
    | DeclareSuccesses | TakeOffSuccesses | Trump | TrumpByFiat | ShiftFailure | DetermineAction | ClaimSuccess
    | Resolve | TellConsequence | ChangeStory
)  # fmt: skip

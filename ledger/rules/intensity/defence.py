"""Actions: defending with dice picked up from the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.draft import (
    WRONG_STAGE,
    AskedDice,
    Draft,
    ask_face,
    check_face,
    check_once,
    defence_dice,
    recorded_since,
    standing_dice,
    the_attack,
    the_scene_and_round,
)
from ledger.rules.intensity.impact import IMMEDIATE, sizes_of
from ledger.rules.intensity.state import (
    BONUS,
    AttackId,
    Die,
    DieName,
    Face,
    InWords,
    OpenAttack,
    Participant,
    Round,
    RoundId,
    SaidDie,
    dice,
    in_its_attack,
    in_its_round,
    is_die,
    quote,
    scene_of,
    standing,
    with_participant,
    with_turn,
)
from ledger.rules.kernel.kit import (
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Question,
    RecordedFacts,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    SharedRefusal,
    Some,
    Story,
    Subject,
    Table,
    Thrown,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    either,
    fact,
    list_making_facts,
    listed,
    offers,
    reports,
    require,
    rolls,
    rule,
    throws,
)

# --- picking up dice -------------------------------------------------------------------------------------------------

PICK_UP = rule(
    "intensity.defence.pick-up",
    "The defender may pick up one or both of the dice rolled for the round, and roll them again to defend. For"
    " the rest of the round, those dice count only in defence.",
    "Actions",
)
LET_STAND = rule(
    "intensity.defence.let-stand",
    "Standing dice do not defend. If you pick up no die, your defence value is 0.",
    "Example 3: Conflict with Many Characters",
    step="{defender} picks up no die, so the defence value is 0.",
)
COMMIT = rule(
    "intensity.defence.commit",
    "Not in the source: for each attack, the defender decides once which dice to roll. A table may decide"
    " that a defender who rolled one die can add the other after seeing the result.",
)
ALREADY_RESPONDED = Refusal(COMMIT, "already-responded", "{defender} has already chosen a defence.")
NO_DEFENCE_YET = SharedRefusal("no-defence-yet", "{defender} has not chosen a defence yet.")
NO_SUCH_DIE = Refusal(PICK_UP, "no-such-die", "{defender} does not have that die[: {die}].")


@dataclass(frozen=True, slots=True)
class DefenceDie:
    """A die to defend with: `intensity` or `trait`. `face`: the number it shows, if you rolled it yourself.

    If you leave out `face`, the ledger asks for the roll.
    """

    die: SaidDie
    face: Annotated[Face | None, Says("Number rolled")] = None


def say_defence_chosen(fact: DefenceChosen, names: Names) -> str:
    parts = [f"picks up {dice(fact.picked_up)}"] if fact.picked_up else []
    parts += [f"rolls {dice(fact.rerolled)} again"] if fact.rerolled else []
    return quote(f"The defender {listed(parts or ['lets the dice stand'])}", fact.text)


@fact("defence-chosen", says=say_defence_chosen, kw_only=True)
class DefenceChosen:
    """The defender chose which dice to roll in defence, if any. `picked_up`: standing dice that the defender picks up.
    `rerolled`: dice picked up earlier that are rolled again.
    """

    attack: AttackId
    picked_up: tuple[DieName, ...]
    rerolled: tuple[DieName, ...]
    let_stand: bool
    text: Story = ""


@changes
@in_its_attack
def choose_defence(round: Round, attack: OpenAttack, fact: DefenceChosen) -> Round | None:
    after = with_defence(round, attack, dict.fromkeys(fact.picked_up))
    answered = changed(attack, answered=True, let_stand=fact.let_stand)
    return changed(after, attack=answered) if after is not None else None


# --- rolling them ----------------------------------------------------------------------------------------------------

DIE_UNUSABLE = Refusal(IMMEDIATE, "die-unusable", "{trait} is at 0, so its die cannot be rolled.")
DEFENCE_INTENSITY = Question("defence:intensity", "{who} rolls the intensity die in defence: a D{sides}.")
DEFENCE_TRAIT = Question("defence:trait", "{who} rolls the trait die in defence: a D{sides}.")
DEFENCE_DICE: AskedDice = {"intensity": DEFENCE_INTENSITY, "trait": DEFENCE_TRAIT}


@dataclass(frozen=True, slots=True)
class RolledDefence:
    """A die rolled in defence, at its current size."""

    die: DieName
    size: int
    face: int


def say_defence_rolled(fact: DefenceRolled, names: Names) -> str:
    return f"{listed(f'{rolled.face} on the D{rolled.size}' for rolled in fact.faces)} in defence."


@fact("defence-rolled", says=say_defence_rolled, headline=15)
class DefenceRolled:
    """The defender rolled dice in defence. `faces`: the numbers."""

    attack: AttackId
    faces: tuple[RolledDefence, ...]


DIE_NAMES: Mapping[DieName, str] = {"intensity": "Intensity", "trait": "Trait"}


@reports
def show_defence(fact: DefenceRolled) -> Iterator[rolls.Roll]:
    yield rolls.Roll(
        name="Defence", dice=tuple(rolls.Die(die.size, die.face, name=DIE_NAMES[die.die]) for die in fact.faces)
    )


@changes
@in_its_attack
def roll_defence(round: Round, attack: OpenAttack, fact: DefenceRolled) -> Round | None:
    return with_defence(round, attack, {rolled.die: rolled.face for rolled in fact.faces})


_picked_up = changing(Die, "picked_up")
_defending = changing(Die, "picked_up", "defence", "against")


def with_defence(round: Round, attack: OpenAttack, faces: Mapping[DieName, int | None]) -> Round | None:
    """Return the state with the defender's dice picked up (None), or rolled against this attack (a face)."""
    if not faces:
        return round
    defender = round.participants.get(attack.defender)
    if defender is None or not all(die in defender.dice for die in faces):
        return None
    after = dict(defender.dice)
    for die, face in faces.items():
        if face is None:
            after[die] = _picked_up(after[die], True)
        else:
            after[die] = _defending(after[die], True, face, attack.id)
    return with_participant(round, attack.defender, changed(defender, dice=after))


def may_roll_in_defence(draft: Draft, attack: OpenAttack, defender: Participant, die: DieName) -> Refused | None:
    is_gone = size_in_defence(draft, attack, defender, die) == 0
    return DIE_UNUSABLE(trait=defender.trait) if is_gone else None


def size_in_defence(draft: Draft, attack: OpenAttack, defender: Participant, die: DieName) -> int:
    """Return the size with which a die of the running round is rolled; 0 for none."""
    if die == "intensity" or defender.trait is None or draft.dials.impact_on_dice_in_play == "locked_for_round":
        return defender.dice[die].size
    return sizes_of(draft, attack.defender).get(defender.trait, 0)


# --- losing the action -----------------------------------------------------------------------------------------------

FORFEIT = rule(
    "intensity.defence.forfeit",
    "If you pick up your last standing die before you act, you lose your action.",
    "Actions",
    step="{char} picks up the last standing die and loses the action.",
)
AFTER_ACTING = rule(
    "intensity.defence.after-acting",
    "A defender who has already acted, or has no action this round, may pick up both dice without losing anything.",
    "Example 1: Basic Conflict",
)


@fact("action-forfeited", says="{char} picks up the last standing die and loses the action.")
class ActionForfeited:
    """To defend against this attack, a participant who had not acted yet picked up their last standing die. This costs
    them their action.
    """

    round: RoundId
    char: CharacterId
    attack: AttackId


@changes
@in_its_round
def forfeit_action(round: Round, fact: ActionForfeited) -> Round | None:
    return with_turn(round, fact.char, "forfeited")


def _forfeit_when_nothing_stands(draft: Draft, scene: Subject, round: Round, attack: OpenAttack, up: int) -> None:
    """Give up an action still to come when the last standing die is picked up."""
    defender = round.participants[attack.defender]
    left = len(standing(defender)) - up
    if defender.turn == "pending" and left == 0:
        draft.tell(scene, ActionForfeited(round.id, attack.defender, attack.id))
        draft.by(FORFEIT, "forfeited", char=attack.defender)
    elif defender.turn != "pending":
        draft.by(AFTER_ACTING, defender.turn, char=attack.defender)


# --- defending -------------------------------------------------------------------------------------------------------


def defender_of(table: Table[object], do: object) -> str | None:
    here = scene_of(table)
    return here.round.attack.defender if here and here.round and here.round.attack else None


def say_defends(do: Defend, names: Names) -> str:
    what = f"rolls {dice(entry.die for entry in do.dice)}" if do.dice else "lets the dice stand"
    return quote(f"The defender {what}", do.text)


@declares(
    "defend",
    either(defender_of, "the player of the defender"),
    says=say_defends,
    records=(ActionForfeited, DefenceChosen, DefenceRolled),
)
class Defend:
    """Choose the dice that the defender rolls against the open attack.

    `dice`: if you choose none, the dice stay on the table and the defence value is 0.
    """

    dice: Annotated[tuple[DefenceDie, ...], Says("Dice to roll")] = ()
    text: InWords = ""


def may_defend(draft: Draft, round: Round, attack: OpenAttack, chosen: Sequence[str]) -> Refused | None:
    """Refuse a second choice, except a second die where the table allows that. Rolling nothing is always final."""
    defender = round.participants[attack.defender]
    if attack.success is not None:
        return WRONG_STAGE.under(PICK_UP, attack=attack.id)
    may_add = draft.dials.defence_second_pick == "after_seeing" and not attack.let_stand
    if attack.answered and not (may_add and chosen):
        return ALREADY_RESPONDED(attack=attack.id, defender=attack.defender)
    for die in chosen:
        if not is_die(die) or die not in defender.dice:
            return NO_SUCH_DIE(die=die, defender=attack.defender)
    rolled = {name for name, die in defender.dice.items() if die.against == attack.id}
    if rolled & set(chosen):
        return ALREADY_RESPONDED(defender=attack.defender, dice=sorted(rolled))
    for die in chosen:
        if is_die(die) and (refused := may_roll_in_defence(draft, attack, defender, die)):
            return refused
    return None


@decides
def defend(draft: Draft, do: Defend) -> Asking[None]:
    """Pick up and roll any of the two dice, or let them stand, as the defender."""
    chosen = [entry.die for entry in do.dice]
    check_once(chosen, PICK_UP)
    here, round = the_scene_and_round(draft, PICK_UP)
    attack = the_attack(round, PICK_UP)
    require(may_defend(draft, round, attack, chosen))
    defender = round.participants[attack.defender]
    names = [die for die in chosen if is_die(die)]
    sizes = {die: size_in_defence(draft, attack, defender, die) for die in names}
    typed = {
        die: check_face(entry.face, sizes[die], PICK_UP)
        for die, entry in zip(names, do.dice, strict=True)
        if entry.face is not None
    }
    picked_up = tuple(die for die in names if not defender.dice[die].picked_up)
    rerolled = tuple(die for die in names if defender.dice[die].picked_up)
    source = standing_dice(here.subject, attack.defender)
    target = defence_dice(here.subject, attack.defender)
    moved = draft.taken(source, len(picked_up), target) if picked_up else None
    draft.tell(
        here.subject,
        DefenceChosen(attack=attack.id, picked_up=picked_up, rerolled=rerolled, let_stand=not names, text=do.text),
        moved,
    )
    if not names:
        draft.by(LET_STAND, 0, defender=attack.defender)
        return
    rolled = []
    for die in names:
        face = typed.get(die) or (
            yield from ask_face(attack.defender, die, sizes[die], DEFENCE_DICE, "defence", PICK_UP)
        )
        rolled.append(RolledDefence(die, sizes[die], face))
    draft.by(COMMIT, names, manner=draft.dials.defence_second_pick)
    draft.tell(here.subject, DefenceRolled(attack.id, tuple(rolled)))
    draft.by(PICK_UP, [die.face for die in rolled], picked_up=list(picked_up), rerolled=list(rerolled))
    _forfeit_when_nothing_stands(draft, here.subject, round, attack, len(picked_up))


@offers
def offer_defence(seen: Seen, draft: Draft) -> Iterator[Move]:
    round, attack = draft.open_round, draft.open_attack
    if round is None or attack is None:
        return
    defender = round.participants[attack.defender]
    shapes = tuple(
        Shape(DefenceDie, {"die": Among((die,)), "face": typed_or_asked(size_in_defence(draft, attack, defender, die))})
        for die in defender.dice
        if may_defend(draft, round, attack, [die]) is None
    )
    may_let_stand = may_defend(draft, round, attack, []) is None
    if shapes or may_let_stand:
        chosen: Domain = Some(Either(shapes), int(not may_let_stand), key="die") if shapes else Among(((),))
        awaits = PICK_UP if may_let_stand else None
        yield Move(Defend, {"dice": chosen}, awaits, attack.defender)


def typed_or_asked(size: int) -> Domain:
    return Either((Among((None,)), Between(1, size)))


# --- what counts in defence ------------------------------------------------------------------------------------------

REROLL_IN_DEFENCE = rule(
    "intensity.defence.reroll",
    "Dice that you have picked up can be rolled again to defend against each later attack in the round.",
    "Actions",
)


def counting(dials: Dials, attack: OpenAttack, defender: Participant) -> dict[DieName, Die]:
    """Return the dice rolled against this attack; where old faces are kept, every die picked up."""
    keep = dials.defence_carryover == "keep_or_reroll"
    return {
        name: die
        for name, die in defender.dice.items()
        if die.defence is not None and die.picked_up and (keep or die.against == attack.id)
    }


def defence_value(dials: Dials, round: Round, attack: OpenAttack) -> int:
    """Return the highest die that counts, or 0, with what was bought."""
    faces = (die.defence or 0 for die in counting(dials, attack, round.participants[attack.defender]).values())
    return max(faces, default=0) + BONUS * attack.bought.count("defence4")


# --- dice typed in ---------------------------------------------------------------------------------------------------


@throws
def thrown_in_defence(do: Defend, ruling: RecordedFacts) -> Iterator[Thrown]:
    typed = {entry.die for entry in do.dice if entry.face is not None}
    for recorded in (about.fact for about in ruling.facts):
        if isinstance(recorded, DefenceRolled):
            who = defender_in(ruling, recorded.attack)
            yield from (Thrown(who, die.size, (die.face,)) for die in recorded.faces if die.die in typed)


def defender_in(ruling: RecordedFacts, attack: str) -> Subject | None:
    """Return the defender, as the fact that opened the attack names it."""
    named = (getattr(about.fact, "defender", None) for about in list_making_facts(ruling, attack))
    return next((character(char) for char in named if isinstance(char, str)), None)


def size_when_rolled(ruling: RecordedFacts, attack: str, die: str) -> int:
    """Return the size of a die when it was last rolled in defence; 0 if it never was."""
    for recorded in recorded_since(ruling, attack):
        if isinstance(recorded, DefenceRolled) and recorded.attack == attack:
            for rolled in recorded.faces:
                if rolled.die == die:
                    return rolled.size
    return 0

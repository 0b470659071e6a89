"""Actions: the simultaneous roll, and the order it establishes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.intensity.draft import (
    WRONG_STAGE,
    AskedDice,
    Draft,
    Place,
    ask_faces,
    check_face,
    check_once,
    from_bank,
    round_or_none,
    standing_dice,
    the_round,
    the_scene,
)
from ledger.rules.intensity.impact import explain_size, sizes_of
from ledger.rules.intensity.levels_and_traits import TRAIT_UNUSABLE
from ledger.rules.intensity.opponents import ConflictLinked, link_opponents
from ledger.rules.intensity.state import (
    INTENSITY,
    Char,
    Die,
    DieName,
    Face,
    Participant,
    Round,
    RoundId,
    Scene,
    TraitName,
    in_its_round,
    name,
    people,
)
from ledger.rules.kernel import rolls
from ledger.rules.kernel.chapters import (
    Question,
    Refusal,
    changes,
    decides,
    declares,
    fact,
    offers,
    reports,
    require,
    rule,
    throws,
)
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.kernel.moves import Among, Between, Domain, Either, Move, Shape, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.thrown import Thrown, Told

ROLL = rule(
    "intensity.round.roll",
    "Everybody in the round rolls at the same time, once all of them have declared and at least one has a target."
    " The sizes of the dice are fixed at the roll.",
    "Actions",
    step="{char} rolls {out}.",
)
ORDER_KEY = rule(
    "intensity.order.key",
    "Participants act in the order of their highest dice, the highest number first. If these are equal, the second dice"
    " decide.",
    "Actions",
    step="{char}'s dice for the order are {out}.",
)
ROLL_DICE = Refusal(
    ROLL,
    "roll-dice",
    "[{char} rolls dice with these numbers of sides: {dice}. ]Enter exactly the dice that were declared.",
)
ROLL_NAMES = Refusal(ROLL, "roll-names", "You named {named}, but these still have to roll: {to_roll}.")
UNDECLARED = Refusal(ROLL, "undeclared", "{undeclared} must declare before the roll.")
NOBODY_ACTS = Refusal(
    ROLL,
    "nobody-acts",
    "Nobody has a target, so there is nothing to roll for. At least one participant needs a target.",
)
ROLL_INTENSITY = Question("round:intensity", "{who} rolls the intensity die for the round: a D{sides}.")
ROLL_TRAIT = Question("round:trait", "{who} rolls the trait die for the round: a D{sides}.")
ROUND_DICE: AskedDice = {"intensity": ROLL_INTENSITY, "trait": ROLL_TRAIT}


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of one participant's dice. Leave out `trait` if the participant rolls the intensity die alone."""

    char: Char
    intensity: Face | None = None
    trait: Face | None = None


@dataclass(frozen=True, slots=True)
class RolledDie:
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class RolledTrait:
    name: TraitName
    size: int
    face: int


def say_rolled(fact: DiceRolled, names: Names) -> str:
    shown = f"{name(names, fact.char)} rolls {fact.intensity.face} on the D{fact.intensity.size}"
    trait = fact.trait
    return f"{shown} and {trait.face} on the D{trait.size} of {trait.name}." if trait else f"{shown}."


@fact("dice-rolled", says=say_rolled)
class DiceRolled:
    round: RoundId
    char: CharacterId
    intensity: RolledDie
    trait: RolledTrait | None


@reports
def show_dice(fact: DiceRolled) -> Iterator[rolls.Roll]:
    fallen = [rolls.Die(fact.intensity.size, fact.intensity.face, name="Intensity")]
    if fact.trait is not None:
        fallen.append(rolls.Die(fact.trait.size, fact.trait.face, name=fact.trait.name))
    yield rolls.Roll(character(fact.char), dice=tuple(fallen))


def say_order(fact: OrderEstablished, names: Names) -> str:
    together = (f"{people(names, group)}{' together' if group[1:] else ''}" for group in fact.groups)
    return f"The order is {', then '.join(together)}."


@fact("order-established", says=say_order, headline=14)
class OrderEstablished:
    """All dice are rolled. `groups`: the order of turns. Characters who are fully tied form one group."""

    round: RoundId
    groups: tuple[tuple[CharacterId, ...], ...]


_with_dice = changing(Participant, "dice")


@changes
@in_its_round
def lay_dice(round: Round, fact: DiceRolled) -> Round | None:
    participant = round.participants.get(fact.char)
    if participant is None:
        return None
    dice: dict[DieName, Die] = {"intensity": Die(fact.intensity.size, fact.intensity.face)}
    if fact.trait is not None:
        dice["trait"] = Die(fact.trait.size, fact.trait.face)
    return changed(round, participants={**round.participants, fact.char: _with_dice(participant, dice)}, begun=True)


@changes
@in_its_round
def establish(round: Round, fact: OrderEstablished) -> Round:
    participants = {
        char: changed(participant, turn="none" if participant.target is None else "pending")
        for char, participant in round.participants.items()
    }
    return changed(round, participants=participants, groups=fact.groups)


def say_roll(do: RollDice, names: Names) -> str:
    rolling = [entry.char for entry in do.faces] or do.participants
    if not rolling:
        return "The dice are rolled."
    return f"{people(names, rolling)} {'roll' if rolling[1:] else 'rolls'} the dice."


@declares("roll", ANYONE, says=say_roll, records=(DiceRolled, OrderEstablished, ConflictLinked))
class RollDice:
    """Roll the dice of the round. `faces`: what your own dice show, for everybody who rolls now.

    `participants`: who rolls now. Default: those in `faces`, or else everybody who has not rolled yet.
    """

    faces: tuple[Faces, ...] = ()
    participants: tuple[CharacterId, ...] = ()


def may_roll(round: Round) -> Refused | None:
    if round.groups is not None:
        return WRONG_STAGE.under(ROLL, round=round.id)
    undeclared = [char for char, participant in round.participants.items() if participant.level is None]
    if undeclared:
        return UNDECLARED(undeclared=undeclared)
    if all(participant.target is None for participant in round.participants.values()):
        return NOBODY_ACTS(round=round.id)
    return None


def may_roll_trait(draft: Draft, char: str, participant: Participant) -> Refused | None:
    if participant.trait is None or sizes_of(draft, char).get(participant.trait, 0):
        return None
    return TRAIT_UNUSABLE.under(ROLL, char=char, trait=participant.trait)


def _dice_to_roll(draft: Draft, char: str, participant: Participant) -> dict[DieName, int]:
    """The declared dice: intensity by level, the trait at its current size."""
    assert participant.level is not None
    dice: dict[DieName, int] = {"intensity": INTENSITY[participant.level]}
    if participant.trait is not None:
        dice["trait"] = sizes_of(draft, char).get(participant.trait, 0)
    return dice


@decides
def roll_dice(draft: Draft, do: RollDice) -> Asking[None]:
    """Everybody rolls the declared dice; entered one by one or together. When all are in, the order is established."""
    typed_for = [entry.char for entry in do.faces]
    for char in (*typed_for, *do.participants):
        draft.known(char)
    check_once(typed_for, ROLL)
    check_once(do.participants, ROLL)
    place = the_scene(draft, ROLL)
    round = the_round(place, ROLL)
    for char in round.participants:
        draft.known(char)
    require(may_roll(round))
    rolling = _who_rolls(round, do)
    for char in _yet_to_roll(round):
        require(may_roll_trait(draft, char, round.participants[char]))
    sizes = {char: _dice_to_roll(draft, char, round.participants[char]) for char in _yet_to_roll(round)}
    typed = {entry.char: check_faces(entry, sizes[entry.char], ROLL) for entry in do.faces}
    for char in rolling:
        dice = sizes[char]
        faces = (
            typed[char] if do.faces else (yield from ask_faces(char, dice, ROUND_DICE, "the roll of the round", ROLL))
        )
        rolled = _rolled(round.id, char, round.participants[char], dice, faces)
        draft.tell(place.subject, rolled, from_bank(standing_dice(place.subject, char), "die", len(faces)))
        if rolled.trait is not None:
            explain_size(draft, char, rolled.trait.name)
        draft.by(ROLL, list(faces.values()), char=char, sizes=list(dice.values()))
    establish_order(draft, place)


def _yet_to_roll(round: Round) -> list[str]:
    return [char for char, participant in round.participants.items() if not participant.dice]


def _who_rolls(round: Round, do: RollDice) -> list[str]:
    """The named ones (else all), in the round's order. Refuses `roll-names` for who is not in it or has rolled."""
    typed = [entry.char for entry in do.faces]
    waiting = _yet_to_roll(round)
    named = set(typed or do.participants or waiting)
    if not named <= set(waiting) or (typed and do.participants and named != set(do.participants)):
        raise ROLL_NAMES(named=sorted(named), to_roll=waiting)
    return [char for char in waiting if char in named]


def check_faces(entry: Faces, sizes: dict[DieName, int], rule: str) -> dict[DieName, int]:
    """One participant's typed faces. Refuses `roll-dice` for a die too few or too many, `face-range`."""
    given: dict[DieName, object] = {"intensity": entry.intensity, "trait": entry.trait}
    if any((face is not None) != (die in sizes) for die, face in given.items()):
        raise ROLL_DICE.under(rule, char=entry.char, dice=list(sizes.values()))
    return {die: check_face(given[die], size, rule) for die, size in sizes.items()}


def _rolled(
    round: str, char: str, participant: Participant, sizes: dict[DieName, int], faces: dict[DieName, int]
) -> DiceRolled:
    trait = None
    if participant.trait is not None:
        trait = RolledTrait(participant.trait, sizes["trait"], faces["trait"])
    return DiceRolled(round, char, RolledDie(sizes["intensity"], faces["intensity"]), trait)


#: Highest face, other face; a missing die is 0.
Key: TypeAlias = tuple[int, int]


def key_of(dice: Iterable[Die]) -> Key:
    """Which die shows the face is irrelevant."""
    return key_of_faces(die.face for die in dice)


def key_of_faces(faces: Iterable[int]) -> Key:
    first, second, *_ = [*sorted(faces, reverse=True), 0, 0]
    return (first, second)


def grouped(keys: Mapping[str, Key]) -> list[list[str]]:
    """Larger key first, the fully tied together."""
    return [[char for char, own in keys.items() if own == key] for key in sorted(set(keys.values()), reverse=True)]


def establish_order(draft: Draft, place: Place) -> None:
    """Once every participant's dice are in: the order, and who is in conflict by this round."""
    round = draft.state(place.subject, Scene).round
    if round is None or not round.participants or _yet_to_roll(round):
        return
    keys = {char: key_of(participant.dice.values()) for char, participant in round.participants.items()}
    groups = tuple(draft.in_name_order(group) for group in grouped(keys))
    draft.tell(place.subject, OrderEstablished(round.id, groups))
    for group in groups:
        for char in group:
            draft.by(ORDER_KEY, list(keys[char]), char=char)
    link_opponents(draft, round)


@offers
def offer_the_roll(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Once all have declared and somebody acts; typed in, or asked for."""
    round = round_or_none(draft)
    if round is None or may_roll(round):
        return
    participants, waiting = round.participants, _yet_to_roll(round)
    if any(may_roll_trait(draft, char, participants[char]) for char in waiting):
        return
    for char in waiting:
        yield Move(RollDice, {"participants": Among(((char,),))}, awaits=ROLL, of=char)
    yield Move(RollDice, {"participants": Some(Among(tuple(waiting)))})
    typed = tuple(_typed(char, _dice_to_roll(draft, char, participants[char])) for char in waiting)
    yield Move(RollDice, {"faces": Some(Either(typed), 1, key="char")})
    everybody = Some(Among(tuple(waiting)), len(waiting), len(waiting), tuple(waiting))
    yield Move(RollDice, {"faces": Some(Either(typed), len(waiting), key="char"), "participants": everybody})


def _typed(char: str, sizes: dict[DieName, int]) -> Shape:
    trait: Domain = Between(1, sizes["trait"]) if "trait" in sizes else Among((None,))
    return Shape(Faces, {"char": Among((char,)), "intensity": Between(1, sizes["intensity"]), "trait": trait})


@throws
def thrown_in_the_roll(do: RollDice, told: Told) -> Iterator[Thrown]:
    typed = {entry.char for entry in do.faces}
    for rolled in (about.fact for about in told.facts):
        if isinstance(rolled, DiceRolled) and rolled.char in typed:
            yield Thrown(character(rolled.char), rolled.intensity.size, (rolled.intensity.face,))
            if rolled.trait is not None:
                yield Thrown(character(rolled.char), rolled.trait.size, (rolled.trait.face,))

"""Actions: the roll of everybody at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.intensity.draft import (
    WRONG_STAGE,
    AskedDice,
    CurrentScene,
    Draft,
    Faces,
    ask_faces,
    check_faces,
    check_once,
    from_bank,
    recorded_since,
    standing_dice,
    the_scene_and_round,
)
from ledger.rules.intensity.impact import explain_size, sizes_of
from ledger.rules.intensity.levels_and_traits import (
    TRAIT_UNUSABLE,
)
from ledger.rules.intensity.opponents import ConflictLinked, link_opponents
from ledger.rules.intensity.state import (
    INTENSITY,
    Die,
    DieName,
    Participant,
    Round,
    RoundId,
    Scene,
    TraitName,
    in_its_round,
    name,
    people,
)
from ledger.rules.intensity.turns import OrderEstablished, SettleTie, TieSettled, establish_order
from ledger.rules.kernel.kit import (
    ANYONE,
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
    Some,
    Thrown,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    fact,
    offers,
    reports,
    require,
    rolls,
    rule,
    throws,
)

# --- the roll of the round -------------------------------------------------------------------------------------------

ROLL = rule(
    "intensity.round.roll",
    "Once all participants have declared, and at least one of them has a target, they all roll at the same"
    " time. The trait die has the size that the trait has at that moment.",
    "Actions",
    step="{char} rolls {out}.",
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
    """A participant rolled the dice for the round."""

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


def say_roll(do: RollDice, names: Names) -> str:
    rolling = [entry.char for entry in do.faces] or do.participants
    if not rolling:
        return "The dice are rolled."
    return f"{people(names, rolling)} {'roll' if rolling[1:] else 'rolls'} the dice."


@declares("roll", ANYONE, says=say_roll, records=(DiceRolled, OrderEstablished, ConflictLinked))
class RollDice:
    """Roll the dice of the round. `faces`: the numbers on dice rolled at the table, for everybody who rolls now.

    `participants`: who rolls now. If you leave it out: those in `faces`, or else all who have not rolled yet.
    """

    faces: Annotated[tuple[Faces, ...], Says("Dice rolled at the table")] = ()
    participants: Annotated[tuple[CharacterId, ...], Says("Who rolls")] = ()


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
    """Return the declared dice: intensity by level, the trait at its current size."""
    assert participant.level is not None
    dice: dict[DieName, int] = {"intensity": INTENSITY[participant.level]}
    if participant.trait is not None:
        dice["trait"] = sizes_of(draft, char).get(participant.trait, 0)
    return dice


@decides
def roll_dice(draft: Draft, do: RollDice) -> Asking[None]:
    """Roll the declared dice, one participant at a time or together. When all are in, the order is established."""
    typed_for = [entry.char for entry in do.faces]
    for char in (*typed_for, *do.participants):
        draft.check_character(char)
    check_once(typed_for, ROLL)
    check_once(do.participants, ROLL)
    here, round = the_scene_and_round(draft, ROLL)
    for char in round.participants:
        draft.check_character(char)
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
        draft.tell(here.subject, rolled, from_bank(standing_dice(here.subject, char), "die", len(faces)))
        if rolled.trait is not None:
            explain_size(draft, char, rolled.trait.name)
        draft.by(ROLL, list(faces.values()), char=char, sizes=list(dice.values()))
    complete_the_roll(draft, here)


def _yet_to_roll(round: Round) -> list[str]:
    return [char for char, participant in round.participants.items() if not participant.dice]


def _who_rolls(round: Round, do: RollDice) -> list[str]:
    """Return the named participants (else all), in the round's order. Refuses `roll-names` for others, or twice."""
    typed = [entry.char for entry in do.faces]
    waiting = _yet_to_roll(round)
    named = set(typed or do.participants or waiting)
    if not named <= set(waiting) or (typed and do.participants and named != set(do.participants)):
        raise ROLL_NAMES(named=sorted(named), to_roll=waiting)
    return [char for char in waiting if char in named]


def _rolled(
    round: str, char: str, participant: Participant, sizes: dict[DieName, int], faces: dict[DieName, int]
) -> DiceRolled:
    trait = None
    if participant.trait is not None:
        trait = RolledTrait(participant.trait, sizes["trait"], faces["trait"])
    return DiceRolled(round, char, RolledDie(sizes["intensity"], faces["intensity"]), trait)


# --- when everybody has rolled ---------------------------------------------------------------------------------------


def complete_the_roll(draft: Draft, here: CurrentScene) -> None:
    """Establish the order and who is in conflict, once every participant's dice are in."""
    round = draft.state(here.subject, Scene).round
    if round is None or not round.participants or _yet_to_roll(round):
        return
    establish_order(draft, here, round)
    link_opponents(draft, round)


# --- what can be offered ---------------------------------------------------------------------------------------------


@offers
def offer_the_roll(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer the roll once all have declared and somebody acts; typed in, or asked for."""
    round = draft.open_round
    if round is None or may_roll(round):
        return
    participants, waiting = round.participants, _yet_to_roll(round)
    if any(may_roll_trait(draft, char, participants[char]) is not None for char in waiting):
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


# --- dice typed in: whose they are -----------------------------------------------------------------------------------


@throws
def thrown_in_the_roll(do: RollDice, ruling: RecordedFacts) -> Iterator[Thrown]:
    typed = {entry.char for entry in do.faces}
    for rolled in (about.fact for about in ruling.facts):
        if isinstance(rolled, DiceRolled) and rolled.char in typed:
            yield Thrown(character(rolled.char), rolled.intensity.size, (rolled.intensity.face,))
            if rolled.trait is not None:
                yield Thrown(character(rolled.char), rolled.trait.size, (rolled.trait.face,))


@throws
def thrown_in_a_roll_off(do: SettleTie, ruling: RecordedFacts) -> Iterator[Thrown]:
    for about in ruling.facts if do.faces else ():
        if isinstance(about.fact, TieSettled):
            sizes = _sizes_in_round(ruling, about.fact.round)
            for dice in (dice for throw in about.fact.faces for dice in throw if dice.char in sizes):
                rolled = sizes[dice.char]
                if dice.intensity:
                    yield Thrown(character(dice.char), rolled.intensity.size, (dice.intensity,))
                if rolled.trait is not None and dice.trait is not None:
                    yield Thrown(character(dice.char), rolled.trait.size, (dice.trait,))


def _sizes_in_round(ruling: RecordedFacts, round: str) -> dict[str, DiceRolled]:
    """Return the last dice rolled in the round, by character."""
    rolled: dict[str, DiceRolled] = {}
    for recorded in recorded_since(ruling, round):
        if isinstance(recorded, DiceRolled) and recorded.round == round:
            rolled.setdefault(recorded.char, recorded)
    return rolled

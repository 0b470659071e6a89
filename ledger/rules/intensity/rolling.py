"""The chapter Actions: the roll that all participants make at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.intensity.draft import (
    WRONG_STAGE,
    CurrentScene,
    DieQuestions,
    Draft,
    Faces,
    ask_faces,
    check_faces,
    check_once,
    list_recorded_since,
    make_posting_from_bank,
    name_standing_account,
    require_scene_and_round,
)
from ledger.rules.intensity.impact import explain_size, get_sizes
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
    word_name,
    word_people,
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
ROUND_QUESTIONS: DieQuestions = {"intensity": ROLL_INTENSITY, "trait": ROLL_TRAIT}


@dataclass(frozen=True, slots=True)
class RolledDie:
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class RolledTrait:
    name: TraitName
    size: int
    face: int


def say_dice_rolled(fact: DiceRolled, names: Names) -> str:
    intensity_words = f"{word_name(names, fact.char)} rolls {fact.intensity.face} on the D{fact.intensity.size}"
    trait = fact.trait
    return (
        f"{intensity_words} and {trait.face} on the D{trait.size} of {trait.name}." if trait else f"{intensity_words}."
    )


@fact("dice-rolled", says=say_dice_rolled)
class DiceRolled:
    """A participant rolled the dice for the round."""

    round: RoundId
    char: CharacterId
    intensity: RolledDie
    trait: RolledTrait | None


@reports
def show_dice(fact: DiceRolled) -> Iterator[rolls.Roll]:
    dice = [rolls.Die(fact.intensity.size, fact.intensity.face, name="Intensity")]
    if fact.trait is not None:
        dice.append(rolls.Die(fact.trait.size, fact.trait.face, name=fact.trait.name))
    yield rolls.Roll(character(fact.char), dice=tuple(dice))


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
    rolling_chars = [entry.char for entry in do.faces] or do.participants
    if not rolling_chars:
        return "The dice are rolled."
    return f"{word_people(names, rolling_chars)} {'roll' if rolling_chars[1:] else 'rolls'} the dice."


@declares("roll", ANYONE, says=say_roll, records=(DiceRolled, OrderEstablished, ConflictLinked))
class RollDice:
    """Roll the dice of the round. `faces`: the numbers on dice rolled at the table, for every participant who rolls
    now.

    `participants`: the participants who roll now. Leave it out for those in `faces`, or else for all who have not
    rolled yet.
    """

    faces: Annotated[tuple[Faces, ...], Says("Dice rolled at the table")] = ()
    participants: Annotated[tuple[CharacterId, ...], Says("Who rolls")] = ()


def may_roll(round: Round) -> Refused | None:
    if round.groups is not None:
        return WRONG_STAGE.under(ROLL, round=round.id)
    undeclared_chars = [char for char, participant in round.participants.items() if participant.level is None]
    if undeclared_chars:
        return UNDECLARED(undeclared=undeclared_chars)
    if all(participant.target is None for participant in round.participants.values()):
        return NOBODY_ACTS(round=round.id)
    return None


def may_roll_trait(draft: Draft, char: str, participant: Participant) -> Refused | None:
    if participant.trait is None or get_sizes(draft, char).get(participant.trait, 0):
        return None
    return TRAIT_UNUSABLE.under(ROLL, char=char, trait=participant.trait)


def _find_sizes_to_roll(draft: Draft, char: str, participant: Participant) -> dict[DieName, int]:
    """Return the sizes of the declared dice: intensity by level, and the trait at its current size."""
    assert participant.level is not None
    sizes: dict[DieName, int] = {"intensity": INTENSITY[participant.level]}
    if participant.trait is not None:
        sizes["trait"] = get_sizes(draft, char).get(participant.trait, 0)
    return sizes


@decides
def roll_dice(draft: Draft, do: RollDice) -> Asking[None]:
    """Roll the declared dice, one participant at a time or together. When everybody has rolled, the order is
    established.
    """
    typed_chars = [entry.char for entry in do.faces]
    for char in (*typed_chars, *do.participants):
        draft.check_character(char)
    check_once(typed_chars, ROLL)
    check_once(do.participants, ROLL)
    open_scene, round = require_scene_and_round(draft, ROLL)
    for char in round.participants:
        draft.check_character(char)
    require(may_roll(round))
    rolling_chars = _list_rolling(round, do)
    for char in _list_yet_to_roll(round):
        require(may_roll_trait(draft, char, round.participants[char]))
    sizes = {char: _find_sizes_to_roll(draft, char, round.participants[char]) for char in _list_yet_to_roll(round)}
    typed_faces = {entry.char: check_faces(entry, sizes[entry.char], ROLL) for entry in do.faces}
    for char in rolling_chars:
        die_sizes = sizes[char]
        faces = (
            typed_faces[char]
            if do.faces
            else (yield from ask_faces(char, die_sizes, ROUND_QUESTIONS, "the roll of the round", ROLL))
        )
        rolled = _make_dice_rolled(round.id, char, round.participants[char], die_sizes, faces)
        draft.tell(
            open_scene.subject,
            rolled,
            make_posting_from_bank(name_standing_account(open_scene.subject, char), "die", len(faces)),
        )
        if rolled.trait is not None:
            explain_size(draft, char, rolled.trait.name)
        draft.by(ROLL, list(faces.values()), char=char, sizes=list(die_sizes.values()))
    complete_the_roll(draft, open_scene)


def _list_yet_to_roll(round: Round) -> list[str]:
    return [char for char, participant in round.participants.items() if not participant.dice]


def _list_rolling(round: Round, do: RollDice) -> list[str]:
    """Return the named participants, or else all who have not rolled, in the round's order. Refuses `roll-names` if any
    other participant is named.
    """
    typed_chars = [entry.char for entry in do.faces]
    waiting_chars = _list_yet_to_roll(round)
    named_chars = set(typed_chars or do.participants or waiting_chars)
    if not named_chars <= set(waiting_chars) or (
        typed_chars and do.participants and named_chars != set(do.participants)
    ):
        raise ROLL_NAMES(named=sorted(named_chars), to_roll=waiting_chars)
    return [char for char in waiting_chars if char in named_chars]


def _make_dice_rolled(
    round_id: str, char: str, participant: Participant, sizes: dict[DieName, int], faces: dict[DieName, int]
) -> DiceRolled:
    trait = None
    if participant.trait is not None:
        trait = RolledTrait(participant.trait, sizes["trait"], faces["trait"])
    return DiceRolled(round_id, char, RolledDie(sizes["intensity"], faces["intensity"]), trait)


# --- when everybody has rolled ---------------------------------------------------------------------------------------


def complete_the_roll(draft: Draft, open_scene: CurrentScene) -> None:
    """Establish the order and the pairs in conflict, once every participant has rolled."""
    round = draft.state(open_scene.subject, Scene).round
    if round is None or not round.participants or _list_yet_to_roll(round):
        return
    establish_order(draft, open_scene, round)
    link_opponents(draft, round)


# --- offers ----------------------------------------------------------------------------------------------------------


@offers
def offer_the_roll(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer the roll once all participants have declared and at least one of them acts. The dice are typed in or asked
    for.
    """
    round = draft.open_round
    if round is None or may_roll(round):
        return
    participants, waiting_chars = round.participants, _list_yet_to_roll(round)
    if any(may_roll_trait(draft, char, participants[char]) is not None for char in waiting_chars):
        return
    for char in waiting_chars:
        yield Move(RollDice, {"participants": Among(((char,),))}, awaits=ROLL, of=char)
    yield Move(RollDice, {"participants": Some(Among(tuple(waiting_chars)))})
    typed_shapes = tuple(
        _make_faces_shape(char, _find_sizes_to_roll(draft, char, participants[char])) for char in waiting_chars
    )
    yield Move(RollDice, {"faces": Some(Either(typed_shapes), 1, key="char")})
    participants_domain = Some(
        Among(tuple(waiting_chars)), len(waiting_chars), len(waiting_chars), tuple(waiting_chars)
    )
    yield Move(
        RollDice,
        {"faces": Some(Either(typed_shapes), len(waiting_chars), key="char"), "participants": participants_domain},
    )


def _make_faces_shape(char: str, sizes: dict[DieName, int]) -> Shape:
    trait: Domain = Between(1, sizes["trait"]) if "trait" in sizes else Among((None,))
    return Shape(Faces, {"char": Among((char,)), "intensity": Between(1, sizes["intensity"]), "trait": trait})


# --- the participants who rolled typed dice ---------------------------------------------------------------------------


@throws
def list_thrown_in_the_roll(do: RollDice, ruling: RecordedFacts) -> Iterator[Thrown]:
    typed_chars = {entry.char for entry in do.faces}
    for rolled in (about.fact for about in ruling.facts):
        if isinstance(rolled, DiceRolled) and rolled.char in typed_chars:
            yield Thrown(character(rolled.char), rolled.intensity.size, (rolled.intensity.face,))
            if rolled.trait is not None:
                yield Thrown(character(rolled.char), rolled.trait.size, (rolled.trait.face,))


@throws
def list_thrown_in_a_roll_off(do: SettleTie, ruling: RecordedFacts) -> Iterator[Thrown]:
    for about in ruling.facts if do.faces else ():
        if isinstance(about.fact, TieSettled):
            last_rolls = _index_last_rolls(ruling, about.fact.round)
            for thrown in (thrown for throw in about.fact.faces for thrown in throw if thrown.char in last_rolls):
                last_roll = last_rolls[thrown.char]
                if thrown.intensity:
                    yield Thrown(character(thrown.char), last_roll.intensity.size, (thrown.intensity,))
                if last_roll.trait is not None and thrown.trait is not None:
                    yield Thrown(character(thrown.char), last_roll.trait.size, (thrown.trait,))


def _index_last_rolls(ruling: RecordedFacts, round_id: str) -> dict[str, DiceRolled]:
    """Return the last dice rolled in the round, by character."""
    last_rolls: dict[str, DiceRolled] = {}
    for recorded_fact in list_recorded_since(ruling, round_id):
        if isinstance(recorded_fact, DiceRolled) and recorded_fact.round == round_id:
            last_rolls.setdefault(recorded_fact.char, recorded_fact)
    return last_rolls

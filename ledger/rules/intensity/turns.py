"""The chapter Actions: the order that the roll establishes, ties, turns, and passing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from ledger.rules.intensity.draft import (
    ROLL_DICE,
    WRONG_STAGE,
    CurrentScene,
    DieQuestions,
    Draft,
    Faces,
    ask_faces,
    check_faces,
    require_participant,
    require_scene_and_round,
)
from ledger.rules.intensity.state import (
    Char,
    Die,
    DieName,
    InWords,
    Round,
    RoundId,
    TieManner,
    in_its_round,
    list_standing_dice,
    quote,
    with_turn,
    word_name,
    word_people,
)
from ledger.rules.kernel.kit import (
    GM,
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    Question,
    Refusal,
    Refused,
    Says,
    Seen,
    Some,
    Story,
    changed,
    changes,
    character,
    decides,
    declares,
    either,
    fact,
    offers,
    reports,
    require,
    rolls,
    rule,
)

# --- the order -------------------------------------------------------------------------------------------------------

ORDER_KEY = rule(
    "intensity.order.key",
    "Participants act in the order of the highest number on their dice, highest first. If the highest dice of two"
    " participants are equal, their second dice decide.",
    "Actions",
    step="{char}'s dice for the order are {out}.",
)


BASIS = rule(
    "intensity.order.basis",
    "Not in the source: picking up dice does not change the order. A table may decide that only the dice"
    " still on the table count for the order.",
    outcome="character",
)


def say_order(fact: OrderEstablished, names: Names) -> str:
    group_words = (f"{word_people(names, group)}{' together' if group[1:] else ''}" for group in fact.groups)
    return f"The order is {', then '.join(group_words)}."


@fact("order-established", says=say_order, headline=14)
class OrderEstablished:
    """All dice are rolled. `groups`: the order of turns. Characters who are tied on both dice form one group."""

    round: RoundId
    groups: tuple[tuple[CharacterId, ...], ...]


@changes
@in_its_round
def set_order(round: Round, fact: OrderEstablished) -> Round:
    participants = {
        char: changed(participant, turn="none" if participant.target is None else "pending")
        for char, participant in round.participants.items()
    }
    return changed(round, participants=participants, groups=fact.groups)


#: The higher face and the lower face; a missing die counts as 0.
Key: TypeAlias = tuple[int, int]


def make_order_key(dice: Iterable[Die]) -> Key:
    """Return the key by which participants are ordered. It does not matter which die shows which face."""
    return make_order_key_of_faces(die.face for die in dice)


def make_order_key_of_faces(faces: Iterable[int]) -> Key:
    first, second, *_ = [*sorted(faces, reverse=True), 0, 0]
    return (first, second)


def group_by_key(keys: Mapping[str, Key]) -> list[list[str]]:
    """Return the groups, larger keys first. Characters who are fully tied are in one group."""
    return [
        [char for char, other_key in keys.items() if other_key == key]
        for key in sorted(set(keys.values()), reverse=True)
    ]


def establish_order(draft: Draft, open_scene: CurrentScene, round: Round) -> None:
    """Establish the order of a round in which everybody has rolled."""
    keys = {char: make_order_key(participant.dice.values()) for char, participant in round.participants.items()}
    groups = tuple(draft.sort_by_name(group) for group in group_by_key(keys))
    draft.tell(open_scene.subject, OrderEstablished(round.id, groups))
    for group in groups:
        for char in group:
            draft.by(ORDER_KEY, list(keys[char]), char=char)


def list_first_in_order(draft: Draft, round: Round) -> tuple[str, ...]:
    """Return the character who acts next according to the dice, or several if they are fully tied. Characters without
    an action left do not count.
    """
    pending_chars = [char for char, participant in round.participants.items() if participant.turn == "pending"]
    if draft.dials.initiative_basis == "standing_dice":
        keys = {char: make_order_key(list_standing_dice(round.participants[char])) for char in pending_chars}
        groups: Sequence[Sequence[str]] = group_by_key(keys)
    else:
        ordered_groups = round.groups or ()
        unranked_chars = [char for char in pending_chars if not any(char in group for group in ordered_groups)]
        groups = [*ordered_groups, unranked_chars]
    for group in groups:
        waiting_chars = [char for char in group if char in pending_chars]
        if waiting_chars:
            return draft.sort_by_name(waiting_chars)
    return ()


# --- ties ------------------------------------------------------------------------------------------------------------

FULL_TIE = rule(
    "intensity.order.full-tie",
    "Not in the source: if participants are tied on both dice, a game master decides which of them goes first. A"
    " table may decide that they roll again.",
    outcome="character",
)
NO_TIE = Refusal(FULL_TIE, "no-tie", "There is no tie to resolve.")
TIE_BY_ROLL_OFF = Refusal(FULL_TIE, "tie-by-roll-off", "{tied} are tied. At this table, they roll for who goes first.")
TIE_BY_TABLE_CHOICE = Refusal(
    FULL_TIE,
    "tie-by-table-choice",
    "{tied} are tied. At this table, a game master says who goes first, without a roll.",
)
TIE_RANKING = Refusal(FULL_TIE, "tie-ranking", "{tied} are tied. Name each of them exactly once, and nobody else.")
ROLL_OFF_SHORT = Refusal(FULL_TIE, "roll-off-short", "{equal} are still tied and must roll again.")
ROLL_OFF_LONG = Refusal(FULL_TIE, "roll-off-long", "You entered {throws:roll|rolls}. This tie needs only {needed}.")
ROLL_OFF_NAMES = Refusal(FULL_TIE, "roll-off-names", "[You named {named}. ]Name exactly those who must roll: {equal}.")
ROLL_OFF_INTENSITY = Question(
    "roll-off:intensity", "To decide who goes first, {who} rolls the intensity die: a D{sides}."
)
ROLL_OFF_TRAIT = Question("roll-off:trait", "To decide who goes first, {who} rolls the trait die: a D{sides}.")
ROLL_OFF_QUESTIONS: DieQuestions = {"intensity": ROLL_OFF_INTENSITY, "trait": ROLL_OFF_TRAIT}


@dataclass(frozen=True, slots=True)
class Thrown:
    """One participant's dice in a throw of a roll-off. `trait`: None if only the intensity die was rolled."""

    char: CharacterId
    intensity: int
    trait: int | None


def _word_ranking(names: Names, chars: Iterable[str]) -> str:
    return ", then ".join(word_name(names, char) for char in chars)


def say_settled(fact: TieSettled, names: Names) -> str:
    how_words = "decided by a roll-off" if fact.how == "roll_off" else "decided by the table"
    return f"The tie is {how_words}: {_word_ranking(names, fact.ranking)}."


@fact("tie-settled", says=say_settled)
class TieSettled:
    """A tie in the order was settled. `faces`: the throws of a roll-off, in order."""

    round: RoundId
    ranking: tuple[CharacterId, ...]
    how: TieManner
    faces: tuple[tuple[Thrown, ...], ...]


@reports
def show_roll_off(fact: TieSettled) -> Iterator[rolls.Roll]:
    for thrown in (each for throw in fact.faces for each in throw):
        faces = [thrown.intensity, *([thrown.trait] if thrown.trait is not None else [])]
        yield rolls.Roll(character(thrown.char), "Roll-off", tuple(rolls.Die(None, face) for face in faces))


@changes
@in_its_round
def note_ranking(round: Round, fact: TieSettled) -> Round:
    return changed(round, rankings=(*round.rankings, fact.ranking))


def say_settles(do: SettleTie, names: Names) -> str:
    return (
        f"The table decides the tie: {_word_ranking(names, do.ranking)}."
        if do.ranking
        else "The tied participants roll again."
    )


@declares("settle-tie", GM, says=say_settles, records=(TieSettled,))
class SettleTie:
    """Decide the order of participants whose dice are equal. `ranking`: all of these participants, the first to act
    first.

    `faces`: if tied participants roll again at your table, the numbers on dice rolled at the table, with one list for
    each throw. If you leave this out, the ledger asks for each die.
    """

    ranking: Annotated[tuple[CharacterId, ...], Says("Order")] = ()
    faces: Annotated[tuple[tuple[Faces, ...], ...], Says("Dice rolled at the table")] = ()


def find_decided_first(round: Round, tied: Sequence[str]) -> str | None:
    """Return the tied character who goes first according to the latest decision that ranked all of them, or None if
    there is no such decision.
    """
    for ranking in reversed(round.rankings):
        if set(tied) <= set(ranking):
            return next(char for char in ranking if char in tied)
    return None


def may_settle_tie(draft: Draft, round: Round) -> Refused | None:
    if round.groups is None:
        return WRONG_STAGE.under(FULL_TIE, round=round.id)
    tied = list_first_in_order(draft, round)
    return NO_TIE(front=list(tied)) if len(tied) < 2 or find_decided_first(round, tied) is not None else None


@decides
def settle_tie(draft: Draft, do: SettleTie) -> Asking[None]:
    """Decide the order of the characters who are fully tied for the next turn: by the table's
    choice, or by a roll-off.
    """
    for char in (*do.ranking, *(entry.char for throw in do.faces for entry in throw)):
        draft.check_character(char)
    open_scene, round = require_scene_and_round(draft, FULL_TIE)
    require(may_settle_tie(draft, round))
    tied = list_first_in_order(draft, round)
    if draft.dials.full_tie == "table_choice":
        _settle_by_choice(draft, open_scene, round, tied, do)
    elif do.ranking:
        raise TIE_BY_ROLL_OFF(tied=list(tied))
    else:
        yield from _settle_by_roll_off(draft, open_scene, round, tied, do)


def _settle_by_choice(
    draft: Draft, open_scene: CurrentScene, round: Round, tied: tuple[str, ...], do: SettleTie
) -> None:
    if do.faces:
        raise TIE_BY_TABLE_CHOICE(tied=list(tied))
    if sorted(do.ranking) != sorted(tied):
        raise TIE_RANKING(tied=list(tied), ranking=list(do.ranking))
    draft.tell(open_scene.subject, TieSettled(round.id, do.ranking, "table_choice", ()))
    draft.by(FULL_TIE, list(do.ranking), tied=list(tied))


def may_roll_off(round: Round, tied: Sequence[str]) -> Refused | None:
    """Refuse participants whose roll was overturned: they have no dice to roll again."""
    return None if all(round.participants[char].dice for char in tied) else ROLL_DICE.under(FULL_TIE, tied=list(tied))


def _settle_by_roll_off(
    draft: Draft, open_scene: CurrentScene, round: Round, tied: tuple[str, ...], do: SettleTie
) -> Asking[None]:
    """Let the tied participants roll their original dice again, only to settle the order. Participants who are still
    tied roll again.
    """
    require(may_roll_off(round, tied))
    sizes = {char: {die: rolled.size for die, rolled in round.participants[char].dice.items()} for char in tied}
    groups: list[list[str]] = [list(tied)]
    throws: list[tuple[Thrown, ...]] = []
    while any(len(group) > 1 for group in groups):
        tied_chars = [char for group in groups if len(group) > 1 for char in group]
        if do.faces:
            throw = _check_typed_throw(do.faces, len(throws), {char: sizes[char] for char in tied_chars})
        else:
            throw = yield from _ask_throw({char: sizes[char] for char in tied_chars})
        keys = {char: make_order_key_of_faces(faces.values()) for char, faces in throw.items()}
        for char, key in keys.items():
            draft.by(ORDER_KEY, list(key), char=char, throw=len(throws) + 1)
        groups = [smaller_group for group in groups for smaller_group in _split_group(group, keys)]
        throws.append(
            tuple(Thrown(char, faces.get("intensity", 0), faces.get("trait")) for char, faces in throw.items())
        )
    if do.faces and len(do.faces) > len(throws):
        raise ROLL_OFF_LONG(throws=len(do.faces), needed=len(throws))
    ranking = tuple(char for group in groups for char in group)
    draft.tell(open_scene.subject, TieSettled(round.id, ranking, "roll_off", tuple(throws)))
    draft.by(FULL_TIE, list(ranking), tied=list(tied), throws=len(throws))


def _split_group(group: list[str], keys: Mapping[str, Key]) -> list[list[str]]:
    return [group] if len(group) == 1 else group_by_key({char: keys[char] for char in group})


Throw: TypeAlias = dict[str, dict[DieName, int]]


def _check_typed_throw(typed_throws: tuple[tuple[Faces, ...], ...], index: int, sizes_by_char: Throw) -> Throw:
    """Return the typed throw at this index. Refuses `roll-off-short`, `roll-off-names`, `roll-dice`, `face-range`."""
    if index >= len(typed_throws):
        raise ROLL_OFF_SHORT(equal=list(sizes_by_char))
    named_chars = [entry.char for entry in typed_throws[index]]
    if sorted(named_chars) != sorted(sizes_by_char):
        raise ROLL_OFF_NAMES(equal=list(sizes_by_char), named=named_chars)
    entries = {entry.char: entry for entry in typed_throws[index]}
    return {char: check_faces(entries[char], sizes, FULL_TIE) for char, sizes in sizes_by_char.items()}


def _ask_throw(sizes_by_char: Throw) -> Asking[Throw]:
    throw: Throw = {}
    for char, sizes in sizes_by_char.items():
        throw[char] = yield from ask_faces(char, sizes, ROLL_OFF_QUESTIONS, "a roll-off for turn order", FULL_TIE)
    return throw


@offers
def offer_to_settle(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer a ranking by the table, or a roll-off whose dice are asked for.

    Typed throws are not offered, because their number depends on the faces.
    """
    round = draft.open_round
    if round is None or may_settle_tie(draft, round):
        return
    tied = list_first_in_order(draft, round)
    awaits = FULL_TIE if round.attack is None else None
    if draft.dials.full_tie == "table_choice":
        yield Move(SettleTie, {"ranking": Some(Among(tied), len(tied), len(tied), tied)}, awaits)
    elif may_roll_off(round, tied) is None:
        yield Move(SettleTie, awaits=awaits)


# --- whose turn it is ------------------------------------------------------------------------------------------------

TURN = rule(
    "intensity.order.turn",
    "Participants act one at a time, in the order of the roll. Only one attack is open at a time.",
    "Actions",
    outcome="character",
)
TIE_OPEN = Refusal(FULL_TIE, "tie-open", "{tied} are tied. Decide who goes first before anybody acts.")
NOT_YOUR_TURN = Refusal(TURN, "not-your-turn", "It is not {char}'s turn[. {next} is next].")
ATTACK_OPEN = Refusal(TURN, "attack-open", "Another attack is still open. Finish it first.")


def find_next_to_act(draft: Draft, round: Round) -> str | None:
    """Return the character whose turn it is, or None while a tie is open or if nobody is left to act."""
    return _find_first_to_act(round, list_first_in_order(draft, round))


def _find_first_to_act(round: Round, tied: Sequence[str]) -> str | None:
    return tied[0] if len(tied) == 1 else find_decided_first(round, tied) if tied else None


def may_take_turn(draft: Draft, round: Round, char: str, rule: str) -> Refused | None:
    if round.groups is None:
        return WRONG_STAGE.under(rule, round=round.id)
    tied = list_first_in_order(draft, round)
    first_char = _find_first_to_act(round, tied)
    if first_char is None and tied:
        return TIE_OPEN(tied=list(tied))
    if first_char != char:
        return NOT_YOUR_TURN(char=char, next=first_char)
    return ATTACK_OPEN(attack=round.attack.id) if round.attack is not None else None


def explain_turn(draft: Draft, round: Round, char: str) -> None:
    """Cite why it is this participant's turn: the order of the dice, or a decision that settled a tie."""
    tied = list_first_in_order(draft, round)
    draft.by(BASIS, list(tied), basis=draft.dials.initiative_basis)
    if len(tied) > 1:
        draft.by(FULL_TIE, char, tied=list(tied))
    draft.by(TURN, char)


# --- passing ---------------------------------------------------------------------------------------------------------

PASS = rule(
    "intensity.order.pass",
    "Not in the source: on your turn, you may pass, which means that you do nothing. After that, you may"
    " pick up both dice to defend, because you have no action left to lose.",
    step="{char} passes.",
)


def say_passes(do_or_fact: Pass | ActionPassed, names: Names) -> str:
    return quote(f"{word_name(names, do_or_fact.char)} passes", do_or_fact.text)


@fact("action-passed", says=say_passes)
class ActionPassed:
    """A participant passed."""

    round: RoundId
    char: CharacterId
    text: Story = ""


@changes
@in_its_round
def pass_action(round: Round, fact: ActionPassed) -> Round | None:
    return with_turn(round, fact.char, "passed")


@declares("pass", either("char"), says=say_passes, records=(ActionPassed,))
class Pass:
    """Do nothing on your turn."""

    char: Char
    text: InWords = ""


@decides
def pass_turn(draft: Draft, do: Pass) -> None:
    """Pass. The dice can still be used to defend."""
    draft.check_character(do.char)
    open_scene, round = require_scene_and_round(draft, PASS)
    require_participant(round, do.char, PASS)
    require(may_take_turn(draft, round, do.char, PASS))
    explain_turn(draft, round, do.char)
    draft.tell(open_scene.subject, ActionPassed(round.id, do.char, do.text))
    draft.by(PASS, "passed", char=do.char)


@offers
def offer_to_pass(seen: Seen, draft: Draft) -> Iterator[Move]:
    round = draft.open_round
    char = find_next_to_act(draft, round) if round is not None else None
    if round is not None and char is not None and may_take_turn(draft, round, char, PASS) is None:
        yield Move(Pass, {"char": Among((char,))}, awaits=TURN)

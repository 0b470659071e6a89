"""Changes to a Persona Sheet in Play. The Player and the Gamemaster must both agree to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar, assert_never, get_args

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    Between,
    CharacterId,
    Either,
    Move,
    Names,
    Question,
    Reason,
    SeatId,
    Seen,
    SharedRefusal,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    once_created,
    rule,
)
from ledger.rules.scattershot import accounts, persona
from ledger.rules.scattershot.agreement import ask_for_decliner
from ledger.rules.scattershot.draft import NONE, Draft, check_positive, group_alike
from ledger.rules.scattershot.state import Advantage, Character, list_entries
from ledger.rules.scattershot.words import Positive, SheetPart, by_value, price_in_fives, say_reason

IN_PLAY = rule(
    "scattershot.persona.in-play",
    "Events in Play can give a Character a Disadvantage, or remove an entry from a Persona Sheet, if the Player and "
    "the Gamemaster both agree. Nobody gets points or dice for this.",
    "General Play; Critical Junctures",
)


NOT_ON_THE_SHEET = SharedRefusal(
    "not-on-the-sheet", "The Persona Sheet has no such entry: {name}. Choose one that it has."
)


@fact("disadvantage-gained", says="{character} gains a Disadvantage: {name}, worth {value:point|points}.")
class DisadvantageGained:
    """A Character gained a Disadvantage as a consequence. `value`: its value in points."""

    character: CharacterId
    name: Title
    value: int


@changes
@once_created
def gain_disadvantage(state: Character, fact: DisadvantageGained) -> Character:
    return changed(state, disadvantages=(*state.disadvantages, Advantage(fact.name, fact.value)))


def _say_points(count: object) -> str:
    return "1 point" if count == 1 else f"{count} points"


def say_disadvantaged(fact: DisadvantageTaken, names: Names) -> str:
    disadvantage, name = fact.disadvantage, names.name(character(fact.character))
    points = _say_points(disadvantage.value)
    return f"{name} takes a Disadvantage: {disadvantage.name}, worth {points}{say_reason(fact.reason)}."


@fact("disadvantage-taken", says=say_disadvantaged)
class DisadvantageTaken:
    """A Character gained a Disadvantage in Play. `disadvantage`: the entry on the Persona Sheet."""

    character: CharacterId
    disadvantage: Advantage
    reason: Reason


@changes
@once_created
def take_disadvantage_in_play(state: Character, fact: DisadvantageTaken) -> Character:
    return changed(state, disadvantages=(*state.disadvantages, fact.disadvantage))


STRUCK_SENTENCES: Mapping[object, str] = {
    "advantage": "{character} loses an Advantage: {name}[ ({reason})].",
    "disadvantage": "{character} loses a Disadvantage: {name}[ ({reason})].",
    "element": "{character} loses an element of 'Character': {name}[ ({reason})].",
    "protection": "{character} loses a piece of protection: {name}[ ({reason})].",
    "wound": "{character} recovers from a wound: {name}[ ({reason})].",
}


@fact("trait-struck", says=by_value("trait", STRUCK_SENTENCES), headline=36)
class TraitStruck:
    """An entry was removed from the Persona Sheet because of events in Play. The Player got nothing in return."""

    character: CharacterId
    trait: SheetPart
    name: Title
    reason: Reason


@changes
@once_created
def strike_entry(state: Character, fact: TraitStruck) -> Character | None:
    """Remove the first entry of this name."""
    names = list_entries(state, fact.trait)
    if fact.name not in names:
        return None
    entry_index = names.index(fact.name)
    match fact.trait:
        case "advantage":
            return changed(state, advantages=_leave_out(state.advantages, entry_index))
        case "disadvantage":
            return changed(state, disadvantages=_leave_out(state.disadvantages, entry_index))
        case "element":
            return changed(state, elements=_leave_out(state.elements, entry_index))
        case "protection":
            return changed(state, protection=_leave_out(state.protection, entry_index))
        case "wound":
            return changed(state, wounds=_leave_out(state.wounds, entry_index))
        case _:
            assert_never(fact.trait)


def _leave_out(entries: tuple[T, ...], entry_index: int) -> tuple[T, ...]:
    return (*entries[:entry_index], *entries[entry_index + 1 :])


T = TypeVar("T")


@fact(
    "sheet-change-declined", says="{against} does not agree to this change to {character}'s sheet: {name}.", headline=37
)
class SheetChangeDeclined:
    """The Persona Sheet was not changed. `against`: the seat that did not agree."""

    character: CharacterId
    name: Title
    against: SeatId


@changes
@once_created
def note_sheet_change_declined(state: Character, fact: SheetChangeDeclined) -> Character:
    """Leave the Character as it is. The fact is only a record."""
    return state


def say_takes_disadvantage(do: TakeDisadvantage, names: Names) -> str:
    worth_phrase = f", worth {_say_points(do.value)}" if do.value is not None else ""
    return (
        f"{names.name(character(do.character))} takes a Disadvantage: {do.name}{worth_phrase}{say_reason(do.reason)}."
    )


@declares("take-disadvantage", ANYONE, says=say_takes_disadvantage, records=(DisadvantageTaken, SheetChangeDeclined))
class TakeDisadvantage:
    """Take a Disadvantage that arises from Play, such as the loss of an eye. If the Character's Player declares this,
    the Gamemaster is asked. If a Gamemaster declares it, the Player is asked.

    `value`: how many points the Disadvantage is worth; leave it out to use the listed value, or 1.
    """

    character: CharacterId
    name: Title
    value: Positive | None = None
    reason: Reason = ""


RULE = IN_PLAY


@decides
def take_disadvantage(draft: Draft, do: TakeDisadvantage) -> Asking[None]:
    """Add a Disadvantage, once the other side agrees. Its listing gives the usual value and the effect. Refuses
    `bad-number`.
    """
    owner_seat, char_id = draft.check_plays(do.character, RULE), do.character
    listing = draft.read_campaign().advantages.get(do.name)
    usual_value = listing.value if listing is not None else 1
    value = check_positive(do.value if do.value is not None else usual_value, RULE)
    usual_effect = (listing.modifier, listing.scope, listing.bars) if listing is not None else (0, "", None)
    if not (
        yield from _ask_to_agree(
            draft,
            char_id,
            owner_seat,
            do.name,
            f"A Disadvantage for {_name_character(draft, char_id)}: {do.name}, worth {value}{_say_why(do.reason)}",
        )
    ):
        return
    draft.about(char_id, DisadvantageTaken(char_id, Advantage(do.name, value, *usual_effect), do.reason))
    draft.by(RULE, value, character=char_id, disadvantage=do.name)


ASK_SHEET = Question("sheet", "{purpose}. Do you agree?")


def _ask_to_agree(draft: Draft, char_id: str, owner_seat: str, name: str, purpose: str) -> Asking[bool]:
    """Return whether the other side agrees: for a Gamemaster's declaration, the Player; for a
    Player's, the Gamemaster.
    """
    author = draft.table.by
    asked_seats = (draft.find_gm(),) if author.role != "gm" else () if draft.is_gm(owner_seat) else (owner_seat,)
    decliner = yield from ask_for_decliner(draft, asked_seats, RULE, ASK_SHEET(), purpose)
    if decliner is None:
        return True
    draft.start_over()
    draft.about(char_id, SheetChangeDeclined(char_id, name, decliner))
    draft.by(RULE, False, character=char_id, against=decliner)
    return False


def _name_character(draft: Draft, char_id: str) -> str:
    return draft.table.name(character(char_id))


def _say_why(reason: str) -> str:
    return f" ({reason.strip().rstrip('.')})" if reason.strip() else ""


@declares("strike-trait", ANYONE, says=by_value("trait", STRUCK_SENTENCES), records=(TraitStruck, SheetChangeDeclined))
class StrikeTrait:
    """Strike an entry from a Persona Sheet, because the Character lost it in Play. The Player gets no dice or points
    for it. If the Character's Player declares this, the Gamemaster is asked. If a Gamemaster declares it, the Player is
    asked.

    `trait`: the kind of entry. `name`: the name of the entry, or the words that describe the wound.
    """

    character: CharacterId
    trait: SheetPart
    name: Title
    reason: Reason = ""


@decides
def strike_trait(draft: Draft, do: StrikeTrait) -> Asking[None]:
    """Strike an entry. Its points are lost. Refuses `not-on-the-sheet`."""
    owner_seat, char_id = draft.check_plays(do.character, RULE), do.character
    char_state = draft.read_character(char_id)
    if do.name not in list_entries(char_state, do.trait):
        raise NOT_ON_THE_SHEET.under(RULE, name=do.name)
    name = _name_character(draft, char_id)
    purpose = f"An entry is struck from {name}'s Persona Sheet: {do.name}{_say_why(do.reason)}"
    if not (yield from _ask_to_agree(draft, char_id, owner_seat, do.name, purpose)):
        return
    points = min(_count_points(char_state, do), draft.balance(accounts.name_invested(char_id)))
    draft.about(
        char_id,
        TraitStruck(char_id, do.trait, do.name, do.reason),
        accounts.make_loss(accounts.name_invested(char_id), points),
    )
    draft.by(RULE, points, character=char_id, trait=do.trait)


def _count_points(char_state: Character, do: StrikeTrait) -> int:
    """Return the Development Points that the sheet loses with the entry."""
    match do.trait:
        case "advantage":
            return next(int(advantage.value) for advantage in char_state.advantages if advantage.name == do.name)
        case "element":
            return price_in_fives(len(char_state.elements)) - price_in_fives(len(char_state.elements) - 1)
        case "protection":
            entry_index = list_entries(char_state, "protection").index(do.name)
            pieces_left = (*char_state.protection[:entry_index], *char_state.protection[entry_index + 1 :])
            return persona.price_pieces(char_state.protection) - persona.price_pieces(pieces_left)
        case _:
            return 0


@offers
def offer_changes_in_play(seen: Seen, draft: Draft) -> Iterator[Move]:
    own_ids = draft.filter_mine(draft.roster)
    if own_ids:
        yield Move(TakeDisadvantage, {"character": Among(own_ids), "value": Either((NONE, Between(1)))})
    parts: tuple[SheetPart, ...] = get_args(SheetPart)
    for part in parts:
        for names, id_domain in group_alike(
            own_ids,
            lambda char_id: list_entries(draft.read_character(char_id), part) or None,  # noqa: B023
        ):
            yield Move(StrikeTrait, {"character": id_domain, "trait": Among((part,)), "name": Among(names)})

"""What Play adds to a Persona Sheet or strikes from it: the Player and the Gamemaster both agree."""

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
from ledger.rules.scattershot.agreement import find_decliner
from ledger.rules.scattershot.draft import NONE, Draft, check_positive, group_alike
from ledger.rules.scattershot.state import Advantage, Character, list_entries
from ledger.rules.scattershot.words import Positive, SheetPart, by_value, price_in_fives, say_reason

IN_PLAY = rule(
    "scattershot.persona.in-play",
    "What happens in Play can give a Character a Disadvantage, or remove an entry from a Persona Sheet, if"
    " the Player and the Gamemaster both agree. Nobody gets points or dice for it.",
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


def _say_points(n: object) -> str:
    return "1 point" if n == 1 else f"{n} points"


def say_disadvantaged(fact: DisadvantageTaken, names: Names) -> str:
    taken, who = fact.disadvantage, names.name(character(fact.character))
    return f"{who} takes a Disadvantage: {taken.name}, worth {_say_points(taken.value)}{say_reason(fact.reason)}."


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


STRUCK: Mapping[object, str] = {
    "advantage": "{character} loses an Advantage: {name}[ ({reason})].",
    "disadvantage": "{character} loses a Disadvantage: {name}[ ({reason})].",
    "element": "{character} loses an element of 'Character': {name}[ ({reason})].",
    "protection": "{character} loses a piece of protection: {name}[ ({reason})].",
    "wound": "{character} recovers from a wound: {name}[ ({reason})].",
}


@fact("trait-struck", says=by_value("trait", STRUCK), headline=36)
class TraitStruck:
    """Something that happened in Play removed an entry from the Persona Sheet. The Player got nothing in return."""

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
    place = names.index(fact.name)
    match fact.trait:
        case "advantage":
            return changed(state, advantages=_leave_out(state.advantages, place))
        case "disadvantage":
            return changed(state, disadvantages=_leave_out(state.disadvantages, place))
        case "element":
            return changed(state, elements=_leave_out(state.elements, place))
        case "protection":
            return changed(state, protection=_leave_out(state.protection, place))
        case "wound":
            return changed(state, wounds=_leave_out(state.wounds, place))
        case _:
            assert_never(fact.trait)


def _leave_out(held: tuple[T, ...], place: int) -> tuple[T, ...]:
    return (*held[:place], *held[place + 1 :])


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
    return state


def say_takes_disadvantage(do: TakeDisadvantage, names: Names) -> str:
    worth = f", worth {_say_points(do.value)}" if do.value is not None else ""
    return f"{names.name(character(do.character))} takes a Disadvantage: {do.name}{worth}{say_reason(do.reason)}."


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
    """Add a Disadvantage, as the campaign lists it. It refunds no points. Refuses `bad-number`."""
    owner, id = draft.check_plays(do.character, RULE), do.character
    listed = draft.campaign().advantages.get(do.name)
    usual = listed.value if listed is not None else 1
    value = check_positive(do.value if do.value is not None else usual, RULE)
    usual_effect = (listed.modifier, listed.scope, listed.bars) if listed is not None else (0, "", None)
    if not (
        yield from _ask_to_agree(
            draft,
            id,
            owner,
            do.name,
            f"A Disadvantage for {_name_character(draft, id)}: {do.name}, worth {value}{_say_why(do.reason)}",
        )
    ):
        return
    draft.about(id, DisadvantageTaken(id, Advantage(do.name, value, *usual_effect), do.reason))
    draft.by(RULE, value, character=id, disadvantage=do.name)


ASK_SHEET = Question("sheet", "{purpose}. Do you agree?")


def _ask_to_agree(draft: Draft, id: str, owner: str, name: str, purpose: str) -> Asking[bool]:
    """Ask the Player about a Gamemaster's declaration, or the Gamemaster about a Player's."""
    by = draft.table.by
    asked = (draft.gm(),) if by.role != "gm" else () if draft.is_gm(owner) else (owner,)
    against = yield from find_decliner(draft, asked, RULE, ASK_SHEET(), purpose)
    if against is None:
        return True
    draft.start_over()
    draft.about(id, SheetChangeDeclined(id, name, against))
    draft.by(RULE, False, character=id, against=against)
    return False


def _name_character(draft: Draft, id: str) -> str:
    return draft.table.name(character(id))


def _say_why(reason: str) -> str:
    return f" ({reason.strip().rstrip('.')})" if reason.strip() else ""


@declares("strike-trait", ANYONE, says=by_value("trait", STRUCK), records=(TraitStruck, SheetChangeDeclined))
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
    owner, id = draft.check_plays(do.character, RULE), do.character
    who = draft.who(id)
    if do.name not in list_entries(who, do.trait):
        raise NOT_ON_THE_SHEET.under(RULE, name=do.name)
    if not (
        yield from _ask_to_agree(
            draft,
            id,
            owner,
            do.name,
            f"To strike from {_name_character(draft, id)}'s Persona Sheet: {do.name}{_say_why(do.reason)}",
        )
    ):
        return
    points = min(_count_points(who, do), draft.balance(accounts.invested(id)))
    draft.about(id, TraitStruck(id, do.trait, do.name, do.reason), accounts.lose(accounts.invested(id), points))
    draft.by(RULE, points, character=id, trait=do.trait)


def _count_points(who: Character, do: StrikeTrait) -> int:
    """Return the Development Points that the sheet loses with the entry."""
    match do.trait:
        case "advantage":
            return next(int(advantage.value) for advantage in who.advantages if advantage.name == do.name)
        case "element":
            return price_in_fives(len(who.elements)) - price_in_fives(len(who.elements) - 1)
        case "protection":
            place = list_entries(who, "protection").index(do.name)
            left = (*who.protection[:place], *who.protection[place + 1 :])
            return persona.price_pieces(who.protection) - persona.price_pieces(left)
        case _:
            return 0


@offers
def offer_changes_in_play(seen: Seen, draft: Draft) -> Iterator[Move]:
    mine = draft.filter_mine(draft.known)
    if mine:
        yield Move(TakeDisadvantage, {"character": Among(mine), "value": Either((NONE, Between(1)))})
    parts: tuple[SheetPart, ...] = get_args(SheetPart)
    for part in parts:
        for names, characters in group_alike(mine, lambda id: list_entries(draft.who(id), part) or None):  # noqa: B023
            yield Move(StrikeTrait, {"character": characters, "trait": Among((part,)), "name": Among(names)})

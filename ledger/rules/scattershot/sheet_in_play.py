"""What Play adds to a Persona Sheet and takes from it: the Player and the Gamemaster both agree. 3.2."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import who_declines
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import DisadvantageTaken, SheetChangeDeclined, TraitStruck
from ledger.rules.scattershot.guards import check_positive, no
from ledger.rules.scattershot.inputs_of_characters import StrikeTrait, TakeDisadvantage
from ledger.rules.scattershot.persona import cost_of_pieces
from ledger.rules.scattershot.sheet import Advantage
from ledger.rules.scattershot.state import Character, entries
from ledger.rules.scattershot.tables import in_fives

RULE = "persona.in-play"


def take_disadvantage(draft: Draft, do: TakeDisadvantage) -> Asking[None]:
    """`persona.in-play`: as the campaign lists it, where it does. It refunds no points. Refuses `bad-number`."""
    owner, id = draft.must_play(do.character, RULE), do.character
    listed = draft.campaign().advantages.get(do.name)
    usual = listed.value if listed is not None else 1
    value = check_positive(do.value if do.value is not None else usual, RULE)
    said = (listed.modifier, listed.scope, listed.bars) if listed is not None else (0, "", None)
    if not (
        yield from _agreed(
            draft,
            id,
            owner,
            do.name,
            f"A Disadvantage for {_name(draft, id)}: {do.name}, worth {value}{_why(do.reason)}",
        )
    ):
        return
    draft.about(id, DisadvantageTaken(id, Advantage(do.name, value, *said), do.reason))
    draft.by(RULE, value, character=id, disadvantage=do.name)


def strike_trait(draft: Draft, do: StrikeTrait) -> Asking[None]:
    """`persona.in-play`: the points in it are lost. Refuses `not-on-the-sheet`."""
    owner, id = draft.must_play(do.character, RULE), do.character
    who = draft.who(id)
    if do.name not in entries(who, do.trait):
        raise no(RULE, "not-on-the-sheet", name=do.name)
    if not (
        yield from _agreed(
            draft, id, owner, do.name, f"To strike from {_name(draft, id)}'s Persona Sheet: {do.name}{_why(do.reason)}"
        )
    ):
        return
    points = min(_points(who, do), draft.balance(accounts.invested(id)))
    draft.about(id, TraitStruck(id, do.trait, do.name, do.reason), accounts.lost(accounts.invested(id), points))
    draft.by(RULE, points, character=id, trait=do.trait)


def _points(who: Character, do: StrikeTrait) -> int:
    """The Development Points that the sheet has less in it."""
    match do.trait:
        case "advantage":
            return next(int(one.value) for one in who.advantages if one.name == do.name)
        case "element":
            return in_fives(len(who.elements)) - in_fives(len(who.elements) - 1)
        case "protection":
            place = entries(who, "protection").index(do.name)
            left = (*who.protection[:place], *who.protection[place + 1 :])
            return cost_of_pieces(who.protection) - cost_of_pieces(left)
        case _:
            return 0


def _agreed(draft: Draft, id: str, owner: str, name: str, purpose: str) -> Asking[bool]:
    """The Player is asked about a Gamemaster's declaration, the Gamemaster about a Player's."""
    by = draft.table.by
    asked = (draft.gm(),) if by.role != "gm" else () if draft.is_gm(owner) else (owner,)
    against = yield from who_declines(draft, asked, RULE, "sheet", purpose)
    if against is None:
        return True
    draft.start_over()
    draft.about(id, SheetChangeDeclined(id, name, against))
    draft.by(RULE, False, character=id, against=against)
    return False


def _why(reason: str) -> str:
    return f" ({reason.strip().rstrip('.')})" if reason.strip() else ""


def _name(draft: Draft, id: str) -> str:
    return draft.table.name(character(id))

"""The arc's purse, awards and nominations (heading "Fate")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    GM,
    Among,
    Audience,
    Between,
    CharacterId,
    Domain,
    Either,
    Entries,
    Move,
    Names,
    Posting,
    Reason,
    Refusal,
    Refused,
    Says,
    SeatId,
    Seen,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    guards,
    named_seat,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.moc import characters, holdings, own_dice
from ledger.rules.moc.chips import CHIP_VALUE, Penalise, count_value
from ledger.rules.moc.draft import CHARACTER_GONE, Draft, may_use_chips, nobody_acts, read_chips
from ledger.rules.moc.shown import Offering, fix, group_ids, look, require_some
from ledger.rules.moc.state import Campaign, Seat
from ledger.rules.moc.types import ArcId, ChipCounts, ChipValue, ColourName, SessionId
from ledger.rules.moc.words import (
    CHIPS,
    NEGATIVE_CHIPS,
    NOT_A_PLAYERS_CHARACTER,
    NOTHING_DECLARED,
    VALUE_NOT_POSITIVE,
    read_chip,
    read_whole,
    say_chips,
    say_whom,
    say_with,
    whether,
)

PURSE = rule(
    "moc.fate.purse",
    "At the start of an arc, the game master sets the arc's purse: how many experience points (XP) can be "
    "awarded as chips.",
    "Fate",
)
PURSE_EMPTY = Refusal(PURSE, "purse-empty", "The arc has {left} XP left to award. This takes {needed}.")
ARC_OPEN = Refusal(PURSE, "arc-open", "An arc is already open. Close it first.")
NO_ARC = Refusal(PURSE, "no-arc", "No arc is open. Open one first.")
NOMINATE = rule(
    "moc.fate.nominate",
    "After each session, players secretly nominate other players' characters. A character nominated by "
    "enough players gets one chip.",
    "Fate",
)
NOT_OWN_NOMINATION = Refusal(NOMINATE, "not-own-nomination", "You can nominate only for your own seat.")
NOT_A_PLAYER = Refusal(NOMINATE, "not-a-player", "Only players can nominate.")
NO_SELF_NOMINATION = Refusal(
    NOMINATE, "no-self-nomination", "{nominee} is this player's own character. Nominate another player's."
)
ALREADY_NOMINATED = Refusal(NOMINATE, "already-nominated", "This player has already nominated {nominee}.")
ALREADY_TALLIED = Refusal(NOMINATE, "already-tallied", "This session's nominations have already been counted.")


@fact("arc-opened", says="The arc begins: {name}[ (chips worth {xp} XP can be awarded)].")
class ArcOpened:
    """An arc began. `xp`: the value of the chips that can be awarded in it."""

    arc: ArcId
    name: Title
    xp: int


@changes
def begin_arc(state: Campaign, fact: ArcOpened) -> Campaign:
    return changed(state, arc=fact.arc, arc_name=fact.name, arc_ended=False)


@nobody_acts
@declares("open-arc", GM, says="An arc begins: {name}.", records=(ArcOpened,))
class OpenArc:
    """Open an arc. `xp`: the total value of the chips that can be awarded in it."""

    name: Title
    xp: ChipValue


@decides
def open_arc(draft: Draft, do: OpenArc) -> None:
    """Open an arc and fill its purse."""
    xp = read_whole(do.xp, NEGATIVE_CHIPS, PURSE)
    require(may_open_arc(draft))
    arc = draft.table.new_id()
    draft.tell(CAMPAIGN, ArcOpened(arc, do.name, xp), holdings.move(holdings.XP, holdings.purse(arc), xp))
    draft.by(PURSE, xp)


@fact("purse-enlarged", says="The arc's purse grows by {xp} XP[: {reason}].", changes=None)
class PurseEnlarged:
    """The arc's purse was enlarged. `xp`: by how much."""

    arc: ArcId
    xp: int
    reason: Reason


@nobody_acts
@declares("enlarge-purse", GM, says="The arc's purse grows by {xp} XP[: {reason}].", records=(PurseEnlarged,))
class EnlargePurse:
    """Enlarge the arc's purse. `xp`: by how much the total value of the chips that can be awarded grows."""

    xp: ChipValue
    reason: Reason = ""


@decides
def enlarge_purse(draft: Draft, do: EnlargePurse) -> None:
    xp = read_whole(do.xp, VALUE_NOT_POSITIVE, PURSE, 1)
    arc = _find_arc(draft)
    draft.tell(CAMPAIGN, PurseEnlarged(arc, xp, do.reason), holdings.move(holdings.XP, holdings.purse(arc), xp))
    draft.by(PURSE, xp)


@guards
def may_open_arc(draft: Draft) -> Refused | None:
    arc = draft.get_campaign().arc
    return ARC_OPEN(arc=arc) if arc is not None else None


@guards
def may_use_arc(draft: Draft) -> Refused | None:
    return NO_ARC() if draft.get_campaign().arc is None else None


def _find_arc(draft: Draft) -> str:
    """Return the open arc. Refuses `no-arc`."""
    require(may_use_arc(draft))
    return draft.get_campaign().arc or ""


@fact("arc-ended", says="The arc ends.")
class ArcEnded:
    """The arc ended."""

    arc: ArcId


@changes
def end_arc(state: Campaign, fact: ArcEnded) -> Campaign | None:
    return changed(state, arc=None, arc_ended=True) if state.arc == fact.arc else None


@nobody_acts
@declares("close-arc", GM, says="The arc ends.", records=(ArcEnded, own_dice.PeriodDiceReturned))
class CloseArc:
    """Close the arc."""


@decides
def close_arc(draft: Draft, do: CloseArc) -> None:
    """Close the arc: the rest of its purse is lost, and dice of the arc come back."""
    arc = _find_arc(draft)
    left = draft.balance(holdings.purse(arc))
    draft.tell(CAMPAIGN, ArcEnded(arc), holdings.move(holdings.purse(arc), holdings.XP, left))
    draft.by(PURSE, left)
    for who in draft.table.subjects("character"):
        own_dice.end_period(draft, who.id, "arc")


@offers
def offer_arcs(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_open_arc(draft) is None:
        yield Move(OpenArc, {"xp": Between(0)})
    if may_use_arc(draft) is None:
        yield Move(CloseArc)
        yield Move(EnlargePurse, {"xp": Between(1)})


# --- awards and penalties ---------------------------------------------------------------------------------------------


def say_awarded(fact: ChipAwarded, names: Names) -> str:
    """Return the award, with the game master's reason or a rule's own."""
    why = {"trumped by fiat": "after the game master's trump", "nominated": "for being nominated"}.get(fact.reason)
    return (
        f"{say_whom(names)} gets {say_chips(fact.chips)} {why}."
        if why
        else say_with(f"{say_whom(names)} gets {say_chips(fact.chips)}", fact.reason)
    )


@fact("chip-awarded", says=say_awarded, changes=None)
class ChipAwarded:
    """Chips were awarded. `value`: their total value, which counts against the arc's purse."""

    chips: Mapping[ColourName, int]
    reason: Reason
    value: int


@nobody_acts
@declares("award-chip", GM, says="{character} is awarded {chips}[: {reason}].", records=(ChipAwarded, PurseEnlarged))
class AwardChip:
    """Award chips. `chips`: how many chips are awarded, by colour. `enlarge`: add to the arc's purse if it does not
    have enough.
    """

    character: CharacterId
    chips: ChipCounts
    reason: Reason = ""
    enlarge: Annotated[bool, Says("Enlarge the purse", "Add to the arc's purse if it does not have enough.")] = False


@guards
def may_get_chips(draft: Draft, id: str) -> Refused | None:
    """Refuse villains, and characters who fell in an earlier session."""
    if draft.get_character(id).villain:
        return NOT_A_PLAYERS_CHARACTER.under(CHIP_VALUE, character=id)
    return may_still_gain(draft, id)


@decides
def award_chip(draft: Draft, do: AwardChip) -> None:
    require(may_use_chips(draft, PURSE))
    chips = read_chips(do.chips, CHIP_VALUE)
    if not chips:
        raise NOTHING_DECLARED.under(CHIP_VALUE)
    require(may_get_chips(draft, do.character))
    pay_award(draft, do.character, chips, do.reason, do.enlarge)


@guards
def may_still_gain(draft: Draft, id: str, audience: Audience = None) -> Refused | None:
    """Refuse a character who fell in an earlier session: `character-gone`."""
    if not characters.has_been_in_play_this_evening(draft, id):
        return CHARACTER_GONE(audience, character=id, status=draft.get_character(id).status)
    return None


def pay_award(draft: Draft, id: str, chips: dict[str, int], reason: str, enlarge: bool) -> None:
    """Pay chips out of the arc's purse. Refuses `purse-empty`.

    If the character fell this session, the player's next character gets them.
    """
    id = characters.find_heir(draft, id)
    arc, worth = draft.get_campaign().arc, count_value(chips)
    paid: Posting | None = None
    if draft.dials.arc_purse_enforced:
        left = draft.balance(holdings.purse(arc)) if arc is not None else 0
        if left < worth:
            if not enlarge or arc is None:
                raise PURSE_EMPTY(left=left, needed=worth)
            more = holdings.move(holdings.XP, holdings.purse(arc), worth - left)
            draft.tell(CAMPAIGN, PurseEnlarged(arc, worth - left, reason), more)
    if arc is not None:
        spend = max(0, min(worth, draft.balance(holdings.purse(arc))))
        paid = holdings.move(holdings.purse(arc), holdings.XP, spend)
    draft.about(id, ChipAwarded(chips, reason, worth), *holdings.chips(id, chips, to_bank=False), paid)
    draft.by(PURSE, worth, character=id)


def list_award_moves(now: Offering) -> Iterator[Move]:
    """Yield awards out of the arc's purse, or with more added to it."""
    earning = tuple(id for id in now.roster if may_get_chips(now.draft, id) is None)
    if not earning:
        return
    arc = now.campaign.arc
    anything = Either(tuple(Entries({**dict.fromkeys(CHIPS, Between(0)), c: Between(1)}, (c,)) for c in CHIPS))
    fields: dict[str, Domain] = {"character": Among(earning)}
    if not now.dials.arc_purse_enforced:
        both = Among((False, True))
        yield Move(AwardChip, {**fields, "chips": anything, "enlarge": both})
        return
    if arc is None:
        return
    yield Move(AwardChip, {**fields, "chips": anything, "enlarge": fix(True)})
    left = now.table.balance(holdings.purse(arc))
    paid = {colour: left // worth for colour, worth in CHIPS.items() if left >= worth}
    if paid:
        none = {colour: fix(0) for colour in CHIPS}
        each = tuple(Entries({**none, colour: Between(1, n)}, (colour,)) for colour, n in paid.items())
        yield Move(AwardChip, {**fields, "chips": Either(each)})


@offers
def offer_awards(seen: Seen, draft: Draft) -> Iterator[Move]:
    now = look(seen, draft)
    if not now.has_chips:
        return
    yield from list_award_moves(now)
    held = ((id, tuple(now.count_chips(id).items())) for id in now.roster)
    for chips, ids in group_ids((id, chips) for id, chips in held if chips).items():
        usual = (Among((None,)),) if "white" in dict(chips) else ()
        yield Move(Penalise, {"character": Among(ids), "chips": Either((*usual, require_some(dict(chips))))})


# --- nominations ------------------------------------------------------------------------------------------------------


@fact("nomination-made", says="{subject} nominates {nominee} for an experience chip.")
class NominationMade:
    """Secret: who nominated whom in which session."""

    nominee: CharacterId
    session: SessionId


@changes
def note_nomination(state: Seat, fact: NominationMade) -> Seat:
    named = state.named if state.session == fact.session else ()
    return changed(state, session=fact.session, named=(*named, fact.nominee))


@nobody_acts
@declares(
    "nominate", named_seat("seat"), says="{seat} nominates {nominee} for an experience chip.", records=(NominationMade,)
)
class Nominate:
    """Nominate another player's character for an experience chip, in secret. `seat`: who nominates. `nominee`: the
    character nominated.
    """

    seat: SeatId
    nominee: CharacterId


@guards
def may_nominate(draft: Draft, by: str, nominee: str) -> Refused | None:
    """Players nominate other players' characters, each once a session. Only the seat and game masters see a refusal."""
    seen = ("gm", by)
    if draft.table.role(seat(by)) != "player":
        return NOT_A_PLAYER(seen, seat=by)
    if draft.table.owner(character(nominee)) == by:
        return NO_SELF_NOMINATION(seen, nominee=nominee)
    if draft.get_character(nominee).villain:
        return Refused(NOMINATE, NOT_A_PLAYERS_CHARACTER.code, seen, nominee=nominee)
    if (gone := may_still_gain(draft, nominee, seen)) is not None:
        return gone
    named = draft.get_seat(by)
    if named.session == draft.find_session() and nominee in named.named:
        return ALREADY_NOMINATED(seen, nominee=nominee)
    return None


@decides
def nominate(draft: Draft, do: Nominate) -> None:
    """Record a nomination. Others see only that a ruling has this number."""
    seen = ("gm", do.seat)
    if draft.table.by.role != "gm" and draft.table.by.seat != do.seat:
        raise NOT_OWN_NOMINATION(seat=do.seat)
    draft.get_seat(do.seat)
    require(may_nominate(draft, do.seat, do.nominee))
    draft.tell(seat(do.seat), NominationMade(do.nominee, draft.find_session()), audience=seen)
    draft.by(NOMINATE, do.nominee, seen)
    draft.audience = seen


@fact(
    "nominations-tallied",
    says=whether("winners", "Enough players nominated {winners}.", "Nobody was nominated by enough players."),
    headline=40,
)
class NominationsTallied:
    """The nominations of a session were counted. `winners`: the characters with enough of them."""

    session: SessionId
    winners: tuple[CharacterId, ...]


@changes
def note_tally(state: Campaign, fact: NominationsTallied) -> Campaign:
    return changed(state, tallied=fact.session)


@nobody_acts
@declares(
    "tally-nominations",
    GM,
    says="The nominations are counted.",
    records=(NominationsTallied, ChipAwarded, PurseEnlarged),
)
class TallyNominations:
    """Count the nominations of the session. `chip`: the colour of each winner's chip, if not the usual one."""

    chip: ColourName | None = None
    enlarge: Annotated[bool, Says("Enlarge the purse", "Add to the arc's purse if it does not have enough.")] = False


@guards
def may_tally(draft: Draft) -> Refused | None:
    session = draft.find_session()
    return ALREADY_TALLIED(session=session) if draft.get_campaign().tallied == session else None


@decides
def tally_nominations(draft: Draft, do: TallyNominations) -> None:
    """Give one chip to everybody whom enough players nominated."""
    chip = read_chip(do.chip if do.chip is not None else draft.dials.nomination_chip, NOMINATE)
    session = draft.find_session()
    require(may_tally(draft))
    votes: Counter[str] = Counter()
    for each in draft.table.subjects("seat"):
        state = draft.get_seat(each.id)
        if state.session == session:
            votes.update(set(state.named))
    winners = tuple(id for id in sorted(votes) if votes[id] >= draft.dials.nomination_quorum)
    draft.tell(CAMPAIGN, NominationsTallied(session, winners))
    draft.by(NOMINATE, list(winners), quorum=draft.dials.nomination_quorum)
    for id in winners:
        pay_award(draft, id, {chip: 1}, "nominated", do.enlarge)


@offers
def offer_nominations(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer the characters that a seat can still nominate, if the viewer sees its nominations."""
    now = look(seen, draft)
    evening, viewer = now.draft.find_session(), now.seen.viewer
    for id in (id for id in now.seen.seats if viewer.role == "gm" or id == viewer.seat):
        others = tuple(other for other in now.roster if may_nominate(draft, id, other) is None)
        if others:
            yield Move(Nominate, {"seat": fix(id), "nominee": Among(others)})
    if may_tally(draft) is None:
        yield from _list_tally_moves(now, evening)


def _list_tally_moves(now: Offering, evening: str) -> Iterator[Move]:
    """Yield ways to count the nominations. Only a seat that sees the votes learns whether the purse is enough."""
    arc, both = now.campaign.arc, (False, True)
    chips = (None, *CHIPS)
    if not now.dials.arc_purse_enforced:
        yield Move(TallyNominations, {"chip": Among(chips), "enlarge": Among(both)})
        return
    votes = [id for seat in now.seen.seats for id in _list_named(now, seat, evening)]
    winners = sum(votes.count(id) >= now.dials.nomination_quorum for id in set(votes))
    sees = now.seen.viewer.role == "gm"
    if arc is not None or (sees and not winners):
        yield Move(TallyNominations, {"chip": Among(chips), "enlarge": fix(True)})
    left = now.table.balance(holdings.purse(arc)) if arc is not None else 0
    worth = {chip: CHIPS[chip or now.dials.nomination_chip] for chip in chips}
    paid = tuple(chip for chip in chips if winners * worth[chip] <= left)
    if sees and paid:
        yield Move(TallyNominations, {"chip": Among(paid)})


def _list_named(now: Offering, seat: str, evening: str) -> tuple[str, ...]:
    state = now.draft.get_seat(seat)
    return tuple(set(state.named)) if state.session == evening else ()

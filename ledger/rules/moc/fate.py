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
from ledger.rules.moc.shown import Offering, fix, get_offering, group_ids, make_some_counts_domain
from ledger.rules.moc.state import Campaign, Seat
from ledger.rules.moc.types import ArcId, ChipCounts, ChipValue, ColourName, SessionId
from ledger.rules.moc.words import (
    CHIPS,
    NEGATIVE_CHIPS,
    NOT_A_PLAYERS_CHARACTER,
    NOTHING_DECLARED,
    VALUE_NOT_POSITIVE,
    read_chip_colour,
    read_whole,
    say_chips,
    say_subject,
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
    xp = read_whole(do.xp, NEGATIVE_CHIPS, PURSE)
    require(may_open_arc(draft))
    arc_id = draft.table.new_id()
    draft.tell(
        CAMPAIGN,
        ArcOpened(arc_id, do.name, xp),
        holdings.make_posting(holdings.XP, holdings.name_purse_account(arc_id), xp),
    )
    draft.by(PURSE, xp)


@fact("purse-enlarged", says="The arc's purse grows by {xp} XP[: {reason}].", changes=None)
class PurseEnlarged:
    """The arc's purse was enlarged. `xp`: by how much its value grew."""

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
    arc_id = _read_arc_id(draft)
    draft.tell(
        CAMPAIGN,
        PurseEnlarged(arc_id, xp, do.reason),
        holdings.make_posting(holdings.XP, holdings.name_purse_account(arc_id), xp),
    )
    draft.by(PURSE, xp)


@guards
def may_open_arc(draft: Draft) -> Refused | None:
    arc_id = draft.get_campaign().arc
    return ARC_OPEN(arc=arc_id) if arc_id is not None else None


@guards
def may_use_arc(draft: Draft) -> Refused | None:
    return NO_ARC() if draft.get_campaign().arc is None else None


def _read_arc_id(draft: Draft) -> str:
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
    """Close the arc: the rest of its purse is lost, and dice that come back after an arc return."""
    arc_id = _read_arc_id(draft)
    xp_left = draft.balance(holdings.name_purse_account(arc_id))
    draft.tell(
        CAMPAIGN, ArcEnded(arc_id), holdings.make_posting(holdings.name_purse_account(arc_id), holdings.XP, xp_left)
    )
    draft.by(PURSE, xp_left)
    for subject in draft.table.subjects("character"):
        own_dice.end_period(draft, subject.id, "arc")


@offers
def offer_arcs(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_open_arc(draft) is None:
        yield Move(OpenArc, {"xp": Between(0)})
    if may_use_arc(draft) is None:
        yield Move(CloseArc)
        yield Move(EnlargePurse, {"xp": Between(1)})


# --- awards and penalties ---------------------------------------------------------------------------------------------


def say_awarded(fact: ChipAwarded, names: Names) -> str:
    """Put into words the award, with the game master's reason or that of a rule."""
    reason_words = {"trumped by fiat": "after the game master's trump", "nominated": "for being nominated"}.get(
        fact.reason
    )
    return (
        f"{say_subject(names)} gets {say_chips(fact.chips)} {reason_words}."
        if reason_words
        else say_with(f"{say_subject(names)} gets {say_chips(fact.chips)}", fact.reason)
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
    """Award chips. `chips`: how many chips are awarded, by colour. `enlarge`: whether to enlarge the arc's purse if it
    does not have enough.
    """

    character: CharacterId
    chips: ChipCounts
    reason: Reason = ""
    enlarge: Annotated[bool, Says("Enlarge the purse", "Add to the arc's purse if it does not have enough.")] = False


@guards
def may_get_chips(draft: Draft, char_id: str) -> Refused | None:
    """Refuse chips for villains, and for characters who fell in an earlier session."""
    if draft.get_character(char_id).villain:
        return NOT_A_PLAYERS_CHARACTER.under(CHIP_VALUE, character=char_id)
    return may_still_gain(draft, char_id)


@decides
def award_chip(draft: Draft, do: AwardChip) -> None:
    require(may_use_chips(draft, PURSE))
    counts = read_chips(do.chips, CHIP_VALUE)
    if not counts:
        raise NOTHING_DECLARED.under(CHIP_VALUE)
    require(may_get_chips(draft, do.character))
    pay_award(draft, do.character, counts, do.reason, do.enlarge)


@guards
def may_still_gain(draft: Draft, char_id: str, audience: Audience = None) -> Refused | None:
    """Refuse a character who fell in an earlier session: `character-gone`."""
    if not characters.is_in_play_or_fell_last_session(draft, char_id):
        return CHARACTER_GONE(audience, character=char_id, status=draft.get_character(char_id).status)
    return None


def pay_award(draft: Draft, char_id: str, counts: dict[str, int], reason: str, may_enlarge: bool) -> None:
    """Pay chips out of the arc's purse. Refuses `purse-empty`.

    If the character fell this session, the player's next character gets them.
    """
    char_id = characters.find_heir(draft, char_id)
    arc_id, worth = draft.get_campaign().arc, count_value(counts)
    posting: Posting | None = None
    if draft.dials.arc_purse_enforced:
        xp_left = draft.balance(holdings.name_purse_account(arc_id)) if arc_id is not None else 0
        if xp_left < worth:
            if not may_enlarge or arc_id is None:
                raise PURSE_EMPTY(left=xp_left, needed=worth)
            xp_posting = holdings.make_posting(holdings.XP, holdings.name_purse_account(arc_id), worth - xp_left)
            draft.tell(CAMPAIGN, PurseEnlarged(arc_id, worth - xp_left, reason), xp_posting)
    if arc_id is not None:
        xp_spent = max(0, min(worth, draft.balance(holdings.name_purse_account(arc_id))))
        posting = holdings.make_posting(holdings.name_purse_account(arc_id), holdings.XP, xp_spent)
    draft.about(
        char_id,
        ChipAwarded(counts, reason, worth),
        *holdings.list_chip_postings(char_id, counts, is_to_bank=False),
        posting,
    )
    draft.by(PURSE, worth, character=char_id)


def list_award_moves(offering: Offering) -> Iterator[Move]:
    """Yield awards that the arc's purse can pay, or that enlarge it first."""
    earner_ids = tuple(char_id for char_id in offering.roster if may_get_chips(offering.draft, char_id) is None)
    if not earner_ids:
        return
    arc_id = offering.campaign.arc
    any_chips = Either(
        tuple(
            Entries({**dict.fromkeys(CHIPS, Between(0)), first_colour: Between(1)}, (first_colour,))
            for first_colour in CHIPS
        )
    )
    fields: dict[str, Domain] = {"character": Among(earner_ids)}
    if not offering.dials.arc_purse_enforced:
        yes_or_no = Among((False, True))
        yield Move(AwardChip, {**fields, "chips": any_chips, "enlarge": yes_or_no})
        return
    if arc_id is None:
        return
    yield Move(AwardChip, {**fields, "chips": any_chips, "enlarge": fix(True)})
    xp_left = offering.table.balance(holdings.name_purse_account(arc_id))
    affordable_counts = {colour: xp_left // worth for colour, worth in CHIPS.items() if xp_left >= worth}
    if affordable_counts:
        zero_domains = {colour: fix(0) for colour in CHIPS}
        domains = tuple(
            Entries({**zero_domains, colour: Between(1, n)}, (colour,)) for colour, n in affordable_counts.items()
        )
        yield Move(AwardChip, {**fields, "chips": Either(domains)})


@offers
def offer_awards(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    if not offering.has_chips:
        return
    yield from list_award_moves(offering)
    pairs = ((char_id, tuple(offering.count_chips(char_id).items())) for char_id in offering.roster)
    for counts, ids in group_ids((char_id, counts) for char_id, counts in pairs if counts).items():
        usual_domains = (Among((None,)),) if "white" in dict(counts) else ()
        yield Move(
            Penalise,
            {"character": Among(ids), "chips": Either((*usual_domains, make_some_counts_domain(dict(counts))))},
        )


# --- nominations ------------------------------------------------------------------------------------------------------


@fact("nomination-made", says="{subject} nominates {nominee} for an experience chip.")
class NominationMade:
    """Secret: a seat nominated a character in a session."""

    nominee: CharacterId
    session: SessionId


@changes
def note_nomination(state: Seat, fact: NominationMade) -> Seat:
    nominee_ids = state.named if state.session == fact.session else ()
    return changed(state, session=fact.session, named=(*nominee_ids, fact.nominee))


@nobody_acts
@declares(
    "nominate", named_seat("seat"), says="{seat} nominates {nominee} for an experience chip.", records=(NominationMade,)
)
class Nominate:
    """Nominate another player's character for an experience chip, in secret. `seat`: the seat that nominates.
    `nominee`: the character nominated.
    """

    seat: SeatId
    nominee: CharacterId


@guards
def may_nominate(draft: Draft, seat_id: str, nominee: str) -> Refused | None:
    """Refuse a nomination by a seat that is not a player's, of the player's own character or a villain, or of the same
    character twice in a session. Only the seat and game masters see a refusal.
    """
    readers = ("gm", seat_id)
    if draft.table.role(seat(seat_id)) != "player":
        return NOT_A_PLAYER(readers, seat=seat_id)
    if draft.table.owner(character(nominee)) == seat_id:
        return NO_SELF_NOMINATION(readers, nominee=nominee)
    if draft.get_character(nominee).villain:
        return Refused(NOMINATE, NOT_A_PLAYERS_CHARACTER.code, readers, nominee=nominee)
    if (refusal := may_still_gain(draft, nominee, readers)) is not None:
        return refusal
    state = draft.get_seat(seat_id)
    if state.session == draft.find_session_id() and nominee in state.named:
        return ALREADY_NOMINATED(readers, nominee=nominee)
    return None


@decides
def nominate(draft: Draft, do: Nominate) -> None:
    """Record a nomination. Other seats see only that there is a ruling with this number."""
    readers = ("gm", do.seat)
    if draft.table.by.role != "gm" and draft.table.by.seat != do.seat:
        raise NOT_OWN_NOMINATION(seat=do.seat)
    draft.get_seat(do.seat)
    require(may_nominate(draft, do.seat, do.nominee))
    draft.tell(seat(do.seat), NominationMade(do.nominee, draft.find_session_id()), audience=readers)
    draft.by(NOMINATE, do.nominee, readers)
    draft.audience = readers


@fact(
    "nominations-tallied",
    says=whether("winners", "Enough players nominated {winners}.", "Nobody was nominated by enough players."),
    headline=40,
)
class NominationsTallied:
    """The nominations of a session were counted. `winners`: the characters with enough nominations."""

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
    """Count the nominations of the session. `chip`: the colour of each winner's chip, if it is not the usual colour."""

    chip: ColourName | None = None
    enlarge: Annotated[bool, Says("Enlarge the purse", "Add to the arc's purse if it does not have enough.")] = False


@guards
def may_tally(draft: Draft) -> Refused | None:
    session_id = draft.find_session_id()
    return ALREADY_TALLIED(session=session_id) if draft.get_campaign().tallied == session_id else None


@decides
def tally_nominations(draft: Draft, do: TallyNominations) -> None:
    """Give one chip to every character whom enough players nominated."""
    colour = read_chip_colour(do.chip if do.chip is not None else draft.dials.nomination_chip, NOMINATE)
    session_id = draft.find_session_id()
    require(may_tally(draft))
    votes: Counter[str] = Counter()
    for subject in draft.table.subjects("seat"):
        state = draft.get_seat(subject.id)
        if state.session == session_id:
            votes.update(set(state.named))
    winner_ids = tuple(char_id for char_id in sorted(votes) if votes[char_id] >= draft.dials.nomination_quorum)
    draft.tell(CAMPAIGN, NominationsTallied(session_id, winner_ids))
    draft.by(NOMINATE, list(winner_ids), quorum=draft.dials.nomination_quorum)
    for char_id in winner_ids:
        pay_award(draft, char_id, {colour: 1}, "nominated", do.enlarge)


@offers
def offer_nominations(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer the characters that a seat can still nominate, if the viewer sees its nominations."""
    offering = get_offering(seen, draft)
    session_id, viewer = offering.draft.find_session_id(), offering.seen.viewer
    for seat_id in (seat_id for seat_id in offering.seen.seats if viewer.role == "gm" or seat_id == viewer.seat):
        nominee_ids = tuple(
            nominee_id for nominee_id in offering.roster if may_nominate(draft, seat_id, nominee_id) is None
        )
        if nominee_ids:
            yield Move(Nominate, {"seat": fix(seat_id), "nominee": Among(nominee_ids)})
    if may_tally(draft) is None:
        yield from _list_tally_moves(offering, session_id)


def _list_tally_moves(offering: Offering, session_id: str) -> Iterator[Move]:
    """Yield ways to count the nominations. Only a seat that sees the votes learns whether the purse is enough."""
    arc_id, yes_or_no = offering.campaign.arc, (False, True)
    colours = (None, *CHIPS)
    if not offering.dials.arc_purse_enforced:
        yield Move(TallyNominations, {"chip": Among(colours), "enlarge": Among(yes_or_no)})
        return
    nominee_ids = [
        nominee_id for seat_id in offering.seen.seats for nominee_id in _list_nominees(offering, seat_id, session_id)
    ]
    winner_count = sum(
        nominee_ids.count(nominee_id) >= offering.dials.nomination_quorum for nominee_id in set(nominee_ids)
    )
    may_see = offering.seen.viewer.role == "gm"
    if arc_id is not None or (may_see and not winner_count):
        yield Move(TallyNominations, {"chip": Among(colours), "enlarge": fix(True)})
    xp_left = offering.table.balance(holdings.name_purse_account(arc_id)) if arc_id is not None else 0
    value_by_colour = {colour: CHIPS[colour or offering.dials.nomination_chip] for colour in colours}
    affordable_colours = tuple(colour for colour in colours if winner_count * value_by_colour[colour] <= xp_left)
    if may_see and affordable_colours:
        yield Move(TallyNominations, {"chip": Among(affordable_colours)})


def _list_nominees(offering: Offering, seat_id: str, session_id: str) -> tuple[str, ...]:
    state = offering.draft.get_seat(seat_id)
    return tuple(set(state.named)) if state.session == session_id else ()

"""The totals: basic MIBs, the accounts that Experience Dice go to, and the handling of Loaners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ledger.rules.kernel.kit import (
    ANYONE,
    AccountName,
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    Posting,
    Refusal,
    Refused,
    SeatId,
    Seen,
    SharedRefusal,
    Subject,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    listed,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import BASIC_MIB, ask_for_holders
from ledger.rules.scattershot.draft import Draft, may_act_in
from ledger.rules.scattershot.scene import (
    Die,
    Resolution,
    find_basic_mib,
    find_resultant,
    in_its_resolution,
    list_opposers,
)
from ledger.rules.scattershot.words import (
    ACTOR,
    GM_HOLDS_NO_DICE,
    LOANER_AGAINST_NOBODY,
    NOT_ENOUGH_DICE,
    DieId,
    DieKind,
    ResolutionId,
    SideName,
    name_side,
    whether,
)

RMIB = rule(
    "scattershot.contest.rmib",
    "The RMIB (Resultant MIB) is the Actor's MIB minus the Resistor's MIB. A Resistor's MIB below 0 is not subtracted.",
    "Contested rolls",
    step="The RMIB against {resistor} is {out}.",
)


MANY_RESISTORS = rule(
    "scattershot.contest.many",
    "If several Resistors oppose an Action, there is an RMIB for each of them. Each RMIB is judged separately.",
)


CALL_TOTALS = rule(
    "scattershot.mib.close",
    "When everybody has rolled, a Player calls out the totals. These are the basic MIBs.",
    "Adding/Subtracting Experience Dice",
)


DICE_MISSING = Refusal(
    CALL_TOTALS, "dice-missing", "Not everybody has rolled yet. Call out the totals when everybody has."
)


# --- the accounts of a die --------------------------------------------------------------------------------------------


CONTRIBUTE = rule(
    "scattershot.xd.contribute",
    "Players roll Experience Dice from their own purses. The Gamemaster has no purse.",
    "Adding/Subtracting Experience Dice",
)


LOANER_USE = rule(
    "scattershot.xd.loaner-use",
    "The Player who saved a Loaner must use it against its borrower in the same Session.",
    "Loaners",
)


NO_SUCH_SAVED_LOANER = SharedRefusal(
    "no-such-saved-loaner", "This takes a saved Loaner[ that {borrower} borrowed], and you have not saved one."
)


SAVED_LOANER_MUST_GO_AGAINST_BORROWER = Refusal(
    LOANER_USE,
    "saved-loaner-must-go-against-borrower",
    "{borrower} borrowed this Loaner. It can only be used against {borrower}.",
)


@dataclass(frozen=True, slots=True)
class Bid:
    """A die before it is rolled: the Player who rolls it, its kind and the MIB it is for. `against`: the Player against
    whom the die is used, or None.
    """

    resolution: str
    by: str
    kind: DieKind
    sign: int
    target: str
    against: str | None
    subject_of: str | None
    borrower: str | None = None
    use: str | None = None
    is_unopposed: bool = False


def work_out_route(draft: Draft, bid: Bid) -> tuple[str, str]:
    """Return the account a die comes from, and the account it goes to when the totals are called out.

    Refuses the codes of `may_route`.
    """
    require(may_route(draft, bid))
    match bid.kind:
        case "own":
            is_gm = draft.is_gm(bid.by)
            return accounts.STOCK if is_gm else accounts.name_purse(bid.by), _find_ordinary_account(draft, bid)
        case "freebie":
            is_to_stock = draft.dials.freebie_routing == "to-stock"
            return accounts.STOCK, accounts.STOCK if is_to_stock else _find_ordinary_account(draft, bid)
        case "loaner":
            return accounts.name_karmic(bid.by), accounts.name_saved(_find_holder(bid) or draft.find_gm(), bid.by)
        case _:
            return _work_out_saved_route(draft, bid)


def _find_ordinary_account(draft: Draft, bid: Bid) -> str:
    """Return the purse of the Player against whom the die was used, or the stock if it was used against a Gamemaster or
    nobody.
    """
    if bid.is_unopposed and draft.dials.unopposed_dice == "whole-roll":
        return accounts.STOCK
    if bid.against is None or (bid.against == bid.by and draft.dials.self_against == "to-stock"):
        return accounts.STOCK
    return draft.find_purse(bid.against)


def may_route(draft: Draft, bid: Bid) -> Refused | None:
    """Refuse dice of a Gamemaster at a table where Gamemasters have none, a Loaner that is used against nobody, and a
    saved Loaner that is not used against its borrower.
    """
    match bid.kind:
        case "own":
            is_holding_none = draft.is_gm(bid.by) and draft.dials.gm_dice != "stock"
            return GM_HOLDS_NO_DICE.under(CONTRIBUTE) if is_holding_none else None
        case "freebie":
            return None
        case "loaner":
            is_refused = draft.is_gm(bid.by) or draft.dials.loaner_unopposed == "refuse"
            return LOANER_AGAINST_NOBODY.under(LOANER) if is_refused and _find_holder(bid) is None else None
        case _:
            return _may_use_saved(draft, bid)


def _may_use_saved(draft: Draft, bid: Bid) -> Refused | None:
    """Refuse a Loaner that is not saved, or that is used neither against the borrower nor against
    an element of theirs.
    """
    borrower = bid.borrower
    if borrower is None or draft.balance(accounts.name_saved(bid.by, borrower)) < 1:
        return NO_SUCH_SAVED_LOANER.under(LOANER_USE, borrower=borrower)
    is_at_borrowers_element = bid.sign > 0 and bid.target == ACTOR and bid.subject_of == borrower
    if bid.against != borrower and not is_at_borrowers_element:
        return SAVED_LOANER_MUST_GO_AGAINST_BORROWER(borrower=borrower, against=bid.against)
    return None


def _find_holder(bid: Bid) -> str | None:
    """Return the Player against whom a Loaner is used, or else the Proprietor of the Subject. Return None if that is
    the Player who rolls the Loaner.
    """
    holder = bid.against if bid.against is not None else bid.subject_of
    return holder if holder != bid.by else None


def _work_out_saved_route(draft: Draft, bid: Bid) -> tuple[str, str]:
    borrower = bid.borrower
    assert borrower is not None
    is_to_purse = draft.dials.loaner_repaid == "keeper"
    final_account = draft.find_purse(borrower) if is_to_purse else accounts.name_karmic(borrower)
    return accounts.name_saved(bid.by, borrower), final_account


def may_take_die(draft: Draft, bid: Bid, source: str, taken_count: int = 0) -> Refused | None:
    """Refuse a die that its account does not contain, and a Loaner over the limit.

    `taken_count`: how many dice the same ruling has already taken.
    """
    if bid.kind == "loaner":
        return may_borrow(draft, bid.by, 1 + taken_count)
    if source == accounts.STOCK:
        return draft.may_take_from_stock(1 + taken_count, CONTRIBUTE)
    if draft.balance(source) < 1 + taken_count:
        refusal = NO_SUCH_SAVED_LOANER if bid.kind == "saved" else NOT_ENOUGH_DICE
        return refusal.under(CONTRIBUTE, has=draft.balance(source))
    return None


def say_totals(fact: DecisionClosed, names: Names) -> str:
    """Put into words the MIBs and, in a contest, the RMIBs."""
    if not fact.rmib:
        return f"The MIB is {fact.basic_mibs[ACTOR]}." if ACTOR in fact.basic_mibs else "Nobody has a MIB."
    mib_list = listed(f"{name_side(name, names)}'s MIB is {mib}" for name, mib in fact.basic_mibs.items())
    has_many = len(fact.rmib) > 1
    rmib_phrases = (
        f"{rmib} against {names.name(character(char_id))}" if has_many else str(rmib)
        for char_id, rmib in fact.rmib.items()
    )
    return f"{mib_list}, so the RMIB is {listed(rmib_phrases)}."


@fact("decision-closed", says=say_totals, headline=11)
class DecisionClosed:
    """The totals were called out. `rmib`: the RMIB against each Resistor; empty if no Resistor opposes."""

    resolution: ResolutionId
    basic_mibs: Mapping[SideName, int]
    rmib: Mapping[CharacterId, int]


@changes
@in_its_resolution
def close_decision_of(resolution: Resolution, fact: DecisionClosed) -> Resolution:
    return changed(resolution, phase="challenges")


HAND_OVER = rule(
    "scattershot.xd.handover",
    "When the totals are called out, each Experience Die goes to the Player it was used against. If it was"
    " used against nobody, it goes to the common stock.",
    "Experience Dice",
)
LOANER = rule(
    "scattershot.xd.loaner",
    "A Player may borrow a die, called a Loaner, and roll it immediately. The Player it is used against"
    " saves it for later.",
    "Loaners",
)
LOANER_LIMIT = Refusal(LOANER, "loaner-limit", "A Player can owe at most {limit:Loaner|Loaners} at a time.")
LOANER_EXPIRY = rule(
    "scattershot.xd.loaner-expiry",
    "Saved Loaners lapse if they are not used before the Session ends.",
    "Loaners",
)


def say_die_handed_over(fact: ExperienceDieHandedOver, names: Names) -> str:
    """Put into words the destination of a die: the stock, a Player, saved against its borrower, or paid back."""
    owner, _, account_part = fact.to.partition("/")
    if fact.to == accounts.STOCK or not owner.startswith("seat:"):
        return "The die goes back to the common stock."
    player_name = names.name(seat(owner.removeprefix("seat:")))
    if account_part.startswith("xd:saved:"):
        borrower_name = names.name(seat(account_part.removeprefix("xd:saved:")))
        return f"{player_name} saves the Loaner for use against {borrower_name}."
    return f"{player_name}'s Loaner is paid back." if account_part == "karmic" else f"The die goes to {player_name}."


@fact("experience-die-handed-over", says=say_die_handed_over)
class ExperienceDieHandedOver:
    """An Experience Die went to another account when the totals were called out."""

    resolution: ResolutionId
    die: DieId
    to: AccountName


@changes
@in_its_resolution
def hand_over_die(resolution: Resolution, fact: ExperienceDieHandedOver) -> Resolution | None:
    dice_left = tuple(die for die in resolution.dice if die.id != fact.die)
    return changed(resolution, dice=dice_left) if len(dice_left) < len(resolution.dice) else None


def hand_over_all_dice(draft: Draft, resolution_id: str) -> None:
    """Hand over every die on the table when the totals are called out."""
    _hand_over_dice(draft, draft.place(), resolution_id, draft.require_resolution(resolution_id).dice)


def _hand_over_dice(draft: Draft, place: Subject, resolution_id: str, dice: Iterable[Die]) -> None:
    """Hand over these dice, but move only as many as the account contains, because a game master
    may have adjusted it.
    """
    table_account = accounts.name_table(place.id)
    for die in dice:
        movable_count = min(1, max(0, draft.balance(table_account)))
        fact = ExperienceDieHandedOver(resolution_id, die.id, die.final)
        posting = accounts.make_posting(table_account, accounts.find_dice_account(die.final), movable_count)
        draft.tell(place, fact, posting, _make_repayment(draft, die))
        draft.by(HAND_OVER, die.final, die=die.id)


def _make_repayment(draft: Draft, die: Die) -> Posting | None:
    if die.kind != "saved" or not die.borrower:
        return None
    karmic_account = accounts.name_karmic(die.borrower)
    return accounts.make_loss(karmic_account, min(1, max(0, draft.balance(karmic_account))))


def say_held_outcome(fact: OutcomeHeld, names: Names) -> str:
    """Put into words which Players want to do something before the outcome."""
    players = listed(names.name(seat(player)) for player in fact.players)
    return f"{players} {'wants' if len(fact.players) == 1 else 'want'} to do something before the outcome."


@fact("outcome-held", says=say_held_outcome, headline=10)
class OutcomeHeld:
    """These Players want to do something between the totals and the outcome, so it does not follow automatically."""

    resolution: ResolutionId
    players: tuple[SeatId, ...]


@changes
@in_its_resolution
def hold_outcome_of(resolution: Resolution, fact: OutcomeHeld) -> Resolution:
    return changed(resolution, held=fact.players)


@declares(
    "close-decision",
    ANYONE,
    says="The totals are called out.",
    records=(DecisionClosed, OutcomeHeld, ExperienceDieHandedOver),
)
class CloseDecision:
    """Call out the totals. This ends the Decision Phase. The basic MIBs are then fixed, and every Experience Die on the
    table goes to the Player that it was used against.
    """

    resolution: ResolutionId


def may_call_totals(resolution: Resolution) -> Refused | None:
    """Refuse to call out the totals while a side has not rolled. A plot device has no sides that roll: it consists only
    of Experience Dice.
    """
    unrolled_names = (name for name, side in resolution.sides.items() if not side.dice and not side.replaced)
    unrolled_name = next(unrolled_names, None) if resolution.actor is not None else None
    return DICE_MISSING(roll=unrolled_name) if unrolled_name is not None else None


@decides
def close_decision(draft: Draft, do: CloseDecision) -> Asking[None]:
    """Fix the basic MIBs, and hand over the dice on the table."""
    resolution = draft.require_resolution(do.resolution)
    require(may_act_in(resolution, "decision"))
    require(may_call_totals(resolution))
    holding_players = yield from ask_for_holders(draft, resolution.player)
    mibs: dict[str, int] = {}
    for name, side in resolution.sides.items():
        mibs[name] = find_basic_mib(resolution, name)
        draft.by(BASIC_MIB, mibs[name], side=name, experience=side.experience)
    rmib_by_resistor = {name: find_resultant(mibs[ACTOR], mibs[name]) for name in list_opposers(resolution)}
    for name, rmib in rmib_by_resistor.items():
        draft.by(RMIB, rmib, resistor=name)
    if len(rmib_by_resistor) > 1:
        draft.by(MANY_RESISTORS, len(rmib_by_resistor))
    draft.here(DecisionClosed(do.resolution, mibs, rmib_by_resistor))
    if holding_players:
        draft.here(OutcomeHeld(do.resolution, holding_players))
    draft.by(CALL_TOTALS, mibs[ACTOR])
    hand_over_all_dice(draft, do.resolution)


def return_loaners(draft: Draft) -> None:
    """Hand over the Loaners that are still on the table in any scene at the end of the Session, so that they are saved
    or repaid.
    """
    for place in draft.table.subjects("scene"):
        for resolution_id, resolution in draft.read_scene_at(place).resolutions.items():
            borrowed_dice = [die for die in resolution.dice if die.kind in ("loaner", "saved")]
            _hand_over_dice(draft, place, resolution_id, borrowed_dice)
            for die in borrowed_dice:
                draft.by(LOANER, die.final, die=die.id)


@fact(
    "loaner-lapsed",
    says=whether(
        "kept",
        "{holder} keeps {n:Loaner|Loaners} from {borrower} as ordinary dice.",
        "{n:Loaner lapses|Loaners lapse}: borrowed by {borrower}, saved by {holder}.",
    ),
    changes=None,
)
class LoanerLapsed:
    """Loaners were not used in the Session. `holder`: the seat that saved them. `kept`: whether the holder keeps them
    as ordinary dice, which an option allows.
    """

    holder: SeatId
    borrower: SeatId
    n: int
    kept: bool


def expire_loaners(draft: Draft) -> None:
    """Expire the saved Loaners that were not used against their borrowers."""
    seat_ids = [subject.id for subject in draft.table.subjects("seat")]
    for holder in seat_ids:
        for borrower in seat_ids:
            saved_count = draft.balance(accounts.name_saved(holder, borrower))
            if saved_count > 0:
                _expire_saved_loaners(draft, holder, borrower, saved_count)


def _expire_saved_loaners(draft: Draft, holder: str, borrower: str, count: int) -> None:
    expiry = draft.dials.loaner_expiry
    draft.by(LOANER_EXPIRY, expiry, holder=holder, borrower=borrower, n=count)
    if expiry == "carry":
        return
    is_kept = expiry == "keep"
    saved_account, owed_count = accounts.name_saved(holder, borrower), draft.balance(accounts.name_karmic(borrower))
    draft.of(
        holder,
        LoanerLapsed(holder, borrower, count, is_kept),
        accounts.make_posting(saved_account, draft.find_purse(holder) if is_kept else accounts.STOCK, count),
        accounts.make_loss(accounts.name_karmic(borrower), min(count, owed_count)),
    )


def may_borrow(draft: Draft, player: str, more_loaner_count: int) -> Refused | None:
    """Refuse a Loaner if the Player would then have more Loaners out than the table allows."""
    limit = draft.dials.loaner_limit
    is_over_limit = (
        more_loaner_count
        and limit is not None
        and draft.balance(accounts.name_karmic(player)) + more_loaner_count > limit
    )
    return LOANER_LIMIT(limit=limit) if is_over_limit else None


@offers
def offer_totals(seen: Seen, draft: Draft) -> Iterator[Move]:
    for resolution_id, resolution in draft.read_resolutions().items():
        if may_act_in(resolution, "decision") is None and may_call_totals(resolution) is None:
            yield Move(
                CloseDecision,
                {"resolution": Among((resolution_id,))},
                CALL_TOTALS,
                resolution.actor,
                follows=CloseDecision(resolution_id),
            )

"""Experience Dice into a MIB: whose they are, whom they go against, where they go. 3.11."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.questions import Asking, roll
from ledger.rules.kernel.subjects import seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_deeds import ExperienceDieRolled, PlotDeviceRolled
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.handover import check_limit
from ledger.rules.scattershot.inputs_of_deeds import ContributeDie, DeviceDie, PlotDevice
from ledger.rules.scattershot.reckoning import opposers
from ledger.rules.scattershot.reporting import is_rolled, report_roll
from ledger.rules.scattershot.state import Reaction, Resolution, Side
from ledger.rules.scattershot.terms import ACTOR, REACTION, DieKind, is_die_kind


@dataclass(frozen=True, slots=True)
class Bid:
    """A die about to be rolled: by whom, of which kind, at which MIB; `against`: a Player, or nobody."""

    resolution: str
    by: str
    kind: DieKind
    sign: int
    target: str
    against: str | None
    subject_of: str | None
    borrower: str | None = None
    use: str | None = None
    unopposed: bool = False


def against(one: Resolution, by: str, sign: int, target: str, named: str | None) -> str | None:
    """`xd.against`: the Player a die goes against, or nobody. Refuses `no-such-roll`."""
    if is_reaction(target):
        return _reaction(one, target).player if sign < 0 else None
    if target not in one.sides:
        raise no("xd.against", "no-such-roll", target=target)
    if sign < 0:
        return one.sides[target].player
    if target != ACTOR:
        return one.player
    if one.actor is None:
        return one.target if one.target != by else None
    rolling = opposers(one)
    if named is not None and named not in rolling:
        raise no("xd.against", "no-such-roll", against=named)
    if not rolling:
        return None
    if named is None and len(rolling) > 1:
        raise no("contest.many", "no-such-roll", resistors=list(rolling))
    return one.sides[named or rolling[0]].player


def is_reaction(target: str) -> bool:
    return target.startswith(REACTION)


def _reaction(one: Resolution, target: str) -> Reaction:
    """Refuses `no-such-roll`."""
    found = one.reactions.get(target.removeprefix(REACTION))
    if found is None:
        raise no("engage.off-guard", "no-such-roll", target=target)
    return found


def _check_open(one: Resolution, target: str) -> None:
    """Refuses `wrong-phase`: a MIB is open in the Decision Phase, a Reaction until it is answered or cannot be."""
    reacts = is_reaction(target)
    if one.phase != ("opportunity" if reacts else "decision") or (reacts and _reaction(one, target).answered):
        raise no("mib.experience", "wrong-phase", phase=one.phase)


def is_unopposed(one: Resolution) -> bool:
    """No Resistor rolls against it; a plot device is opposed by a target other than its roller."""
    return one.target in (None, one.player) if one.actor is None else not opposers(one)


def contribute(draft: Draft, do: ContributeDie) -> Asking[None]:
    """`xd.contribute`: any Player present, while the Decision Phase is open."""
    bid, source, final = checked_bid(draft, do)
    face = checked_face(do.face)
    if face is None:
        face = yield from asked_face(bid.by)
    put_down(draft, bid, face, source, final)
    resolution = draft.resolution(do.resolution)
    if do.target in resolution.sides and is_rolled(resolution, do.target):
        report_roll(draft, do.resolution, do.target)


def checked_bid(draft: Draft, do: ContributeDie) -> tuple[Bid, str, str]:
    """The die, where it comes from, and where it goes: everything but its face is looked at."""
    player = draft.player(do.player)
    draft.check_no_solo("xd.contribute")
    one = draft.resolution(do.resolution)
    _check_open(one, do.target)
    if not is_die_kind(do.die):
        raise no("xd.contribute", "unknown-die-kind", die=do.die)
    if type(do.sign) is not int or do.sign not in (1, -1):
        raise no("mib.experience", "bad-number", sign=str(do.sign))
    goes_against = against(one, player, do.sign, do.target, do.against)
    use = _freebie(draft, do, one, player) if do.die == "freebie" else None
    borrower = do.borrower if do.die == "saved" else None
    bid = Bid(
        do.resolution, player, do.die, do.sign, do.target, goes_against, draft.proprietor(one.subject), borrower,
        use, is_reaction(do.target) or is_unopposed(one),
    )  # fmt: skip
    source, final = routes(draft, bid)
    check_source(draft, bid, source)
    return bid, source, final


def checked_face(face: object) -> int | None:
    if face is not None and (type(face) is not int or not 1 <= face <= 6):
        raise no("mib.basic", "bad-d6", face=str(face))
    return face


def asked_face(player: str) -> Asking[int]:
    (face,) = yield from roll(
        seat(player), 1, 6, slot="experience", purpose="an Experience Die", rule="scattershot.mib.experience",
        count_code="bad-number", face_code="bad-d6",
    )  # fmt: skip
    return face


def _freebie(draft: Draft, do: ContributeDie, one: Resolution, player: str) -> str:
    """`xd.freebie`: into one's own Persona's roll, in its favour; one from Advantages, some from Expectations."""
    rule = "xd.freebie"
    reacts = is_reaction(do.target)
    side: Side | Reaction = _reaction(one, do.target) if reacts else one.sides[do.target]
    persona = one.actor if do.target == ACTOR else do.target.removeprefix(REACTION)
    if persona is None or side.player != player:
        raise no(rule, "freebie-own-action-only", target=do.target)
    if do.sign < 0:
        raise no(rule, "freebie-in-favour-only")
    if do.expectation is not None:
        listed = draft.campaign().expectations.get(do.expectation)
        if listed is None or listed.kind != "freebie" or not draft.is_for(listed, player, persona):
            raise no(rule, "no-such-expectation", expectation=do.expectation)
        use = f"{do.target}: expectation: {do.expectation}"
        if one.freebies.count(use) >= listed.value:
            raise no(rule, "freebie-already-used", expectation=do.expectation)
        return use
    held = [listed.name for listed in draft.who(persona).advantages]
    if do.advantage not in held:
        raise no(rule, "no-such-expectation", advantage=do.advantage)
    use = f"{do.target}: advantage: {do.advantage}"
    own = f"{do.target}: advantage: "
    once = draft.dials.freebies_per_action == "one"
    if use in one.freebies or (once and any(name.startswith(own) for name in one.freebies)):
        raise no(rule, "freebie-already-used", advantage=do.advantage)
    return use


# --- where dice come from and go -------------------------------------------------------------------------------------


def routes(draft: Draft, bid: Bid) -> tuple[str, str]:
    """The account a die comes from, and the one it goes to once the totals are called."""
    match bid.kind:
        case "own":
            gm = draft.is_gm(bid.by)
            if gm and draft.dials.gm_dice != "stock":
                raise no("xd.contribute", "gm-holds-no-dice")
            return accounts.STOCK if gm else accounts.purse(bid.by), _ordinary(draft, bid)
        case "freebie":
            to_stock = draft.dials.freebie_routing == "to-stock"
            return accounts.STOCK, accounts.STOCK if to_stock else _ordinary(draft, bid)
        case "loaner":
            return accounts.karmic(bid.by), accounts.saved(loaner_holder(draft, bid), bid.by)
        case _:
            return _saved(draft, bid)


def _ordinary(draft: Draft, bid: Bid) -> str:
    """`xd.handover`: to the purse of the Player it went against; nobody: to the Gamemaster, so to the stock."""
    if bid.unopposed and draft.dials.unopposed_dice == "whole-roll":
        return accounts.STOCK
    if bid.against is None or (bid.against == bid.by and draft.dials.self_against == "to-stock"):
        return accounts.STOCK
    return draft.purse_of(bid.against)


def loaner_holder(draft: Draft, bid: Bid) -> str:
    """`xd.loaner`: whom it went against, else the Subject's Proprietor, else the Gamemaster.

    Refuses `loaner-against-nobody`.
    """
    holder = bid.against
    if holder is None:
        holder = bid.subject_of
    if holder is not None and holder != bid.by:
        return holder
    if draft.is_gm(bid.by) or draft.dials.loaner_unopposed == "refuse":
        raise no("xd.loaner", "loaner-against-nobody")
    return draft.gm()


def _saved(draft: Draft, bid: Bid) -> tuple[str, str]:
    """`xd.loaner-use`: against the borrower, or against something the borrower is Proprietor of."""
    rule, borrower = "xd.loaner-use", bid.borrower
    if borrower is None or draft.balance(accounts.saved(bid.by, borrower)) < 1:
        raise no(rule, "no-such-saved-loaner", borrower=borrower)
    at_a_thing = bid.sign > 0 and bid.target == ACTOR and bid.subject_of == borrower
    if bid.against != borrower and not at_a_thing:
        raise no(rule, "saved-loaner-must-go-against-borrower", borrower=borrower, against=bid.against)
    keeper = draft.dials.loaner_repaid == "keeper"
    return accounts.saved(bid.by, borrower), draft.purse_of(borrower) if keeper else accounts.karmic(borrower)


def check_source(draft: Draft, bid: Bid, source: str, taken: int = 0) -> None:
    """Refuses `not-enough-dice`, `no-such-saved-loaner`, `stock-empty`, `loaner-limit`. `taken`: dice just before."""
    if bid.kind == "loaner":
        check_limit(draft, bid.by, 1 + taken)
    elif source == accounts.STOCK:
        draft.check_stock(1 + taken, "xd.contribute")
    elif draft.balance(source) < 1 + taken:
        code = "no-such-saved-loaner" if bid.kind == "saved" else "not-enough-dice"
        raise no("xd.contribute", code, has=draft.balance(source))


def put_down(draft: Draft, bid: Bid, face: int, source: str, final: str) -> None:
    """The die, rolled: on the table, or (where the table plays so) at its next owner's at once."""
    immediate = draft.dials.dice_handover == "immediate"
    to = final if immediate else accounts.table_of(draft.place().id)
    die = draft.table.new_id()
    done = ExperienceDieRolled(
        bid.resolution, die, bid.by, bid.kind, face, bid.sign, bid.target, bid.against, bid.borrower, bid.use, source,
        to, final,
    )  # fmt: skip
    moved: list[Posting | None] = [
        accounts.moved(accounts.of_dice(source), accounts.of_dice(to), 1),
        accounts.gained(accounts.spent(bid.by, bid.resolution), 1),
    ]
    if bid.kind == "loaner":
        moved.append(accounts.gained(accounts.karmic(bid.by), 1))
    if bid.kind == "saved" and immediate and bid.borrower is not None:
        moved.append(accounts.lost(accounts.karmic(bid.borrower), 1))
    draft.here(done, *moved)
    rule = {"own": "xd.contribute", "freebie": "xd.freebie", "loaner": "xd.loaner", "saved": "xd.loaner-use"}
    draft.by("mib.experience", bid.sign * face, die=die)
    draft.by("xd.against", bid.against, target=bid.target, sign=bid.sign)
    draft.by(rule[bid.kind], final, source=source)


# --- plot devices ----------------------------------------------------------------------------------------------------


def plot_device(draft: Draft, do: PlotDevice) -> Asking[None]:
    """`xd.plot-device`: the faces are a MIB; it engages nobody, and is answered with dice."""
    rule = "xd.plot-device"
    player = draft.player(do.player)
    draft.check_no_solo(rule)
    if draft.scene().mode == "mechanical":
        raise no(rule, "not-in-mechanical-play")
    if not do.dice:
        raise no(rule, "bad-number", n=0)
    target = do.target
    if target is None and do.subject is not None:
        target = draft.proprietor(do.subject)
    elif target is not None and target not in draft.players():
        raise no(rule, "not-at-the-table", player=target)
    id = draft.table.new_id()
    bids = [_device_bid(draft, id, player, one, target, draft.proprietor(do.subject)) for one in do.dice]
    sources = [routes(draft, bid) for bid in bids]
    earlier: list[tuple[str, str]] = []
    for bid, (source, _) in zip(bids, sources, strict=True):
        check_source(draft, bid, source, earlier.count((bid.kind, source)))
        earlier.append((bid.kind, source))
    typed = [checked_face(one.face) for one in do.dice]
    missing = typed.count(None)
    asked: list[int] = []
    if missing:
        rolled = yield from roll(
            seat(player), missing, 6, slot="plot-device", purpose="Experience Dice as a plot device",
            rule="scattershot.xd.plot-device", count_code="bad-number", face_code="bad-d6",
        )  # fmt: skip
        asked = list(rolled)
    draft.here(PlotDeviceRolled(id, player, do.text, target, do.subject, len(bids)))
    total = 0
    for bid, (source, final), face in zip(bids, sources, typed, strict=True):
        shown = face if face is not None else asked.pop(0)
        total += shown
        put_down(draft, bid, shown, source, final)
    draft.by(rule, total, target=target)


def _device_bid(draft: Draft, id: str, player: str, one: DeviceDie, target: str | None, subject_of: str | None) -> Bid:
    if one.die == "freebie":
        raise no("xd.plot-device", "freebie-own-action-only")
    if not is_die_kind(one.die):
        raise no("xd.plot-device", "unknown-die-kind", die=one.die)
    borrower = one.borrower if one.die == "saved" else None
    goes_against = target if target != player else None
    return Bid(id, player, one.die, 1, ACTOR, goes_against, subject_of, borrower, None, unopposed=goes_against is None)

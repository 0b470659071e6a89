"""Plot devices: Experience Dice that make up a MIB by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    Besides,
    Domain,
    Either,
    Move,
    Names,
    Question,
    RecordedFacts,
    Row,
    SeatId,
    Seen,
    Shape,
    Some,
    Story,
    Thrown,
    changes,
    decides,
    declares,
    fact,
    listed,
    offers,
    require,
    roll,
    rule,
    seat,
    throws,
)
from ledger.rules.scattershot import accounts, experience, proprietorship, totals
from ledger.rules.scattershot.agreement import BY_A_PLAYER
from ledger.rules.scattershot.draft import FACE, NONE, Draft
from ledger.rules.scattershot.scene import Deed, Resolution, Scene, Side, keep_resolution
from ledger.rules.scattershot.words import (
    ACTOR,
    BAD_NUMBER,
    FREEBIE_OWN_ACTION_ONLY,
    NOT_AT_THE_TABLE,
    NOT_IN_MECHANICAL_PLAY,
    UNKNOWN_DIE_KIND,
    Affected,
    DieWord,
    Face,
    ResolutionId,
    is_die_kind,
    name_thing,
    quote,
)

PLOT_DEVICE = rule(
    "scattershot.xd.plot-device",
    "Outside Mechanical Play, a Player can roll Experience Dice as a plot device. Their total counts as a MIB.",
    "Use Them",
)


def say_device(do_or_fact: PlotDevice | PlotDeviceRolled, names: Names) -> str:
    player = do_or_fact.player if isinstance(do_or_fact, PlotDevice) else do_or_fact.by
    player_clause = f"{names.name(seat(player))} uses a plot device" if player is not None else "A plot device"
    aim_names = [names.name(seat(do_or_fact.target))] if do_or_fact.target is not None else []
    aim_names += [name_thing(do_or_fact.subject, names)] if do_or_fact.subject else []
    aim_phrase = f" against {listed(aim_names)}" if aim_names else ""
    dice_or_count: object = do_or_fact.dice  # a domain, in a move
    count = (
        dice_or_count
        if isinstance(dice_or_count, int)
        else len(dice_or_count)
        if isinstance(dice_or_count, tuple)
        else 0
    )
    dice_phrase = f" with {count} Experience {'Die' if count == 1 else 'Dice'}" if count else ""
    return f"{player_clause}{aim_phrase}{dice_phrase}{quote(do_or_fact.text)}"


@fact("plot-device-rolled", says=say_device, headline=16, kw_only=True)
class PlotDeviceRolled:
    """A Player used a plot device. `by`, `target`: seats. One fact for each of its dice follows."""

    resolution: ResolutionId
    by: SeatId
    text: Story
    target: SeatId | None
    subject: Affected | None
    dice: int


@changes
def begin_plot_device(state: Scene, fact: PlotDeviceRolled) -> Scene:
    deed = Deed(None, fact.by, fact.subject, target=fact.target, text=fact.text)
    return keep_resolution(state, fact.resolution, Resolution(deed, "decision", sides={ACTOR: Side(fact.by, 0)}))


@dataclass(frozen=True, slots=True)
class DeviceDie:
    """An Experience Die in a plot device. `die`: `own` is from your purse; `loaner` is borrowed now; `saved` is a
    Loaner that you saved. `face`: the number on the die; leave it out to be asked. `borrower`: the Player who borrowed
    the saved Loaner.
    """

    die: DieWord = "own"
    face: Face | None = None
    borrower: SeatId | None = None


@declares("plot-device", BY_A_PLAYER, says=say_device, records=(PlotDeviceRolled, experience.ExperienceDieRolled))
class PlotDevice:
    """Use a plot device: roll Experience Dice whose total is a MIB by itself. This is not possible in Mechanical Play.

    `text`: what happens in the story. `dice`: the Experience Dice that are rolled. `target`: the Player at whom the
    plot device is aimed. `subject`: the Character or element that the plot device changes. `player`: the Player who
    uses the plot device; leave it out for yourself.
    """

    text: Story
    dice: tuple[DeviceDie, ...] = (DeviceDie(),)
    target: SeatId | None = None
    subject: Affected | None = None
    player: SeatId | None = None


ASK_PLOT_DEVICE = Question("plot-device", "What do the Experience Dice of the plot device show?")


@decides
def use_plot_device(draft: Draft, do: PlotDevice) -> Asking[None]:
    """Roll Experience Dice as a MIB. A plot device engages no Character; other Players answer it
    with Experience Dice.
    """
    player = draft.require_player(do.player)
    draft.check_no_solo(PLOT_DEVICE)
    if draft.read_scene().mode == "mechanical":
        raise NOT_IN_MECHANICAL_PLAY.under(PLOT_DEVICE)
    if not do.dice:
        raise BAD_NUMBER.under(PLOT_DEVICE, n=0)
    target = do.target
    if target is None and do.subject is not None:
        target = draft.find_proprietor(do.subject)
    elif target is not None and target not in draft.list_players():
        raise NOT_AT_THE_TABLE.under(PLOT_DEVICE, player=target)
    resolution_id = draft.table.new_id()
    bids = [_make_bid(draft, resolution_id, player, die, target, draft.find_proprietor(do.subject)) for die in do.dice]
    routes = [totals.work_out_route(draft, bid) for bid in bids]
    taken_kinds_and_sources: list[tuple[str, str]] = []
    for bid, (source_account, _) in zip(bids, routes, strict=True):
        require(
            totals.may_take_die(draft, bid, source_account, taken_kinds_and_sources.count((bid.kind, source_account)))
        )
        taken_kinds_and_sources.append((bid.kind, source_account))
    faces_or_none = [experience.check_face(die.face) for die in do.dice]
    missing_count = faces_or_none.count(None)
    rolled_faces: list[int] = []
    if missing_count:
        faces = yield from roll(
            seat(player),
            missing_count,
            6,
            slot=ASK_PLOT_DEVICE(),
            purpose="Experience Dice as a plot device",
            rule=PLOT_DEVICE,
            count_code="bad-number",
            face_code="bad-d6",
        )
        rolled_faces = list(faces)
    draft.here(
        PlotDeviceRolled(
            resolution=resolution_id, by=player, text=do.text, target=target, subject=do.subject, dice=len(bids)
        )
    )
    total = 0
    for bid, (source_account, final_account), face in zip(bids, routes, faces_or_none, strict=True):
        shown_face = face if face is not None else rolled_faces.pop(0)
        total += shown_face
        experience.put_down_die(draft, bid, shown_face, source_account, final_account)
    draft.by(PLOT_DEVICE, total, target=target)


def _make_bid(
    draft: Draft, resolution_id: str, player: str, die: DeviceDie, target: str | None, subject_of: str | None
) -> totals.Bid:
    if die.die == "freebie":
        raise FREEBIE_OWN_ACTION_ONLY.under(PLOT_DEVICE)
    if not is_die_kind(die.die):
        raise UNKNOWN_DIE_KIND.under(PLOT_DEVICE, die=die.die)
    borrower = die.borrower if die.die == "saved" else None
    opponent = target if target != player else None
    return totals.Bid(
        resolution_id, player, die.die, 1, ACTOR, opponent, subject_of, borrower, None, is_unopposed=opponent is None
    )


@dataclass(frozen=True, slots=True)
class Stake:
    """A kind of dice, and how many of them can be rolled. None means no limit."""

    kind: str
    most: int | None
    borrower: str | None = None

    @property
    def die_shape(self) -> Shape:
        borrower_domain: Domain = Among((self.borrower,)) if self.borrower is not None else OPEN
        return Shape(DeviceDie, {"die": Among((self.kind,)), "face": FACE, "borrower": borrower_domain})


@throws
def throw_device(do: PlotDevice, ruling: RecordedFacts) -> Iterator[Thrown]:
    yield from experience.list_thrown(ruling, (die.face for die in do.dice))


@offers
def offer_devices(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield plot devices aimed at each Player or element, with the dice that can be rolled for it.

    A move offers any available number of dice of one kind, or one die each of two kinds.
    """
    if draft.find_mode() in (None, "solo", "mechanical"):
        return
    for player, player_values in draft.list_players_spoken_for(seen, draft.list_group()):
        owned_things, targets_by_stakes = (
            proprietorship.OwnedThings(draft),
            dict[frozenset[tuple[tuple[Stake, ...], tuple[str | None, ...]]], list[str | None]](),
        )
        for target in (None, *draft.list_players()):
            owners_by_stakes: dict[tuple[Stake, ...], list[str | None]] = {}
            for owner in (None, *draft.list_players()):
                owners_by_stakes.setdefault(_list_stakes(draft, player, target, owner), []).append(owner)
            stakes_key = frozenset(
                (stakes, tuple(owners_alike)) for stakes, owners_alike in owners_by_stakes.items() if stakes
            )
            targets_by_stakes.setdefault(stakes_key, []).append(target)
        for stakes_and_owners, targets_alike in targets_by_stakes.items():
            for stakes, owners_alike in sorted(stakes_and_owners, key=repr):
                for subject_domain in _list_subjects(draft, owned_things, owners_alike):
                    aim_fields: dict[str, Domain] = {"target": Among(tuple(targets_alike)), "subject": subject_domain}
                    yield Move(
                        PlotDevice,
                        {**aim_fields, "dice": _make_stakes_domain(stakes), "player": player_values},
                        of=player,
                    )


def _list_stakes(draft: Draft, player: str, target: str | None, owner: str | None) -> tuple[Stake, ...]:
    """Return the dice that a Player can roll against this target, or for an element of this owner."""
    target_or_owner = target if target is not None else owner
    opponent = target_or_owner if target_or_owner != player else None
    stakes = []
    own_dice, is_gm = _count_own_dice(draft, player), draft.is_gm(player)
    if own_dice is None or own_dice >= 1:
        stakes.append(Stake("own", own_dice))
    holder = opponent if opponent is not None else owner
    loaners_left = draft.count_loaners_left(player)
    may_borrow = holder not in (None, player) or not (is_gm or draft.dials.loaner_unopposed == "refuse")
    if may_borrow and (loaners_left is None or loaners_left >= 1):
        stakes.append(Stake("loaner", loaners_left))
    for borrower in dict.fromkeys((opponent, owner)):
        saved_count = draft.balance(accounts.name_saved(player, borrower)) if borrower is not None else 0
        if saved_count >= 1:
            stakes.append(Stake("saved", saved_count, borrower))
    return tuple(stakes)


def _list_subjects(
    draft: Draft, owned_things: proprietorship.OwnedThings, owners: tuple[str | None, ...]
) -> Iterator[Domain]:
    """Yield the elements and Characters of these Players. If the owners include None, there can be no subject."""
    if set(owners) == {None, *draft.list_players()}:
        yield OPEN
        return
    if None in owners:
        yield NONE
    if owned_things.gm_seat in owners:
        yield Besides(tuple(name for name, owner in owned_things.owners_by_name.items() if owner not in owners))
    elif names := tuple(name for name, owner in owned_things.owners_by_name.items() if owner in owners):
        yield Among(names)


def _make_stakes_domain(stakes: tuple[Stake, ...]) -> Either:
    one_kind_lists = [Some(stake.die_shape, 1, stake.most, repeats=True) for stake in stakes]
    two_kind_rows = [Row((stake.die_shape, other.die_shape)) for stake, other in permutations(stakes, 2)]
    return Either((*one_kind_lists, *two_kind_rows))


def _count_own_dice(draft: Draft, player: str) -> int | None:
    """Return how many dice of their own the Player has, or None for no limit.

    A Gamemaster's dice come from the stock, if the table allows it.
    """
    if not draft.is_gm(player):
        return max(0, draft.balance(accounts.name_purse(player)))
    if draft.dials.gm_dice != "stock":
        return 0
    return max(0, draft.stock_left) if draft.stock_left is not None else None

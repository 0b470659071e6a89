"""How Experience Dice come to the Players: awards, gifts, coups, Gimmes, Paybacks. 3.11."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.subjects import seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import dice_declined, dice_granted
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_play import VoteCast
from ledger.rules.scattershot.facts_of_rewards import (
    CoolBeansGiven,
    CoolBeansReplaced,
    CoupCounted,
    ExperienceDiceAwarded,
    GimmeDeclined,
    GimmeTaken,
    PaybackPaid,
)
from ledger.rules.scattershot.guards import check_positive, no
from ledger.rules.scattershot.inputs_of_rewards import (
    AwardDice,
    CastVote,
    ClaimGimme,
    ClaimPayback,
    CountCoup,
    GiveCoolBeans,
    ReplaceCoolBeans,
)
from ledger.rules.scattershot.tables import gimme_dice


def cast_vote(draft: Draft, do: CastVote) -> None:
    player = draft.player(do.player)
    draft.campaign_wide(VoteCast(player, do.for_))
    draft.by("xd.instant", do.for_, voter=player)


def _receiver(draft: Draft, player: str, rule: str) -> str:
    """Refuses `not-at-the-table` for a seat that is no Player's; who is away from the Session may be given dice."""
    if player not in draft.players():
        raise no(rule, "not-at-the-table", player=player)
    return player


def award(draft: Draft, do: AwardDice) -> Asking[None]:
    """`xd.instant`: at any time. A Player proposes it for another, and it is granted. Refuses `self-gift`."""
    rule = "xd.instant"
    n = check_positive(do.n, rule)
    to = _receiver(draft, do.to, rule)
    if draft.is_gm(to):
        raise no(rule, "gm-holds-no-dice")
    draft.check_stock(n, rule)
    if draft.table.by.role != "gm":
        if to == draft.table.by.seat:
            raise no(rule, "self-gift")
        if not (
            yield from dice_granted(
                draft, rule, "award", f"An award of {_dice(n)} to {_called(draft, to)}{_for(do.reason)}"
            )
        ):
            dice_declined(draft, rule, to, "award", do.reason)
            return
    draft.of(
        to,
        ExperienceDiceAwarded(to, n, do.reason, do.votes),
        accounts.moved(accounts.STOCK, accounts.purse(to), n),
    )
    draft.by(rule, n, to=to)


def _called(draft: Draft, player: str) -> str:
    return draft.table.name(seat(player))


def _dice(n: int) -> str:
    return "1 Experience Die" if n == 1 else f"{n} Experience Dice"


def _for(what: str) -> str:
    """What it is for, to end a sentence with."""
    return f": {what.strip().rstrip('.')}" if what.strip() else ""


def give(draft: Draft, do: GiveCoolBeans) -> None:
    """`xd.cool-beans`: one's own dice; what a Gamemaster is given goes to the stock."""
    rule = "xd.cool-beans"
    giver = do.player if do.player is not None else draft.table.by.seat
    n = check_positive(do.n, rule)
    _receiver(draft, giver, rule)
    to = _receiver(draft, do.to, rule)
    if giver == to:
        raise no(rule, "self-gift")
    if draft.is_gm(giver):
        raise no(rule, "gm-holds-no-dice")
    if draft.balance(accounts.purse(giver)) < n:
        raise no(rule, "not-enough-dice", has=draft.balance(accounts.purse(giver)))
    gift = draft.table.new_id()
    draft.of(
        giver,
        CoolBeansGiven(gift, giver, to, n),
        accounts.moved(accounts.purse(giver), draft.purse_of(to), n),
        accounts.gained(accounts.gift(giver, gift), n),
    )
    draft.by(rule, n, giver=giver, to=to)


def replace(draft: Draft, do: ReplaceCoolBeans) -> None:
    """`xd.cool-beans-replaced`: in all at most what was given."""
    rule = "xd.cool-beans-replaced"
    n = check_positive(do.n, rule)
    givers = [id for id in draft.players() if draft.balance(accounts.gift(id, do.gift)) >= n]
    if not givers:
        raise no(rule, "replacement-exceeds-gift", gift=do.gift, n=n)
    draft.check_stock(n, rule)
    giver = givers[0]
    draft.of(
        giver,
        CoolBeansReplaced(do.gift, giver, n),
        accounts.moved(accounts.STOCK, accounts.purse(giver), n),
        accounts.lost(accounts.gift(giver, do.gift), n),
    )
    draft.by(rule, n, giver=giver)


def coup(draft: Draft, do: CountCoup) -> Asking[None]:
    """`xd.coup`: the forgotten award, and something for whoever caught it, where it is granted."""
    rule = "xd.coup"
    catcher = do.player if do.player is not None else draft.table.by.seat
    owed = check_positive(do.owed, rule)
    _receiver(draft, catcher, rule)
    to = _receiver(draft, do.owed_to, rule)
    if draft.is_gm(catcher) or draft.is_gm(to):
        raise no(rule, "gm-holds-no-dice")
    extra = draft.dials.coup_extra
    draft.check_stock(owed + extra, rule)
    if not (
        yield from dice_granted(
            draft, rule, "coup", f"A coup for {_dice(owed)} that {_called(draft, to)} should have got{_for(do.what)}"
        )
    ):
        dice_declined(draft, rule, catcher, "coup", do.what)
        return
    draft.of(
        catcher,
        CoupCounted(catcher, to, owed, extra),
        accounts.moved(accounts.STOCK, accounts.purse(to), owed),
        accounts.moved(accounts.STOCK, accounts.purse(catcher), extra),
    )
    draft.by(rule, owed + extra, owed_to=to, catcher=catcher)


def gimme(draft: Draft, do: ClaimGimme) -> Asking[None]:
    """`xd.gimme`, `xd.gimme-genre`: where it is granted."""
    rule = "xd.gimme" if do.disadvantage is not None else "xd.gimme-genre"
    owner = draft.must_play(do.character, rule)
    if do.disadvantage is not None:
        source, grade = do.disadvantage, do.grade
        held = [one.value for one in draft.who(do.character).disadvantages if one.name == source]
        if not held:
            raise no(rule, "no-gimme-for-this-grade", disadvantage=source)
        value = int(held[0])
        n = gimme_dice(value, grade)
        if n is None:
            raise no(rule, "no-gimme-for-this-grade", value=value, grade=grade)
    else:
        source, grade = do.expectation or "", ""
        listed = draft.campaign().expectations.get(source)
        if listed is None or listed.kind != "gimme" or not draft.is_for(listed, owner, do.character):
            raise no(rule, "no-such-expectation", expectation=source)
        value = n = listed.value
    draft.check_stock(n, rule)
    if not (yield from dice_granted(draft, rule, "gimme", f"A Gimme of {_dice(n)} for {source}")):
        draft.about(do.character, GimmeDeclined(owner, source))
        draft.by(rule, 0, source=source)
        return
    moved = accounts.moved(accounts.STOCK, draft.purse_of(owner), n)
    draft.about(do.character, GimmeTaken(owner, source, value, grade or None, n), moved)
    draft.by(rule, n, source=source, value=value)


def _occasion(text: str) -> str:
    """As a piece of an account's name: a long text by its number."""
    if len(text) <= 100:
        return f"for {text}"
    return f"for {int.from_bytes(text.encode('utf-8', 'surrogatepass'), 'big') % (2**127 - 1)}"


def _least(draft: Draft, expectation: str | None, player: str) -> int:
    """The fewest dice of a Payback: the value of the Genre Expectation it names, or the table's minimum.

    Refuses `no-such-expectation`.
    """
    if expectation is None:
        return draft.dials.payback_minimum
    listed = draft.campaign().expectations.get(expectation)
    if listed is None or not draft.is_served(listed, player):
        raise no("xd.payback", "no-such-expectation", expectation=expectation)
    return listed.value


def payback(draft: Draft, do: ClaimPayback) -> Asking[None]:
    """`xd.payback`: what was spent, at least the minimum; and interest. Once for each resolution or occasion.

    Refuses `already-paid-back`, `nothing-rolled`, `no-occasion`.
    """
    rule = "xd.payback"
    player = _receiver(draft, do.player if do.player is not None else draft.table.by.seat, rule)
    source = do.resolution if do.resolution is not None else do.occasion.strip()
    reference = do.resolution if do.resolution is not None else _occasion(source)
    paid = accounts.payback(player, reference)
    if draft.balance(paid) > 0:
        raise no(rule, "already-paid-back", repays=reference)
    used = accounts.spent(player, do.resolution) if do.resolution is not None else ""
    spent = draft.balance(used) if used else 0
    if used and spent < 1:
        raise no(rule, "nothing-rolled", player=player, resolution=do.resolution)
    if not source:
        raise no(rule, "no-occasion", player=player)
    interest = draft.dials.payback_interest if do.interest else 0
    n = max(spent, _least(draft, do.expectation, player)) + interest
    draft.check_stock(n, rule)
    if not (
        yield from dice_granted(
            draft, rule, "payback", f"A Payback of {_dice(n)}{_for(do.occasion) if used == '' else ''}"
        )
    ):
        dice_declined(draft, rule, player, "payback", source)
        return
    draft.of(
        player,
        PaybackPaid(player, source, spent, interest, n),
        accounts.moved(accounts.STOCK, draft.purse_of(player), n),
        accounts.gained(paid, 1),
        accounts.lost(used, spent) if used else None,
    )
    if do.expectation is None:
        draft.by(rule, n, spent=spent, interest=interest)
    else:
        draft.by(rule, n, spent=spent, interest=interest, expectation=do.expectation)

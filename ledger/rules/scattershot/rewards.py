"""How Experience Dice come to the Players: awards, gifts, coups, Gimmes, Paybacks. 3.11."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import dice_declined, dice_granted
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
from ledger.rules.scattershot.ground import Ruling, check_positive, no
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


def cast_vote(ruling: Ruling, do: CastVote) -> None:
    player = ruling.player(do.player)
    ruling.campaign_wide(VoteCast(player, do.for_))
    ruling.by("xd.instant", do.for_, voter=player)


def _receiver(ruling: Ruling, player: str, rule: str) -> str:
    """Refuses `not-at-the-table` for a seat that is no Player's; who is away from the Session may be given dice."""
    if player not in ruling.players():
        raise no(rule, "not-at-the-table", player=player)
    return player


def award(ruling: Ruling, do: AwardDice) -> None:
    """`xd.instant`: at any time."""
    rule = "xd.instant"
    n = check_positive(do.n, rule)
    to = _receiver(ruling, do.to, rule)
    if ruling.is_gm(to):
        raise no(rule, "gm-holds-no-dice")
    ruling.check_stock(n, rule)
    ruling.of(
        to,
        ExperienceDiceAwarded(to, n, do.reason, do.votes),
        accounts.moved(accounts.STOCK, accounts.purse(to), n),
    )
    ruling.by(rule, n, to=to)


def give(ruling: Ruling, do: GiveCoolBeans) -> None:
    """`xd.cool-beans`: one's own dice; what a Gamemaster is given goes to the stock."""
    rule = "xd.cool-beans"
    giver = do.player if do.player is not None else ruling.table.by.seat
    n = check_positive(do.n, rule)
    _receiver(ruling, giver, rule)
    to = _receiver(ruling, do.to, rule)
    if giver == to:
        raise no(rule, "self-gift")
    if ruling.is_gm(giver):
        raise no(rule, "gm-holds-no-dice")
    if ruling.balance(accounts.purse(giver)) < n:
        raise no(rule, "not-enough-dice", has=ruling.balance(accounts.purse(giver)))
    gift = ruling.table.new_id()
    ruling.of(
        giver,
        CoolBeansGiven(gift, giver, to, n),
        accounts.moved(accounts.purse(giver), ruling.purse_of(to), n),
        accounts.gained(accounts.gift(giver, gift), n),
    )
    ruling.by(rule, n, giver=giver, to=to)


def replace(ruling: Ruling, do: ReplaceCoolBeans) -> None:
    """`xd.cool-beans-replaced`: in all at most what was given."""
    rule = "xd.cool-beans-replaced"
    n = check_positive(do.n, rule)
    givers = [id for id in ruling.players() if ruling.balance(accounts.gift(id, do.gift)) >= n]
    if not givers:
        raise no(rule, "replacement-exceeds-gift", gift=do.gift, n=n)
    ruling.check_stock(n, rule)
    giver = givers[0]
    ruling.of(
        giver,
        CoolBeansReplaced(do.gift, giver, n),
        accounts.moved(accounts.STOCK, accounts.purse(giver), n),
        accounts.lost(accounts.gift(giver, do.gift), n),
    )
    ruling.by(rule, n, giver=giver)


def coup(ruling: Ruling, do: CountCoup) -> Asking[None]:
    """`xd.coup`: the forgotten award, and something for whoever caught it, where it is granted."""
    rule = "xd.coup"
    catcher = do.player if do.player is not None else ruling.table.by.seat
    owed = check_positive(do.owed, rule)
    _receiver(ruling, catcher, rule)
    to = _receiver(ruling, do.owed_to, rule)
    if ruling.is_gm(catcher) or ruling.is_gm(to):
        raise no(rule, "gm-holds-no-dice")
    extra = ruling.dials.coup_extra
    ruling.check_stock(owed + extra, rule)
    if not (yield from dice_granted(ruling, rule, "coup", f"Counting coup: {owed} dice forgotten: {do.what}")):
        dice_declined(ruling, rule, catcher, "coup", do.what)
        return
    ruling.of(
        catcher,
        CoupCounted(catcher, to, owed, extra),
        accounts.moved(accounts.STOCK, accounts.purse(to), owed),
        accounts.moved(accounts.STOCK, accounts.purse(catcher), extra),
    )
    ruling.by(rule, owed + extra, owed_to=to, catcher=catcher)


def gimme(ruling: Ruling, do: ClaimGimme) -> Asking[None]:
    """`xd.gimme`, `xd.gimme-genre`: where it is granted."""
    rule = "xd.gimme" if do.disadvantage is not None else "xd.gimme-genre"
    owner = ruling.must_play(do.character, rule)
    if do.disadvantage is not None:
        source, grade = do.disadvantage, do.grade
        held = [one.value for one in ruling.who(do.character).disadvantages if one.name == source]
        if not held:
            raise no(rule, "no-gimme-for-this-grade", disadvantage=source)
        value = int(held[0])
        n = gimme_dice(value, grade)
        if n is None:
            raise no(rule, "no-gimme-for-this-grade", value=value, grade=grade)
    else:
        source, grade = do.expectation or "", ""
        listed = ruling.campaign().expectations.get(source)
        if listed is None or listed.kind != "gimme" or not ruling.is_for(listed, owner, do.character):
            raise no(rule, "no-such-expectation", expectation=source)
        value = n = listed.value
    ruling.check_stock(n, rule)
    if not (yield from dice_granted(ruling, rule, "gimme", f"A Gimme for {source}")):
        ruling.about(do.character, GimmeDeclined(owner, source))
        ruling.by(rule, 0, source=source)
        return
    moved = accounts.moved(accounts.STOCK, ruling.purse_of(owner), n)
    ruling.about(do.character, GimmeTaken(owner, source, value, grade or None, n), moved)
    ruling.by(rule, n, source=source, value=value)


def _occasion(text: str) -> str:
    """As a piece of an account's name: a long text by its number."""
    if len(text) <= 100:
        return f"for {text}"
    return f"for {int.from_bytes(text.encode('utf-8', 'surrogatepass'), 'big') % (2**127 - 1)}"


def payback(ruling: Ruling, do: ClaimPayback) -> Asking[None]:
    """`xd.payback`: what was spent, at least the minimum; and interest. Once for each resolution or occasion.

    Refuses `already-paid-back`, `nothing-rolled`, `no-occasion`.
    """
    rule = "xd.payback"
    player = _receiver(ruling, do.player if do.player is not None else ruling.table.by.seat, rule)
    source = do.resolution if do.resolution is not None else do.occasion.strip()
    reference = do.resolution if do.resolution is not None else _occasion(source)
    paid = accounts.payback(player, reference)
    if ruling.balance(paid) > 0:
        raise no(rule, "already-paid-back", repays=reference)
    used = accounts.spent(player, do.resolution) if do.resolution is not None else ""
    spent = ruling.balance(used) if used else 0
    if used and spent < 1:
        raise no(rule, "nothing-rolled", player=player, resolution=do.resolution)
    if not source:
        raise no(rule, "no-occasion", player=player)
    interest = ruling.dials.payback_interest if do.interest else 0
    n = max(spent, ruling.dials.payback_minimum) + interest
    ruling.check_stock(n, rule)
    if not (yield from dice_granted(ruling, rule, "payback", f"Payback of {n} for {source}")):
        dice_declined(ruling, rule, player, "payback", source)
        return
    ruling.of(
        player,
        PaybackPaid(player, source, spent, interest, n),
        accounts.moved(accounts.STOCK, ruling.purse_of(player), n),
        accounts.gained(paid, 1),
        accounts.lost(used, spent) if used else None,
    )
    ruling.by(rule, n, spent=spent, interest=interest)

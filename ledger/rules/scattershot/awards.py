"""Experience Dice that come to the Players: votes, awards, gifts and coups."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.chapters import (
    Question,
    Refusal,
    SharedRefusal,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.kernel.declarations import ANYONE, GM
from ledger.rules.kernel.domains import Reason, SeatId
from ledger.rules.kernel.moves import Among, Between, Move, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import CAMPAIGN, seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import ABOUT_A_PLAYER, DiceDeclined, dice_declined, dice_granted
from ledger.rules.scattershot.draft import Draft, check_positive
from ledger.rules.scattershot.words import (
    GM_HOLDS_NO_DICE,
    NOT_AT_THE_TABLE,
    NOT_ENOUGH_DICE,
    Gift,
    HowMany,
    Positive,
    Vote,
    because,
    count_dice,
    name_anybody,
)

AWARD = rule(
    "scattershot.xd.instant",
    "The Gamemaster can award Experience Dice at any time, for anything that makes Play more fun. A Player"
    " can propose an award for another Player.",
    "Experience Dice",
)
COOL_BEANS = rule(
    "scattershot.xd.cool-beans",
    "Players may give their own Experience Dice to each other.",
    "Experience Dice",
)
COOL_BEANS_REPLACED = rule(
    "scattershot.xd.cool-beans-replaced",
    "If a Player gives dice away for a good reason, the Gamemaster may replace them from the common stock.",
    "Experience Dice",
)
REPLACEMENT_EXCEEDS_GIFT = Refusal(
    COOL_BEANS_REPLACED, "replacement-exceeds-gift", "Not enough of that gift is left to replace {n:die|dice}."
)
COUP = rule(
    "scattershot.xd.coup",
    "A Player who notices that the Gamemaster has forgotten an award can count coup. If the coup is granted,"
    " the award is made, and the Player who noticed gets 1 extra die.",
    "Experience Dice",
)


SELF_GIFT = SharedRefusal("self-gift", "You can give dice only to other Players.")


def say_vote(done: CastVote | VoteCast, names: Names) -> str:
    voter = done.player if isinstance(done, CastVote) else done.voter
    who = f"{names.name(seat(voter))} votes" if voter is not None else "A vote"
    return f"{who} for {name_anybody(done.for_, names)}."


@fact("vote-cast", says=say_vote, changes=None)
class VoteCast:
    """A seat's vote for somebody or something."""

    voter: SeatId
    for_: Reason


@declares("cast-vote", ABOUT_A_PLAYER, says=say_vote, records=(VoteCast,))
class CastVote:
    """Vote for somebody or something, such as the best Player of a Session. The ledger records votes but does not count
    them. An award can cite them.

    `for`: whom or what the vote is for.
    """

    for_: Reason
    player: SeatId | None = None


@decides
def cast_vote(draft: Draft, do: CastVote) -> None:
    player = draft.player(do.player)
    draft.campaign_wide(VoteCast(player, do.for_))
    draft.by(AWARD, do.for_, voter=player)


@fact("experience-dice-awarded", says="{to} is awarded {n:Experience Die|Experience Dice}[: {reason}].", changes=None)
class ExperienceDiceAwarded:
    """The seat `to` was awarded Experience Dice. `n`: how many. `votes`: the votes for this award."""

    to: SeatId
    n: int
    reason: Reason
    votes: tuple[Vote, ...]


@declares(
    "award-dice",
    ANYONE,
    says="{to} is awarded {n:Experience Die|Experience Dice}[: {reason}].",
    records=(ExperienceDiceAwarded, DiceDeclined),
)
class AwardDice:
    """Award Experience Dice from the common stock. If a Player declares this for another Player, the award must be
    granted by the Gamemaster, or by everybody present if the table plays that way.

    `votes`: the votes that the award cites, by the numbers of their rulings.
    """

    to: SeatId
    n: HowMany = 1
    reason: Reason = ""
    votes: tuple[Vote, ...] = ()


ASK_AWARD = Question("award", "{purpose}. Do you grant it?")


def may_keep_dice(draft: Draft, player: str, rule: str) -> Refused | None:
    """The Gamemaster has no purse."""
    return GM_HOLDS_NO_DICE.under(rule) if draft.is_gm(player) else None


def keepers(draft: Draft) -> tuple[str, ...]:
    """Return the Players who have a purse."""
    return tuple(one for one in draft.players() if may_keep_dice(draft, one, AWARD) is None)


@decides
def award(draft: Draft, do: AwardDice) -> Asking[None]:
    """At any time. A Player proposes it for another, and it is granted. Refuses `self-gift`."""
    n = check_positive(do.n, AWARD)
    to = receiver(draft, do.to, AWARD)
    require(may_keep_dice(draft, to, AWARD))
    draft.check_stock(n, AWARD)
    if not draft.by_gm:
        if to == draft.me:
            raise SELF_GIFT.under(AWARD)
        if not (
            yield from dice_granted(
                draft,
                AWARD,
                ASK_AWARD(),
                f"An award of {dice_in_words(n)} to {_called(draft, to)}{for_what(do.reason)}",
            )
        ):
            dice_declined(draft, AWARD, to, "award", do.reason)
            return
    draft.of(
        to,
        ExperienceDiceAwarded(to, n, do.reason, do.votes),
        accounts.moved(accounts.STOCK, accounts.purse(to), n),
    )
    draft.by(AWARD, n, to=to)


def _called(draft: Draft, player: str) -> str:
    return draft.table.name(seat(player))


def receiver(draft: Draft, player: str, rule: str) -> str:
    """Refuses `not-at-the-table` for a seat that is no Player's; who is away from the Session may be given dice."""
    if player not in draft.players():
        raise NOT_AT_THE_TABLE.under(rule, player=player)
    return player


def dice_in_words(n: int) -> str:
    return "1 Experience Die" if n == 1 else f"{n} Experience Dice"


def for_what(what: str) -> str:
    """What it is for, to end a sentence with."""
    return f": {what.strip().rstrip('.')}" if what.strip() else ""


@fact("cool-beans-given", says="{from} gives {to} {n:Experience Die|Experience Dice}.", changes=None)
class CoolBeansGiven:
    """A Player gave dice to another. `gift`: the id with which the Gamemaster can replace the dice."""

    gift: Gift
    from_: SeatId
    to: SeatId
    n: int


@declares(
    "give-cool-beans",
    ABOUT_A_PLAYER,
    says="{to} receives {n:Experience Die|Experience Dice}[ from {player}].",
    records=(CoolBeansGiven,),
)
class GiveCoolBeans:
    """Give your own Experience Dice to another Player."""

    to: SeatId
    n: HowMany = 1
    player: SeatId | None = None


@decides
def give(draft: Draft, do: GiveCoolBeans) -> None:
    """One's own dice; what a Gamemaster is given goes to the stock."""
    giver = do.player if do.player is not None else draft.me
    n = check_positive(do.n, COOL_BEANS)
    receiver(draft, giver, COOL_BEANS)
    to = receiver(draft, do.to, COOL_BEANS)
    if giver == to:
        raise SELF_GIFT.under(COOL_BEANS)
    require(may_keep_dice(draft, giver, COOL_BEANS))
    if draft.balance(accounts.purse(giver)) < n:
        raise NOT_ENOUGH_DICE.under(COOL_BEANS, has=draft.balance(accounts.purse(giver)))
    gift = draft.table.new_id()
    draft.of(
        giver,
        CoolBeansGiven(gift, giver, to, n),
        accounts.moved(accounts.purse(giver), draft.purse_of(to), n),
        accounts.gained(accounts.gift(giver, gift), n),
    )
    draft.by(COOL_BEANS, n, giver=giver, to=to)


@fact(
    "cool-beans-replaced",
    says="The Gamemaster replaces {n:Experience Die|Experience Dice} that {giver} gave away.",
    changes=None,
)
class CoolBeansReplaced:
    """The Gamemaster replaced dice that a Player gave away. `giver`: that Player, who gets the replacements."""

    gift: Gift
    giver: SeatId
    n: int


@declares(
    "replace-cool-beans",
    GM,
    says="The Gamemaster replaces {n:Experience Die|Experience Dice} that a Player gave away.",
    records=(CoolBeansReplaced,),
)
class ReplaceCoolBeans:
    """Replace Experience Dice that a Player gave away, all of them or some, from the common stock."""

    gift: Gift
    n: HowMany = 1


@decides
def replace_cool_beans(draft: Draft, do: ReplaceCoolBeans) -> None:
    """In all at most what was given."""
    n = check_positive(do.n, COOL_BEANS_REPLACED)
    givers = [id for id in draft.players() if draft.balance(accounts.gift(id, do.gift)) >= n]
    if not givers:
        raise REPLACEMENT_EXCEEDS_GIFT(gift=do.gift, n=n)
    draft.check_stock(n, COOL_BEANS_REPLACED)
    giver = givers[0]
    draft.of(
        giver,
        CoolBeansReplaced(do.gift, giver, n),
        accounts.moved(accounts.STOCK, accounts.purse(giver), n),
        accounts.lost(accounts.gift(giver, do.gift), n),
    )
    draft.by(COOL_BEANS_REPLACED, n, giver=giver)


def say_coup_counted(done: CoupCounted, names: Names) -> str:
    catcher, owed_to = names.name(seat(done.catcher)), names.name(seat(done.owed_to))
    owed, extra = count_dice(done.owed, "forgotten die", "forgotten dice"), count_dice(done.extra, "die", "dice")
    other = f" {catcher} gets" if done.catcher != done.owed_to else ""
    more = f", and{other} {extra} for noticing" if extra else ""
    return f"{catcher} counts coup: {owed_to} gets {owed}{more}."


@fact("coup-counted", says=say_coup_counted, headline=42, changes=None)
class CoupCounted:
    """The seat `catcher` counted coup and got the dice in `extra`. The seat `owed_to` got the forgotten award: the dice
    in `owed`.
    """

    catcher: SeatId
    owed_to: SeatId
    owed: int
    extra: int


def say_coup(do: CountCoup, names: Names) -> str:
    who = f"{names.name(seat(do.player))} counts coup" if do.player is not None else "Coup is counted"
    dice = "1 die" if do.owed == 1 else f"{do.owed} dice"
    return f"{who}: the Gamemaster forgot {dice} for {names.name(seat(do.owed_to))}{because(do.what)}."


@declares("count-coup", ABOUT_A_PLAYER, says=say_coup, records=(CoupCounted, DiceDeclined))
class CountCoup:
    """Count coup, because a Player noticed that the Gamemaster has forgotten an award. The coup must be granted by the
    Gamemaster, or by everybody present if the table plays that way.

    `owed_to`: the Player who should have got the award. `owed`: how many dice the forgotten award was worth. `what`:
    what the forgotten award was for. `player`: who noticed; leave it out for yourself.
    """

    owed_to: SeatId
    owed: Positive = 1
    what: Reason = ""
    player: SeatId | None = None


ASK_COUP = Question("coup", "{purpose}. Do you grant it?")


@decides
def coup(draft: Draft, do: CountCoup) -> Asking[None]:
    """The forgotten award, and something for whoever caught it, where it is granted."""
    catcher = do.player if do.player is not None else draft.me
    owed = check_positive(do.owed, COUP)
    receiver(draft, catcher, COUP)
    to = receiver(draft, do.owed_to, COUP)
    require(may_keep_dice(draft, catcher, COUP) or may_keep_dice(draft, to, COUP))
    extra = draft.dials.coup_extra
    draft.check_stock(owed + extra, COUP)
    if not (
        yield from dice_granted(
            draft,
            COUP,
            ASK_COUP(),
            f"A coup for {dice_in_words(owed)} that {_called(draft, to)} should have got{for_what(do.what)}",
        )
    ):
        dice_declined(draft, COUP, catcher, "coup", do.what)
        return
    draft.of(
        catcher,
        CoupCounted(catcher, to, owed, extra),
        accounts.moved(accounts.STOCK, accounts.purse(to), owed),
        accounts.moved(accounts.STOCK, accounts.purse(catcher), extra),
    )
    draft.by(COUP, owed + extra, owed_to=to, catcher=catcher)


@offers
def offer_votes(seen: Seen, draft: Draft) -> Iterator[Move]:
    for one, said in draft.players_spoken_for(seen, draft.group()):
        yield Move(CastVote, {"player": said}, of=one)


@offers
def offer_gifts(seen: Seen, draft: Draft) -> Iterator[Move]:
    """One's own, to somebody else."""
    for giver, said in draft.players_spoken_for(seen, keepers(draft)):
        held = draft.balance(accounts.purse(giver))
        others = tuple(one for one in draft.players() if one != giver)
        if held >= 1 and others:
            yield Move(GiveCoolBeans, {"to": Among(others), "n": Between(1, held), "player": said}, of=giver)


@offers
def offer_awards(seen: Seen, draft: Draft) -> Iterator[Move]:
    """As far as the stock goes."""
    n = draft.from_stock()
    to = tuple(one for one in keepers(draft) if draft.by_gm or one != draft.me)
    if n is not None and to:
        votes = tuple(map(str, seen.citable(CAMPAIGN)))
        cited = Some(Among(votes), repeats=True) if votes else Among(((),))
        yield Move(AwardDice, {"to": Among(to), "n": n, "votes": cited})
    if not seen.decides:
        return
    for giver in draft.players():
        gifts = accounts.gift(giver, "")
        for account, left in seen.accounts(seat(giver)).items():
            n = draft.from_stock(left)
            if account.startswith(gifts) and n is not None and left >= 1:
                yield Move(ReplaceCoolBeans, {"gift": Among((account.removeprefix(gifts),)), "n": n})


@offers
def offer_coups(seen: Seen, draft: Draft) -> Iterator[Move]:
    """What was forgotten, and something for who caught it."""
    left = None if draft.stock is None else draft.stock - draft.dials.coup_extra
    if left is not None and left < 1:
        return
    for catcher, said in draft.players_spoken_for(seen, keepers(draft)):
        yield Move(CountCoup, {"owed_to": Among(keepers(draft)), "owed": Between(1, left), "player": said}, of=catcher)

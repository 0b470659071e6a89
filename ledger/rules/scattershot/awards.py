"""Experience Dice that Players get from awards, gifts and coups. Also votes."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    ANYONE,
    CAMPAIGN,
    GM,
    Among,
    Asking,
    Between,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    SeatId,
    Seen,
    SharedRefusal,
    Some,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import ABOUT_A_PLAYER, DiceDeclined, ask_to_grant_dice, decline_dice
from ledger.rules.scattershot.draft import Draft, check_positive
from ledger.rules.scattershot.words import (
    GM_HOLDS_NO_DICE,
    NOT_AT_THE_TABLE,
    NOT_ENOUGH_DICE,
    Gift,
    HowMany,
    Positive,
    Vote,
    name_anybody,
    say_count,
    say_reason,
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


def say_vote(do_or_fact: CastVote | VoteCast, names: Names) -> str:
    voter = do_or_fact.player if isinstance(do_or_fact, CastVote) else do_or_fact.voter
    voter_clause = f"{names.name(seat(voter))} votes" if voter is not None else "A vote is cast"
    return f"{voter_clause} for {name_anybody(do_or_fact.for_, names)}."


@fact("vote-cast", says=say_vote, changes=None)
class VoteCast:
    """A seat voted for a seat, a Character or a choice described in words."""

    voter: SeatId
    for_: Reason


@declares("cast-vote", ABOUT_A_PLAYER, says=say_vote, records=(VoteCast,))
class CastVote:
    """Vote, for example for the best Player of a Session. The ledger records votes but does not count them. An award
    can cite them.

    `for`: the seat, Character or choice that the vote is for.
    """

    for_: Reason
    player: SeatId | None = None


@decides
def cast_vote(draft: Draft, do: CastVote) -> None:
    player = draft.require_player(do.player)
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
    """Award Experience Dice from the common stock. If a Player declares this for another Player, the Gamemaster must
    grant the award, or all Players present if the table plays that way.

    `votes`: the votes that the award cites, by the numbers of their rulings.
    """

    to: SeatId
    n: HowMany = 1
    reason: Reason = ""
    votes: tuple[Vote, ...] = ()


ASK_AWARD = Question("award", "{purpose}. Do you grant it?")


def may_keep_dice(draft: Draft, player: str, rule: str) -> Refused | None:
    """Refuse a Gamemaster, who has no purse."""
    return GM_HOLDS_NO_DICE.under(rule) if draft.is_gm(player) else None


def list_keepers(draft: Draft) -> tuple[str, ...]:
    return tuple(player for player in draft.list_players() if may_keep_dice(draft, player, AWARD) is None)


@decides
def award_dice(draft: Draft, do: AwardDice) -> Asking[None]:
    """Award dice. An award that a Player proposes for another Player must be granted. Refuses `self-gift`."""
    n = check_positive(do.n, AWARD)
    receiver = check_receiver(draft, do.to, AWARD)
    require(may_keep_dice(draft, receiver, AWARD))
    draft.check_stock(n, AWARD)
    if not draft.is_by_gm:
        if receiver == draft.me:
            raise SELF_GIFT.under(AWARD)
        if not (
            yield from ask_to_grant_dice(
                draft,
                AWARD,
                ASK_AWARD(),
                f"An award of {name_dice(n)} to {_name_player(draft, receiver)}{say_what_for(do.reason)}",
            )
        ):
            decline_dice(draft, AWARD, receiver, "award", do.reason)
            return
    draft.of(
        receiver,
        ExperienceDiceAwarded(receiver, n, do.reason, do.votes),
        accounts.make_posting(accounts.STOCK, accounts.name_purse(receiver), n),
    )
    draft.by(AWARD, n, to=receiver)


def _name_player(draft: Draft, player: str) -> str:
    return draft.table.name(seat(player))


def check_receiver(draft: Draft, player: str, rule: str) -> str:
    """Return the seat if it is a Player's, present or not. Refuses `not-at-the-table`."""
    if player not in draft.list_players():
        raise NOT_AT_THE_TABLE.under(rule, player=player)
    return player


def name_dice(count: int) -> str:
    return "1 Experience Die" if count == 1 else f"{count} Experience Dice"


def say_what_for(purpose: str) -> str:
    """Put the purpose of the dice into words, as the end of a sentence."""
    return f": {purpose.strip().rstrip('.')}" if purpose.strip() else ""


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
def give_cool_beans(draft: Draft, do: GiveCoolBeans) -> None:
    """Give a Player's own dice to another Player. Dice for a Gamemaster go to the stock."""
    giver = do.player if do.player is not None else draft.me
    n = check_positive(do.n, COOL_BEANS)
    check_receiver(draft, giver, COOL_BEANS)
    receiver = check_receiver(draft, do.to, COOL_BEANS)
    if giver == receiver:
        raise SELF_GIFT.under(COOL_BEANS)
    require(may_keep_dice(draft, giver, COOL_BEANS))
    if draft.balance(accounts.name_purse(giver)) < n:
        raise NOT_ENOUGH_DICE.under(COOL_BEANS, has=draft.balance(accounts.name_purse(giver)))
    gift_id = draft.table.new_id()
    draft.of(
        giver,
        CoolBeansGiven(gift_id, giver, receiver, n),
        accounts.make_posting(accounts.name_purse(giver), draft.find_purse(receiver), n),
        accounts.make_gain(accounts.name_gift(giver, gift_id), n),
    )
    draft.by(COOL_BEANS, n, giver=giver, to=receiver)


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
    """Replace some or all of the Experience Dice that a Player gave away, from the common stock."""

    gift: Gift
    n: HowMany = 1


@decides
def replace_cool_beans(draft: Draft, do: ReplaceCoolBeans) -> None:
    """Replace dice of a gift, in total no more than were given."""
    n = check_positive(do.n, COOL_BEANS_REPLACED)
    givers = [seat_id for seat_id in draft.list_players() if draft.balance(accounts.name_gift(seat_id, do.gift)) >= n]
    if not givers:
        raise REPLACEMENT_EXCEEDS_GIFT(gift=do.gift, n=n)
    draft.check_stock(n, COOL_BEANS_REPLACED)
    giver = givers[0]
    draft.of(
        giver,
        CoolBeansReplaced(do.gift, giver, n),
        accounts.make_posting(accounts.STOCK, accounts.name_purse(giver), n),
        accounts.make_loss(accounts.name_gift(giver, do.gift), n),
    )
    draft.by(COOL_BEANS_REPLACED, n, giver=giver)


def say_coup_counted(fact: CoupCounted, names: Names) -> str:
    catcher_name, receiver_name = names.name(seat(fact.catcher)), names.name(seat(fact.owed_to))
    owed_phrase = say_count(fact.owed, "forgotten die", "forgotten dice")
    extra_phrase = say_count(fact.extra, "die", "dice")
    getter_phrase = f" {catcher_name} gets" if fact.catcher != fact.owed_to else ""
    extra_clause = f", and{getter_phrase} {extra_phrase} for noticing" if extra_phrase else ""
    return f"{catcher_name} counts coup: {receiver_name} gets {owed_phrase}{extra_clause}."


@fact("coup-counted", says=say_coup_counted, headline=42, changes=None)
class CoupCounted:
    """The seat `catcher` counted coup and got the dice in `extra`. The seat `owed_to` got the forgotten award, the dice
    in `owed`.
    """

    catcher: SeatId
    owed_to: SeatId
    owed: int
    extra: int


def say_coup(do: CountCoup, names: Names) -> str:
    catcher_clause = f"{names.name(seat(do.player))} counts coup" if do.player is not None else "Coup is counted"
    dice_phrase = "1 die" if do.owed == 1 else f"{do.owed} dice"
    receiver_name = names.name(seat(do.owed_to))
    return f"{catcher_clause}: the Gamemaster forgot {dice_phrase} for {receiver_name}{say_reason(do.what)}."


@declares("count-coup", ABOUT_A_PLAYER, says=say_coup, records=(CoupCounted, DiceDeclined))
class CountCoup:
    """Count coup, because a Player noticed that the Gamemaster has forgotten an award. The Gamemaster must grant the
    coup, or all Players present if the table plays that way.

    `owed_to`: the Player who should have got the award. `owed`: how many dice the forgotten award was worth. `what`:
    what the forgotten award was for. `player`: the Player who noticed; leave it out for yourself.
    """

    owed_to: SeatId
    owed: Positive = 1
    what: Reason = ""
    player: SeatId | None = None


ASK_COUP = Question("coup", "{purpose}. Do you grant it?")


@decides
def count_coup(draft: Draft, do: CountCoup) -> Asking[None]:
    """If the coup is granted, give the forgotten award to its Player, and dice to the Player who noticed."""
    catcher = do.player if do.player is not None else draft.me
    owed_count = check_positive(do.owed, COUP)
    check_receiver(draft, catcher, COUP)
    receiver = check_receiver(draft, do.owed_to, COUP)
    require(may_keep_dice(draft, catcher, COUP) or may_keep_dice(draft, receiver, COUP))
    extra_count = draft.dials.coup_extra
    draft.check_stock(owed_count + extra_count, COUP)
    receiver_name, purpose = _name_player(draft, receiver), say_what_for(do.what)
    question = f"A coup for {name_dice(owed_count)} that {receiver_name} should have got{purpose}"
    if not (yield from ask_to_grant_dice(draft, COUP, ASK_COUP(), question)):
        decline_dice(draft, COUP, catcher, "coup", do.what)
        return
    draft.of(
        catcher,
        CoupCounted(catcher, receiver, owed_count, extra_count),
        accounts.make_posting(accounts.STOCK, accounts.name_purse(receiver), owed_count),
        accounts.make_posting(accounts.STOCK, accounts.name_purse(catcher), extra_count),
    )
    draft.by(COUP, owed_count + extra_count, owed_to=receiver, catcher=catcher)


@offers
def offer_votes(seen: Seen, draft: Draft) -> Iterator[Move]:
    for player, player_values in draft.list_players_spoken_for(seen, draft.list_group()):
        yield Move(CastVote, {"player": player_values}, of=player)


@offers
def offer_gifts(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield gifts of a Player's own dice to another Player."""
    for giver, player_values in draft.list_players_spoken_for(seen, list_keepers(draft)):
        dice_count = draft.balance(accounts.name_purse(giver))
        other_players = tuple(player for player in draft.list_players() if player != giver)
        if dice_count >= 1 and other_players:
            yield Move(
                GiveCoolBeans,
                {"to": Among(other_players), "n": Between(1, dice_count), "player": player_values},
                of=giver,
            )


@offers
def offer_awards(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield awards for which the stock has enough dice."""
    count_domain = draft.find_stock_domain()
    receivers = tuple(player for player in list_keepers(draft) if draft.is_by_gm or player != draft.me)
    if count_domain is not None and receivers:
        vote_numbers = tuple(map(str, seen.list_citable_facts(CAMPAIGN)))
        votes_domain = Some(Among(vote_numbers), repeats=True) if vote_numbers else Among(((),))
        yield Move(AwardDice, {"to": Among(receivers), "n": count_domain, "votes": votes_domain})
    if not seen.decides:
        return
    for giver in draft.list_players():
        gift_prefix = accounts.name_gift(giver, "")
        for account, dice_left in seen.accounts(seat(giver)).items():
            count_domain = draft.find_stock_domain(dice_left)
            if account.startswith(gift_prefix) and count_domain is not None and dice_left >= 1:
                yield Move(ReplaceCoolBeans, {"gift": Among((account.removeprefix(gift_prefix),)), "n": count_domain})


@offers
def offer_coups(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield coups for which the stock has enough dice."""
    most_owed = None if draft.stock_left is None else draft.stock_left - draft.dials.coup_extra
    if most_owed is not None and most_owed < 1:
        return
    for catcher, player_values in draft.list_players_spoken_for(seen, list_keepers(draft)):
        yield Move(
            CountCoup,
            {"owed_to": Among(list_keepers(draft)), "owed": Between(1, most_owed), "player": player_values},
            of=catcher,
        )

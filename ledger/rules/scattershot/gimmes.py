"""Gimmes for Disadvantages and Genre Expectations, and Paybacks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    Asking,
    Besides,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    SeatId,
    Seen,
    SharedRefusal,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    once_created,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot import accounts, awards, listings
from ledger.rules.scattershot.agreement import ABOUT_A_PLAYER, DiceDeclined, ask_to_grant_dice, decline_dice
from ledger.rules.scattershot.draft import NO, NONE, Draft, group_alike
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.words import (
    ID_PATTERN,
    NO_SUCH_EXPECTATION,
    ExpectationName,
    Grade,
    Occasion,
    OwnDisadvantage,
    ResolutionId,
    count_gimme_dice,
    whether,
)

GIMME = rule(
    "scattershot.xd.gimme",
    "A Player whose Persona suffers from a Disadvantage gets a Gimme. This is a number of Experience Dice that"
    " depends on the value of the Disadvantage and on how much it mattered.",
    "Gimmes",
)


NO_GIMME_FOR_THIS_GRADE = SharedRefusal(
    "no-gimme-for-this-grade",
    "[{disadvantage} is not a Disadvantage of this Character][A Disadvantage worth {value:point|points}"
    " gives no {grade} Gimme].",
)


@fact(
    "gimme-taken",
    says=whether(
        "grade",
        "{player} takes a {grade} Gimme of {n:die|dice}: {source}.",
        "{player} takes a Gimme of {n:die|dice}: {source}.",
    ),
    headline=39,
    kw_only=True,
)
class GimmeTaken:
    """A Player got a Gimme. `source`: a Disadvantage or a Genre Expectation. `grade`: how much a
    Disadvantage mattered.
    """

    player: SeatId
    source: Reason
    value: int
    grade: Grade | None
    n: int


@changes
@once_created
def note_gimme_taken(state: Character, fact: GimmeTaken) -> Character:
    """Leave the Character as it is. Accounts count the dice."""
    return state


@fact("gimme-declined", says="{player} is not granted a Gimme: {source}.", headline=40)
class GimmeDeclined:
    """A Player claimed a Gimme, but it was not granted."""

    player: SeatId
    source: Reason


@changes
@once_created
def note_gimme_declined(state: Character, fact: GimmeDeclined) -> Character:
    """Leave the Character as it is. The fact is only a record."""
    return state


def say_gimme(do: ClaimGimme, names: Names) -> str:
    name = names.name(character(do.character))
    if do.disadvantage is not None:
        return f"A {do.grade} Gimme is claimed for {name}, who suffers from a Disadvantage: {do.disadvantage}."
    return f"A Gimme is claimed for {name}, who loses out because of a Genre Expectation: {do.expectation}."


@declares("claim-gimme", ANYONE, says=say_gimme, records=(GimmeTaken, GimmeDeclined))
class ClaimGimme:
    """Claim a Gimme for a Disadvantage that made a Character suffer, or for a Genre Expectation that worked against a
    Character. The Gamemaster must grant the Gimme, or all Players present if the table plays that way.

    `grade`: how badly the Character suffered from the Disadvantage.
    """

    character: CharacterId
    disadvantage: OwnDisadvantage | None = None
    expectation: ExpectationName | None = None
    grade: Grade = "solid"


ASK_GIMME = Question("gimme", "{purpose}. Do you grant it?")


def may_claim_for(draft: Draft, expectation: str, char_id: str) -> Refused | None:
    """Refuse a Genre Expectation that gives no Gimmes or does not apply to this Character."""
    listed_expectation = draft.read_campaign().expectations.get(expectation)
    if (
        listed_expectation is None
        or listed_expectation.kind != "gimme"
        or not draft.is_for(listed_expectation, draft.find_owner(char_id), char_id)
    ):
        return NO_SUCH_EXPECTATION.under(listings.GENRE_GIMME, expectation=expectation)
    return None


@decides
def claim_gimme(draft: Draft, do: ClaimGimme) -> Asking[None]:
    rule = GIMME if do.disadvantage is not None else listings.GENRE_GIMME
    owner = draft.check_plays(do.character, rule)
    if do.disadvantage is not None:
        source, grade = do.disadvantage, do.grade
        values = [trait.value for trait in draft.read_character(do.character).disadvantages if trait.name == source]
        if not values:
            raise NO_GIMME_FOR_THIS_GRADE.under(rule, disadvantage=source)
        value = int(values[0])
        n = count_gimme_dice(value, grade)
        if n is None:
            raise NO_GIMME_FOR_THIS_GRADE.under(rule, value=value, grade=grade)
    else:
        source, grade = do.expectation or "", ""
        require(may_claim_for(draft, source, do.character))
        value = n = draft.read_campaign().expectations[source].value
    draft.check_stock(n, rule)
    if not (yield from ask_to_grant_dice(draft, rule, ASK_GIMME(), f"A Gimme of {awards.name_dice(n)} for {source}")):
        draft.about(do.character, GimmeDeclined(owner, source))
        draft.by(rule, 0, source=source)
        return
    posting = accounts.make_posting(accounts.STOCK, draft.find_purse(owner), n)
    draft.about(do.character, GimmeTaken(player=owner, source=source, value=value, grade=grade or None, n=n), posting)
    draft.by(rule, n, source=source, value=value)


GRADES = ("solid", "minor", "mediocre")


@offers
def offer_gimmes(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield Gimmes for which the stock has enough dice: one move for all Disadvantages with the same grades."""
    own_ids, read_character = draft.filter_mine(draft.roster), draft.read_character
    for names_and_values, id_domain in group_alike(
        own_ids,
        lambda char_id: (
            tuple((disadvantage.name, disadvantage.value) for disadvantage in read_character(char_id).disadvantages)
            or None
        ),
    ):
        values_by_name = {name: int(value) for name, value in reversed(names_and_values)}
        names_by_grades: dict[tuple[str, ...], tuple[str, ...]] = {}
        for name, value in values_by_name.items():
            dice_by_grade = {grade: count_gimme_dice(value, grade) for grade in GRADES}
            grades = tuple(grade for grade, n in dice_by_grade.items() if n is not None and draft.has_in_stock(n))
            names_by_grades[grades] = (*names_by_grades.get(grades, ()), name)
        for grades, disadvantage_names in names_by_grades.items():
            if grades:
                fields: dict[str, Domain] = {"disadvantage": Among(disadvantage_names), "grade": Among(grades)}
                yield Move(ClaimGimme, {"character": id_domain, **fields, "expectation": OPEN})
    affordable_names = tuple(
        name
        for name, expectation in draft.read_campaign().expectations.items()
        if draft.has_in_stock(expectation.value)
    )
    for expectation_names, id_domain in group_alike(
        own_ids,
        lambda char_id: tuple(name for name in affordable_names if may_claim_for(draft, name, char_id) is None) or None,
    ):
        yield Move(ClaimGimme, {"character": id_domain, "expectation": Among(expectation_names), "grade": OPEN})


PAYBACK = rule(
    "scattershot.xd.payback",
    "A Player who spends dice on what the genre expects can claim them back as Payback. If the Payback is"
    " granted, and spending the dice put the Game back on track, the Player gets 1 die of interest, too.",
    "Rewards",
    step="For {spent:die|dice} spent, {out:die|dice} of Payback, including {interest} as interest.",
)
ALREADY_PAID_BACK = Refusal(PAYBACK, "already-paid-back", "This Player has already had Payback for that.")
NOTHING_ROLLED = Refusal(
    PAYBACK,
    "nothing-rolled",
    "{player} rolled no Experience Dice in that resolution, or has already been paid back for them.",
)
NO_OCCASION = Refusal(
    PAYBACK, "no-occasion", "Say what {player} gets the Payback for: name a resolution, or describe the occasion."
)


def say_paid_back(fact: PaybackPaid, names: Names) -> str:
    occasion_phrase = "the dice of a resolution" if ID_PATTERN.fullmatch(fact.for_) else fact.for_.strip()
    dice_phrase = "1 die" if fact.n == 1 else f"{fact.n} dice"
    interest_phrase = f", including {fact.interest} as interest" if fact.interest else ""
    return f"{names.name(seat(fact.player))} gets {dice_phrase} of Payback for {occasion_phrase}{interest_phrase}."


@fact("payback-paid", says=say_paid_back, headline=41, changes=None, kw_only=True)
class PaybackPaid:
    """A Player got Payback. `n`: how many dice. `for`: the resolution in which the Player spent dice, or the occasion.
    `spent`: the dice spent. `interest`: the extra dice.
    """

    player: SeatId
    for_: Occasion
    spent: int
    interest: int
    n: int


def say_payback(do: ClaimPayback, names: Names) -> str:
    occasion_phrase = "the dice of a resolution" if do.resolution is not None else do.occasion.strip() or "something"
    player_clause = f"{names.name(seat(do.player))} claims Payback" if do.player is not None else "Payback is claimed"
    interest_phrase = ", with interest" if do.interest else ""
    expectation_phrase = f" ({do.expectation.strip()})" if do.expectation is not None else ""
    return f"{player_clause}{interest_phrase}: {occasion_phrase}{expectation_phrase}."


@declares("claim-payback", ABOUT_A_PLAYER, says=say_payback, records=(PaybackPaid, DiceDeclined))
class ClaimPayback:
    """Claim Payback for a contribution that served the genre. The Gamemaster must grant the Payback, or all Players
    present if the table plays that way.

    `resolution`: the resolution into which the Player rolled the dice that come back. `occasion`: what the Payback is
    for if no dice were rolled, such as giving a cue to another Player or withdrawing a question. `interest`: whether
    the Player's contribution put the Game back on track. `expectation`: the Genre Expectation that was served. The
    Payback is then at least the value listed for it.
    """

    resolution: ResolutionId | None = None
    occasion: Reason = ""
    interest: bool = False
    player: SeatId | None = None
    expectation: ExpectationName | None = None


ASK_PAYBACK = Question("payback", "{purpose}. Do you grant it?")


@decides
def claim_payback(draft: Draft, do: ClaimPayback) -> Asking[None]:
    """Give back the dice spent, or at least the minimum, with interest. A Player can claim this once for each
    resolution or occasion.

    Refuses `already-paid-back`, `nothing-rolled`, `no-occasion`.
    """
    player = awards.check_receiver(draft, do.player if do.player is not None else draft.me, PAYBACK)
    source = do.resolution if do.resolution is not None else do.occasion.strip()
    reference = do.resolution if do.resolution is not None else _name_occasion(source)
    payback_account = accounts.name_payback(player, reference)
    if draft.balance(payback_account) > 0:
        raise ALREADY_PAID_BACK(repays=reference)
    spent_account = accounts.name_spent(player, do.resolution) if do.resolution is not None else ""
    spent = draft.balance(spent_account) if spent_account else 0
    if spent_account and spent < 1:
        raise NOTHING_ROLLED(player=player, resolution=do.resolution)
    if not source:
        raise NO_OCCASION(player=player)
    interest = draft.dials.payback_interest if do.interest else 0
    n = max(spent, _require_minimum(draft, do.expectation, player)) + interest
    draft.check_stock(n, PAYBACK)
    if not (
        yield from ask_to_grant_dice(
            draft,
            PAYBACK,
            ASK_PAYBACK(),
            f"A Payback of {awards.name_dice(n)}{awards.say_what_for(do.occasion) if spent_account == '' else ''}",
        )
    ):
        decline_dice(draft, PAYBACK, player, "payback", source)
        return
    draft.of(
        player,
        PaybackPaid(player=player, for_=source, spent=spent, interest=interest, n=n),
        accounts.make_posting(accounts.STOCK, draft.find_purse(player), n),
        accounts.make_gain(payback_account, 1),
        accounts.make_loss(spent_account, spent) if spent_account else None,
    )
    if do.expectation is None:
        draft.by(PAYBACK, n, spent=spent, interest=interest)
    else:
        draft.by(PAYBACK, n, spent=spent, interest=interest, expectation=do.expectation)


def _name_occasion(text: str) -> str:
    """Return the occasion as part of an account's name. A long text is replaced by a number."""
    if len(text) <= 100:
        return f"for {text}"
    return f"for {int.from_bytes(text.encode('utf-8', 'surrogatepass'), 'big') % (2**127 - 1)}"


def may_give_paybacks(draft: Draft, expectation: str, player: str) -> Refused | None:
    """Refuse a Genre Expectation that does not give this Player Paybacks."""
    listed_expectation = draft.read_campaign().expectations.get(expectation)
    if listed_expectation is None or not draft.is_payback_for(listed_expectation, player):
        return NO_SUCH_EXPECTATION.under(PAYBACK, expectation=expectation)
    return None


def _require_minimum(draft: Draft, expectation: str | None, player: str) -> int:
    """Return the minimum of a Payback: the value of the Genre Expectation named, or else the table's minimum.

    Refuses `no-such-expectation`.
    """
    if expectation is None:
        return draft.dials.payback_minimum
    require(may_give_paybacks(draft, expectation, player))
    return draft.read_campaign().expectations[expectation].value


@offers
def offer_paybacks(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield Paybacks for each resolution or occasion that has none yet."""
    for player, player_values in draft.list_players_spoken_for(seen, draft.list_players()):
        balances_by_account = seen.accounts(seat(player))
        spent_prefix, payback_prefix = accounts.name_spent(player, ""), accounts.name_payback(player, "")
        paid_references = [
            account.removeprefix(payback_prefix)
            for account, n in balances_by_account.items()
            if account.startswith(payback_prefix) and n > 0
        ]
        dice_by_resolution = {
            account.removeprefix(spent_prefix): n
            for account, n in balances_by_account.items()
            if account.startswith(spent_prefix) and n > 0
        }
        dice_and_fields: list[tuple[int, dict[str, Domain]]] = [
            (n, {"resolution": Among((resolution_id,))})
            for resolution_id, n in dice_by_resolution.items()
            if resolution_id not in paid_references
        ]
        occasions = tuple(
            reference.removeprefix("for ") for reference in paid_references if reference.startswith("for ")
        )
        dice_and_fields.append((0, {"resolution": NONE, "occasion": Besides(("", *occasions))}))
        names_and_minima = [
            (name, expectation.value)
            for name, expectation in draft.read_campaign().expectations.items()
            if may_give_paybacks(draft, name, player) is None
        ]
        all_names_and_minima = [(None, draft.dials.payback_minimum), *names_and_minima]
        for (n, occasion_fields), (name, minimum) in product(dice_and_fields, all_names_and_minima):
            dice_count, fields = max(n, minimum), {**occasion_fields, "expectation": Among((name,))}
            if draft.has_in_stock(dice_count + draft.dials.payback_interest):
                yield Move(ClaimPayback, {**fields, "interest": OPEN, "player": player_values}, of=player)
            elif draft.has_in_stock(dice_count):
                yield Move(ClaimPayback, {**fields, "interest": NO, "player": player_values}, of=player)

"""Challenges, which raise a MIB, and Benefits, which are bought with it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    Between,
    Domain,
    Move,
    Names,
    Question,
    Refusal,
    Refused,
    SeatId,
    Seen,
    Story,
    Title,
    changed,
    changes,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot.agreement import ask_all_to_agree
from ledger.rules.scattershot.draft import Draft, check_positive, may_act_in
from ledger.rules.scattershot.scene import (
    Resolution,
    Side,
    find_lead,
    find_raised_mib,
    in_its_resolution,
    list_opposers,
    put_side,
)
from ledger.rules.scattershot.words import (
    ACTOR,
    NO_SUCH_ROLL,
    NOT_PROPRIETOR,
    WRONG_PHASE,
    HowMany,
    ResolutionId,
    SideName,
    name_side,
    quote,
)

CHALLENGE = rule(
    "scattershot.apply.challenge",
    "A Challenge is a complication. Each one that a Player takes for their own Persona adds 1 to that"
    " Persona's MIB. Any Player may offer one.",
    "Buy a Success/Spend a Success",
)
CHALLENGE_LIMIT = rule(
    "scattershot.apply.challenge-limit",
    "The Epic Index is the largest number of Challenges that each side can take in a resolution.",
    "Buy a Success/Spend a Success",
)
CHALLENGES_OVER_EPIC_INDEX = Refusal(
    CHALLENGE_LIMIT,
    "challenges-over-epic-index",
    "This side cannot take {n:more Challenge|more Challenges}. The limit is the Epic Index, and"
    " {taken:is|are} already taken.",
)
BENEFIT = rule(
    "scattershot.apply.benefit",
    "A Benefit is an improvement. Each one costs 1 point of a MIB that is above 0.",
    "Buy a Success/Spend a Success",
)
BENEFITS_OVERSPENT = Refusal(
    BENEFIT,
    "benefits-overspent",
    "You cannot take {n:more Benefit|more Benefits}. This side can take {limit} in all, and"
    " {taken:is|are} already taken.",
)
CHALLENGES_FIRST = rule(
    "scattershot.apply.order",
    "Both sides take their Challenges before anybody takes a Benefit. After that, any points that are still"
    " above the Critical Juncture become Benefits.",
    "Buy a Success/Spend a Success",
)
CONTESTED = rule(
    "scattershot.apply.contested",
    "In a contest, each side changes its own MIB. Only the side that is ahead can take Benefits: at most 1"
    " for each point by which it is ahead.",
    "Buy a Success/Spend a Success",
)


def say_taken(
    noun: str, kind_field: str, do_or_fact: TakeChallenge | TakeBenefit | ChallengeTaken | BenefitTaken, names: Names
) -> str:
    """Put into words the Challenges or Benefits, with their kind (from `kind_field`) and their text."""
    count_phrase = f"a {noun}" if do_or_fact.n == 1 else f"{do_or_fact.n} {noun}s"
    side, kind = name_side(do_or_fact.side, names), getattr(do_or_fact, kind_field)
    return f"{side} takes {count_phrase} ({kind}){quote(do_or_fact.text)}"


@fact("challenge-taken", says=partial(say_taken, "Challenge", "kind"), kw_only=True)
class ChallengeTaken:
    """A side took Challenges. `n`: how many."""

    resolution: ResolutionId
    side: SideName
    kind: Title
    text: Story
    n: int


@changes
@in_its_resolution
def take_challenges(resolution: Resolution, fact: ChallengeTaken) -> Resolution | None:
    side = resolution.sides.get(fact.side)
    return (
        put_side(resolution, fact.side, changed(side, challenges=side.challenges + fact.n))
        if side is not None
        else None
    )


def say_benefit(fact: BenefitTaken, names: Names) -> str:
    if not fact.automatic:
        return say_taken("Benefit", "kind", fact, names)
    point_phrase = "1 point" if fact.n == 1 else f"{fact.n} points"
    verb_phrase = "becomes a Benefit" if fact.n == 1 else "become Benefits"
    side_phrase = f" for {name_side(fact.side, names)}" if fact.side != ACTOR else ""
    return f"{point_phrase} above the Critical Juncture {verb_phrase}{side_phrase}."


@fact("benefit-taken", says=say_benefit, kw_only=True)
class BenefitTaken:
    """A side took Benefits. `automatic`: whether they came from points above the Critical Juncture, so that they cost
    nothing.
    """

    resolution: ResolutionId
    side: SideName
    kind: Title
    text: Story
    n: int
    automatic: bool


@changes
@in_its_resolution
def take_benefits(resolution: Resolution, fact: BenefitTaken) -> Resolution | None:
    side = resolution.sides.get(fact.side)
    if side is None or fact.automatic:
        return resolution if side is not None else None
    after = changed(side, benefits=side.benefits + fact.n)
    return changed(resolution, phase="benefits", sides={**resolution.sides, fact.side: after})


@declares("take-challenge", ANYONE, says=partial(say_taken, "Challenge", "challenge"), records=(ChallengeTaken,))
class TakeChallenge:
    """Take Challenges for your own Persona: complications, each of which adds 1 to the Persona's MIB.

    `challenge`: the kind of Challenge, such as time, Quantity or Opportunity. `text`: what becomes more difficult.
    `side`: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    challenge: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: SideName = "actor"


#: The Phases in which a side can take Challenges or Benefits.
ALTERABLE_PHASES = ("challenges", "benefits")


def check_own_side(draft: Draft, resolution: Resolution, side_name: str, rule: str) -> Side:
    """Return this side. Refuses `no-such-roll`, and `not-proprietor` unless the declaring seat plays it."""
    side = resolution.sides.get(side_name)
    if side is None:
        raise NO_SUCH_ROLL.under(rule, side=side_name)
    if not draft.is_by_gm and draft.me != side.player:
        raise NOT_PROPRIETOR.under(rule, side=side_name)
    return side


@decides
def take_challenge(draft: Draft, do: TakeChallenge) -> None:
    """Take Challenges (`apply.challenge`). Each adds 1 to the side's own MIB. A side can take at most as many as the
    Epic Index.
    """
    resolution = draft.require_resolution(do.resolution)
    check_own_side(draft, resolution, do.side, CHALLENGE)
    _record_challenge(draft, resolution, do)


def may_take_challenges(draft: Draft, side: Side, n: int) -> Refused | None:
    """Refuse more Challenges than the Epic Index."""
    if side.challenges + n > draft.dials.epic_index:
        return CHALLENGES_OVER_EPIC_INDEX(taken=side.challenges, n=n)
    return None


def _record_challenge(draft: Draft, resolution: Resolution, do: TakeChallenge | OfferChallenge) -> None:
    require(may_act_in(resolution, "challenges", CHALLENGES_FIRST))
    side = resolution.sides.get(do.side)
    if side is None:
        raise NO_SUCH_ROLL.under(CHALLENGE, side=do.side)
    n = check_positive(do.n, CHALLENGE)
    require(may_take_challenges(draft, side, n))
    draft.here(ChallengeTaken(resolution=do.resolution, side=do.side, kind=do.challenge, text=do.text, n=n))
    draft.by(CHALLENGE, find_raised_mib(resolution, do.side) + n, side=do.side)
    draft.by(CHALLENGE_LIMIT, draft.dials.epic_index - side.challenges - n)


def say_offered(fact: ChallengeOffered, names: Names) -> str:
    count_phrase = "a Challenge" if fact.n == 1 else f"{fact.n} Challenges"
    side, pronoun = name_side(fact.side, names), "it" if fact.n == 1 else "them"
    answer_clause = f"{side} {'takes' if fact.taken else 'does not take'} {pronoun}"
    return (
        f"{names.name(seat(fact.by))} offers {side} {count_phrase} ({fact.kind}), and {answer_clause}{quote(fact.text)}"
    )


@fact("challenge-offered", says=say_offered, headline=10, kw_only=True)
class ChallengeOffered:
    """A Player offered Challenges to a side. `taken`: whether the side took them."""

    resolution: ResolutionId
    side: SideName
    by: SeatId
    kind: Title
    text: Story
    n: int
    taken: bool


@changes
@in_its_resolution
def note_challenge_offered(resolution: Resolution, fact: ChallengeOffered) -> Resolution:
    return resolution


def say_offers(do: OfferChallenge, names: Names) -> str:
    count_phrase = "a Challenge" if do.n == 1 else f"{do.n} Challenges"
    return f"{name_side(do.side, names)} is offered {count_phrase} ({do.challenge}){quote(do.text)}"


@declares("offer-challenge", ANYONE, says=say_offers, records=(ChallengeOffered, ChallengeTaken))
class OfferChallenge:
    """Offer Challenges to the Actor or a Resistor. Any Player may do this. The Player of that side then accepts or
    declines.

    `challenge`: the kind of Challenge, such as time, Quantity or Opportunity. `text`: what would become more difficult.
    `side`: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    challenge: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: SideName = "actor"


ASK_CHALLENGE = Question("challenge", "{purpose}. Do you take it?")


@decides
def offer_challenge(draft: Draft, do: OfferChallenge) -> Asking[None]:
    """Ask the Player of a side to take Challenges that another Player offers. Refuses the same codes as taking them."""
    resolution, offering_seat = draft.require_resolution(do.resolution), draft.require_player(None)
    _record_challenge(draft, resolution, do)
    asked_seats = () if offering_seat == resolution.sides[do.side].player else (resolution.sides[do.side].player,)
    draft.start_over()
    count_phrase = "A Challenge" if do.n == 1 else f"{do.n} Challenges"
    purpose = f"{count_phrase} ({do.challenge}): {do.text}"
    is_taken = yield from ask_all_to_agree(draft, asked_seats, CHALLENGE, ASK_CHALLENGE(), purpose)
    draft.here(
        ChallengeOffered(
            resolution=do.resolution,
            side=do.side,
            by=offering_seat,
            kind=do.challenge,
            text=do.text,
            n=do.n,
            taken=is_taken,
        )
    )
    if is_taken:
        _record_challenge(draft, resolution, do)
    draft.by(CHALLENGE, is_taken, offered_by=offering_seat)


@declares("take-benefit", ANYONE, says=partial(say_taken, "Benefit", "benefit"), records=(BenefitTaken,))
class TakeBenefit:
    """Spend points of a MIB on Benefits, which improve the result of the Action. After the first Benefit, no side can
    take a Challenge.

    `benefit`: the kind of Benefit, such as time, Quantity or Opportunity. `text`: what becomes better. `side`: `actor`,
    or the id of a Resistor.
    """

    resolution: ResolutionId
    benefit: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: SideName = "actor"


def may_alter(resolution: Resolution) -> Refused | None:
    """Refuse a change to a MIB once the outcome is determined."""
    return (
        WRONG_PHASE.under(CHALLENGES_FIRST, phase=resolution.phase)
        if resolution.phase not in ALTERABLE_PHASES
        else None
    )


def may_take_benefits(limit: int, side: Side, n: int) -> Refused | None:
    return BENEFITS_OVERSPENT(limit=limit, taken=side.benefits, n=n) if side.benefits + n > limit else None


@decides
def take_benefit(draft: Draft, do: TakeBenefit) -> None:
    """Spend a point for each Benefit. The MIB never falls below 0. In a contest, only the side that is ahead can spend
    its lead.
    """
    resolution = draft.require_resolution(do.resolution)
    require(may_alter(resolution))
    side = check_own_side(draft, resolution, do.side, BENEFIT)
    n = check_positive(do.n, BENEFIT)
    limit = find_spending_limit(draft, resolution, do.side)
    require(may_take_benefits(limit, side, n))
    draft.here(
        BenefitTaken(resolution=do.resolution, side=do.side, kind=do.benefit, text=do.text, n=n, automatic=False)
    )
    draft.by(CONTESTED if list_opposers(resolution) else BENEFIT, limit - side.benefits - n, side=do.side)


def find_spending_limit(draft: Draft, resolution: Resolution, side_name: str) -> int:
    """Return how many Benefits a side may take in total."""
    resistors, adjusting = list_opposers(resolution), draft.dials.contested_adjust
    if not resistors:
        return max(0, find_raised_mib(resolution, ACTOR))
    if side_name == ACTOR:
        return max(0, *(find_lead(resolution, resistor, adjusting) for resistor in resistors))
    deficit = -find_lead(resolution, side_name, adjusting)
    return max(0, deficit if adjusting == "rmib" else min(find_raised_mib(resolution, side_name), deficit))


def list_seats_of_side(draft: Draft, resolution: Resolution, side_name: str) -> tuple[str, ...]:
    """Return the seats that speak for a side: its Player's and the Gamemasters'."""
    return tuple(dict.fromkeys((resolution.sides[side_name].player, *draft.gm_seats)))


@offers
def offer_changes(seen: Seen, draft: Draft) -> Iterator[Move]:
    for resolution_id, resolution in draft.read_resolutions().items():
        for name, side in resolution.sides.items() if may_alter(resolution) is None else ():
            fields: dict[str, Domain] = {"resolution": Among((resolution_id,)), "side": Among((name,))}
            is_own_side = draft.me in list_seats_of_side(draft, resolution, name)
            if may_act_in(resolution, "challenges") is None and may_take_challenges(draft, side, 1) is None:
                count_domain = Between(1, draft.dials.epic_index - side.challenges)
                if is_own_side:
                    yield Move(TakeChallenge, {**fields, "n": count_domain})
                if draft.me in draft.list_group():
                    yield Move(OfferChallenge, {**fields, "n": count_domain})
            limit = find_spending_limit(draft, resolution, name)
            if is_own_side and may_take_benefits(limit, side, 1) is None:
                yield Move(TakeBenefit, {**fields, "n": Between(1, limit - side.benefits)})

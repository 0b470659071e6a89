"""The Application Phase: Challenges, Benefits, the cap, Critical Junctures. 3.6, 3.7."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.advantage import room_for
from ledger.rules.scattershot.agreement import all_agree
from ledger.rules.scattershot.chart import facet, rounded
from ledger.rules.scattershot.facts_of_characters import DisadvantageGained, ResidualPlaced
from ledger.rules.scattershot.facts_of_deeds import (
    AdvantageConverted,
    BenefitTaken,
    ChallengeOffered,
    ChallengeTaken,
    Juncture,
    JunctureConsequenceNamed,
    OutcomeReached,
)
from ledger.rules.scattershot.facts_of_fights import FlurryEnded
from ledger.rules.scattershot.ground import Ruling, check_positive, no
from ledger.rules.scattershot.inputs_of_outcomes import (
    Consequences,
    NameConsequences,
    OfferChallenge,
    ReachOutcome,
    TakeBenefit,
    TakeChallenge,
)
from ledger.rules.scattershot.reckoning import altered, basic, lead, opposers, raised, reached
from ledger.rules.scattershot.state import Reached, Resolution, Side
from ledger.rules.scattershot.tables import TOO_SOON
from ledger.rules.scattershot.terms import ACTOR, JunctureKind, Outcome, is_natural, is_positive

# --- Challenges and Benefits -----------------------------------------------------------------------------------------


def own_side(ruling: Ruling, one: Resolution, name: str, rule: str) -> Side:
    """Refuses `no-such-roll`, and `not-proprietor` to who does not play that side."""
    side = one.sides.get(name)
    if side is None:
        raise no(rule, "no-such-roll", side=name)
    if ruling.table.by.role != "gm" and ruling.table.by.seat != side.player:
        raise no(rule, "not-proprietor", side=name)
    return side


def take_challenge(ruling: Ruling, do: TakeChallenge) -> None:
    """`apply.challenge`: +1 to one's own MIB each, at most as many as the Epic Index."""
    one = ruling.resolution(do.resolution)
    own_side(ruling, one, do.side, "apply.challenge")
    _challenge(ruling, one, do)


def _challenge(ruling: Ruling, one: Resolution, do: TakeChallenge | OfferChallenge) -> None:
    """Refuses `wrong-phase`, `no-such-roll`, `bad-number`, `challenges-over-epic-index`."""
    if one.phase != "challenges":
        raise no("apply.order", "wrong-phase", phase=one.phase)
    side = one.sides.get(do.side)
    if side is None:
        raise no("apply.challenge", "no-such-roll", side=do.side)
    n = check_positive(do.n, "apply.challenge")
    if side.challenges + n > ruling.dials.epic_index:
        raise no("apply.challenge-limit", "challenges-over-epic-index", taken=side.challenges, n=n)
    ruling.here(ChallengeTaken(do.resolution, do.side, do.challenge, do.text, n))
    ruling.by("apply.challenge", raised(one, do.side) + n, side=do.side)
    ruling.by("apply.challenge-limit", ruling.dials.epic_index - side.challenges - n)


def offer_challenge(ruling: Ruling, do: OfferChallenge) -> Asking[None]:
    """`apply.challenge`: any Player offers one, who plays that side takes it or not. Refuses as taking one does."""
    one, by = ruling.resolution(do.resolution), ruling.player(None)
    _challenge(ruling, one, do)
    asked = () if by == one.sides[do.side].player else (one.sides[do.side].player,)
    ruling.start_over()
    purpose = f"A Challenge ({do.challenge}): {do.text}"
    taken = yield from all_agree(ruling, asked, "apply.challenge", "challenge", purpose)
    ruling.here(ChallengeOffered(do.resolution, do.side, by, do.challenge, do.text, do.n, taken))
    if taken:
        _challenge(ruling, one, do)
    ruling.by("apply.challenge", taken, offered_by=by)


def take_benefit(ruling: Ruling, do: TakeBenefit) -> None:
    """`apply.benefit`: a point each, never below 0; of a contest only by the side that is ahead, at most its lead."""
    one = ruling.resolution(do.resolution)
    if one.phase not in ("challenges", "benefits"):
        raise no("apply.order", "wrong-phase", phase=one.phase)
    side = own_side(ruling, one, do.side, "apply.benefit")
    n = check_positive(do.n, "apply.benefit")
    limit = spending_limit(ruling, one, do.side)
    if side.benefits + n > limit:
        raise no("apply.benefit", "benefits-overspent", limit=limit, taken=side.benefits, n=n)
    ruling.here(BenefitTaken(do.resolution, do.side, do.benefit, do.text, n, False))
    ruling.by("apply.contested" if opposers(one) else "apply.benefit", limit - side.benefits - n, side=do.side)


def spending_limit(ruling: Ruling, one: Resolution, name: str) -> int:
    """How many Benefits a side may take in all."""
    rolling, adjusting = opposers(one), ruling.dials.contested_adjust
    if not rolling:
        return max(0, raised(one, ACTOR))
    if name == ACTOR:
        return max(0, *(lead(one, resistor, adjusting) for resistor in rolling))
    behind = -lead(one, name, adjusting)
    return max(0, behind if adjusting == "rmib" else min(raised(one, name), behind))


# --- the outcome -----------------------------------------------------------------------------------------------------


def reach(ruling: Ruling, do: ReachOutcome) -> None:
    """`apply.outcome`, for each Resistor by itself."""
    one = ruling.resolution(do.resolution)
    if one.phase not in ("challenges", "benefits"):
        raise no("apply.order", "wrong-phase", phase=one.phase)
    dials = ruling.dials
    pairs = [
        reached(one, name, dials.critical_juncture, dials.contested_adjust, dials.resistor_results)
        for name in opposers(one) or (None,)
    ]
    for pair in pairs:
        ruling.here(outcome_of(ruling, do.resolution, one, pair))
        for side, n in ((ACTOR, pair.auto_benefits), (pair.resistor or "", pair.resistor_auto_benefits)):
            if n:
                ruling.here(BenefitTaken(do.resolution, side, "automatic", "", n, True))
    if any(_hits(one, pair) for pair in pairs):
        _end_flurry(ruling, one)
    ruling.by("apply.order", "results")


def _hits(one: Resolution, pair: Reached) -> bool:
    """The Actor's attack at 0 or better; else a Resistor's, who struck back and made its own roll."""
    if pair.adjusted >= 0:
        return one.deed.nature == "attack"
    back = pair.resistor
    return back is not None and one.sides[back].nature == "attack" and altered(one, back) >= 0


def _end_flurry(ruling: Ruling, one: Resolution) -> None:
    """`mech.flurry`: the first hit by either of the two ends it."""
    fight = ruling.fight(one.actor)
    flurry = fight.flurry if fight is not None else None
    if fight is None or flurry is None or flurry.ended is not None or one.actor not in (flurry.persona, flurry.foe):
        return
    foe = flurry.foe if one.actor == flurry.persona else flurry.persona
    if one.deed.flurry or one.subject == foe or foe in one.engaged:
        ruling.here(FlurryEnded("hit", fight.scope))
        ruling.by("mech.flurry", "hit")


def outcome_of(ruling: Ruling, id: str, one: Resolution, pair: Reached) -> OutcomeReached:
    """With its Critical Junctures; under `each-initial` these have no part in the word for the RMIB."""
    dials, adjusted = ruling.dials, pair.adjusted
    judged = junctures(ruling, one, pair)
    contested_each = pair.resistor is not None and dials.contested_juncture == "each-initial"
    outcome: Outcome = "success" if adjusted > 0 else "minimal-success" if adjusted == 0 else "failure"
    if judged and not contested_each:
        outcome = judged[0].kind
    if pair.resistor is not None:
        ruling.by("apply.contested", adjusted, resistor=pair.resistor)
    if pair.resistor_number is not None:
        ruling.by("contest.resistor-results", pair.resistor_number, resistor=pair.resistor)
    ruling.by("apply.automatic-benefit", pair.remaining, adjusted=adjusted, benefits=pair.auto_benefits)
    ruling.by("apply.outcome", outcome, adjusted=adjusted, resistor=pair.resistor)
    return OutcomeReached(
        id, pair.resistor, adjusted, pair.remaining, pair.auto_benefits, pair.resistor_number,
        pair.resistor_auto_benefits, outcome, dials.critical_juncture, dials.contested_adjust,
        dials.resistor_results, judged,
    )  # fmt: skip


def judged_as(ruling: Ruling, number: int) -> JunctureKind | None:
    """What a number is by itself."""
    cj = ruling.dials.critical_juncture
    if number >= cj:
        return "telling-blow"
    below = number < -cj if ruling.dials.catastrophe_boundary == "below" else number <= -cj
    return "catastrophic-failure" if below else None


def junctures(ruling: Ruling, one: Resolution, pair: Reached) -> tuple[Juncture, ...]:
    """`juncture.contest-gate`: which there are."""
    if pair.resistor is None:
        return _judged(ruling, one, pair, ACTOR, pair.adjusted)
    initial = {name: basic(one, name) for name in (ACTOR, pair.resistor)}
    match ruling.dials.contested_juncture:
        case "each-initial":
            return tuple(found for name, mib in initial.items() for found in _judged(ruling, one, pair, name, mib))
        case "rmib-and-initial":
            passed = any(judged_as(ruling, mib) is not None for mib in initial.values())
            ruling.by("juncture.contest-gate", passed, actor=initial[ACTOR], resistor=initial[pair.resistor])
            return _judged(ruling, one, pair, ACTOR, pair.adjusted) if passed else ()
        case _:
            return _judged(ruling, one, pair, ACTOR, pair.adjusted)


def _judged(ruling: Ruling, one: Resolution, pair: Reached, side: str, number: int) -> tuple[Juncture, ...]:
    """At most one: its author, who suffers it, its Points and its excess."""
    kind = judged_as(ruling, number)
    if kind is None:
        return ()
    cj = ruling.dials.critical_juncture
    own = (one.sides[side].player, one.actor if side == ACTOR else side)
    other = _other_side(ruling, one, pair, side)
    (author, sufferer), (_, gainer) = (other, own) if kind == "telling-blow" else (own, other)
    size = abs(number)
    index = size if ruling.dials.points_index == "uncapped" else min(size, cj)
    points = rounded(facet(ruling.dials, index, "points"))
    excess = max(0, size - cj)
    ruling.by(f"juncture.{kind}", author, number=number, side=side)
    ruling.by("juncture.points", points, index=index)
    ruling.by("juncture.excess", excess, number=number)
    return (Juncture(kind, side, author, sufferer, gainer, points, excess),)


def _other_side(ruling: Ruling, one: Resolution, pair: Reached, side: str) -> tuple[str, str | None]:
    """The seat and the Character a side's roll is aimed at."""
    if side != ACTOR:
        return one.player, one.actor
    if pair.resistor is not None:
        return one.sides[pair.resistor].player, pair.resistor
    subject = one.subject if one.subject is not None and ruling.is_character(one.subject) else None
    seat = one.target if one.actor is None and one.target is not None else ruling.proprietor(one.subject)
    return seat if seat is not None else ruling.gm(), subject


# --- consequences ----------------------------------------------------------------------------------------------------


def name_consequences(ruling: Ruling, do: NameConsequences) -> Asking[None]:
    """By who must invent them: asked, unless it says them itself."""
    one = ruling.resolution(do.resolution)
    if one.phase not in ("results", "closed"):
        raise no("resolve.phases", "wrong-phase", phase=one.phase)
    if not is_natural(do.juncture) or do.juncture >= len(one.junctures):
        raise no("juncture.telling-blow", "wrong-phase", juncture=str(do.juncture))
    juncture = one.junctures[do.juncture]
    if juncture.named:
        raise no("juncture.telling-blow", "wrong-phase", juncture=do.juncture)
    said = do.consequences
    if said is not None:
        if ruling.table.by.role != "gm" and ruling.table.by.seat != juncture.author:
            raise no(f"juncture.{juncture.kind}", "not-proprietor", author=juncture.author)
        _check(ruling, juncture, said, Refused)
    else:
        said = yield from ask(
            juncture.author, Consequences, slot="consequences", purpose=f"Consequences of a {juncture.kind}"
        )
        _check(ruling, juncture, said, Unfit)
    _record(ruling, do, juncture, said)


def _check(ruling: Ruling, juncture: Juncture, said: Consequences, refusal: type[Refused]) -> None:
    """`juncture.points`, `juncture.excess`, `juncture.duration`."""

    def refuse(rule: str, code: str) -> Refused:
        return refusal(f"scattershot.{rule}", code)

    numbers = [said.advantages, said.benefits, said.other]
    if not all(is_natural(n) for n in numbers):
        raise refuse("juncture.excess", "bad-number")
    if not all(is_positive(one.value) for one in said.disadvantages):
        raise refuse("juncture.points", "bad-number")
    if not all(is_positive(one.amount) for one in said.residuals):
        raise refuse("juncture.excess", "bad-number")
    if said.until.strip().lower() in TOO_SOON:
        raise refuse("juncture.duration", "ends-too-soon")
    if sum(one.value for one in said.disadvantages) > juncture.points:
        raise refuse("juncture.points", "excess-overspent")
    if sum(numbers) + sum(one.amount for one in said.residuals) > juncture.excess:
        raise refuse("juncture.excess", "excess-overspent")
    if (said.disadvantages or said.residuals) and juncture.sufferer is None:
        raise refuse("juncture.points", "excess-overspent")
    if said.advantages:
        fight = ruling.fight(juncture.gainer)
        pair = (juncture.gainer, juncture.sufferer)
        if fight is None or not fight.melee or any(id not in fight.standing for id in pair):
            raise refuse("advantage.convert", "not-in-melee")
        if room_for(ruling, pair[0] or "", pair[1] or "") < said.advantages:
            raise refuse("advantage.cap", "advantage-cap")


def _record(ruling: Ruling, do: NameConsequences, juncture: Juncture, said: Consequences) -> None:
    split = {
        "residuals": sum(one.amount for one in said.residuals),
        "advantages": said.advantages,
        "benefits": said.benefits,
        "other": said.other,
    }
    points = sum(one.value for one in said.disadvantages)
    ruling.here(
        JunctureConsequenceNamed(
            do.resolution,
            do.juncture,
            juncture.author,
            said.text,
            points,
            {use: n for use, n in split.items() if n},
            said.until,
        )
    )
    ruling.by("juncture.duration", said.until)
    ruling.by("juncture.excess", sum(split.values()), excess=juncture.excess)
    sufferer = juncture.sufferer
    if sufferer is not None:
        for gained in said.disadvantages:
            ruling.about(sufferer, DisadvantageGained(sufferer, gained.name, gained.value))
        for one in said.residuals:
            placed = ResidualPlaced(ruling.table.new_id(), sufferer, -one.amount, one.scope, juncture.kind, said.until)
            ruling.about(sufferer, placed)
        if said.advantages and juncture.gainer is not None:
            account = accounts.advantage(ruling.place().id, juncture.gainer, sufferer)
            ruling.here(
                AdvantageConverted(juncture.gainer, sufferer, said.advantages),
                accounts.gained(account, said.advantages),
            )
            ruling.by("advantage.convert", said.advantages, holder=juncture.gainer, foe=sufferer)

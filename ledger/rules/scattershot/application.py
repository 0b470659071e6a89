"""The Application Phase: Challenges, Benefits, the cap, which Critical Junctures there are. 3.6, 3.7."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot.agreement import all_agree
from ledger.rules.scattershot.chart import facet, rounded
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_deeds import (
    BenefitTaken,
    ChallengeOffered,
    ChallengeTaken,
    Juncture,
    OutcomeReached,
)
from ledger.rules.scattershot.facts_of_fights import FlurryEnded
from ledger.rules.scattershot.guards import check_positive, no
from ledger.rules.scattershot.inputs_of_outcomes import OfferChallenge, ReachOutcome, TakeBenefit, TakeChallenge
from ledger.rules.scattershot.reckoning import altered, basic, lead, opposers, raised, reached
from ledger.rules.scattershot.state import Reached, Resolution, Side
from ledger.rules.scattershot.terms import ACTOR, JunctureKind, Outcome

# --- Challenges and Benefits -----------------------------------------------------------------------------------------


def own_side(draft: Draft, one: Resolution, name: str, rule: str) -> Side:
    """Refuses `no-such-roll`, and `not-proprietor` to who does not play that side."""
    side = one.sides.get(name)
    if side is None:
        raise no(rule, "no-such-roll", side=name)
    if draft.table.by.role != "gm" and draft.table.by.seat != side.player:
        raise no(rule, "not-proprietor", side=name)
    return side


def take_challenge(draft: Draft, do: TakeChallenge) -> None:
    """`apply.challenge`: +1 to one's own MIB each, at most as many as the Epic Index."""
    one = draft.resolution(do.resolution)
    own_side(draft, one, do.side, "apply.challenge")
    _challenge(draft, one, do)


def _challenge(draft: Draft, one: Resolution, do: TakeChallenge | OfferChallenge) -> None:
    """Refuses `wrong-phase`, `no-such-roll`, `bad-number`, `challenges-over-epic-index`."""
    if one.phase != "challenges":
        raise no("apply.order", "wrong-phase", phase=one.phase)
    side = one.sides.get(do.side)
    if side is None:
        raise no("apply.challenge", "no-such-roll", side=do.side)
    n = check_positive(do.n, "apply.challenge")
    if side.challenges + n > draft.dials.epic_index:
        raise no("apply.challenge-limit", "challenges-over-epic-index", taken=side.challenges, n=n)
    draft.here(ChallengeTaken(do.resolution, do.side, do.challenge, do.text, n))
    draft.by("apply.challenge", raised(one, do.side) + n, side=do.side)
    draft.by("apply.challenge-limit", draft.dials.epic_index - side.challenges - n)


def offer_challenge(draft: Draft, do: OfferChallenge) -> Asking[None]:
    """`apply.challenge`: any Player offers one, who plays that side takes it or not. Refuses as taking one does."""
    one, by = draft.resolution(do.resolution), draft.player(None)
    _challenge(draft, one, do)
    asked = () if by == one.sides[do.side].player else (one.sides[do.side].player,)
    draft.start_over()
    count = "A Challenge" if do.n == 1 else f"{do.n} Challenges"
    purpose = f"{count} ({do.challenge}): {do.text}"
    taken = yield from all_agree(draft, asked, "apply.challenge", "challenge", purpose)
    draft.here(ChallengeOffered(do.resolution, do.side, by, do.challenge, do.text, do.n, taken))
    if taken:
        _challenge(draft, one, do)
    draft.by("apply.challenge", taken, offered_by=by)


def take_benefit(draft: Draft, do: TakeBenefit) -> None:
    """`apply.benefit`: a point each, never below 0; of a contest only by the side that is ahead, at most its lead."""
    one = draft.resolution(do.resolution)
    if one.phase not in ("challenges", "benefits"):
        raise no("apply.order", "wrong-phase", phase=one.phase)
    side = own_side(draft, one, do.side, "apply.benefit")
    n = check_positive(do.n, "apply.benefit")
    limit = spending_limit(draft, one, do.side)
    if side.benefits + n > limit:
        raise no("apply.benefit", "benefits-overspent", limit=limit, taken=side.benefits, n=n)
    draft.here(BenefitTaken(do.resolution, do.side, do.benefit, do.text, n, False))
    draft.by("apply.contested" if opposers(one) else "apply.benefit", limit - side.benefits - n, side=do.side)


def spending_limit(draft: Draft, one: Resolution, name: str) -> int:
    """How many Benefits a side may take in all."""
    rolling, adjusting = opposers(one), draft.dials.contested_adjust
    if not rolling:
        return max(0, raised(one, ACTOR))
    if name == ACTOR:
        return max(0, *(lead(one, resistor, adjusting) for resistor in rolling))
    behind = -lead(one, name, adjusting)
    return max(0, behind if adjusting == "rmib" else min(raised(one, name), behind))


# --- the outcome -----------------------------------------------------------------------------------------------------


def reach(draft: Draft, do: ReachOutcome) -> None:
    """`apply.outcome`, for each Resistor by itself."""
    one = draft.resolution(do.resolution)
    if one.phase not in ("challenges", "benefits"):
        raise no("apply.order", "wrong-phase", phase=one.phase)
    dials = draft.dials
    pairs = [
        reached(one, name, dials.critical_juncture, dials.contested_adjust, dials.resistor_results)
        for name in opposers(one) or (None,)
    ]
    for pair in pairs:
        draft.here(outcome_of(draft, do.resolution, one, pair))
        for side, n in ((ACTOR, pair.auto_benefits), (pair.resistor or "", pair.resistor_auto_benefits)):
            if n:
                draft.here(BenefitTaken(do.resolution, side, "automatic", "", n, True))
    if any(_hits(one, pair) for pair in pairs):
        _end_flurry(draft, one)
    draft.by("apply.order", "results")


def _hits(one: Resolution, pair: Reached) -> bool:
    """The Actor's attack at 0 or better; else a Resistor's, who struck back and made its own roll."""
    if pair.adjusted >= 0:
        return one.deed.nature == "attack"
    back = pair.resistor
    return back is not None and one.sides[back].nature == "attack" and altered(one, back) >= 0


def _end_flurry(draft: Draft, one: Resolution) -> None:
    """`mech.flurry`: the first hit by either of the two ends it."""
    fight = draft.fight(one.actor)
    flurry = fight.flurry if fight is not None else None
    if fight is None or flurry is None or flurry.ended is not None or one.actor not in (flurry.persona, flurry.foe):
        return
    foe = flurry.foe if one.actor == flurry.persona else flurry.persona
    if one.deed.flurry or one.subject == foe or foe in one.engaged:
        draft.here(FlurryEnded("hit", fight.scope))
        draft.by("mech.flurry", "hit")


def outcome_of(draft: Draft, id: str, one: Resolution, pair: Reached) -> OutcomeReached:
    """With its Critical Junctures; under `each-initial` these have no part in the word for the RMIB."""
    dials, adjusted = draft.dials, pair.adjusted
    judged = junctures(draft, one, pair)
    contested_each = pair.resistor is not None and dials.contested_juncture == "each-initial"
    outcome: Outcome = "success" if adjusted > 0 else "minimal-success" if adjusted == 0 else "failure"
    if judged and not contested_each:
        outcome = judged[0].kind
    if pair.resistor is not None:
        draft.by("apply.contested", adjusted, resistor=pair.resistor)
    if pair.resistor_number is not None:
        draft.by("contest.resistor-results", pair.resistor_number, resistor=pair.resistor)
    draft.by("apply.automatic-benefit", pair.remaining, adjusted=adjusted, benefits=pair.auto_benefits)
    draft.by("apply.outcome", outcome, adjusted=adjusted, resistor=pair.resistor)
    return OutcomeReached(
        id, pair.resistor, adjusted, pair.remaining, pair.auto_benefits, pair.resistor_number,
        pair.resistor_auto_benefits, outcome, dials.critical_juncture, dials.contested_adjust,
        dials.resistor_results, judged,
    )  # fmt: skip


def judged_as(draft: Draft, number: int) -> JunctureKind | None:
    """What a number is by itself."""
    cj = draft.dials.critical_juncture
    if number >= cj:
        return "telling-blow"
    below = number < -cj if draft.dials.catastrophe_boundary == "below" else number <= -cj
    return "catastrophic-failure" if below else None


def junctures(draft: Draft, one: Resolution, pair: Reached) -> tuple[Juncture, ...]:
    """`juncture.contest-gate`: which there are."""
    if pair.resistor is None:
        return _judged(draft, one, pair, ACTOR, pair.adjusted)
    initial = {name: basic(one, name) for name in (ACTOR, pair.resistor)}
    match draft.dials.contested_juncture:
        case "each-initial":
            return tuple(found for name, mib in initial.items() for found in _judged(draft, one, pair, name, mib))
        case "rmib-and-initial":
            passed = any(judged_as(draft, mib) is not None for mib in initial.values())
            draft.by("juncture.contest-gate", passed, actor=initial[ACTOR], resistor=initial[pair.resistor])
            return _judged(draft, one, pair, ACTOR, pair.adjusted) if passed else ()
        case _:
            return _judged(draft, one, pair, ACTOR, pair.adjusted)


def _judged(draft: Draft, one: Resolution, pair: Reached, side: str, number: int) -> tuple[Juncture, ...]:
    """Its author, who suffers it, its Points and its excess; of a Telling Blow one for each Persona that suffers it."""
    kind = judged_as(draft, number)
    if kind is None:
        return ()
    cj = draft.dials.critical_juncture
    own = (one.sides[side].player, one.actor if side == ACTOR else side)
    others = _other_side(draft, one, pair, side)
    pairs = [(other, own) for other in others] if kind == "telling-blow" else [(own, others[0])]
    size = abs(number)
    index = size if draft.dials.points_index == "uncapped" else min(size, cj)
    points = rounded(facet(draft.dials, index, "points"))
    excess = max(0, size - cj)
    for (author, _), _ in pairs:
        draft.by(f"juncture.{kind}", author, number=number, side=side)
    draft.by("juncture.points", points, index=index)
    draft.by("juncture.excess", excess, number=number)
    return tuple(
        Juncture(kind, side, author, sufferer, gainer, points, excess) for (author, sufferer), (_, gainer) in pairs
    )


def _other_side(draft: Draft, one: Resolution, pair: Reached, side: str) -> list[tuple[str, str | None]]:
    """The seats and the Characters a side's roll is aimed at: several only where nobody opposes it."""
    if side != ACTOR:
        return [(one.player, one.actor)]
    if pair.resistor is not None:
        return [(one.sides[pair.resistor].player, pair.resistor)]
    if one.actor is not None and (recipients := _recipients(draft, one)):
        return [(draft.owner(id), id) for id in recipients]
    subject = one.subject if one.subject is not None and draft.is_character(one.subject) else None
    seat = one.target if one.actor is None and one.target is not None else draft.proprietor(one.subject)
    return [(seat if seat is not None else draft.gm(), subject)]


def _recipients(draft: Draft, one: Resolution) -> tuple[str, ...]:
    """`juncture.telling-blow`: the Personae that suffer an Action: its subject, and whom an attack engages.

    An Action that is no attack and has a subject is suffered by that alone.
    """
    subject = (one.subject,) if one.subject is not None and draft.is_character(one.subject) else ()
    engaged = tuple(one.engaged) if one.subject is None or one.deed.nature == "attack" else ()
    return tuple(dict.fromkeys((*subject, *engaged)))

"""The outcome: what is left of a MIB or RMIB, and which Critical Junctures there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rules.kernel.chapters import changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Move
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.scattershot import challenges, chart, mechanical_play, rolls
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.scene import (
    Juncture,
    Reached,
    Resolution,
    altered,
    basic,
    in_its_resolution,
    opposers,
    reached,
)
from ledger.rules.scattershot.words import ACTOR, Adjusting, JunctureKind, Outcome, ResolutionId

AUTOMATIC_BENEFIT = rule(
    "scattershot.apply.automatic-benefit",
    "Points of a MIB or RMIB above the Critical Juncture become Benefits automatically. The remaining MIB or"
    " RMIB is used for results.",
    "Buy a Success/Spend a Success",
)
OUTCOME = rule(
    "scattershot.apply.outcome",
    "A MIB or RMIB above 0 is a success, and 0 is a minimal success. A number below 0 is a failure; in a"
    " contest, the Resistor's Action then decides what happens.",
    "Interpreting Contested Actions or RMIB numbers",
)
RESISTOR_RESULTS = rule(
    "scattershot.contest.resistor-results",
    "A Resistor who wins the contest with a MIB of 0 or more can choose results of its own.",
    "Interpreting Contested Actions or RMIB numbers",
)
TELLING_BLOW = rule(
    "scattershot.juncture.telling-blow",
    "A MIB or RMIB at or above the Critical Juncture is a Telling Blow. The Proprietor of whatever the"
    " Action is aimed at invents lasting consequences.",
    "Telling Blow",
    outcome="seat",
)
CATASTROPHIC_FAILURE = rule(
    "scattershot.juncture.catastrophic-failure",
    "A MIB or RMIB that is below 0 by at least the Critical Juncture is a Catastrophic Failure. The Actor's"
    " Player invents lasting consequences for their own Persona.",
    "Catastrophic Failure",
)
JUNCTURES: Mapping[JunctureKind, str] = {"telling-blow": TELLING_BLOW, "catastrophic-failure": CATASTROPHIC_FAILURE}
CONTEST_GATE = rule(
    "scattershot.juncture.contest-gate",
    "The RMIB of a contest can be a Telling Blow or a Catastrophic Failure only if one side's own MIB,"
    " before Challenges and Benefits, was also at least as far from 0 as the Critical Juncture.",
    "Interpreting Contested Actions or RMIB numbers",
)
JUNCTURE_POINTS = rule(
    "scattershot.juncture.points",
    "Consequences can include new Disadvantages. Their total value is at most the Points that the UE Chart"
    " gives for the remaining MIB or RMIB.",
    "Critical Junctures",
)
EXCESS = rule(
    "scattershot.juncture.excess",
    "The Player who invents the consequences spends each point beyond the Critical Juncture on one of them,"
    " such as a Benefit or a lasting modifier.",
    "Critical Junctures",
)


def say_outcome(done: OutcomeReached, names: Names) -> str:
    """Return the outcome, its number, and who invents the consequences of each Critical Juncture."""
    against, number, own = "", "a MIB", ""
    if done.resistor is not None:
        resistor = names.name(character(done.resistor))
        against, number = f" against {resistor}", "an RMIB"
        own = f"; {resistor}'s own Action succeeds by {done.resistor_number}" if done.resistor_number else ""
    counted = f", which counts as {done.remaining}" if done.remaining != done.adjusted else ""
    authors = "".join(f"; {names.name(seat(one.author))} invents the lasting consequences" for one in done.junctures)
    what = f"{rolls.OUTCOMES[done.outcome]}{against}, with {number} of {done.adjusted}"
    return f"The Action is {what}{counted}{own}{authors}."


@fact("outcome-reached", says=say_outcome, headline=9, kw_only=True)
class OutcomeReached:
    """The outcome of a resolution. `resistor`: in a contest, the Resistor against whom this outcome was reached.
    `resistor_number`: the Resistor's own number; empty if the Resistor's Action has no results of its own.
    """

    resolution: ResolutionId
    resistor: CharacterId | None
    adjusted: int
    remaining: int
    auto_benefits: int
    resistor_number: int | None
    resistor_auto_benefits: int
    outcome: Outcome
    #: By which readings the fold reckons all this again: the dials as they were.
    cj: int
    adjusting: Adjusting
    resistors: bool
    junctures: tuple[Juncture, ...] = ()


@changes
@in_its_resolution
def reach_outcome_of(one: Resolution, fact: OutcomeReached) -> Resolution | None:
    if ACTOR not in one.sides or (fact.resistor is not None and fact.resistor not in one.sides):
        return None
    found = reached(one, fact.resistor, fact.cj, fact.adjusting, fact.resistors)
    return changed(one, phase="results", reached=(*one.reached, found), junctures=(*one.junctures, *fact.junctures))


@declares(
    "reach-outcome",
    ANYONE,
    says="The outcome is determined.",
    records=(OutcomeReached, challenges.BenefitTaken, mechanical_play.FlurryEnded),
)
class ReachOutcome:
    """Determine the outcome. Points above the Critical Juncture become Benefits. The ledger shows whose Action decides,
    and whether there is a Telling Blow or a Catastrophic Failure.
    """

    resolution: ResolutionId


def _list_reached(draft: Draft, one: Resolution) -> list[Reached]:
    """Return the outcome against each Resistor who rolls; or the only one, if nobody opposes."""
    dials = draft.dials
    return [
        reached(one, name, dials.critical_juncture, dials.contested_adjust, dials.resistor_results)
        for name in opposers(one) or (None,)
    ]


def may_give_points(draft: Draft, one: Resolution) -> Refused | None:
    """The UE Chart has Points for each Critical Juncture."""
    for pair in _list_reached(draft, one):
        for _, number, _ in _list_judged(draft, one, pair):
            if refused := chart.may_read(draft.dials, _find_index(draft, number), "points"):
                return refused
    return None


@decides
def reach(draft: Draft, do: ReachOutcome) -> None:
    """`apply.outcome`, for each Resistor by itself."""
    one = draft.resolution(do.resolution)
    require(challenges.may_alter(one))
    require(may_give_points(draft, one))
    pairs = _list_reached(draft, one)
    for pair in pairs:
        draft.here(outcome_of(draft, do.resolution, one, pair))
        for side, n in ((ACTOR, pair.auto_benefits), (pair.resistor or "", pair.resistor_auto_benefits)):
            if n:
                draft.here(
                    challenges.BenefitTaken(
                        resolution=do.resolution, side=side, kind="automatic", text="", n=n, automatic=True
                    )
                )
    if any(_hits(one, pair) for pair in pairs):
        _end_flurry(draft, one)
    draft.by(challenges.CHALLENGES_FIRST, "results")


def _hits(one: Resolution, pair: Reached) -> bool:
    """The Actor's attack at 0 or better; else a Resistor's, who struck back and made its own roll."""
    if pair.adjusted >= 0:
        return one.deed.nature == "attack"
    back = pair.resistor
    return back is not None and one.sides[back].nature == "attack" and altered(one, back) >= 0


def _end_flurry(draft: Draft, one: Resolution) -> None:
    """The first hit by either of the two ends it."""
    fight = draft.fight(one.actor)
    flurry = fight.flurry if fight is not None else None
    if fight is None or flurry is None or flurry.ended is not None or one.actor not in (flurry.persona, flurry.foe):
        return
    foe = flurry.foe if one.actor == flurry.persona else flurry.persona
    if one.deed.flurry or one.subject == foe or foe in one.engaged:
        draft.here(mechanical_play.FlurryEnded("hit", fight.scope))
        draft.by(mechanical_play.FLURRY, "hit")


def outcome_of(draft: Draft, id: str, one: Resolution, pair: Reached) -> OutcomeReached:
    """With its Critical Junctures; under `each-initial` these have no part in the word for the RMIB."""
    dials, adjusted = draft.dials, pair.adjusted
    judged = junctures(draft, one, pair)
    contested_each = pair.resistor is not None and dials.contested_juncture == "each-initial"
    outcome: Outcome = "success" if adjusted > 0 else "minimal-success" if adjusted == 0 else "failure"
    if judged and not contested_each:
        outcome = judged[0].kind
    if pair.resistor is not None:
        draft.by(challenges.CONTESTED, adjusted, resistor=pair.resistor)
    if pair.resistor_number is not None:
        draft.by(RESISTOR_RESULTS, pair.resistor_number, resistor=pair.resistor)
    draft.by(AUTOMATIC_BENEFIT, pair.remaining, adjusted=adjusted, benefits=pair.auto_benefits)
    draft.by(OUTCOME, outcome, adjusted=adjusted, resistor=pair.resistor)
    return OutcomeReached(
        resolution=id,
        resistor=pair.resistor,
        adjusted=adjusted,
        remaining=pair.remaining,
        auto_benefits=pair.auto_benefits,
        resistor_number=pair.resistor_number,
        resistor_auto_benefits=pair.resistor_auto_benefits,
        outcome=outcome,
        cj=dials.critical_juncture,
        adjusting=dials.contested_adjust,
        resistors=dials.resistor_results,
        junctures=judged,
    )


def junctures(draft: Draft, one: Resolution, pair: Reached) -> tuple[Juncture, ...]:
    """Return the Critical Junctures of an outcome."""
    if pair.resistor is not None and draft.dials.contested_juncture == "rmib-and-initial":
        initial = _find_initial(one, pair.resistor)
        passed = _is_past_the_gate(draft, initial)
        draft.by(CONTEST_GATE, passed, actor=initial[ACTOR], resistor=initial[pair.resistor])
    judged = _list_judged(draft, one, pair)
    return tuple(
        juncture for side, number, kind in judged for juncture in _make_junctures(draft, one, pair, side, number, kind)
    )


def _find_initial(one: Resolution, resistor: str) -> dict[str, int]:
    """Return the basic MIBs of the two sides of a contest."""
    return {name: basic(one, name) for name in (ACTOR, resistor)}


def _is_past_the_gate(draft: Draft, initial: Mapping[str, int]) -> bool:
    return any(rolls.judged_as(draft, mib) is not None for mib in initial.values())


def _list_judged(draft: Draft, one: Resolution, pair: Reached) -> list[tuple[str, int, JunctureKind]]:
    """Return the sides and the numbers that make a Critical Juncture, and its kind."""
    numbers, reading = {ACTOR: pair.adjusted}, draft.dials.contested_juncture
    if pair.resistor is not None and reading != "rmib":
        initial = _find_initial(one, pair.resistor)
        if reading == "each-initial":
            numbers = initial
        elif not _is_past_the_gate(draft, initial):
            return []
    kinds = ((side, number, rolls.judged_as(draft, number)) for side, number in numbers.items())
    return [(side, number, kind) for side, number, kind in kinds if kind is not None]


def _find_index(draft: Draft, number: int) -> int:
    """Return the Rating for which the UE Chart gives the Points of a Critical Juncture."""
    return abs(number) if draft.dials.points_index == "uncapped" else min(abs(number), draft.dials.critical_juncture)


def _make_junctures(
    draft: Draft, one: Resolution, pair: Reached, side: str, number: int, kind: JunctureKind
) -> tuple[Juncture, ...]:
    """Return one with its author, Points and excess; of a Telling Blow, one for each Persona that suffers it."""
    cj = draft.dials.critical_juncture
    own = (one.sides[side].player, one.actor if side == ACTOR else side)
    others = _other_side(draft, one, pair, side)
    pairs = [(other, own) for other in others] if kind == "telling-blow" else [(own, others[0])]
    index = _find_index(draft, number)
    points = chart.rounded(chart.facet(draft.dials, index, "points"))
    excess = max(0, abs(number) - cj)
    for (author, _), _ in pairs:
        draft.by(JUNCTURES[kind], author, number=number, side=side)
    draft.by(JUNCTURE_POINTS, points, index=index)
    draft.by(EXCESS, excess, number=number)
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
    """The Personae that suffer an Action: its subject, and whom an attack engages.

    An Action that is no attack and has a subject is suffered by that alone.
    """
    subject = (one.subject,) if one.subject is not None and draft.is_character(one.subject) else ()
    engaged = tuple(one.engaged) if one.subject is None or one.deed.nature == "attack" else ()
    return tuple(dict.fromkeys((*subject, *engaged)))


@offers
def offer_outcomes(seen: Seen, draft: Draft) -> Iterator[Move]:
    for id, one in draft.resolutions().items():
        if challenges.may_alter(one) is None and may_give_points(draft, one) is None:
            yield Move(ReachOutcome, {"resolution": Among((id,))}, OUTCOME, one.actor)

"""The outcome: what remains of a MIB or RMIB, and which Critical Junctures it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    CharacterId,
    Move,
    Names,
    Refused,
    Seen,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot import challenges, chart, mechanical_play, rolls
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.scene import (
    Juncture,
    Reached,
    Resolution,
    find_altered_mib,
    find_basic_mib,
    in_its_resolution,
    list_opposers,
    work_out_reached,
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


def say_outcome(fact: OutcomeReached, names: Names) -> str:
    """Return the outcome, its number, and who invents the consequences of each Critical Juncture."""
    against, number, own = "", "a MIB", ""
    if fact.resistor is not None:
        resistor = names.name(character(fact.resistor))
        against, number = f" against {resistor}", "an RMIB"
        own = f"; {resistor}'s own Action succeeds by {fact.resistor_number}" if fact.resistor_number else ""
    counted = f", which counts as {fact.remaining}" if fact.remaining != fact.adjusted else ""
    authors = "".join(
        f"; {names.name(seat(juncture.author))} invents the lasting consequences" for juncture in fact.junctures
    )
    what = f"{rolls.OUTCOMES[fact.outcome]}{against}, with {number} of {fact.adjusted}"
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
    #: The options as they were, with which `changes` works out the outcome again.
    cj: int
    adjusting: Adjusting
    resistors: bool
    junctures: tuple[Juncture, ...] = ()


@changes
@in_its_resolution
def reach_outcome_of(resolution: Resolution, fact: OutcomeReached) -> Resolution | None:
    if ACTOR not in resolution.sides or (fact.resistor is not None and fact.resistor not in resolution.sides):
        return None
    outcome = work_out_reached(resolution, fact.resistor, fact.cj, fact.adjusting, fact.resistors)
    return changed(
        resolution,
        phase="results",
        reached=(*resolution.reached, outcome),
        junctures=(*resolution.junctures, *fact.junctures),
    )


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


def _list_reached(draft: Draft, resolution: Resolution) -> list[Reached]:
    """Return the outcome against each Resistor who rolls, or the only one if nobody opposes."""
    dials = draft.dials
    return [
        work_out_reached(resolution, name, dials.critical_juncture, dials.contested_adjust, dials.resistor_results)
        for name in list_opposers(resolution) or (None,)
    ]


def may_give_points(draft: Draft, resolution: Resolution) -> Refused | None:
    """Refuse if the UE Chart has no Points for a Critical Juncture of the outcome."""
    for pair in _list_reached(draft, resolution):
        for _, number, _ in _list_judged(draft, resolution, pair):
            if refused := chart.may_read(draft.dials, _find_index(draft, number), "points"):
                return refused
    return None


@decides
def reach(draft: Draft, do: ReachOutcome) -> None:
    """Record the outcome for each Resistor separately: `apply.outcome`."""
    resolution = draft.resolution(do.resolution)
    require(challenges.may_alter(resolution))
    require(may_give_points(draft, resolution))
    pairs = _list_reached(draft, resolution)
    for pair in pairs:
        draft.here(make_outcome(draft, do.resolution, resolution, pair))
        for side, n in ((ACTOR, pair.auto_benefits), (pair.resistor or "", pair.resistor_auto_benefits)):
            if n:
                draft.here(
                    challenges.BenefitTaken(
                        resolution=do.resolution, side=side, kind="automatic", text="", n=n, automatic=True
                    )
                )
    if any(_is_hit(resolution, pair) for pair in pairs):
        _end_flurry(draft, resolution)
    draft.by(challenges.CHALLENGES_FIRST, "results")


def _is_hit(resolution: Resolution, pair: Reached) -> bool:
    """Return whether the Actor's attack succeeded, or else a Resistor's own attack did."""
    if pair.adjusted >= 0:
        return resolution.deed.nature == "attack"
    back = pair.resistor
    return back is not None and resolution.sides[back].nature == "attack" and find_altered_mib(resolution, back) >= 0


def _end_flurry(draft: Draft, resolution: Resolution) -> None:
    """End the Flurry: the first hit by either of the two ends it."""
    fight = draft.fight(resolution.actor)
    flurry = fight.flurry if fight is not None else None
    if (
        fight is None
        or flurry is None
        or flurry.ended is not None
        or resolution.actor not in (flurry.persona, flurry.foe)
    ):
        return
    foe = flurry.foe if resolution.actor == flurry.persona else flurry.persona
    if resolution.deed.flurry or resolution.subject == foe or foe in resolution.engaged:
        draft.here(mechanical_play.FlurryEnded("hit", fight.scope))
        draft.by(mechanical_play.FLURRY, "hit")


def make_outcome(draft: Draft, id: str, resolution: Resolution, pair: Reached) -> OutcomeReached:
    """Return the outcome with its Critical Junctures.

    Under `each-initial` these do not decide the word for the RMIB.
    """
    dials, adjusted = draft.dials, pair.adjusted
    judged = list_junctures(draft, resolution, pair)
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


def list_junctures(draft: Draft, resolution: Resolution, pair: Reached) -> tuple[Juncture, ...]:
    """Return the Critical Junctures of an outcome."""
    if pair.resistor is not None and draft.dials.contested_juncture == "rmib-and-initial":
        initial = _find_initial(resolution, pair.resistor)
        passed = _is_past_the_gate(draft, initial)
        draft.by(CONTEST_GATE, passed, actor=initial[ACTOR], resistor=initial[pair.resistor])
    judged = _list_judged(draft, resolution, pair)
    return tuple(
        juncture
        for side, number, kind in judged
        for juncture in _make_junctures(draft, resolution, pair, side, number, kind)
    )


def _find_initial(resolution: Resolution, resistor: str) -> dict[str, int]:
    """Return the basic MIBs of the two sides of a contest."""
    return {name: find_basic_mib(resolution, name) for name in (ACTOR, resistor)}


def _is_past_the_gate(draft: Draft, initial: Mapping[str, int]) -> bool:
    return any(rolls.judge(draft, mib) is not None for mib in initial.values())


def _list_judged(draft: Draft, resolution: Resolution, pair: Reached) -> list[tuple[str, int, JunctureKind]]:
    """Return each side whose number makes a Critical Juncture, with that number and the kind."""
    numbers, reading = {ACTOR: pair.adjusted}, draft.dials.contested_juncture
    if pair.resistor is not None and reading != "rmib":
        initial = _find_initial(resolution, pair.resistor)
        if reading == "each-initial":
            numbers = initial
        elif not _is_past_the_gate(draft, initial):
            return []
    kinds = ((side, number, rolls.judge(draft, number)) for side, number in numbers.items())
    return [(side, number, kind) for side, number, kind in kinds if kind is not None]


def _find_index(draft: Draft, number: int) -> int:
    """Return the Rating for which the UE Chart gives the Points of a Critical Juncture."""
    return abs(number) if draft.dials.points_index == "uncapped" else min(abs(number), draft.dials.critical_juncture)


def _make_junctures(
    draft: Draft, resolution: Resolution, pair: Reached, side: str, number: int, kind: JunctureKind
) -> tuple[Juncture, ...]:
    """Return a Critical Juncture with author, Points and excess.

    A Telling Blow has one for each Persona that suffers.
    """
    cj = draft.dials.critical_juncture
    own = (resolution.sides[side].player, resolution.actor if side == ACTOR else side)
    others = _find_other_side(draft, resolution, pair, side)
    pairs = [(other, own) for other in others] if kind == "telling-blow" else [(own, others[0])]
    index = _find_index(draft, number)
    points = chart.round_half_up(chart.read_facet(draft.dials, index, "points"))
    excess = max(0, abs(number) - cj)
    for (author, _), _ in pairs:
        draft.by(JUNCTURES[kind], author, number=number, side=side)
    draft.by(JUNCTURE_POINTS, points, index=index)
    draft.by(EXCESS, excess, number=number)
    return tuple(
        Juncture(kind, side, author, sufferer, gainer, points, excess) for (author, sufferer), (_, gainer) in pairs
    )


def _find_other_side(draft: Draft, resolution: Resolution, pair: Reached, side: str) -> list[tuple[str, str | None]]:
    """Return the seats and Characters that a side's roll is aimed at. There can be several only if nobody opposes."""
    if side != ACTOR:
        return [(resolution.player, resolution.actor)]
    if pair.resistor is not None:
        return [(resolution.sides[pair.resistor].player, pair.resistor)]
    if resolution.actor is not None and (recipients := _list_recipients(draft, resolution)):
        return [(draft.owner(id), id) for id in recipients]
    subject = resolution.subject if resolution.subject is not None and draft.is_character(resolution.subject) else None
    seat = (
        resolution.target
        if resolution.actor is None and resolution.target is not None
        else draft.proprietor(resolution.subject)
    )
    return [(seat if seat is not None else draft.gm(), subject)]


def _list_recipients(draft: Draft, resolution: Resolution) -> tuple[str, ...]:
    """Return the Personae that suffer an Action: its subject, and those an attack engages.

    An Action that is no attack and has a subject affects the subject alone.
    """
    subject = (resolution.subject,) if resolution.subject is not None and draft.is_character(resolution.subject) else ()
    engaged = tuple(resolution.engaged) if resolution.subject is None or resolution.deed.nature == "attack" else ()
    return tuple(dict.fromkeys((*subject, *engaged)))


@offers
def offer_outcomes(seen: Seen, draft: Draft) -> Iterator[Move]:
    for id, resolution in draft.resolutions().items():
        if challenges.may_alter(resolution) is None and may_give_points(draft, resolution) is None:
            follows = ReachOutcome(id) if not resolution.held and resolution.phase == "challenges" else None
            yield Move(ReachOutcome, {"resolution": Among((id,))}, OUTCOME, resolution.actor, follows=follows)

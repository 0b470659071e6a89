"""The outcome: the remaining MIB or RMIB, and its Critical Junctures."""

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
    work_out_reached_outcome,
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
    "A MIB or RMIB at or above the Critical Juncture is a Telling Blow. The Proprietor of the Action's target invents"
    " lasting consequences.",
    "Telling Blow",
    outcome="seat",
)
CATASTROPHIC_FAILURE = rule(
    "scattershot.juncture.catastrophic-failure",
    "A MIB or RMIB that is below 0 by at least the Critical Juncture is a Catastrophic Failure. The Actor's"
    " Player invents lasting consequences for their own Persona.",
    "Catastrophic Failure",
)
RULES_BY_JUNCTURE: Mapping[JunctureKind, str] = {
    "telling-blow": TELLING_BLOW,
    "catastrophic-failure": CATASTROPHIC_FAILURE,
}
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
    """Put into words the outcome, its number, and the author of the consequences of each Critical Juncture."""
    resistor_phrase, mib_noun, resistor_clause = "", "a MIB", ""
    if fact.resistor is not None:
        resistor_name = names.name(character(fact.resistor))
        resistor_phrase, mib_noun = f" against {resistor_name}", "an RMIB"
        resistor_clause = (
            f"; {resistor_name}'s own Action succeeds by {fact.resistor_number}" if fact.resistor_number else ""
        )
    remaining_clause = f", which counts as {fact.remaining}" if fact.remaining != fact.adjusted else ""
    author_clauses = "".join(
        f"; {names.name(seat(juncture.author))} invents the lasting consequences" for juncture in fact.junctures
    )
    outcome_phrase = f"{rolls.OUTCOME_PHRASES[fact.outcome]}{resistor_phrase}, with {mib_noun} of {fact.adjusted}"
    return f"The Action is {outcome_phrase}{remaining_clause}{resistor_clause}{author_clauses}."


@fact("outcome-reached", says=say_outcome, headline=9, kw_only=True)
class OutcomeReached:
    """The outcome of a resolution was determined. `resistor`: in a contest, the Resistor against whom this outcome was
    reached. `resistor_number`: the Resistor's own number; empty if the Resistor's Action has no results of its own.
    """

    resolution: ResolutionId
    resistor: CharacterId | None
    adjusted: int
    remaining: int
    auto_benefits: int
    resistor_number: int | None
    resistor_auto_benefits: int
    outcome: Outcome
    #: The options in force at that time. The fact is applied with these options, so that the outcome stays the same.
    cj: int
    adjusting: Adjusting
    resistors: bool
    junctures: tuple[Juncture, ...] = ()


@changes
@in_its_resolution
def reach_outcome_of(resolution: Resolution, fact: OutcomeReached) -> Resolution | None:
    if ACTOR not in resolution.sides or (fact.resistor is not None and fact.resistor not in resolution.sides):
        return None
    outcome = work_out_reached_outcome(resolution, fact.resistor, fact.cj, fact.adjusting, fact.resistors)
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


def _list_reached_outcomes(draft: Draft, resolution: Resolution) -> list[Reached]:
    """Return the outcome against each Resistor who rolls, or the only outcome if nobody opposes."""
    dials = draft.dials
    return [
        work_out_reached_outcome(
            resolution, resistor, dials.critical_juncture, dials.contested_adjust, dials.resistor_results
        )
        for resistor in list_opposers(resolution) or (None,)
    ]


def may_give_points(draft: Draft, resolution: Resolution) -> Refused | None:
    """Refuse an outcome with a Critical Juncture for which the UE Chart has no Points."""
    for reached_outcome in _list_reached_outcomes(draft, resolution):
        for _, mib, _ in _judge_sides(draft, resolution, reached_outcome):
            if refused := chart.may_read(draft.dials, _find_points_rating(draft, mib), "points"):
                return refused
    return None


@decides
def reach_outcome(draft: Draft, do: ReachOutcome) -> None:
    """Record the outcome against each Resistor separately (`apply.outcome`)."""
    resolution = draft.require_resolution(do.resolution)
    require(challenges.may_alter(resolution))
    require(may_give_points(draft, resolution))
    reached_outcomes = _list_reached_outcomes(draft, resolution)
    for reached_outcome in reached_outcomes:
        draft.here(make_outcome(draft, do.resolution, resolution, reached_outcome))
        for side, benefits in (
            (ACTOR, reached_outcome.auto_benefits),
            (reached_outcome.resistor or "", reached_outcome.resistor_auto_benefits),
        ):
            if benefits:
                draft.here(
                    challenges.BenefitTaken(
                        resolution=do.resolution, side=side, kind="automatic", text="", n=benefits, automatic=True
                    )
                )
    if any(_is_hit(resolution, reached_outcome) for reached_outcome in reached_outcomes):
        _end_flurry(draft, resolution)
    draft.by(challenges.CHALLENGES_FIRST, "results")


def _is_hit(resolution: Resolution, reached_outcome: Reached) -> bool:
    """Return whether the Actor's attack succeeded, or else a Resistor's own attack did."""
    if reached_outcome.adjusted >= 0:
        return resolution.deed.nature == "attack"
    resistor = reached_outcome.resistor
    return (
        resistor is not None
        and resolution.sides[resistor].nature == "attack"
        and find_altered_mib(resolution, resistor) >= 0
    )


def _end_flurry(draft: Draft, resolution: Resolution) -> None:
    """End the Flurry between the two Characters, because the first hit by either of them ends it."""
    fight = draft.find_fight(resolution.actor)
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


def make_outcome(draft: Draft, resolution_id: str, resolution: Resolution, reached_outcome: Reached) -> OutcomeReached:
    """Return the outcome with its Critical Junctures.

    With the option `each-initial`, they do not decide the name of the RMIB's outcome.
    """
    dials, adjusted = draft.dials, reached_outcome.adjusted
    junctures = list_junctures(draft, resolution, reached_outcome)
    is_judged_by_initial = reached_outcome.resistor is not None and dials.contested_juncture == "each-initial"
    outcome: Outcome = "success" if adjusted > 0 else "minimal-success" if adjusted == 0 else "failure"
    if junctures and not is_judged_by_initial:
        outcome = junctures[0].kind
    if reached_outcome.resistor is not None:
        draft.by(challenges.CONTESTED, adjusted, resistor=reached_outcome.resistor)
    if reached_outcome.resistor_number is not None:
        draft.by(RESISTOR_RESULTS, reached_outcome.resistor_number, resistor=reached_outcome.resistor)
    draft.by(AUTOMATIC_BENEFIT, reached_outcome.remaining, adjusted=adjusted, benefits=reached_outcome.auto_benefits)
    draft.by(OUTCOME, outcome, adjusted=adjusted, resistor=reached_outcome.resistor)
    return OutcomeReached(
        resolution=resolution_id,
        resistor=reached_outcome.resistor,
        adjusted=adjusted,
        remaining=reached_outcome.remaining,
        auto_benefits=reached_outcome.auto_benefits,
        resistor_number=reached_outcome.resistor_number,
        resistor_auto_benefits=reached_outcome.resistor_auto_benefits,
        outcome=outcome,
        cj=dials.critical_juncture,
        adjusting=dials.contested_adjust,
        resistors=dials.resistor_results,
        junctures=junctures,
    )


def list_junctures(draft: Draft, resolution: Resolution, reached_outcome: Reached) -> tuple[Juncture, ...]:
    if reached_outcome.resistor is not None and draft.dials.contested_juncture == "rmib-and-initial":
        basic_mibs = _find_basic_mibs(resolution, reached_outcome.resistor)
        is_past_gate = _is_any_basic_mib_critical(draft, basic_mibs)
        draft.by(CONTEST_GATE, is_past_gate, actor=basic_mibs[ACTOR], resistor=basic_mibs[reached_outcome.resistor])
    judged_sides = _judge_sides(draft, resolution, reached_outcome)
    return tuple(
        juncture
        for side, mib, kind in judged_sides
        for juncture in _make_junctures(draft, resolution, reached_outcome, side, mib, kind)
    )


def _find_basic_mibs(resolution: Resolution, resistor: str) -> dict[str, int]:
    """Return the basic MIBs of the two sides of a contest."""
    return {name: find_basic_mib(resolution, name) for name in (ACTOR, resistor)}


def _is_any_basic_mib_critical(draft: Draft, basic_mibs: Mapping[str, int]) -> bool:
    return any(rolls.find_juncture_kind(draft, mib) is not None for mib in basic_mibs.values())


def _judge_sides(draft: Draft, resolution: Resolution, reached_outcome: Reached) -> list[tuple[str, int, JunctureKind]]:
    """Return each side whose number is a Critical Juncture, with that number and the kind of Critical Juncture."""
    mibs_by_side, reading = {ACTOR: reached_outcome.adjusted}, draft.dials.contested_juncture
    if reached_outcome.resistor is not None and reading != "rmib":
        basic_mibs = _find_basic_mibs(resolution, reached_outcome.resistor)
        if reading == "each-initial":
            mibs_by_side = basic_mibs
        elif not _is_any_basic_mib_critical(draft, basic_mibs):
            return []
    judgements = ((side, mib, rolls.find_juncture_kind(draft, mib)) for side, mib in mibs_by_side.items())
    return [(side, mib, kind) for side, mib, kind in judgements if kind is not None]


def _find_points_rating(draft: Draft, mib: int) -> int:
    """Return the Rating for which the UE Chart gives the Points of a Critical Juncture."""
    return abs(mib) if draft.dials.points_index == "uncapped" else min(abs(mib), draft.dials.critical_juncture)


def _make_junctures(
    draft: Draft, resolution: Resolution, reached_outcome: Reached, side: str, mib: int, kind: JunctureKind
) -> tuple[Juncture, ...]:
    """Return the Critical Junctures of a side, each with its author, Points and excess.

    A Telling Blow has one Critical Juncture for each Persona that suffers it.
    """
    cj = draft.dials.critical_juncture
    own_pair = (resolution.sides[side].player, resolution.actor if side == ACTOR else side)
    other_pairs = _list_other_side(draft, resolution, reached_outcome, side)
    victims_and_gainers = (
        [(other, own_pair) for other in other_pairs] if kind == "telling-blow" else [(own_pair, other_pairs[0])]
    )
    points_rating = _find_points_rating(draft, mib)
    points = chart.round_half_up(chart.read_facet(draft.dials, points_rating, "points"))
    excess = max(0, abs(mib) - cj)
    for (author, _), _ in victims_and_gainers:
        draft.by(RULES_BY_JUNCTURE[kind], author, number=mib, side=side)
    draft.by(JUNCTURE_POINTS, points, index=points_rating)
    draft.by(EXCESS, excess, number=mib)
    return tuple(
        Juncture(kind, side, author, sufferer, gainer, points, excess)
        for (author, sufferer), (_, gainer) in victims_and_gainers
    )


def _list_other_side(
    draft: Draft, resolution: Resolution, reached_outcome: Reached, side: str
) -> list[tuple[str, str | None]]:
    """Return the seats and Characters that a side's roll is aimed at. There can be several of them only if nobody
    opposes.
    """
    if side != ACTOR:
        return [(resolution.player, resolution.actor)]
    if reached_outcome.resistor is not None:
        return [(resolution.sides[reached_outcome.resistor].player, reached_outcome.resistor)]
    if resolution.actor is not None and (recipients := _list_recipients(draft, resolution)):
        return [(draft.find_owner(char_id), char_id) for char_id in recipients]
    subject = resolution.subject if resolution.subject is not None and draft.is_character(resolution.subject) else None
    seat_id = (
        resolution.target
        if resolution.actor is None and resolution.target is not None
        else draft.find_proprietor(resolution.subject)
    )
    return [(seat_id if seat_id is not None else draft.find_gm(), subject)]


def _list_recipients(draft: Draft, resolution: Resolution) -> tuple[str, ...]:
    """Return the Personae that suffer an Action: its subject, and those an attack engages.

    An Action that is not an attack and has a subject affects only the subject.
    """
    subject_ids = (
        (resolution.subject,) if resolution.subject is not None and draft.is_character(resolution.subject) else ()
    )
    engaged_ids = tuple(resolution.engaged) if resolution.subject is None or resolution.deed.nature == "attack" else ()
    return tuple(dict.fromkeys((*subject_ids, *engaged_ids)))


@offers
def offer_outcomes(seen: Seen, draft: Draft) -> Iterator[Move]:
    for resolution_id, resolution in draft.read_resolutions().items():
        if challenges.may_alter(resolution) is None and may_give_points(draft, resolution) is None:
            follows = ReachOutcome(resolution_id) if not resolution.held and resolution.phase == "challenges" else None
            yield Move(
                ReachOutcome, {"resolution": Among((resolution_id,))}, OUTCOME, resolution.actor, follows=follows
            )

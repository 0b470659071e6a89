"""Results: damage, a Factor result, a Residual modifier, or only the number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Reason,
    Refused,
    Seen,
    Shape,
    SharedRefusal,
    Some,
    Story,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    listed,
    offers,
    require,
    rule,
)
from ledger.rules.scattershot import challenges, chart, conditions, listings, outcomes, totals
from ledger.rules.scattershot.draft import ENGAGE, NO, NONE, Draft, make_any_of, may_act_in
from ledger.rules.scattershot.resources import (
    DAMAGE,
    FACTOR,
    FISTS,
    PROTECTION,
    WEAPON,
    PenaltyDeferred,
    PenaltyTookEffect,
    ResourceReduced,
    add_up_protection,
    read_multiplier,
    read_weapon_number,
    reduce_resource,
    work_out_factor,
)
from ledger.rules.scattershot.scene import (
    Reached,
    Resolution,
    Scene,
    in_its_resolution,
    keep_resolution,
    remove_resolution,
)
from ledger.rules.scattershot.state import Character, ResidualPlaced
from ledger.rules.scattershot.words import (
    ACTOR,
    BAD_NUMBER,
    NO_SUCH_ROLL,
    NOT_PROPRIETOR,
    RESISTOR_HAS_NOT_ANSWERED,
    Ending,
    HelpsOrHinders,
    Piece,
    Rating,
    ResolutionId,
    Resource,
    ResultWord,
    SideName,
    Situation,
    Weapon,
    name_rating,
    name_side,
    quote,
    read_statistic,
    say_how_long,
    say_reason,
)

CHOOSE = rule(
    "scattershot.result.choose",
    "If an Action decides what happens, its Player chooses one or more results: damage, a loss of some other"
    " Resource, a Residual modifier, or just the number as a measure of the effect.",
    "Results",
)
WHEN = rule(
    "scattershot.result.when",
    "Results take effect at the end of the Application Phase.",
    "Results",
)


NO_RESULT_FROM_FAILURE = SharedRefusal(
    "no-result-from-failure", "A failure cannot have that result. Choose damage, a loss or just the number."
)


def say_scalar(fact: ScalarRecorded, names: Names) -> str:
    return f"The result is {fact.amount}{quote(fact.text)}"


@fact("scalar-recorded", says=say_scalar)
class ScalarRecorded:
    """A number was recorded as the result, as a measure of the effect."""

    resolution: ResolutionId
    amount: int
    text: Story


@changes
@in_its_resolution
def note_scalar_recorded(resolution: Resolution, fact: ScalarRecorded) -> Resolution:
    return resolution


@fact("application-closed", says="The resolution is over.")
class ApplicationClosed:
    """The Application Phase ended, and with it the resolution."""

    resolution: ResolutionId


@changes
def close_resolution(state: Scene, fact: ApplicationClosed) -> Scene | None:
    """Remove the resolution, or keep it as closed until its lasting consequences are named."""
    resolution = state.resolutions.get(fact.resolution)
    if resolution is None or resolution.phase == "closed":
        return None
    if any(not juncture.named for juncture in resolution.junctures):
        return keep_resolution(state, fact.resolution, changed(resolution, phase="closed"))
    return remove_resolution(state, fact.resolution)


@dataclass(frozen=True, slots=True)
class Result:
    """A result: damage, a Factor result, a Residual modifier or only the number.

    `result`: the kind of result; `scalar` is only the number. `character`: the Character that suffers the result; leave
    this out for the other side. `weapon`: the name of the weapon, or the number that it adds to damage. `protection`:
    the pieces of protection that count; leave it out to count all. Only the wearer's Player or a Gamemaster can leave
    out some of them. `wound`: the wound in words. `resource`: the Resource that a Factor result reduces. `magnitude`:
    the Rating whose Multiplier counts. `sign`: 1 if a Residual modifier helps, -1 if it hinders. `scope`: the
    situations in which a Residual modifier counts. `until`: how long a Residual modifier lasts. `text`: the meaning of
    the number, if `result` is `scalar`.
    """

    result: ResultWord = "damage"
    character: CharacterId | None = None
    weapon: Weapon = 0
    protection: tuple[Piece, ...] | None = None
    resource: Resource = "hit-points"
    magnitude: Rating | None = None
    sign: HelpsOrHinders = -1
    scope: Situation = ""
    until: Ending = "session"
    text: Story = ""
    wound: Reason = ""


def _say_result(result: Result, names: Names) -> str:
    to_whom = f" to {names.name(character(result.character))}" if result.character is not None else ""
    match result.result:
        case "damage":
            weapon_phrase = f" with a {name_rating(result.weapon)}" if isinstance(result.weapon, str) else ""
            return f"damage{to_whom}{weapon_phrase}"
        case "factor":
            return f"a loss of {name_rating(result.resource)}{' for' + to_whom.removeprefix(' to') if to_whom else ''}"
        case "residual":
            on_phrase = f" on {names.name(character(result.character))}" if result.character is not None else ""
            return f"a Residual{on_phrase}, {say_how_long(result.until)}"
        case _:
            return f"just the number{say_reason(result.text)}"


def say_results(do: ChooseResults, names: Names) -> str:
    result_list = listed(_say_result(result, names) for result in do.results) if do.results else "no result"
    return f"{name_side(do.side, names)} chooses {result_list}."


@declares(
    "choose-results",
    ANYONE,
    says=say_results,
    records=(ResourceReduced, ResidualPlaced, ScalarRecorded, PenaltyDeferred, PenaltyTookEffect, ApplicationClosed),
)
class ChooseResults:
    """Choose the results of a resolution. The Player of the Actor does this, or the Player of a Resistor who has won
    the contest.

    `results`: the chosen results, at least one. `side`: `actor`, or the id of the Resistor whose results these are.
    `against`: for results of the Actor, the Resistor in whose contest they were reached, if several opposed the Action.
    `close`: whether the resolution ends with these results.
    """

    resolution: ResolutionId
    results: tuple[Result, ...] = ()
    side: SideName = "actor"
    against: CharacterId | None = None
    close: bool = True


@decides
def choose_results(draft: Draft, do: ChooseResults) -> None:
    """Apply the results chosen by the Actor's Player, or by the Player of a Resistor that has its own number."""
    resolution = draft.require_resolution(do.resolution)
    require(may_act_in(resolution, "results", CHOOSE))
    challenges.check_own_side(draft, resolution, do.side, CHOOSE)
    reached_outcome = _require_outcome(resolution, do)
    remaining = reached_outcome.remaining
    if do.side != ACTOR:
        if reached_outcome.resistor_number is None:
            raise NO_RESULT_FROM_FAILURE.under(outcomes.RESISTOR_RESULTS, side=do.side)
        remaining = reached_outcome.resistor_number
    for result in do.results:
        _apply_result(draft, do, resolution, reached_outcome, remaining, result)
    draft.by(CHOOSE, remaining, side=do.side)
    if do.close:
        require(may_close_application(draft, resolution))
        draft.here(ApplicationClosed(do.resolution))
        draft.by(WHEN, "closed")


def _require_outcome(resolution: Resolution, do: ChooseResults) -> Reached:
    """Return the outcome that the results follow from. If there are several Resistors, the
    declaration must name one.
    """
    resistor = do.side if do.side != ACTOR else do.against
    fitting_outcomes = [
        reached_outcome
        for reached_outcome in resolution.reached
        if resistor is None or reached_outcome.resistor == resistor
    ]
    if len(fitting_outcomes) != 1:
        raise NO_SUCH_ROLL.under(totals.MANY_RESISTORS, against=resistor)
    return fitting_outcomes[0]


def _apply_result(
    draft: Draft, do: ChooseResults, resolution: Resolution, reached_outcome: Reached, remaining: int, result: Result
) -> None:
    other_id = (
        (reached_outcome.resistor if reached_outcome.resistor is not None else resolution.subject)
        if do.side == ACTOR
        else resolution.actor
    )
    target_id = result.character if result.character is not None else other_id
    match result.result:
        case "damage":
            wearer = draft.read_character(target_id or "")
            if result.protection is not None and set(result.protection) < {piece.name for piece in wearer.protection}:
                draft.check_plays(target_id or "", PROTECTION)
            loss = work_out_damage(draft, _require_actor(draft, resolution, do.side), wearer, remaining, result)
            reduce_resource(draft, target_id or "", "hit-points", loss, result.wound)
        case "factor":
            actor_state = _require_actor(draft, resolution, do.side)
            loss = work_out_factor(draft, actor_state, result.magnitude or resolution.deed.magnitude, remaining)
            draft.read_character(target_id or "")
            reduce_resource(draft, target_id or "", read_statistic(result.resource), loss, result.wound)
        case "residual":
            _place_residual(draft, target_id or "", remaining, result)
        case "scalar":
            draft.here(ScalarRecorded(do.resolution, remaining, result.text))
        case _:
            raise BAD_NUMBER.under(CHOOSE, result=result.result)
    if result.result != "scalar":
        require(may_affect(draft, resolution, target_id))


def may_close_application(draft: Draft, resolution: Resolution) -> Refused | None:
    """Refuse a Player who has no results to choose. If no Player has any, the Actor's Player may close the Phase."""
    closers = list_closers(resolution)
    return NOT_PROPRIETOR.under(CHOOSE, closes=closers) if not draft.is_by_gm and draft.me not in closers else None


def _require_actor(draft: Draft, resolution: Resolution, side: str) -> Character:
    char_id = resolution.actor if side == ACTOR else side
    if char_id is None:
        raise NO_SUCH_ROLL.under(FACTOR, side=side)
    return draft.read_character(char_id)


def _place_residual(draft: Draft, target_id: str, remaining: int, result: Result) -> None:
    """Place a Residual as large as the Bonus of the number, with the sign that the Player chooses."""
    if remaining < 0:
        raise NO_RESULT_FROM_FAILURE.under(CHOOSE, remaining=remaining)
    if type(result.sign) is not int or result.sign not in (1, -1):
        raise BAD_NUMBER.under(conditions.RESIDUAL, sign=str(result.sign))
    draft.read_character(target_id)
    bonus = chart.round_half_up(chart.read_facet(draft.dials, remaining, "bonus"))
    fact = ResidualPlaced(
        residual=draft.table.new_id(),
        character=target_id,
        amount=result.sign * bonus,
        scope=result.scope,
        source="result",
        until=result.until,
    )
    draft.about(target_id, fact)
    draft.by(conditions.RESIDUAL, result.sign * bonus, remaining=remaining)


def may_affect(draft: Draft, resolution: Resolution, char_id: str | None) -> Refused | None:
    """Refuse results for another Player's Character that is not Engaged, unless a Gamemaster decides this.

    A plot device engages no Character, so its results are not refused.
    """
    if (
        char_id is None
        or resolution.actor is None
        or draft.is_by_gm
        or char_id == resolution.actor
        or char_id in resolution.engaged
    ):
        return None
    if draft.is_character(char_id) and draft.find_owner(char_id) != draft.me:
        return RESISTOR_HAS_NOT_ANSWERED.under(ENGAGE, character=char_id)
    return None


def work_out_damage(draft: Draft, attacker_state: Character, wearer: Character, remaining: int, result: Result) -> int:
    """Return the damage. The weapon is added before the multiplication, and protection is subtracted after it."""
    listings.check_weapon(draft, result.weapon)
    weapon_number = read_weapon_number(draft, result.weapon)
    protection = add_up_protection(draft, wearer, result.protection)
    multiplier = read_multiplier(draft, attacker_state, result.magnitude or "strength")
    if remaining < 0:
        draft.by(DAMAGE, 0, remaining=remaining)
        return 0
    weapon_bonus = weapon_number if remaining > 0 or draft.dials.weapon_adds_at_zero else 0
    loss = max(0, chart.round_half_up((remaining + weapon_bonus) * multiplier) - protection)
    if weapon_number == 0 and multiplier == 1:
        draft.by(FISTS, loss, remaining=remaining)
    if weapon_number:
        draft.by(WEAPON, weapon_bonus)
    draft.by(DAMAGE, loss, remaining=remaining, weapon=weapon_bonus, protection=protection)
    return loss


@declares("close-application", ANYONE, says="The Application Phase ends.", records=(ApplicationClosed,))
class CloseApplication:
    """End the resolution without more results. Any Player who could choose results of the resolution can do this. The
    consequences of its Telling Blows and Catastrophic Failures can still be named.
    """

    resolution: ResolutionId


def list_closers(resolution: Resolution) -> list[str]:
    """Return the Players who have results to choose, or the Actor's Player if no Player has any."""
    winner_ids = [
        reached_outcome.resistor or ""
        for reached_outcome in resolution.reached
        if reached_outcome.resistor_number is not None
    ]
    players = [resolution.sides[char_id].player for char_id in winner_ids]
    if not players or any(reached_outcome.adjusted >= 0 for reached_outcome in resolution.reached):
        players.append(resolution.player)
    return players


@decides
def close_application(draft: Draft, do: CloseApplication) -> None:
    resolution = draft.require_resolution(do.resolution)
    require(may_act_in(resolution, "results"))
    require(may_close_application(draft, resolution))
    draft.here(ApplicationClosed(do.resolution))
    draft.by(WHEN, "closed")


@offers
def offer_results(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that choose the results of each side that has any, and that end the Phase.

    The table waits for the end only if no Player has results to choose.
    """
    for resolution_id, resolution in draft.read_resolutions().items():
        if may_act_in(resolution, "results") is not None:
            continue
        resolution_fields: dict[str, Domain] = {"resolution": Among((resolution_id,))}
        closing_seats = tuple(dict.fromkeys((*list_closers(resolution), *draft.gm_seats)))
        awaits = None if any(_has_results(reached_outcome) for reached_outcome in resolution.reached) else CHOOSE
        yield Move(
            CloseApplication,
            resolution_fields,
            awaits,
            _find_chooser(resolution),
            closing_seats,
            follows=CloseApplication(resolution_id) if awaits is not None else None,
        )
        close_domain: Domain = OPEN if may_close_application(draft, resolution) is None else NO
        for reached_outcome in resolution.reached:
            resistor, number = reached_outcome.resistor, reached_outcome.resistor_number
            resistors = dict.fromkeys((None, resistor) if len(resolution.reached) == 1 else (resistor,))
            resistor_domain = Among(tuple(resistors))
            fields = {**resolution_fields, "side": Among((ACTOR,)), "against": resistor_domain, "close": close_domain}
            yield _make_results_move(draft, fields, resolution, reached_outcome, ACTOR, reached_outcome.remaining)
            if resistor is not None and number is not None:
                fields = {**resolution_fields, "side": Among((resistor,)), "against": OPEN, "close": close_domain}
                yield _make_results_move(draft, fields, resolution, reached_outcome, resistor, number)


def _has_results(reached_outcome: Reached) -> bool:
    return reached_outcome.remaining >= 0 or reached_outcome.resistor_number is not None


def _find_chooser(resolution: Resolution) -> str | None:
    """Return the Character whose Player has results to choose."""
    if any(reached_outcome.adjusted >= 0 for reached_outcome in resolution.reached):
        return resolution.actor
    winner_ids = (
        reached_outcome.resistor
        for reached_outcome in resolution.reached
        if reached_outcome.resistor_number is not None
    )
    return next(winner_ids, resolution.actor)


def _make_results_move(
    draft: Draft, fields: dict[str, Domain], resolution: Resolution, reached_outcome: Reached, side: str, remaining: int
) -> Move:
    """Return the move. It is offered to every seat, but only the seats that can choose see which
    results are possible.
    """
    seats = challenges.list_seats_of_side(draft, resolution, side)
    chooser = resolution.actor if side == ACTOR else side
    results_domain = (
        make_results_domain(draft, resolution, reached_outcome, side, remaining) if draft.me in seats else OPEN
    )
    awaits = CHOOSE if remaining >= 0 else None
    return Move(ChooseResults, {**fields, "results": results_domain}, awaits, chooser, seats)


ALL_OPEN: dict[str, Domain] = dict.fromkeys(
    ("character", "weapon", "protection", "resource", "magnitude", "sign"), OPEN
)


def make_results_domain(
    draft: Draft, resolution: Resolution, reached_outcome: Reached, side: str, remaining: int
) -> Domain:
    """Return the domain of `results`: any number of the results that are possible for this side."""
    return Some(Either(tuple(_list_shapes(draft, resolution, reached_outcome, side, remaining))), repeats=True)


def _list_shapes(
    draft: Draft, resolution: Resolution, reached_outcome: Reached, side: str, remaining: int
) -> Iterator[Shape]:
    yield Shape(Result, {**ALL_OPEN, "result": Among(("scalar",))})
    other_id = (
        (reached_outcome.resistor if reached_outcome.resistor is not None else resolution.subject)
        if side == ACTOR
        else resolution.actor
    )
    actor_id = resolution.actor if side == ACTOR else side
    readable_names = _list_readable(draft, actor_id) if actor_id is not None and actor_id in draft.roster else ()
    for target_id in draft.roster:
        if may_affect(draft, resolution, target_id) is not None:
            continue
        target_domain = Among((None, target_id) if target_id == other_id else (target_id,))
        target_fields: dict[str, Domain] = {**ALL_OPEN, "character": target_domain}
        if remaining >= 0 and chart.may_read(draft.dials, remaining, "bonus") is None:
            yield Shape(Result, {**target_fields, "result": Among(("residual",)), "sign": Among((1, -1))})
        if actor_id is not None and actor_id in draft.roster:
            yield from _list_damage_shapes(draft, target_fields, readable_names, target_id)
            is_magnitude_optional = resolution.deed.magnitude in readable_names
            magnitudes = (None, *readable_names) if is_magnitude_optional else readable_names
            yield from _list_factor_shapes(draft, target_fields, magnitudes, target_id, remaining)


def _list_readable(draft: Draft, actor_id: str) -> tuple[str, ...]:
    """Return the Actor's Ratings for which the chart has a Multiplier."""
    ratings = draft.read_character(actor_id).ratings.items()
    return tuple(name for name, rating in ratings if chart.may_read(draft.dials, rating.value, "multiplier") is None)


def _list_damage_shapes(
    draft: Draft, fields: dict[str, Domain], readable_names: tuple[str, ...], target_id: str
) -> Iterator[Shape]:
    """Yield damage with all protection. The wearer's Player and a Gamemaster can leave out pieces."""
    char_state = draft.read_character(target_id)
    if "hit-points" not in char_state.resources or not readable_names:
        return
    try:
        add_up_protection(draft, char_state, None)
    except Refused:
        return
    names = tuple(dict.fromkeys(piece.name for piece in char_state.protection))
    all_pieces = Some(Among(names), len(names), None, names, repeats=True) if names else Among(((),))
    pieces_domain = make_any_of(names) if draft.filter_mine((target_id,)) else all_pieces
    magnitude_domain = Among((None, *readable_names) if "strength" in readable_names else readable_names)
    damage_fields: dict[str, Domain] = {"protection": Either((NONE, pieces_domain)), "magnitude": magnitude_domain}
    damage_fields["weapon"] = draft.make_weapon_domain(is_used_now=True)
    yield Shape(Result, {**fields, **damage_fields, "result": Among(("damage",))})


def _list_factor_shapes(
    draft: Draft, target_fields: dict[str, Domain], magnitudes: tuple[str | None, ...], target_id: str, remaining: int
) -> Iterator[Shape]:
    """Yield Factor results on each Resource. Below 0, the Magnitude is not looked up."""
    resource_names = tuple(draft.read_character(target_id).resources)
    if resource_names and (magnitudes or remaining < 0):
        magnitude_domain: Domain = OPEN if remaining < 0 else Among(magnitudes)
        factor_fields: dict[str, Domain] = {"resource": Among(resource_names), "magnitude": magnitude_domain}
        yield Shape(Result, {**target_fields, **factor_fields, "result": Among(("factor",))})

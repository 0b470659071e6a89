"""Results: damage, a Factor result, a Residual modifier, or just the number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.kernel.chapters import SharedRefusal, changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId, Reason, Story
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import OPEN, Among, Domain, Either, Move, Shape, Some
from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot import challenges, chart, conditions, listings, outcomes, totals
from ledger.rules.scattershot.draft import ENGAGE, NO, NONE, Draft, may_go_on, some
from ledger.rules.scattershot.resources import (
    DAMAGE,
    FACTOR,
    FISTS,
    PROTECTION,
    WEAPON,
    PenaltyDeferred,
    PenaltyTookEffect,
    ResourceReduced,
    factor,
    multiplier,
    protection,
    reduce,
    weapon_of,
)
from ledger.rules.scattershot.scene import (
    Reached,
    Resolution,
    Scene,
    in_its_resolution,
    keep_resolution,
    without_resolution,
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
    because,
    called,
    lasting,
    name_side,
    quoted,
    statistic_name,
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


def say_scalar(done: ScalarRecorded, names: Names) -> str:
    return f"The result is {done.amount}{quoted(done.text)}"


@fact("scalar-recorded", says=say_scalar)
class ScalarRecorded:
    """The number itself is the result, as a measure of the effect."""

    resolution: ResolutionId
    amount: int
    text: Story


@changes
@in_its_resolution
def note_scalar_recorded(one: Resolution, fact: ScalarRecorded) -> Resolution:
    return one


@fact("application-closed", says="The resolution is over.")
class ApplicationClosed:
    """The Application Phase ended, and with it the resolution."""

    resolution: ResolutionId


@changes
def close_resolution(state: Scene, fact: ApplicationClosed) -> Scene | None:
    """Closed with consequences still to be named, it is kept until they are."""
    one = state.resolutions.get(fact.resolution)
    if one is None or one.phase == "closed":
        return None
    if any(not juncture.named for juncture in one.junctures):
        return keep_resolution(state, fact.resolution, changed(one, phase="closed"))
    return without_resolution(state, fact.resolution)


@dataclass(frozen=True, slots=True)
class Result:
    """A result: damage, a Factor result, a Residual modifier or just the number.

    `result`: the kind of result; `scalar` is just the number. `character`: who suffers the result; leave this out for
    the other side. `weapon`: the name of the weapon, or the number that it adds to damage. `protection`: the pieces of
    protection that count; leave it out to count all. Only the wearer's Player or a Gamemaster can leave out some of
    them. `wound`: the wound in words. `resource`: the Resource that a Factor result reduces. `magnitude`: the Rating
    whose Multiplier counts. `sign`: 1 if a Residual modifier helps, -1 if it hinders. `scope`: the situations in which
    a Residual modifier counts. `until`: how long a Residual modifier lasts. `text`: what the number means, if `result`
    is `scalar`.
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


def _result(one: Result, names: Names) -> str:
    to = f" to {names.name(character(one.character))}" if one.character is not None else ""
    match one.result:
        case "damage":
            weapon = f" with a {called(one.weapon)}" if isinstance(one.weapon, str) else ""
            return f"damage{to}{weapon}"
        case "factor":
            return f"a loss of {called(one.resource)}{' for' + to.removeprefix(' to') if to else ''}"
        case "residual":
            on = f" on {names.name(character(one.character))}" if one.character is not None else ""
            return f"a Residual{on}, {lasting(one.until)}"
        case _:
            return f"just the number{because(one.text)}"


def say_results(do: ChooseResults, names: Names) -> str:
    chosen = listed(_result(one, names) for one in do.results) if do.results else "no result"
    return f"{name_side(do.side, names)} chooses {chosen}."


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
def choose(draft: Draft, do: ChooseResults) -> None:
    """One or more, by the Actor's Player, or by a Resistor's who has a number of its own."""
    one = draft.resolution(do.resolution)
    require(may_go_on(one, "results", CHOOSE))
    challenges.own_side(draft, one, do.side, CHOOSE)
    reached = _reached(one, do)
    remaining = reached.remaining
    if do.side != ACTOR:
        if reached.resistor_number is None:
            raise NO_RESULT_FROM_FAILURE.under(outcomes.RESISTOR_RESULTS, side=do.side)
        remaining = reached.resistor_number
    for result in do.results:
        _apply(draft, do, one, reached, remaining, result)
    draft.by(CHOOSE, remaining, side=do.side)
    if do.close:
        require(may_close_application(draft, one))
        draft.here(ApplicationClosed(do.resolution))
        draft.by(WHEN, "closed")


def _reached(one: Resolution, do: ChooseResults) -> Reached:
    """The outcome the results follow from: of a contest with several, of the Resistor named."""
    wanted = do.side if do.side != ACTOR else do.against
    found = [each for each in one.reached if wanted is None or each.resistor == wanted]
    if len(found) != 1:
        raise NO_SUCH_ROLL.under(totals.MANY_RESISTORS, against=wanted)
    return found[0]


def _apply(draft: Draft, do: ChooseResults, one: Resolution, reached: Reached, remaining: int, result: Result) -> None:
    other = (reached.resistor if reached.resistor is not None else one.subject) if do.side == ACTOR else one.actor
    target = result.character if result.character is not None else other
    match result.result:
        case "damage":
            struck = draft.who(target or "")
            if result.protection is not None and set(result.protection) < {piece.name for piece in struck.protection}:
                draft.must_play(target or "", PROTECTION)
            loss = damage(draft, _actor_of(draft, one, do.side), struck, remaining, result)
            reduce(draft, target or "", "hit-points", loss, result.wound)
        case "factor":
            actor = _actor_of(draft, one, do.side)
            loss = factor(draft, actor, result.magnitude or one.deed.magnitude, remaining)
            draft.who(target or "")
            reduce(draft, target or "", statistic_name(result.resource), loss, result.wound)
        case "residual":
            _residual(draft, target or "", remaining, result)
        case "scalar":
            draft.here(ScalarRecorded(do.resolution, remaining, result.text))
        case _:
            raise BAD_NUMBER.under(CHOOSE, result=result.result)
    if result.result != "scalar":
        require(may_befall(draft, one, target))


def may_close_application(draft: Draft, one: Resolution) -> Refused | None:
    """Who has results to choose, or the Actor's Player where nobody has."""
    ahead = closers(one)
    return NOT_PROPRIETOR.under(CHOOSE, closes=ahead) if not draft.by_gm and draft.me not in ahead else None


def _actor_of(draft: Draft, one: Resolution, side: str) -> Character:
    id = one.actor if side == ACTOR else side
    if id is None:
        raise NO_SUCH_ROLL.under(FACTOR, side=side)
    return draft.who(id)


def _residual(draft: Draft, target: str, remaining: int, result: Result) -> None:
    """As large as the Bonus of the number, signed by who chooses."""
    if remaining < 0:
        raise NO_RESULT_FROM_FAILURE.under(CHOOSE, remaining=remaining)
    if type(result.sign) is not int or result.sign not in (1, -1):
        raise BAD_NUMBER.under(conditions.RESIDUAL, sign=str(result.sign))
    draft.who(target)
    bonus = chart.rounded(chart.facet(draft.dials, remaining, "bonus"))
    placed = ResidualPlaced(
        residual=draft.table.new_id(),
        character=target,
        amount=result.sign * bonus,
        scope=result.scope,
        source="result",
        until=result.until,
    )
    draft.about(target, placed)
    draft.by(conditions.RESIDUAL, result.sign * bonus, remaining=remaining)


def may_befall(draft: Draft, one: Resolution, id: str | None) -> Refused | None:
    """Nothing is done to somebody else's Character but with its Player; a Gamemaster rules so. A plot device engages
    nobody.
    """
    if id is None or one.actor is None or draft.by_gm or id == one.actor or id in one.engaged:
        return None
    if draft.is_character(id) and draft.owner(id) != draft.me:
        return RESISTOR_HAS_NOT_ANSWERED.under(ENGAGE, character=id)
    return None


def damage(draft: Draft, who: Character, subject: Character, remaining: int, result: Result) -> int:
    """Weapon before the multiplication, protection after it."""
    listings.check_weapon(draft, result.weapon)
    weapon = weapon_of(draft, result.weapon)
    worn = protection(draft, subject, result.protection)
    times = multiplier(draft, who, result.magnitude or "strength")
    if remaining < 0:
        draft.by(DAMAGE, 0, remaining=remaining)
        return 0
    added = weapon if remaining > 0 or draft.dials.weapon_adds_at_zero else 0
    loss = max(0, chart.rounded((remaining + added) * times) - worn)
    if weapon == 0 and times == 1:
        draft.by(FISTS, loss, remaining=remaining)
    if weapon:
        draft.by(WEAPON, added)
    draft.by(DAMAGE, loss, remaining=remaining, weapon=added, protection=worn)
    return loss


@declares("close-application", ANYONE, says="The Application Phase ends.", records=(ApplicationClosed,))
class CloseApplication:
    """End the resolution without more results. A Player who could choose results of the resolution does this. The
    consequences of its Telling Blows and Catastrophic Failures can still be named.
    """

    resolution: ResolutionId


def closers(one: Resolution) -> list[str]:
    """The Players who have results to choose; the Actor's where nobody has."""
    ahead = [one.sides[each.resistor or ""].player for each in one.reached if each.resistor_number is not None]
    if not ahead or any(each.adjusted >= 0 for each in one.reached):
        ahead.append(one.player)
    return ahead


@decides
def close(draft: Draft, do: CloseApplication) -> None:
    one = draft.resolution(do.resolution)
    require(may_go_on(one, "results"))
    require(may_close_application(draft, one))
    draft.here(ApplicationClosed(do.resolution))
    draft.by(WHEN, "closed")


@offers
def offer_results(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Of each side that has some; whoever is ahead ends the Phase.

    Who has some is waited for to choose them: that the Phase is closed, only where nobody has.
    """
    for id, one in draft.resolutions().items():
        if may_go_on(one, "results") is not None:
            continue
        resolution: dict[str, Domain] = {"resolution": Among((id,))}
        closing = tuple(dict.fromkeys((*closers(one), *draft.masters)))
        awaits = None if any(_have(each) for each in one.reached) else CHOOSE
        yield Move(CloseApplication, resolution, awaits, _ahead(one), closing)
        close: Domain = OPEN if may_close_application(draft, one) is None else NO
        for each in one.reached:
            against: tuple[str | None, ...] = (None, each.resistor) if len(one.reached) == 1 else (each.resistor,)
            named: dict[str, Domain] = {"side": Among((ACTOR,)), "against": Among(tuple(dict.fromkeys(against)))}
            yield _chosen(draft, {**resolution, **named, "close": close}, one, each, ACTOR, each.remaining)
            if each.resistor is not None and each.resistor_number is not None:
                theirs: dict[str, Domain] = {"side": Among((each.resistor,)), "against": OPEN, "close": close}
                yield _chosen(draft, {**resolution, **theirs}, one, each, each.resistor, each.resistor_number)


def _have(each: Reached) -> bool:
    """Whether a side has results to choose."""
    return each.remaining >= 0 or each.resistor_number is not None


def _ahead(one: Resolution) -> str | None:
    """The Character whose Player has results to choose."""
    if any(each.adjusted >= 0 for each in one.reached):
        return one.actor
    return next((each.resistor for each in one.reached if each.resistor_number is not None), one.actor)


def _chosen(draft: Draft, fields: dict[str, Domain], one: Resolution, each: Reached, side: str, remaining: int) -> Move:
    """The same to whoever looks, but for what can befall whom: that only who chooses needs to know."""
    seats, who = challenges.seats_of_side(draft, one, side), one.actor if side == ACTOR else side
    chosen = list_results(draft, one, each, side, remaining) if draft.me in seats else OPEN
    return Move(ChooseResults, {**fields, "results": chosen}, CHOOSE if remaining >= 0 else None, who, seats)


ANYHOW: dict[str, Domain] = dict.fromkeys(("character", "weapon", "protection", "resource", "magnitude", "sign"), OPEN)


def list_results(draft: Draft, one: Resolution, reached: Reached, side: str, remaining: int) -> Domain:
    """Any number of these."""
    return Some(Either(tuple(_each(draft, one, reached, side, remaining))), repeats=True)


def _each(draft: Draft, one: Resolution, reached: Reached, side: str, remaining: int) -> Iterator[Shape]:
    yield Shape(Result, {**ANYHOW, "result": Among(("scalar",))})
    other = (reached.resistor if reached.resistor is not None else one.subject) if side == ACTOR else one.actor
    actor = one.actor if side == ACTOR else side
    readable = _readable(draft, actor) if actor is not None and actor in draft.known else ()
    for target in draft.known:
        if may_befall(draft, one, target) is not None:
            continue
        whom: dict[str, Domain] = {**ANYHOW, "character": Among((None, target) if target == other else (target,))}
        if remaining >= 0 and chart.may_read(draft.dials, remaining, "bonus") is None:
            yield Shape(Result, {**whom, "result": Among(("residual",)), "sign": Among((1, -1))})
        if actor is not None and actor in draft.known:
            yield from _damage(draft, whom, readable, target)
            unsaid = one.deed.magnitude in readable
            magnitudes = (None, *readable) if unsaid else readable
            yield from _factors(draft, whom, magnitudes, target, remaining)


def _readable(draft: Draft, actor: str) -> tuple[str, ...]:
    """Ratings of the Actor for which the chart has a Multiplier."""
    ratings = draft.who(actor).ratings.items()
    return tuple(name for name, one in ratings if chart.may_read(draft.dials, one.value, "multiplier") is None)


def _damage(draft: Draft, whom: dict[str, Domain], readable: tuple[str, ...], target: str) -> Iterator[Shape]:
    """All that is worn; or what its wearer's Player, or a Gamemaster, lets count."""
    who = draft.who(target)
    if "hit-points" not in who.resources or not readable:
        return
    try:
        protection(draft, who, None)
    except Refused:
        return
    pieces = tuple(dict.fromkeys(piece.name for piece in who.protection))
    every = Some(Among(pieces), len(pieces), None, pieces, repeats=True) if pieces else Among(((),))
    counted = some(pieces) if draft.mine((target,)) else every
    magnitude = Among((None, *readable) if "strength" in readable else readable)
    damage: dict[str, Domain] = {"protection": Either((NONE, counted)), "magnitude": magnitude}
    damage["weapon"] = draft.weapons(counts=True)
    yield Shape(Result, {**whom, **damage, "result": Among(("damage",))})


def _factors(
    draft: Draft, whom: dict[str, Domain], magnitudes: tuple[str | None, ...], target: str, remaining: int
) -> Iterator[Shape]:
    """Any Resource it has, by a Magnitude; nothing is read where the number is below 0."""
    resources = tuple(draft.who(target).resources)
    if resources and (magnitudes or remaining < 0):
        magnitude: Domain = OPEN if remaining < 0 else Among(magnitudes)
        factor: dict[str, Domain] = {"resource": Among(resources), "magnitude": magnitude}
        yield Shape(Result, {**whom, **factor, "result": Among(("factor",))})

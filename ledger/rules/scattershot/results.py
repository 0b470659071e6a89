"""Results: Factor, Residual, scalar; damage and protection; Resources. 3.8, 3.9."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot.application import own_side
from ledger.rules.scattershot.chart import facet, rounded
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import DamageListed, OffGuardSet, ResidualEnded, ResidualPlaced
from ledger.rules.scattershot.facts_of_deeds import ApplicationClosed, ScalarRecorded
from ledger.rules.scattershot.guards import check_whole, no, rating_of
from ledger.rules.scattershot.inputs_of_characters import EndResidual, ListDamage, PlaceResidual, SetOffGuard
from ledger.rules.scattershot.inputs_of_outcomes import ChooseResults, CloseApplication, Result
from ledger.rules.scattershot.listings import check_weapon
from ledger.rules.scattershot.resources import reduce
from ledger.rules.scattershot.state import Character, Reached, Resolution
from ledger.rules.scattershot.tables import TOO_SOON, WEAPONS, statistic_name
from ledger.rules.scattershot.terms import ACTOR, is_natural

# --- choosing --------------------------------------------------------------------------------------------------------


def choose(draft: Draft, do: ChooseResults) -> None:
    """`result.choose`: one or more, by the Actor's Player, or by a Resistor's who has a number of its own."""
    one = draft.resolution(do.resolution)
    if one.phase != "results":
        raise no("result.choose", "wrong-phase", phase=one.phase)
    own_side(draft, one, do.side, "result.choose")
    reached = _reached(one, do)
    remaining = reached.remaining
    if do.side != ACTOR:
        if reached.resistor_number is None:
            raise no("contest.resistor-results", "no-result-from-failure", side=do.side)
        remaining = reached.resistor_number
    for result in do.results:
        _apply(draft, do, one, reached, remaining, result)
    draft.by("result.choose", remaining, side=do.side)
    if do.close:
        _check_closes(draft, one)
        draft.here(ApplicationClosed(do.resolution))
        draft.by("result.when", "closed")


def _reached(one: Resolution, do: ChooseResults) -> Reached:
    """The outcome the results follow from: of a contest with several, of the Resistor named."""
    wanted = do.side if do.side != ACTOR else do.against
    found = [each for each in one.reached if wanted is None or each.resistor == wanted]
    if len(found) != 1:
        raise no("contest.many", "no-such-roll", against=wanted)
    return found[0]


def _apply(draft: Draft, do: ChooseResults, one: Resolution, reached: Reached, remaining: int, result: Result) -> None:
    other = (reached.resistor if reached.resistor is not None else one.subject) if do.side == ACTOR else one.actor
    target = result.character if result.character is not None else other
    match result.result:
        case "damage":
            struck = draft.who(target or "")
            if result.protection is not None and set(result.protection) < {piece.name for piece in struck.protection}:
                draft.must_play(target or "", "damage.protection")
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
            raise no("result.choose", "bad-number", result=result.result)
    if result.result != "scalar":
        _check_engaged(draft, one, target)


def _check_engaged(draft: Draft, one: Resolution, id: str | None) -> None:
    """`engage.player`: nothing is done to somebody else's Character but with its Player; a Gamemaster rules so.

    A plot device engages nobody. Refuses `resistor-has-not-answered`.
    """
    by = draft.table.by
    if id is None or one.actor is None or by.role == "gm" or id == one.actor or id in one.engaged:
        return
    if draft.is_character(id) and draft.owner(id) != by.seat:
        raise no("engage.player", "resistor-has-not-answered", character=id)


def _check_closes(draft: Draft, one: Resolution) -> None:
    """`result.choose`: the Application Phase is ended by who has results to choose, or the Actor's Player where nobody
    has. Refuses `not-proprietor`."""
    ahead = closers(one)
    if draft.table.by.role != "gm" and draft.table.by.seat not in ahead:
        raise no("result.choose", "not-proprietor", closes=ahead)


def closers(one: Resolution) -> list[str]:
    """The Players who have results to choose; the Actor's where nobody has."""
    ahead = [one.sides[each.resistor or ""].player for each in one.reached if each.resistor_number is not None]
    if not ahead or any(each.adjusted >= 0 for each in one.reached):
        ahead.append(one.player)
    return ahead


def _actor_of(draft: Draft, one: Resolution, side: str) -> Character:
    id = one.actor if side == ACTOR else side
    if id is None:
        raise no("result.factor", "no-such-roll", side=side)
    return draft.who(id)


def multiplier(draft: Draft, who: Character, magnitude: str) -> Fraction:
    number = rating_of(who, magnitude)
    if number is None:
        raise no("result.factor", "unknown-statistic", magnitude=magnitude)
    return facet(draft.dials, number, "multiplier")


def factor(draft: Draft, who: Character, magnitude: str, remaining: int) -> int:
    """`result.factor`: what a Resource loses; nothing where the number is below 0."""
    loss = rounded(remaining * multiplier(draft, who, magnitude)) if remaining >= 0 else 0
    draft.by("result.factor", loss, remaining=remaining, magnitude=magnitude)
    return loss


def damage(draft: Draft, who: Character, subject: Character, remaining: int, result: Result) -> int:
    """`damage.formula`: weapon before the multiplication, protection after it."""
    check_weapon(draft, result.weapon)
    weapon = weapon_of(draft, result.weapon)
    worn = protection(draft, subject, result.protection)
    times = multiplier(draft, who, result.magnitude or "strength")
    if remaining < 0:
        draft.by("damage.formula", 0, remaining=remaining)
        return 0
    added = weapon if remaining > 0 or draft.dials.weapon_adds_at_zero else 0
    loss = max(0, rounded((remaining + added) * times) - worn)
    if weapon == 0 and times == 1:
        draft.by("damage.fists", loss, remaining=remaining)
    if weapon:
        draft.by("damage.weapon", added)
    draft.by("damage.formula", loss, remaining=remaining, weapon=added, protection=worn)
    return loss


def list_damage(draft: Draft, do: ListDamage) -> None:
    """`damage.table`: nothing lies above the Critical Juncture."""
    note_damages(draft, do.character, weapon_of(draft, do.weapon))


def note_first_damages(draft: Draft, id: str, strength: int, weapons: Iterable[int]) -> None:
    """`damage.table`: without a weapon, and with each it has; nothing where the UE Chart has no such Strength."""
    try:
        times = facet(draft.dials, strength, "multiplier")
    except Refused:
        return
    for weapon in dict.fromkeys((0, *weapons)):
        _note(draft, id, weapon, times)


def note_damages(draft: Draft, id: str, weapon: int) -> None:
    _note(draft, id, weapon, multiplier(draft, draft.who(id), "strength"))


def _note(draft: Draft, id: str, weapon: int, times: Fraction) -> None:
    at_zero = weapon if draft.dials.weapon_adds_at_zero else 0
    numbers = range(draft.dials.critical_juncture + 1)
    damages = tuple(rounded((number + (weapon if number else at_zero)) * times) for number in numbers)
    draft.about(id, DamageListed(id, weapon, damages))
    draft.by("damage.table", list(damages), weapon=weapon)


def weapon_of(draft: Draft, weapon: object) -> int:
    """By name, as the campaign lists it or the game knows it; or its number. Refuses `bad-number`."""
    number = _named(draft, weapon) if isinstance(weapon, str) else weapon
    if not is_natural(number):
        raise no("damage.weapon", "bad-number", weapon=str(weapon))
    return number


def _named(draft: Draft, weapon: str) -> int | None:
    listed = draft.campaign().weapons.get(weapon)
    return listed if listed is not None else WEAPONS.get(weapon.strip().lower().replace(" ", "-"))


def protection(draft: Draft, subject: Character, named: tuple[str, ...] | None) -> int:
    """`damage.protection`: pieces worn together add; a bought Rating counts its Bonus, once for all its pieces."""
    if named is not None and not set(named) <= {piece.name for piece in subject.protection}:
        raise no("damage.protection", "bad-number", pieces=list(named))
    pieces = [piece for piece in subject.protection if named is None or piece.name in named]
    abilities = {piece.bought for piece in pieces if piece.bought is not None}
    worn = sum(int(piece.static or 0) for piece in pieces if piece.bought is None)
    worn += sum(_bonus(draft, subject, ability) for ability in sorted(abilities))
    if worn:
        draft.by("damage.protection", worn)
    return worn


def _bonus(draft: Draft, subject: Character, ability: str) -> int:
    """Of the ability that bought protection belongs to; nothing where Play removed it."""
    number = rating_of(subject, ability)
    return rounded(facet(draft.dials, number, "bonus")) if number is not None else 0


def _residual(draft: Draft, target: str, remaining: int, result: Result) -> None:
    """`result.residual`: as large as the Bonus of the number, signed by who chooses."""
    if remaining < 0:
        raise no("result.choose", "no-result-from-failure", remaining=remaining)
    if type(result.sign) is not int or result.sign not in (1, -1):
        raise no("result.residual", "bad-number", sign=str(result.sign))
    draft.who(target)
    bonus = rounded(facet(draft.dials, remaining, "bonus"))
    placed = ResidualPlaced(draft.table.new_id(), target, result.sign * bonus, result.scope, "result", result.until)
    draft.about(target, placed)
    draft.by("result.residual", result.sign * bonus, remaining=remaining)


def close(draft: Draft, do: CloseApplication) -> None:
    one = draft.resolution(do.resolution)
    if one.phase != "results":
        raise no("resolve.phases", "wrong-phase", phase=one.phase)
    _check_closes(draft, one)
    draft.here(ApplicationClosed(do.resolution))
    draft.by("result.when", "closed")


# --- Residual modifiers by ruling, Off-Guard -------------------------------------------------------------------------


def place_residual(draft: Draft, do: PlaceResidual) -> None:
    draft.who(do.character)
    amount = check_whole(do.amount, "result.residual")
    if do.until.strip().lower() in TOO_SOON and do.source in ("telling-blow", "catastrophic-failure"):
        raise no("juncture.duration", "ends-too-soon", until=do.until)
    placed = ResidualPlaced(draft.table.new_id(), do.character, amount, do.scope, do.source, do.until)
    draft.about(do.character, placed)
    draft.by("result.residual", amount, character=do.character)


def end_residual(draft: Draft, do: EndResidual) -> None:
    if all(one.residual != do.residual for one in draft.who(do.character).residuals):
        raise no("result.residual", "bad-number", residual=do.residual)
    draft.about(do.character, ResidualEnded(do.residual))
    draft.by("result.residual", 0, residual=do.residual)


def set_off_guard(draft: Draft, do: SetOffGuard) -> None:
    draft.must_play(do.character, "engage.off-guard")
    for id in (*do.towards, *((do.all_but,) if do.all_but is not None else ())):
        draft.who(id)
    draft.about(do.character, OffGuardSet(do.towards, do.all_but))
    draft.by("engage.off-guard", do.all_but or list(do.towards), character=do.character)

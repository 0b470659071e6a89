"""With what a Character can act just now: modifiers, Ratings and Defaults, and how an Action is paid for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ledger.rules.kernel.moves import OPEN, Among, Besides, Domain, Either, Shape
from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.actions import check_all_out
from ledger.rules.scattershot.at_hand import MODIFIERS, NO, NONE, WHOLE, YES, Looked, some
from ledger.rules.scattershot.flurries import in_flurry
from ledger.rules.scattershot.inputs_of_deeds import Default
from ledger.rules.scattershot.ratings import as_listed
from ledger.rules.scattershot.state import Character, Resolution, Standing
from ledger.rules.scattershot.tables import BASES, FREE_ACTIONS, LAST_DITCH_DODGE

NATURES = ("attack", "defense", "movement", "other")


@dataclass(frozen=True, slots=True)
class Way:
    """How it can be paid for. `natures`: which Actions by it; `at_once`: whether Instantaneous Ratings can be used."""

    natures: tuple[str, ...]
    fields: dict[str, Domain]
    at_once: bool


def named(at: Looked, id: str) -> dict[str, Domain]:
    """What modifies a roll of this Character: situations, Advantages and Disadvantages, Residuals."""
    who = at.draft.who(id)
    residuals = dict.fromkeys(name for one in who.residuals for name in (one.residual, one.scope))
    traits = dict.fromkeys(one.name for one in (*who.advantages, *who.disadvantages))
    return {"modifiers": MODIFIERS, "advantages": some(traits), "residuals": some(residuals)}


def usable(at: Looked, id: str, at_once: bool) -> tuple[str, ...]:
    """Ratings whose Power it has; none Instantaneous but where these can be used."""
    power = max(0, at.balance(accounts.resource(id, "power")))
    ratings = at.draft.who(id).ratings.items()
    return tuple(name for name, one in ratings if one.power_cost <= power and (at_once or one.use != "instantaneous"))


# --- Defaults --------------------------------------------------------------------------------------------------------


def defaulted(at: Looked, id: str, ratings: tuple[str, ...], limited: bool) -> Domain | None:
    """3.4: a related Rating, or the base of a difficulty; not what is barred, nor a Special Ability not allowed.

    `ratings`: those it can be done with. `limited`: some things are not to be looked at.
    """
    who, listed = at.draft.who(id), at.draft.campaign().abilities
    barred = [one.bars for one in (*who.advantages, *who.disadvantages) if one.bars is not None]
    own = [name for name in who.ratings if name not in ratings or (limited and name == "observation")]
    also = ["observation"] if limited else []
    never = tuple(dict.fromkeys((*barred, *own, *also)))
    free = at.dials.default_special_abilities
    special = tuple(name for name, one in listed.items() if one.special and not one.may_default and not free)
    granted = tuple(name for name, one in listed.items() if one.may_default and name not in never)
    kinds: list[dict[str, Domain]] = [{"ability": Besides(never), "special": OPEN, "allowed": OPEN if free else YES}]
    if not free:
        kinds.append({"ability": Besides((*never, *special)), "special": NO, "allowed": NO})
        if granted:
            kinds.append({"ability": Among(granted), "special": YES, "allowed": NO})
    words: dict[str, Domain] = {"modifier": OPEN, "scope": OPEN, "related_scope": OPEN}
    ways: list[dict[str, Domain]] = [{**words, "difficulty": Among(tuple(BASES))}]
    if ratings:
        related: dict[str, Domain] = {"related": Among(ratings), "difficulty": Among((None, *BASES))}
        ways.append({**words, **related, "modifier": Either((NONE, WHOLE))})
    shapes = [Shape(Default, {**kind, **way}) for kind in kinds for way in ways]
    usable = tuple(name for name in listed if name not in never and _near(at, who, name) in (None, *ratings))
    by_name = ((kind, tuple(name for name in usable if _is_among(kind["ability"], name))) for kind in kinds)
    shapes += [
        Shape(Default, {**kind, **words, "ability": Among(names), "difficulty": NONE})
        for kind, names in by_name
        if names
    ]
    return Either(tuple(shapes))


def _is_among(domain: Domain, name: str) -> bool:
    return name not in domain.values if isinstance(domain, Besides) else name in getattr(domain, "values", ())


def _near(at: Looked, who: Character, ability: str) -> str | None:
    """Return the related Rating that a Default to this listed ability uses."""
    filled = as_listed(at.draft, who, Default(ability))
    return filled.related if filled is not None else None


# --- how it is paid for ------------------------------------------------------------------------------------------


def able(at: Looked, id: str) -> tuple[str, ...]:
    """`stat.hit-points`: nobody attacks who has no fight left."""
    fights = at.draft.who(id).fights_on is not None or at.left_of(id, "hit-points") > 0
    return NATURES if fights else NATURES[1:]


def fit(standing: Standing, id: str, natures: tuple[str, ...], pays: str) -> tuple[str, ...]:
    """`mech.all-out`"""
    return tuple(nature for nature in natures if not refuses(check_all_out, standing, id, nature, pays))


def refuses(guard: Callable[..., None], *args: object) -> bool:
    try:
        guard(*args)
    except Refused:
        return True
    return False


def in_the_flurry(
    at: Looked, id: str, standing: Standing, natures: tuple[str, ...], answered: Resolution | None = None
) -> tuple[str, ...]:
    """What a Flurry pays for: a step of it, or what the foe answers with."""
    fight = at.fight_of(id)
    if fight is None or fight.flurry is None or id not in (fight.flurry.persona, fight.flurry.foe):
        return ()
    there = fit(standing, id, natures, "flurry")
    return tuple(nature for nature in there if not refuses(in_flurry, at.fresh(), id, nature, answered))


def free_kinds(at: Looked, standing: Standing) -> tuple[str, ...]:
    """`mech.free`: what can still be taken this Round."""
    if len(standing.free) >= at.dials.epic_index:
        return ()
    kinds = dict.fromkeys((*FREE_ACTIONS, *at.draft.campaign().free_actions))
    if standing.all_out == "attack":
        kinds.pop(LAST_DITCH_DODGE)
    return tuple(kind for kind in kinds if at.dials.cinematic or kind not in standing.free)

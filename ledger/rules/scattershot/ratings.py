"""What is rolled against: Ratings, Defaults, the modifiers that were named. 3.4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.guards import check_whole, no, rating_of
from ledger.rules.scattershot.inputs_of_deeds import Default, Modifier
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.tables import SCOPES, difficulty_base


class Choosing(Protocol):
    """Whatever names the Rating it is done with, or the Default in its place."""

    @property
    def rating(self) -> str: ...
    @property
    def default(self) -> Default | None: ...


def rolled(do: Choosing) -> str:
    """The name of the Rating it comes down to: of a Default the related one, or the ability itself."""
    if do.default is None:
        return do.rating
    return do.default.related if do.default.related is not None else do.default.ability


def rating_for(draft: Draft, who: Character, name: str, default: Default | None) -> tuple[str, int]:
    """The ability and the number rolled against. Refuses `unknown-statistic`, and what `default.barred` refuses."""
    if default is not None:
        return default.ability, defaulted(draft, who, default)
    number = rating_of(who, name)
    if number is None:
        raise no("resolve.declare", "unknown-statistic", rating=name)
    return name, number


def as_listed(draft: Draft, who: Character, default: Default | None) -> Default | None:
    """Return the Default with what was left out as the ability's listing says.

    With neither a related Rating nor a difficulty: the best listed Rating that the Persona has.
    """
    listed = draft.campaign().abilities.get(default.ability) if default is not None else None
    if default is None or listed is None:
        return default
    near = {each.related: each.modifier for each in reversed(listed.defaults)}
    filled = replace(
        default,
        difficulty=default.difficulty if default.difficulty is not None else listed.difficulty,
        scope=default.scope if default.scope is not None else listed.scope,
    )
    if default.related is None and default.difficulty is None:
        ways = [replace(filled, related=name) for name in near if rating_of(who, name) is not None]
        ways = [_modified(way, near) for way in ways]
        return max(reversed(ways), key=lambda way: _near(draft, who, way)[0], default=filled)
    return _modified(filled, near)


def _modified(default: Default, near: Mapping[str, int]) -> Default:
    """Return it with the listed modifier of its related Rating, unless it has one."""
    if default.related is None or default.modifier is not None:
        return default
    return replace(default, modifier=near.get(default.related))


def defaulted(draft: Draft, who: Character, default: Default) -> int:
    """3.4: a related Rating with its modifier and another Scope's penalty, or the difficulty's base, or the better."""
    if any(one.bars == default.ability for one in (*who.advantages, *who.disadvantages)):
        raise no("default.barred", "default-barred", ability=default.ability)
    listed = draft.campaign().abilities.get(default.ability)
    special = default.special or (listed is not None and listed.special)
    allowed = default.allowed or (listed is not None and listed.may_default)
    if special and not allowed and not draft.dials.default_special_abilities:
        raise no("default.barred", "no-default-for-special-ability", ability=default.ability)
    base = difficulty_base(default.difficulty) if default.difficulty is not None else None
    if default.difficulty is not None and base is None:
        raise no("default.untrained", "unknown-difficulty", difficulty=default.difficulty)
    related = _related(draft, who, default) if default.related is not None else None
    if related is None and base is None:
        raise no("default.untrained", "unknown-difficulty", difficulty=None)
    if related is not None and (base is None or draft.dials.default_choice == "related-only" or related >= base):
        draft.by("default.related", related, ability=default.ability, related=default.related)
        return related
    assert base is not None
    draft.by("default.untrained", base, ability=default.ability, difficulty=default.difficulty)
    return base


def _related(draft: Draft, who: Character, default: Default) -> int:
    number, penalty, own = _near(draft, who, default)
    if penalty:
        draft.by("default.scope", -penalty, scope=default.scope or "individual", own=own)
    return number


def _near(draft: Draft, who: Character, default: Default) -> tuple[int, int, str]:
    """Return the number by its related Rating, what another Scope takes from it, and that Rating's Scope."""
    name = default.related or ""
    number = rating_of(who, name)
    if number is None:
        raise no("default.related", "unknown-statistic", rating=name)
    modifier = check_whole(default.modifier if default.modifier is not None else 0, "default.related")
    listed = who.ratings.get(name)
    own = default.related_scope or (listed.scope if listed is not None else "individual")
    scope = default.scope if default.scope is not None else "individual"
    apart = abs(scope_level(scope) - scope_level(own))
    penalty = apart if draft.dials.default_scope_penalty == "per-level" else min(apart, 1)
    return number + modifier - penalty, penalty, own


def scope_level(name: str) -> int:
    """Refuses `bad-number` for what is no Scope."""
    level = SCOPES.get(name.strip().lower())
    if level is None:
        raise no("mech.scope", "bad-number", scope=name)
    return level


def modifiers_of(
    draft: Draft, who: Character, modifiers: tuple[Modifier, ...], advantages: tuple[str, ...],
    residuals: tuple[str, ...],
) -> list[tuple[int, str]]:  # fmt: skip
    """Every modifier that was named: situations, Advantages and Disadvantages, Residuals, each of these once.

    Refuses `bad-number`."""
    named = [(check_whole(one.amount, "resolve.modifiers"), one.why) for one in modifiers]
    for name in dict.fromkeys(advantages):
        held = [one for one in (*who.advantages, *who.disadvantages) if one.name == name]
        if not held:
            raise no("rating.advantage", "no-such-expectation", advantage=name)
        named.append((int(held[0].modifier), name))
    felt: dict[str, tuple[int, str]] = {}
    for name in residuals:
        placed = [one for one in who.residuals if name in (one.residual, one.scope)]
        if not placed:
            raise no("resolve.modifiers", "bad-number", residual=name)
        felt[placed[0].residual] = (placed[0].amount, placed[0].scope)
    return [*named, *felt.values()]

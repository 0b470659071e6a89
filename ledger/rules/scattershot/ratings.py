"""What is rolled against: Ratings, Defaults for abilities that a Character lacks, and modifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from ledger.rules.kernel.chapters import Refusal, changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import GM
from ledger.rules.kernel.domains import Reason
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import OPEN, Among, Besides, Domain, Either, Move, Shape, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.seen import Seen
from ledger.rules.scattershot.draft import (
    NO,
    NONE,
    SCOPE,
    WHOLE,
    YES,
    Draft,
    check_whole,
    may_go_on,
    rating_of,
    some,
)
from ledger.rules.scattershot.scene import Resolution, in_its_resolution, put_side
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    BASES,
    NO_SUCH_EXPECTATION,
    NO_SUCH_ROLL,
    SCOPES,
    UNKNOWN_DIFFICULTY,
    UNKNOWN_STATISTIC,
    Difficulty,
    Rating,
    ResolutionId,
    Scope,
    SideName,
    Whole,
    because,
    called,
    difficulty_base,
    name_side,
    signed,
)

DECLARE = rule(
    "scattershot.resolve.declare",
    "An Action begins when a Player states what their Character (the Actor) does, to whom, and with which Rating.",
    "Choose",
)
ADVANTAGE = rule(
    "scattershot.rating.advantage",
    "An Advantage costs as many Development Points as its value. It can give a modifier in certain"
    " situations, specialize a Rating, or rule out a Default.",
    "Advantages",
)


# --- Defaults ---------------------------------------------------------------------------------------------------------


RELATED_DEFAULT = rule(
    "scattershot.default.related",
    "A Character who lacks an ability can Default, that is, use a related Rating instead. The listing gives"
    " the modifier for this.",
    "Defaulting",
    step="{ability} by Default from {related}: {out} or less.",
)
DEFAULT_SCOPE = rule(
    "scattershot.default.scope",
    "A Default takes an extra -1 if the ability and the related Rating have different Scopes.",
    "Defaulting",
    step="A Default between {own} and {scope} Scope has an extra {out}.",
)
UNTRAINED = rule(
    "scattershot.default.untrained",
    "A Character who lacks an ability can Default to the base for the ability's difficulty, unless a Default to a"
    " related Rating is better. The base is between 11 for Easy and 4 for Legendary.",
    "Defaulting",
    step="{ability} by Default, untrained: {out} or less.",
)
BARRED_DEFAULT = rule(
    "scattershot.default.barred",
    "An Advantage or Disadvantage can rule out Defaults for an ability. Nobody can use a Default for a"
    " Special Ability, unless its listing or an option allows it.",
    "Defaulting",
)
DEFAULT_BARRED = Refusal(
    BARRED_DEFAULT,
    "default-barred",
    "An Advantage or Disadvantage of this Character rules out Defaults for {ability}. Choose another Rating.",
)
NO_DEFAULT_FOR_SPECIAL_ABILITY = Refusal(
    BARRED_DEFAULT,
    "no-default-for-special-ability",
    "{ability} is a Special Ability, for which nobody can use a Default. Choose another Rating.",
)


@dataclass(frozen=True, slots=True)
class Default:
    """What a Character rolls instead of an ability that it lacks: a `related` Rating with a `modifier`, or the base of
    the `difficulty`. If the ability is listed, its name is enough.

    `ability`: the ability that the Character lacks. `related`: the Rating that is used instead. `modifier`: what is
    added to the related Rating. `difficulty`: how difficult the ability is. `scope`: the Scope of the ability.
    `related_scope`: the Scope of the related Rating. `special`: whether the ability is a Special Ability. `allowed`:
    whether the listing of a Special Ability allows a Default.
    """

    ability: Rating
    related: Rating | None = None
    modifier: Whole | None = None
    difficulty: Difficulty | None = None
    scope: Scope | None = None
    related_scope: Scope | None = None
    special: bool = False
    allowed: bool = False


class Choosing(Protocol):
    """Whatever names the Rating it is done with, or the Default in its place."""

    @property
    def rating(self) -> str: ...
    @property
    def default(self) -> Default | None: ...


def rolled_rating(do: Choosing) -> str:
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
        raise UNKNOWN_STATISTIC.under(DECLARE, rating=name)
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


def _near(draft: Draft, who: Character, default: Default) -> tuple[int, int, str]:
    """Return the number by its related Rating, what another Scope takes from it, and that Rating's Scope."""
    name = default.related or ""
    number = rating_of(who, name)
    if number is None:
        raise UNKNOWN_STATISTIC.under(RELATED_DEFAULT, rating=name)
    modifier = check_whole(default.modifier if default.modifier is not None else 0, RELATED_DEFAULT)
    listed = who.ratings.get(name)
    own = default.related_scope or (listed.scope if listed is not None else "individual")
    scope = default.scope if default.scope is not None else "individual"
    apart = abs(scope_level(scope) - scope_level(own))
    penalty = apart if draft.dials.default_scope_penalty == "per-level" else min(apart, 1)
    return number + modifier - penalty, penalty, own


def defaulted(draft: Draft, who: Character, default: Default) -> int:
    """3.4: a related Rating with its modifier and another Scope's penalty, or the difficulty's base, or the better."""
    if any(one.bars == default.ability for one in (*who.advantages, *who.disadvantages)):
        raise DEFAULT_BARRED(ability=default.ability)
    listed = draft.campaign().abilities.get(default.ability)
    special = default.special or (listed is not None and listed.special)
    allowed = default.allowed or (listed is not None and listed.may_default)
    if special and not allowed and not draft.dials.default_special_abilities:
        raise NO_DEFAULT_FOR_SPECIAL_ABILITY(ability=default.ability)
    base = difficulty_base(default.difficulty) if default.difficulty is not None else None
    if default.difficulty is not None and base is None:
        raise UNKNOWN_DIFFICULTY.under(UNTRAINED, difficulty=default.difficulty)
    related = _related(draft, who, default) if default.related is not None else None
    if related is None and base is None:
        raise UNKNOWN_DIFFICULTY.under(UNTRAINED, difficulty=None)
    if related is not None and (base is None or draft.dials.default_choice == "related-only" or related >= base):
        draft.by(RELATED_DEFAULT, related, ability=default.ability, related=default.related)
        return related
    assert base is not None
    draft.by(UNTRAINED, base, ability=default.ability, difficulty=default.difficulty)
    return base


def _related(draft: Draft, who: Character, default: Default) -> int:
    number, penalty, own = _near(draft, who, default)
    if penalty:
        draft.by(DEFAULT_SCOPE, -penalty, scope=default.scope or "individual", own=own)
    return number


def scope_level(name: str) -> int:
    """Refuses `bad-number` for what is no Scope."""
    level = SCOPES.get(name.strip().lower())
    if level is None:
        raise BAD_NUMBER.under(SCOPE, scope=name)
    return level


def say_with_what(do: Choosing) -> str:
    default = do.default
    if default is None:
        return called(do.rating)
    related = f" from {called(default.related)}" if default.related is not None else ""
    return f"{called(default.ability)} by Default{related}"


def offer_defaults(draft: Draft, id: str, ratings: tuple[str, ...], limited: bool) -> Domain | None:
    """3.4: a related Rating, or the base of a difficulty; not what is barred, nor a Special Ability not allowed.

    `ratings`: those it can be done with. `limited`: some things are not to be looked at.
    """
    who, listed = draft.who(id), draft.campaign().abilities
    barred = [one.bars for one in (*who.advantages, *who.disadvantages) if one.bars is not None]
    own = [name for name in who.ratings if name not in ratings or (limited and name == "observation")]
    also = ["observation"] if limited else []
    never = tuple(dict.fromkeys((*barred, *own, *also)))
    free = draft.dials.default_special_abilities
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
    usable = tuple(name for name in listed if name not in never and find_related(draft, who, name) in (None, *ratings))
    by_name = ((kind, tuple(name for name in usable if _is_among(kind["ability"], name))) for kind in kinds)
    shapes += [
        Shape(Default, {**kind, **words, "ability": Among(names), "difficulty": NONE})
        for kind, names in by_name
        if names
    ]
    return Either(tuple(shapes))


def _is_among(domain: Domain, name: str) -> bool:
    return name not in domain.values if isinstance(domain, Besides) else name in getattr(domain, "values", ())


def find_related(draft: Draft, who: Character, ability: str) -> str | None:
    """Return the related Rating that a Default to this listed ability uses."""
    filled = as_listed(draft, who, Default(ability))
    return filled.related if filled is not None else None


# --- modifiers --------------------------------------------------------------------------------------------------------


MODIFIERS = rule(
    "scattershot.resolve.modifiers",
    "All modifiers to a Rating are added up when the Opportunity Phase ends. They cannot change after that.",
    "Modifiers",
    step="A Rating of {rating}, modified by {modifiers}: {out} or less.",
)


@dataclass(frozen=True, slots=True)
class Modifier:
    """`amount`: what the modifier adds to the Rating. `why`: the reason for the modifier."""

    amount: Whole
    why: Reason = ""


ANY_MODIFIERS: Final = Some(Shape(Modifier, {"amount": WHOLE}), repeats=True)


def say_modified(done: ModifierApplied, names: Names) -> str:
    return f"{name_side(done.side, names)}'s Rating is modified by {signed(done.amount)}{because(done.why)}."


@fact("modifier-applied", says=say_modified)
class ModifierApplied:
    """A modifier was applied to one side of a resolution."""

    resolution: ResolutionId
    side: SideName
    amount: int
    why: Reason


@changes
@in_its_resolution
def modify_side(one: Resolution, fact: ModifierApplied) -> Resolution | None:
    side = one.sides.get(fact.side)
    return put_side(one, fact.side, changed(side, modifier=side.modifier + fact.amount)) if side is not None else None


def say_modifies(do: ApplyModifier, names: Names) -> str:
    return f"{name_side(do.side, names)}'s Rating is modified by {signed(do.amount)}{because(do.why)}."


@declares("apply-modifier", GM, says=say_modifies, records=(ModifierApplied,))
class ApplyModifier:
    """Modify the Rating of the Actor or of a Resistor. A Gamemaster does this in the Opportunity Phase.

    `amount`: what is added to the Rating. `why`: the reason for the modifier. `side`: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    amount: Whole
    why: Reason = ""
    side: SideName = "actor"


@decides
def apply_modifier(draft: Draft, do: ApplyModifier) -> None:
    one = draft.resolution(do.resolution)
    require(may_go_on(one, "opportunity", MODIFIERS))
    amount = check_whole(do.amount, MODIFIERS)
    if do.side not in one.sides:
        raise NO_SUCH_ROLL.under(MODIFIERS, side=do.side)
    draft.here(ModifierApplied(do.resolution, do.side, amount, do.why))
    draft.by(MODIFIERS, amount, side=do.side)


def modifiers_of(
    draft: Draft,
    who: Character,
    modifiers: tuple[Modifier, ...],
    advantages: tuple[str, ...],
    residuals: tuple[str, ...],
) -> list[tuple[int, str]]:
    """Every modifier that was named: situations, Advantages and Disadvantages, Residuals, each of these once.

    Refuses `bad-number`."""
    named = [(check_whole(one.amount, MODIFIERS), one.why) for one in modifiers]
    for name in dict.fromkeys(advantages):
        held = [one for one in (*who.advantages, *who.disadvantages) if one.name == name]
        if not held:
            raise NO_SUCH_EXPECTATION.under(ADVANTAGE, advantage=name)
        named.append((int(held[0].modifier), name))
    felt: dict[str, tuple[int, str]] = {}
    for name in residuals:
        placed = [one for one in who.residuals if name in (one.residual, one.scope)]
        if not placed:
            raise BAD_NUMBER.under(MODIFIERS, residual=name)
        felt[placed[0].residual] = (placed[0].amount, placed[0].scope)
    return [*named, *felt.values()]


def name_modifiers(draft: Draft, id: str) -> dict[str, Domain]:
    """What modifies a roll of this Character: situations, Advantages and Disadvantages, Residuals."""
    who = draft.who(id)
    residuals = dict.fromkeys(name for one in who.residuals for name in (one.residual, one.scope))
    traits = dict.fromkeys(one.name for one in (*who.advantages, *who.disadvantages))
    return {"modifiers": ANY_MODIFIERS, "advantages": some(traits), "residuals": some(residuals)}


@offers
def offer_modifiers(seen: Seen, draft: Draft) -> Iterator[Move]:
    for id, one in draft.resolutions().items():
        if may_go_on(one, "opportunity", MODIFIERS) is None:
            yield Move(ApplyModifier, {"resolution": Among((id,)), "amount": WHOLE, "side": Among(tuple(one.sides))})

"""Which traits a ruling can name: two for a check, a Talent and Life Roles to resist with; and what makes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move, Row, Shape, Some
from ledger.rules.mnemonic.as_seen import AsSeen, Being
from ledger.rules.mnemonic.inputs import AssignAptitude, RateTrait, RateTraits, TraitName, TraitRating
from ledger.rules.mnemonic.terms import LUCKY, same_name

Fields = Mapping[str, Domain]
PRIMARY = Shape(TraitName, {"kind": Among(("primary",)), "name": Among(("",))})
NOTHING = Among((None,))


def pairs(there: AsSeen, being: Being) -> tuple[Domain, ...]:
    """Two different traits that count (`mnemonic.aptitude.sum`), in either order."""
    shapes = tuple(_named(there, being))
    if not shapes:
        return ()
    any_name = any(there.any_name(being, kind) for kind in being.numbers)
    rated = shapes[0] if len(shapes) == 1 else Either(shapes)
    two = (Some(rated, 2, 2),) if any_name or sum(len(being.names(kind)) for kind in being.numbers) > 1 else ()
    return (*two, Row((rated, PRIMARY)), Row((PRIMARY, rated)))


def _named(there: AsSeen, being: Being) -> Iterator[Domain]:
    """By kind the traits that are rated; or any, where the table has a rating for what is not."""
    for kind in being.numbers:
        if names := being.names(kind):
            yield Shape(TraitName, {"kind": Among((kind,)), "name": Among(names)})
        if there.any_name(being, kind):
            yield Shape(TraitName, {"kind": Among((kind,)), "name": OPEN})


# --- what makes an Aptitude ------------------------------------------------------------------------------------------


def rating(there: AsSeen, whose: tuple[str, ...], awaits: str | None = None) -> Iterator[Move]:
    """mnemonic.trait.rate"""
    if whose and there.ladder:
        kinds = Among(("talent", "life"))
        fields = {"character": Among(whose), "trait_kind": kinds, "rating": Among(there.ratings)}
        yield Move(RateTrait, fields, awaits)
        if awaits is None:
            one = Shape(TraitRating, {"trait_kind": kinds, "rating": Among(there.ratings)})
            yield Move(RateTraits, {"character": Among(whose), "ratings": Some(one, repeats=True)})


def assigning(there: AsSeen, being: Being, awaits: str | None = None) -> Iterator[Move]:
    """mnemonic.feather.assign: a number for a task, or the last one again; the player judges, where there is one."""
    session = there.seen.session
    if not there.ladder or there.dials.feather_mode == "off":
        return
    number = Between(2 * there.ladder[0][1], 2 * there.ladder[-1][1])
    fields: dict[str, Domain] = {
        "character": Among((being.id,)),
        "session": Among(tuple(dict.fromkeys((None, session)))),
    }
    compared = pairs(there, being)
    fields["traits"] = Either((Among(((),)), *compared)) if compared else Among(((),))
    if there.player_of(being.id) is not None:
        fields |= {"ask": Among((False, True)), "agreed": Either((NOTHING, number))}
    yield Move(AssignAptitude, {**fields, "ref": number}, awaits)
    if again := _tasks(there, being):
        yield Move(AssignAptitude, {**fields, "task": Among(again), "ref": NOTHING}, awaits)


def _tasks(there: AsSeen, being: Being) -> tuple[str, ...]:
    """Those whose last number may still be used, as it was put then."""
    lasts = [numbers[-1] for numbers in being.shown["tasks"].values() if numbers]
    return tuple(one["task"] for one in lasts if there.possible(one["final"]))


# --- resisting ----------------------------------------------------------------------------------------------------


def resisting(there: AsSeen, being: Being) -> Iterator[Fields]:
    """What a resisting check can be made with: an assigned Aptitude, or traits (`mnemonic.injury.aptitude`)."""
    if ready := there.ready(being):
        yield {"assigned": Among(ready)}
    if there.dials.feather_mode != "on":
        yield from _with_drama(there, being)


def _with_drama(there: AsSeen, being: Being) -> Iterator[Fields]:
    """mnemonic.dramatic.source: which rating of script immunity takes part, and whether the ruling names it."""
    dials = there.dials
    own = being.shown["immunity"]["source"]
    source = dials.dramatic_source if dials.dramatic_source == "off" else own or dials.dramatic_source
    if source == "lucky":
        yield from _lucky(there, being)
    elif source == "off":
        yield from _traits(there, being)
    elif dials.dramatic_approach == "per_check":
        yield from ({**fields, "importance": Among(there.ratings)} for fields in _traits(there, being))
    elif (rated := being.shown["importance"]) is not None and there.counts(rated["rating"]) is not None:
        yield from _traits(there, being)


def _traits(there: AsSeen, being: Being) -> Iterator[Fields]:
    """The usual Talent or a named one; Life Roles as the referee finds them to help."""
    if talents := _talents(there, being):
        yield {"talent": _or_any(there, being, "talent", talents), **_roles(there, being)}


def _talents(there: AsSeen, being: Being) -> tuple[str | None, ...]:
    """None: the usual one."""
    usual = there.number(being, "talent", _usual(there, being))
    return (*(() if usual is None else (None,)), *being.names("talent"))


def _usual(there: AsSeen, being: Being) -> str:
    return str(being.shown["resist_talent"] or there.dials.resist_talent)


def _roles(there: AsSeen, being: Being) -> dict[str, Domain]:
    lives = being.names("life")
    any_name = there.any_name(being, "life")
    several = Some(_or_any(there, being, "life", lives)) if lives or any_name else Among(((),))
    return {"role": _or_any(there, being, "life", (None, *lives)), "life_roles": several}


def _or_any(there: AsSeen, being: Being, kind: str, names: tuple[str | None, ...]) -> Domain:
    """One of these, or any name where what nobody rated counts as well."""
    if not there.any_name(being, kind):
        return Among(names)
    return Either((Among(names), OPEN)) if names else OPEN


def _lucky(there: AsSeen, being: Being) -> Iterator[Fields]:
    """mnemonic.dramatic.aptitude: Lucky and another trait. Beside Lucky itself only a larger Life Role is one."""
    luck = there.number(being, "talent", LUCKY)
    if luck is None:
        return
    usual, talents, roles = _usual(there, being), _talents(there, being), _roles(there, being)
    lucky = tuple(one for one in talents if same_name(one or usual) == same_name(LUCKY))
    others = tuple(one for one in talents if one not in lucky)
    if others:
        yield {**roles, "talent": Among(others) if None in lucky else _or_any(there, being, "talent", others)}
    larger = tuple(name for name in being.names("life") if (being.numbers["life"][name] or 0) > luck)
    if lucky and larger:
        items = Among(being.names("life"))
        helped = Either(tuple(Some(items, required=(one,)) for one in larger))
        yield {**roles, "talent": Among(lucky), "role": Among(larger)}
        yield {**roles, "talent": Among(lucky), "life_roles": helped}

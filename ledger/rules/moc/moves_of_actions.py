"""What can be declared of actions: trying something, its dice and what joins them, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import Among, Between, Domain, Either, Move, Some
from ledger.rules.moc import accounts, inputs_of_actions, turns
from ledger.rules.moc.actions import others_of, pool_of
from ledger.rules.moc.domains import MOST
from ledger.rules.moc.laying import fallen
from ledger.rules.moc.moves_of_outcomes import outcomes
from ledger.rules.moc.moves_of_splits import splits
from ledger.rules.moc.offering import LEFT_OUT, TOLD_LEVELS, Offering, one, parts_of, together
from ledger.rules.moc.outcomes import determined
from ledger.rules.moc.own_dice import FLOATING
from ledger.rules.moc.purchases import bits_serving, modes_bought, names_of
from ledger.rules.moc.state_of_actions import Action, Part
from ledger.rules.moc.terms import CASCADE, CHARACTERISTICS, DICE_ADVANTAGES, ELEMENTS, KINDS, PERIODS, PRIMARIES
from ledger.rules.moc.tokens import check_token

LONG = 60  # base times up to this are offered with times from this on
Fields = dict[str, Domain]


def actions(now: Offering) -> Iterator[Move]:
    yield from _tried(now)
    for action in now.open_actions:
        waiting = tuple(place for place, part in enumerate(action.parts) if part.stage == "declared")
        fresh = tuple(place for place in waiting if not action.parts[place].rolled)
        if fresh:
            yield Move(inputs_of_actions.GrantDice, {
                "action": one(action.id), "part": parts_of(fresh),
                "number": Either((Between(1), Between(-MOST, -1))),
            })  # fmt: skip
        if fresh and action.character in now.alive:
            yield from _rolls(now, action, fresh)
            yield from _tokens(now, action, fresh)
            yield from _own_dice(now, action, fresh)
    yield from _on_initiative(now)
    yield from outcomes(now)


# --- declaring ---


def _tried(now: Offering) -> Iterator[Move]:
    """An action of one roll, or of several. Tokens can be spent once it is declared."""
    awake = tuple(id for id in now.alive if not now.who(id).dazed)
    can = ((id, (turns.left(now.draft, id), tuple(modes_bought(now.who(id).counts)))) for id in awake)
    for (remaining, modes), able in together(can).items():
        for way in _ways(remaining):
            fields = {**way, "mode": Among(("primary", "secondary", *modes))}
            yield from _tried_with(now, able, fields, splitting=remaining == turns.FULL)


def _ways(remaining: int) -> Iterator[Fields]:
    """With so many halves of the turn's action left; a mere defence takes none."""
    either = Among((False, True))
    if remaining == turns.FULL:
        yield {"half": either}
        return
    if remaining == turns.HALF:
        yield {"half": one(True)}
    yield {"half": either, "defence": one(True)}
    yield {"half": either, "roll_kind": one("dodge")}


def _tried_with(now: Offering, able: tuple[str, ...], way: Fields, *, splitting: bool) -> Iterator[Move]:
    floor = now.dials.tn_floor
    plain: Fields = {
        "character": Among(able), "skill": Among((None, *now.campaign.skills)), "element": Among((None, *ELEMENTS)),
        "primary": Among((None, *PRIMARIES)), "roll_kind": Among(KINDS), "tn": Between(floor),
        "required": Among(TOLD_LEVELS), "opposed": Among((False, True)), "defence": Among((False, True)),
        "penalty": Between(0), "extra_dice": Between(0) if now.is_gm else one(0),
        "names": Some(Among(CHARACTERISTICS)), "defender": Among((None, *now.roster)),
        **way,
    }  # fmt: skip
    if splitting:
        yield from splits(now, able, plain)
    arts = together((id, _arts(now, id)) for id in able).items()
    with_arts: list[Fields] = [{"character": Among(ids), "martial_arts": Among(areas)} for areas, ids in arts if areas]
    for art in ({}, *with_arts):
        yield from _tried_alone(now, {**plain, **art}, looked_up="roll_kind" not in way)


def _tried_alone(now: Offering, plain: Fields, *, looked_up: bool) -> Iterator[Move]:
    floor = now.dials.tn_floor
    long: Fields = {"base_time": Between(1, LONG), "time": Between(LONG)}
    if now.dials.to_hit_tn == "ag_table" and looked_up:
        yield from _aimed(now, plain)
        yield from _aimed(now, {**plain, **long})
        plain = {**plain, "roll_kind": Among(tuple(kind for kind in KINDS if kind != "to_hit"))}
    yield Move(inputs_of_actions.DeclareAction, plain)
    yield Move(inputs_of_actions.DeclareAction, {**plain, **long})
    levels = tuple(level for level in TOLD_LEVELS if level not in ("spectacular_failure", "failure", -1, 0))
    needed: Fields = {"needed": Between(floor + 3), "required": Among(levels), "tn": Between(1)}
    yield Move(inputs_of_actions.DeclareAction, {**plain, **needed})


def _arts(now: Offering, id: str) -> tuple[str, ...]:
    return names_of((key for key, n in now.who(id).counts.items() if n), "martial-arts")


def _aimed(now: Offering, plain: Fields) -> Iterator[Move]:
    """moc.combat.to-hit: the number by an AG of the table, or by the C of who is attacked."""
    known = now.campaign.ag
    scores = (*known, *(int(score) for score in known if score.isdecimal()))
    hit: Fields = {**plain, "roll_kind": one("to_hit"), "tn": Between(1)}
    if scores:
        yield Move(inputs_of_actions.DeclareAction, {**hit, "ag": Among(scores)})
    found = tuple(id for id in now.roster if str(now.who(id).ratings.get("C", 1)) in known)
    if found:
        yield Move(inputs_of_actions.DeclareAction, {**hit, "defender": Among(found)})
    floor = Between(now.dials.tn_floor)
    yield Move(inputs_of_actions.DeclareAction, {**hit, "defender": LEFT_OUT, "tn": floor})


# --- dice ---


def _rolls(now: Offering, action: Action, fresh: tuple[int, ...]) -> Iterator[Move]:
    """moc.dice.open-ended: asked for, or typed in without a 10."""
    for place in fresh:
        if determined(action, place) is None:
            typed = Either((LEFT_OUT, fallen(pool_of(now.draft, action, place))))
            fields: Fields = {"action": one(action.id), "part": one(place), "faces": typed}
            yield Move(inputs_of_actions.RollDice, fields, awaits="moc.skill.pool", of=action.character)


def _tokens(now: Offering, action: Action, fresh: tuple[int, ...]) -> Iterator[Move]:
    """moc.skill.tokens: of its own skill, or what the game master names; those below the same Primaries together."""
    id = action.character
    payable = tuple(primary for primary in PRIMARIES if _pays(now, id, primary))
    others = {name for part in action.parts for name in others_of(now.draft, part)}
    for above, names in together(CASCADE.items()).items():
        pools: tuple[object, ...] = tuple(primary for primary in above if primary in payable)
        if pools and len(above) == 1:
            pools = (None, *pools)
        free = [name for name in names if name not in action.activated]
        fitting = tuple(name for name in free if name in others)
        strange = tuple(name for name in free if name not in others)
        fields: Fields = {"action": one(action.id), "primary": Among(pools), "part": parts_of(fresh)}
        if pools and fitting:
            said: Fields = {"characteristic": Among(fitting), "named": Among((False, True))}
            yield Move(inputs_of_actions.SpendToken, {**fields, **said}, of=id)
        if pools and strange and now.is_gm:
            said = {"characteristic": Among(strange), "named": one(True)}
            yield Move(inputs_of_actions.SpendToken, {**fields, **said}, of=id)


def _pays(now: Offering, id: str, primary: str) -> bool:
    return now.allows(lambda draft: check_token(draft, id, primary))


def _own_dice(now: Offering, action: Action, fresh: tuple[int, ...]) -> Iterator[Move]:
    """moc.adv.period-dice, moc.adv.weapons-master, moc.adv.bits"""
    id = action.character
    for key in now.who(id).counts:
        if not key.startswith(DICE_ADVANTAGES):
            continue
        held = now.table.balance(accounts.die(id, key))
        parts = tuple(place for place in fresh if _serves(now, id, key, action.parts[place]))
        if held > 0 and parts:
            fields: Fields = {"action": one(action.id), "advantage": one(key), "part": parts_of(parts)}
            yield Move(inputs_of_actions.UsePeriodDice, {**fields, "number": Between(1, held)}, of=id)
    counts, skills = now.who(id).counts, now.campaign.skills
    parts = tuple(
        place for place in fresh
        if action.parts[place].bits < bits_serving(counts, skills, action.parts[place].roll.skill)
    )  # fmt: skip
    if parts:
        yield Move(inputs_of_actions.UseBit, {"action": one(action.id), "part": parts_of(parts)}, of=id)


def _serves(now: Offering, id: str, key: str, part: Part) -> bool:
    what = key.partition(":")[0]
    if what == "action-hero":
        return part.roll.element == "action"
    return what != "weapons-master" or part.roll.skill in now.who(id).related.get(key, ())


def _on_initiative(now: Offering) -> Iterator[Move]:
    """Floating dice on the initiative that is rolled next."""
    cast = now.scene.cast if now.scene is not None else ()
    for id in dict.fromkeys(cast):
        if id not in now.alive:
            continue
        for period in PERIODS:
            key = f"{FLOATING}:{period}"
            held = now.table.balance(accounts.die(id, key))
            if held > 0:
                fields: Fields = {
                    "action": one(""),
                    "advantage": one(key),
                    "number": Between(1, held),
                    "whose": one(id),
                }
                yield Move(inputs_of_actions.UsePeriodDice, fields, of=id)

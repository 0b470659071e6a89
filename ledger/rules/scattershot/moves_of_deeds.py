"""What can be declared to begin a resolution: Actions, with what they are done with and how they are paid for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ledger.rules.kernel.moves import OPEN, Among, Besides, Between, Domain, Either, Move, Shape
from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.actions import check_all_out
from ledger.rules.scattershot.at_hand import MODIFIERS, NO, NONE, WHOLE, YES, AtHand, some
from ledger.rules.scattershot.flurries import in_flurry
from ledger.rules.scattershot.guards import is_off_guard
from ledger.rules.scattershot.inputs_of_deeds import DeclareAction, Default
from ledger.rules.scattershot.state import Resolution, Standing
from ledger.rules.scattershot.tables import ACTIONS_A_TURN, BASES, FREE_ACTIONS, LAST_DITCH_DODGE

NATURES = ("attack", "defense", "movement", "other")


@dataclass(frozen=True, slots=True)
class Way:
    """How it can be paid for. `natures`: which Actions by it; `at_once`: whether Instantaneous Ratings can be used."""

    natures: tuple[str, ...]
    fields: dict[str, Domain]
    at_once: bool


def of_deeds(at: AtHand) -> Iterator[Move]:
    """`resolve.declare`: of a Character that has not left play; no mechanics in General Play."""
    if at.scene is None or at.scene.mode == "general":
        return
    for id in at.mine(at.open):
        for way in ways(at, id):
            yield from _declared(at, id, way)


def _declared(at: AtHand, id: str, way: Way) -> Iterator[Move]:
    others = tuple(one for one in at.open if one != id)
    fields: dict[str, Domain] = {
        "character": Among((id,)), "magnitude": Among(tuple(at.draft.who(id).ratings)), "subject": OPEN,
        "engages": some(others), "duration": OPEN, "player": Among((None, *at.group)), "nature": Among(way.natures),
        **named(at, id), **way.fields,
    }  # fmt: skip
    unseen = _unseen(at, id)
    ratings = usable(at, id, way.at_once)
    plain = tuple(name for name in ratings if name != "observation") if unseen is not None else ratings
    if plain:
        yield Move(DeclareAction, {**fields, "rating": Among(plain)})
    if unseen is not None and "observation" in ratings:
        blocked, subject = unseen
        towards = some(one for one in others if one not in blocked)
        looked: dict[str, Domain] = {"rating": Among(("observation",)), "engages": towards, "subject": subject}
        yield Move(DeclareAction, {**fields, **looked})
    if defaults := defaulted(at, id, plain, unseen is not None):
        yield Move(DeclareAction, {**fields, "rating": OPEN, "default": defaults})


def named(at: AtHand, id: str) -> dict[str, Domain]:
    """What modifies a roll of this Character: situations, Advantages and Disadvantages, Residuals."""
    who = at.draft.who(id)
    residuals = dict.fromkeys(name for one in who.residuals for name in (one.residual, one.scope))
    traits = dict.fromkeys(one.name for one in (*who.advantages, *who.disadvantages))
    return {"modifiers": MODIFIERS, "advantages": some(traits), "residuals": some(residuals)}


def usable(at: AtHand, id: str, at_once: bool) -> tuple[str, ...]:
    """Ratings whose Power it has; none Instantaneous but where these can be used."""
    power = max(0, at.balance(accounts.resource(id, "power")))
    ratings = at.draft.who(id).ratings.items()
    return tuple(name for name, one in ratings if one.power_cost <= power and (at_once or one.use != "instantaneous"))


def _unseen(at: AtHand, id: str) -> tuple[tuple[str, ...], Domain] | None:
    """`engage.off-guard`: whom it cannot look at, and what it can; None: anything."""
    who = at.draft.who(id)
    if not who.off_guard and who.off_guard_but is None:
        return None
    deeds = at.scene.resolutions.values() if at.scene is not None else ()
    noticed = {one.actor for one in deeds if one.engaged.get(id) in ("obliged", "opposing")}
    blocked = tuple(one for one in (*at.known, *who.off_guard) if is_off_guard(who, one) and one not in noticed)
    if who.off_guard_but is None:
        return blocked, Either((NONE, Besides(blocked)))
    there = (who.off_guard_but, *(one for one in noticed if one is not None))
    return blocked, Among((None, *dict.fromkeys(one for one in there if one not in blocked)))


# --- Defaults --------------------------------------------------------------------------------------------------------


def defaulted(at: AtHand, id: str, ratings: tuple[str, ...], limited: bool) -> Domain | None:
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
        ways.append({**words, **related, "modifier": WHOLE})
    return Either(tuple(Shape(Default, {**kind, **way}) for kind in kinds for way in ways))


# --- how it is paid for ----------------------------------------------------------------------------------------------


def ways(at: AtHand, id: str) -> Iterator[Way]:
    """Outside Mechanical Play it costs nothing; in it Actions of one's Turn, a Free Action, a step of a Flurry."""
    natures = able(at, id)
    if not at.fights:
        yield Way(natures, {"pays": OPEN, "cost": OPEN, "free": OPEN}, True)
        return
    fight = at.fight_of(id)
    if fight is None:
        return
    standing, own_turn = fight.standing[id], fight.turn == id
    left = min(ACTIONS_A_TURN, at.actions_left(id))
    if own_turn and left >= 1 and (fitting := fit(standing, id, natures, "action")):
        yield Way(fitting, {"pays": Among(("action",)), "cost": Between(1, left), "free": OPEN}, True)
    for fitting, kinds in _free(at, id, standing, natures):
        unsaid = ("",) if LAST_DITCH_DODGE in kinds else ()
        yield Way(fitting, {"pays": Among(("free",)), "cost": OPEN, "free": Among((*kinds, *unsaid))}, own_turn)
    if fitting := in_the_flurry(at, id, standing, natures):
        yield Way(fitting, {"pays": Among(("flurry",)), "cost": OPEN, "free": OPEN}, True)


def able(at: AtHand, id: str) -> tuple[str, ...]:
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
    at: AtHand, id: str, standing: Standing, natures: tuple[str, ...], answered: Resolution | None = None
) -> tuple[str, ...]:
    """What a Flurry pays for: a step of it, or what the foe answers with."""
    fight = at.fight_of(id)
    if fight is None or fight.flurry is None or id not in (fight.flurry.persona, fight.flurry.foe):
        return ()
    there = fit(standing, id, natures, "flurry")
    return tuple(nature for nature in there if not refuses(in_flurry, at.fresh(), id, nature, answered))


def free_kinds(at: AtHand, standing: Standing) -> tuple[str, ...]:
    """`mech.free`: what can still be taken this Round."""
    if len(standing.free) >= at.dials.epic_index:
        return ()
    kinds = dict.fromkeys((*FREE_ACTIONS, *at.draft.campaign().free_actions))
    if standing.all_out == "attack":
        kinds.pop(LAST_DITCH_DODGE)
    return tuple(kind for kind in kinds if at.dials.cinematic or kind not in standing.free)


def _free(
    at: AtHand, id: str, standing: Standing, natures: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Natures with the Free Actions that can be these: an attack only what the Group accepted."""
    fitting, kinds = fit(standing, id, natures, "free"), free_kinds(at, standing)
    accepted = tuple(kind for kind in kinds if kind in at.draft.campaign().free_actions)
    others = tuple(nature for nature in fitting if nature != "attack")
    if others and kinds:
        yield others, kinds
    if "attack" in fitting and accepted:
        yield ("attack",), accepted

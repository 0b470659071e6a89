"""All-Out Attack, All-Out Defense and Focusing: until one's next Turn."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.chapters import changes, decides, declares, fact, offers, require
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Domain, Move
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.seen import Seen
from ledger.rules.scattershot import actions, advantage, conditions
from ledger.rules.scattershot.draft import Draft, grouped, standing_of
from ledger.rules.scattershot.scene import Fight, Resolution, Standing, in_its_standing
from ledger.rules.scattershot.words import ACTOR, NOT_IN_THIS_SCENE, AllOutMode, ResolutionId, by_value


@fact(
    "all-out-declared",
    says=by_value(
        "mode",
        {
            "attack": "{persona} makes an All-Out Attack[ on {foe}].",
            "defense": "{persona} chooses All-Out Defense[ against {foe}].",
            "focusing": "{persona} is Focusing[ on {foe}].",
        },
    ),
)
class AllOutDeclared:
    """A Persona went into an All-Out Attack or an All-Out Defense, or is Focusing on a foe."""

    persona: CharacterId
    mode: AllOutMode
    foe: CharacterId | None


@changes
@in_its_standing
def go_all_out_of(standing: Standing, fact: AllOutDeclared) -> Standing:
    return changed(standing, all_out=fact.mode)


@declares(
    "go-all-out",
    ANYONE,
    says=by_value(
        "mode",
        {
            "attack": "{character} makes an All-Out Attack[ on {foe}].",
            "defense": "{character} chooses All-Out Defense[ against {foe}].",
            "focusing": "{character} is Focusing[ on {foe}].",
        },
    ),
    records=(
        AllOutDeclared,
        conditions.OffGuardSet,
        advantage.FoeChanged,
        advantage.AdvantageErased,
        advantage.ActDeclined,
    ),
)
class GoAllOut:
    """Choose All-Out Attack, All-Out Defense or Focusing for a Character. This lasts until its next Turn.

    `mode`: `attack` allows no defense; `defense` allows only defense and movement; `focusing` makes the Character
    Off-Guard to everybody but the foe. `foe`: the foe, needed for Focusing. `act`: the open resolution in which the
    Character attacks, defends itself, moves or acts against the foe. Leave it out to ask the Gamemaster.
    """

    character: CharacterId
    mode: AllOutMode
    foe: CharacterId | None = None
    act: ResolutionId | None = None


def is_all_out(resolution: Resolution, id: str, mode: str, foe: str | None) -> bool:
    """Whether the Persona attacks in it; or defends itself or moves; or, focusing, acts against the foe."""
    match mode:
        case "attack":
            return resolution.actor == id and resolution.deed.nature == "attack"
        case "defense":
            nature = resolution.deed.nature if resolution.actor == id else _nature_of(resolution, id)
            return nature in ("defense", "movement")
        case _:
            return resolution.actor == id and foe is not None and advantage.is_between(resolution, id, foe)


def _nature_of(resolution: Resolution, id: str) -> str:
    side = resolution.sides.get(id) if id != ACTOR else None
    return side.nature if side is not None else ""


MODES = {"attack": "All-Out Attack", "defense": "All-Out Defense", "focusing": "Focusing"}


@decides
def go_all_out(draft: Draft, do: GoAllOut) -> Asking[None]:
    """Until one's next Turn. Focusing leaves one Off-Guard to all but the foe."""
    draft.must_play(do.character, actions.ALL_OUT)
    standing = standing_of(draft, do.character, actions.ALL_OUT)
    require(actions.may_do(standing, do.character, do.mode))
    if do.mode == "focusing" and do.foe is None:
        raise NOT_IN_THIS_SCENE.under(actions.ALL_OUT)
    if do.foe is not None:
        standing_of(draft, do.foe, actions.ALL_OUT)
    advantage.check_act(draft, actions.ALL_OUT, do.act, lambda one: is_all_out(one, do.character, do.mode, do.foe))
    draft.here(AllOutDeclared(do.character, do.mode, do.foe))
    if do.mode == "focusing" and do.foe is not None:
        draft.about(do.character, conditions.OffGuardSet((), do.foe))
        advantage.turn_to(draft, do.character, do.foe)
    elif standing.all_out == "focusing":
        draft.about(do.character, conditions.OffGuardSet((), None))
    draft.by(actions.ALL_OUT, do.mode, character=do.character)
    yield from advantage.ruled(draft, actions.ALL_OUT, do.character, do.act, MODES[do.mode])


@offers
def offer_all_out(seen: Seen, draft: Draft) -> Iterator[Move]:
    for fight in draft.fights().values():
        yield from _list_all_out(draft, fight)


def _list_all_out(draft: Draft, fight: Fight) -> Iterator[Move]:
    """Focusing on somebody."""
    foes = tuple(id for each in draft.fights().values() for id in each.standing)
    for modes, those in grouped(draft.mine(fight.standing), lambda id: _list_modes(fight, id) or None):
        yield Move(GoAllOut, {"character": those, "mode": Among(modes), "foe": Among((None, *foes))})
    focused = draft.mine(id for id in fight.standing if actions.may_do(fight.standing[id], id, "focusing") is None)
    if focused:
        yield Move(GoAllOut, {"character": Among(focused), "mode": Among(("focusing",)), "foe": Among(foes)})
    for id in draft.mine(fight.standing):
        yield from _list_by_act(draft, fight, id, foes)


def _list_modes(fight: Fight, id: str) -> tuple[str, ...]:
    return actions.fit(fight.standing[id], id, ("attack", "defense"), "action")


def _list_by_act(draft: Draft, fight: Fight, id: str, foes: tuple[str, ...]) -> Iterator[Move]:
    """With the open resolution in which it does so."""
    deeds = draft.open_scene.resolutions if draft.open_scene is not None else {}
    for mode in _list_modes(fight, id):
        acts = tuple(act for act, one in deeds.items() if is_all_out(one, id, mode, None))
        if acts:
            fields: dict[str, Domain] = {"character": Among((id,)), "mode": Among((mode,)), "act": Among(acts)}
            yield Move(GoAllOut, {**fields, "foe": Among((None, *foes))})
    for foe in foes if actions.may_do(fight.standing[id], id, "focusing") is None else ():
        acts = tuple(act for act, one in deeds.items() if is_all_out(one, id, "focusing", foe))
        if acts:
            focusing = {"character": Among((id,)), "mode": Among(("focusing",)), "act": Among(acts)}
            yield Move(GoAllOut, {**focusing, "foe": Among((foe,))})

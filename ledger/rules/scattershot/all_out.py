"""All-Out Attack, All-Out Defense and Focusing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Refusal,
    Refused,
    Saying,
    Seen,
    changed,
    changes,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.scattershot import advantage, conditions, words
from ledger.rules.scattershot.draft import Draft, find_standing, group_alike
from ledger.rules.scattershot.scene import Fight, Resolution, Standing, in_its_standing

ALL_OUT = rule(
    "scattershot.mech.all-out",
    "A Persona in an All-Out Attack cannot defend itself until its next Turn. In All-Out Defense, it can"
    " only defend itself and move. While it is Focusing on a foe, it is Off-Guard to everybody else.",
    "Combat Advantage",
)
IN_ALL_OUT = Refusal(
    ALL_OUT,
    "all-out",
    "{character} is in an All-Out Attack or All-Out Defense, and cannot do that before its next Turn.",
)


def say_all_out(who: str) -> Saying:
    """Return the sentence for each mode. `who`: the field that names the Character."""
    does = {
        "attack": "makes an All-Out Attack[ on {foe}]",
        "defense": "chooses All-Out Defense[ against {foe}]",
        "focusing": "is Focusing[ on {foe}]",
    }
    return words.by_value("mode", {mode: f"{{{who}}} {deed}." for mode, deed in does.items()})


@fact("all-out-declared", says=say_all_out("persona"))
class AllOutDeclared:
    """A Persona went into an All-Out Attack or an All-Out Defense, or is Focusing on a foe."""

    persona: CharacterId
    mode: words.AllOutMode
    foe: CharacterId | None


@changes
@in_its_standing
def go_all_out_of(standing: Standing, fact: AllOutDeclared) -> Standing:
    return changed(standing, all_out=fact.mode)


@declares(
    "go-all-out",
    ANYONE,
    says=say_all_out("character"),
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
    mode: words.AllOutMode
    foe: CharacterId | None = None
    act: words.ResolutionId | None = None


def is_all_out(resolution: Resolution, id: str, mode: str, foe: str | None) -> bool:
    """Return whether the Persona attacks in this resolution, defends or moves, or (Focusing) acts against the foe."""
    match mode:
        case "attack":
            return resolution.actor == id and resolution.deed.nature == "attack"
        case "defense":
            nature = resolution.deed.nature if resolution.actor == id else _find_nature(resolution, id)
            return nature in ("defense", "movement")
        case _:
            return resolution.actor == id and foe is not None and advantage.is_between(resolution, id, foe)


def _find_nature(resolution: Resolution, id: str) -> str:
    side = resolution.sides.get(id) if id != words.ACTOR else None
    return side.nature if side is not None else ""


MODES = {"attack": "All-Out Attack", "defense": "All-Out Defense", "focusing": "Focusing"}


def may_do(standing: Standing, id: str, nature: str, pays: str = "action") -> Refused | None:
    """Refuse defense after an All-Out Attack, and anything but defense and movement after All-Out Defense.

    A Free Action is allowed after All-Out Defense, because it is not an Action.
    """
    if standing.all_out == "defense" and pays != "free" and nature not in ("defense", "movement"):
        return IN_ALL_OUT(character=id)
    return IN_ALL_OUT(character=id) if standing.all_out == "attack" and nature == "defense" else None


def list_natures_allowed(standing: Standing, id: str, natures: tuple[str, ...], pays: str) -> tuple[str, ...]:
    """Return those of these natures that the Character's All-Out mode allows."""
    return tuple(nature for nature in natures if may_do(standing, id, nature, pays) is None)


@decides
def go_all_out(draft: Draft, do: GoAllOut) -> Asking[None]:
    """Choose an All-Out mode until the next Turn. Focusing leaves the Character Off-Guard to all but the foe."""
    draft.check_plays(do.character, ALL_OUT)
    standing = find_standing(draft, do.character, ALL_OUT)
    require(may_do(standing, do.character, do.mode))
    if do.mode == "focusing" and do.foe is None:
        raise words.NOT_IN_THIS_SCENE.under(ALL_OUT)
    if do.foe is not None:
        find_standing(draft, do.foe, ALL_OUT)
    advantage.check_act(
        draft, ALL_OUT, do.act, lambda resolution: is_all_out(resolution, do.character, do.mode, do.foe)
    )
    draft.here(AllOutDeclared(do.character, do.mode, do.foe))
    if do.mode == "focusing" and do.foe is not None:
        draft.about(do.character, conditions.OffGuardSet((), do.foe))
        advantage.turn_to(draft, do.character, do.foe)
    elif standing.all_out == "focusing":
        draft.about(do.character, conditions.OffGuardSet((), None))
    draft.by(ALL_OUT, do.mode, character=do.character)
    yield from advantage.ask_for_ruling(draft, ALL_OUT, do.character, do.act, MODES[do.mode])


@offers
def offer_all_out(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield each mode, with its foe, and again with each open resolution that allows it."""
    foes = tuple(id for fight in draft.fights().values() for id in fight.standing)
    for fight in draft.fights().values():
        mine = draft.filter_mine(fight.standing)
        for modes, ids in group_alike(mine, partial(_list_modes, fight)):
            yield Move(GoAllOut, {"character": ids, "mode": Among(modes), "foe": Among((None, *foes))})
        if focused := tuple(id for id in mine if may_do(fight.standing[id], id, "focusing") is None):
            yield Move(GoAllOut, {"character": Among(focused), "mode": Among(("focusing",)), "foe": Among(foes)})
        for id in mine:
            yield from _list_by_act(draft, fight, id, foes)


def _list_modes(fight: Fight, id: str) -> tuple[str, ...] | None:
    return list_natures_allowed(fight.standing[id], id, ("attack", "defense"), "action") or None


def _list_by_act(draft: Draft, fight: Fight, id: str, foes: tuple[str, ...]) -> Iterator[Move]:
    """Yield each mode with the open resolutions in which the Character acts so."""
    deeds = draft.resolutions().items()
    for mode in _list_modes(fight, id) or ():
        if acts := tuple(act for act, resolution in deeds if is_all_out(resolution, id, mode, None)):
            fields: dict[str, Domain] = {"character": Among((id,)), "mode": Among((mode,)), "act": Among(acts)}
            yield Move(GoAllOut, {**fields, "foe": Among((None, *foes))})
    for foe in foes if may_do(fight.standing[id], id, "focusing") is None else ():
        if acts := tuple(act for act, resolution in deeds if is_all_out(resolution, id, "focusing", foe)):
            focusing = {"character": Among((id,)), "mode": Among(("focusing",)), "act": Among(acts)}
            yield Move(GoAllOut, {**focusing, "foe": Among((foe,))})

"""What can be declared between scenes: rest, healing, and who was in conflict."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.inputs_of_healing import HealingChoice, HealingMoment, InConflict, NoteConflict, Rest
from ledger.rules.intensity.state import Scene
from ledger.rules.kernel.moves import Among, Between, Domain, Either, Move, Shape, Some
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character, scene


def healing(seen: Seen, draft: Draft) -> Iterator[Move]:
    """intensity.heal.conflict, intensity.rest.taxes, intensity.heal.moment"""
    there = tuple(id for id in seen.roster if seen.table.has(character(id)))
    for one in there:
        if others := _but(there, one):
            yield Move(NoteConflict, {"a": Among((one,)), "b": Among(others)})
    if not seen.scenes and draft.campaign().last_scene is not None:
        yield Move(Rest, {"characters": Some(Among(tuple(id for id in there if not draft.is_gone(id))))})
    rounds = (seen.table.get(scene(id), Scene).round for id in seen.scenes)
    if any(round is not None for round in rounds) or (seen.scenes and not draft.dials.healing_in_open_scene):
        return
    last = draft.campaign().healed_on
    yield _moment(seen, draft, there, Between(None if last is None else last + 1), last)
    if last is not None and draft.dials.healing_once_a_day_scope == "character":
        yield _moment(seen, draft, there, Among((last,)), last - 1)


def _moment(seen: Seen, draft: Draft, there: tuple[str, ...], day: Domain, before: int | None) -> Move:
    """intensity.heal.daily. `before`: the last day on which somebody who healed can heal now."""
    spoken_for = there if seen.seat.role == "gm" else tuple(id for id in there if id in seen.seat.characters)
    said = tuple(one for id in spoken_for for one in _choices(draft, id, before))
    asker = Among(("", *(one.id for one in seen.table.subjects("seat")), *there))
    fields: dict[str, Domain] = {"day": day, "requested_by": asker}
    if seen.seat.role == "gm" and len(there) > 1:
        pairs = (Shape(InConflict, {"a": Among((id,)), "b": Among(_but(there, id))}) for id in there)
        fields["pairs"] = Some(Either(tuple(pairs)), repeats=True)
    return Move(HealingMoment, {**fields, "choices": Some(Either(said), key="char")} if said else fields)


def _but(there: tuple[str, ...], id: str) -> tuple[str, ...]:
    return tuple(other for other in there if other != id)


def _choices(draft: Draft, id: str, before: int | None) -> Iterator[Shape]:
    """intensity.heal.one-each: nothing, a wound, or a damage by its trait."""
    who = draft.known(id)
    rested = draft.dials.healing_once_a_day_scope == "campaign" or who.healed_on is None
    able = not draft.is_gone(id) and (rested or before is None or (who.healed_on or 0) <= before)
    hurts = [weight for weight in who.impacts.values() if weight.kind != "tax"]
    char = Among((id,))
    if draft.dials.healing_optional or not (able and hurts):
        yield Shape(HealingChoice, {"char": char, "heal": Among(("none",))})
    if able and any(weight.kind == "wound" for weight in hurts):
        yield Shape(HealingChoice, {"char": char, "heal": Among(("wound",))})
    damaged = [weight.trait for weight in hurts if weight.kind == "damage"]
    if able and (traits := tuple(trait.name for trait in who.traits if trait.name in damaged)):
        yield Shape(HealingChoice, {"char": char, "heal": Among(("damage",)), "trait": Among(traits)})

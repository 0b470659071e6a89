"""What can be declared now. Nothing is secret in this game, so its moves are made with the rules' own functions."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.guards import Place
from ledger.rules.intensity.inputs_of_attacks import Attack
from ledger.rules.intensity.inputs_of_rounds import (
    AbandonRound,
    AmendDeclaration,
    CloseRound,
    Declare,
    Faces,
    OpenRound,
    Pass,
    Raise,
    RollDice,
    SettleTie,
)
from ledger.rules.intensity.moves_of_attacks import in_the_attack
from ledger.rules.intensity.moves_of_fatals import bargains, fatals, returns
from ledger.rules.intensity.moves_of_healing import healing
from ledger.rules.intensity.order import decided, front
from ledger.rules.intensity.state import Participant, Round, Scene
from ledger.rules.intensity.tables import INTENSITY
from ledger.rules.intensity.terms import UNTOUCHED, Level
from ledger.rules.intensity.traits import sizes_of
from ledger.rules.kernel.commands import CloseScene, OpenScene
from ledger.rules.kernel.moves import Among, Between, Domain, Either, Move, Shape, Some
from ledger.rules.kernel.offers import at_every_table
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character

NOBODY = Among((None,))


def moves(seen: Seen) -> Iterator[Move]:
    draft = Draft(seen.table)
    yield from at_every_table(seen, but=(OpenScene, CloseScene))
    yield from healing(seen, draft)
    yield from returns(seen, draft)
    here = seen.scene
    if not seen.scenes:
        yield Move(OpenScene, {"cast": Some(Among(seen.roster))})
    if here is None:
        return
    place = Place(here, seen.table.get(here, Scene))
    there = [id for id in seen.roster if seen.table.has(character(id))]
    yield from fatals(seen, draft, place)
    yield from bargains(seen, draft, place, there)
    round = place.scene.round
    if round is None:
        yield from _between_rounds(draft, place, there)
    elif set(round.participants) <= set(there):
        yield from (_before_the_roll(draft, place, round) if round.groups is None else _in_turn(seen, draft, round))


def _between_rounds(draft: Draft, place: Place, there: list[str]) -> Iterator[Move]:
    """intensity.round.open, intensity.scene.close"""
    able = tuple(id for id in there if not draft.is_out(id))
    if len(able) >= 2:
        yield Move(OpenRound, {"participants": Some(Among(able), 2)})
    if not place.scene.fatals or draft.dials.held_fatal_at_scene_end == "lapses":
        yield Move(CloseScene, {"scene": Among((place.subject.id,))})


# --- before the roll ----------------------------------------------------------------------------------------------


def _before_the_roll(draft: Draft, place: Place, round: Round) -> Iterator[Move]:
    yield Move(AbandonRound)
    if not round.begun and not any(one.dice for one in round.participants.values()):
        for id, one in round.participants.items():
            if one.level is None:
                yield _declare(draft, place, round, id)
            else:
                yield from _restate(draft, round, id, one, one.level)
    yield from _roll(draft, round)


def _declare(draft: Draft, place: Place, round: Round, id: str) -> Move:
    """intensity.round.declare: under the ratchet no level below the last."""
    last = place.scene.levels.get(id) if draft.dials.intensity_scope == "scene_ratchet" else None
    levels = tuple(one for one, size in INTENSITY.items() if last is None or size >= INTENSITY[last])
    fields = {"char": Among((id,)), "level": Among(levels), "trait": _traits(draft, id)}
    return Move(Declare, {**fields, "target": _targets(draft, round, id)}, awaits="intensity.round.declare")


def _traits(draft: Draft, id: str) -> Among:
    """intensity.trait.one: one that is not at 0; none only where none is left."""
    return Among(tuple(name for name, size in sizes_of(draft, id).items() if size) or (None,))


def _targets(draft: Draft, round: Round, id: str) -> Among:
    """intensity.trait.none-left: with no usable trait some tables let a participant only defend."""
    if _only_defends(draft, id):
        return NOBODY
    return Among((None, *(other for other in round.participants if other != id)))


def _only_defends(draft: Draft, id: str) -> bool:
    return draft.dials.no_usable_trait == "cannot_act" and not any(sizes_of(draft, id).values())


def _restate(draft: Draft, round: Round, id: str, one: Participant, level: Level) -> Iterator[Move]:
    """intensity.level.raise-only, intensity.round.amend"""
    others = any(other.level is not None for name, other in round.participants.items() if name != id)
    above = tuple(name for name, size in INTENSITY.items() if size > INTENSITY[level])
    char = Among((id,))
    if above and (others or draft.dials.intensity_raise_gate == "free"):
        yield Move(Raise, {"char": char, "level": Among(above)})
    if draft.dials.declaration_amendable:
        traits = _traits(draft, id)
        either = Among((UNTOUCHED, *traits.values))
        yield Move(AmendDeclaration, {"char": char, "target": _targets(draft, round, id), "trait": either})
        if one.target is None or not _only_defends(draft, id):
            yield Move(AmendDeclaration, {"char": char, "trait": traits})
            yield Move(AmendDeclaration, {"char": char})


def _roll(draft: Draft, round: Round) -> Iterator[Move]:
    """intensity.round.roll: once all have declared and somebody acts; typed in, or asked for."""
    people = round.participants
    if any(one.level is None for one in people.values()) or all(one.target is None for one in people.values()):
        return
    waiting = {id: _sizes(draft, id, one) for id, one in people.items() if not one.dice}
    if not all(all(sizes) for sizes in waiting.values()):
        return
    for id in waiting:
        yield Move(RollDice, {"participants": Among(((id,),))}, awaits="intensity.round.roll", of=id)
    everybody = tuple(waiting)
    yield Move(RollDice, {"participants": Some(Among(everybody))})
    typed = tuple(_faces(id, sizes) for id, sizes in waiting.items())
    yield Move(RollDice, {"faces": Some(Either(typed), 1, key="char")})
    whole = Some(Among(everybody), len(everybody), len(everybody), everybody)
    yield Move(RollDice, {"faces": Some(Either(typed), len(everybody), key="char"), "participants": whole})


def _sizes(draft: Draft, id: str, one: Participant) -> list[int]:
    """The dice declared; 0 for a trait that is of no use any more."""
    assert one.level is not None
    return [INTENSITY[one.level], *([sizes_of(draft, id).get(one.trait, 0)] if one.trait is not None else [])]


def _faces(id: str, sizes: list[int]) -> Shape:
    trait: Domain = Between(1, sizes[1]) if len(sizes) > 1 else NOBODY
    return Shape(Faces, {"char": Among((id,)), "intensity": Between(1, sizes[0]), "trait": trait})


# --- after it -----------------------------------------------------------------------------------------------------


def _in_turn(seen: Seen, draft: Draft, round: Round) -> Iterator[Move]:
    tied = front(draft, round)
    following = tied[0] if len(tied) == 1 else decided(round, tied) if tied else None
    if len(tied) > 1 and following is None:
        yield from _settle(draft, round, tied)
    if round.attack is not None:
        yield from in_the_attack(draft, round)
    elif following is not None:
        yield from _attack(draft, round, following)
        yield Move(Pass, {"char": Among((following,))}, awaits="intensity.order.turn")
    elif not tied:
        yield Move(CloseRound, awaits="intensity.round.close")


def _settle(draft: Draft, round: Round, tied: tuple[str, ...]) -> Iterator[Move]:
    """intensity.order.full-tie: ranked by the table, or by dice that are asked for.

    Throws typed in are no move: whether they are enough depends on what they show.
    """
    awaits = "intensity.order.full-tie" if round.attack is None else None
    if draft.dials.full_tie == "table_choice":
        yield Move(SettleTie, {"ranking": Some(Among(tied), len(tied), len(tied), tied)}, awaits)
        return
    if all(round.participants[id].dice for id in tied):
        yield Move(SettleTie, awaits=awaits)


def _attack(draft: Draft, round: Round, id: str) -> Iterator[Move]:
    """intensity.action.target-gone: another target only where the declared one is out and the table lets it be."""
    declared = round.participants[id].target
    if declared is not None and declared in round.participants and not draft.is_out(declared):
        targets: tuple[object, ...] = (None, declared)
    elif draft.dials.retarget_when_target_gone == "retarget":
        targets = tuple(one for one in round.participants if one not in (id, declared) and not draft.is_out(one))
    else:
        targets = ()
    if targets:
        yield Move(Attack, {"char": Among((id,)), "target": Among(targets)}, awaits="intensity.order.turn")

"""Find the moves that a seat is offered, the seats that the game is waiting for, and the moves that every game has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_declarer
from ledger.rules.kernel.frozen import changed, quick
from ledger.rules.kernel.moves import OPEN, Among, Domain, Move, Open, Some, complete_fields, make_move_by_type
from ledger.rules.kernel.refusals import RuleId
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Viewer, scene
from ledger.rules.kernel.table import Subjects
from ledger.rules.kernel.thrown import drop_dice_fields

#: Declarations that are always offered to the seats that may make them.
BY_TYPE: tuple[type[object], ...] = (commands.Enrol, commands.Amend, commands.Adjust, commands.SetDial)
_MOVES_BY_TYPE: Final = tuple(map(make_move_by_type, BY_TYPE))


@quick
@dataclass(frozen=True, slots=True)
class Offer:
    """A move for a seat. `scene`: the scene to name with the move, if several are open and the move belongs to one of
    them.
    """

    move: Move
    scene: str | None = None


@quick
@dataclass(frozen=True, slots=True)
class Awaited:
    """A seat that the game is waiting for, with the rule (None if no rule waits), the declaration and the character."""

    seat: str
    rule: RuleId | None = None
    do: type[object] | None = None
    of: str | None = None
    scene: str | None = None


def list_offers(ruleset: AnyRuleset, seen: Seen) -> list[Offer]:
    """Return the moves that the seat can declare now, as the viewer sees them."""
    if seen.seat.role == "observer":
        return []
    offers = [
        offer if own_move is offer.move else Offer(own_move, offer.scene)
        for offer in list_offers_to_all(ruleset, seen)
        if (own_move := _limit_to_seat(offer.move, seen)) is not None
    ]
    if not seen.rolls_all:
        return offers
    distinct_offers: list[Offer] = []
    for offer in map(_drop_dice, offers):  # moves that differ only in how dice are entered are now the same
        if offer not in distinct_offers:
            distinct_offers.append(offer)
    return distinct_offers


def _drop_dice(offer: Offer) -> Offer:
    move: Move = changed(offer.move, fields=drop_dice_fields(offer.move.do, offer.move.fields))
    return Offer(move, offer.scene)


def list_offers_to_all(ruleset: AnyRuleset, seen: Seen) -> Iterator[Offer]:
    """Yield the moves that at least one seat can declare now, as the viewer sees them: first those without a scene,
    then those of each open scene.
    """
    if ruleset.moves is None:
        yield from (Offer(make_move_by_type(do_class)) for do_class in (*ruleset.inputs, *commands.INPUTS))
        return
    has_several_scenes = len(seen.scenes) > 1 and seen.scene is None
    seen.by_scene = False
    moves = list(ruleset.moves(seen))
    yield from (Offer(move) for move in (*moves, *_MOVES_BY_TYPE))
    if has_several_scenes and seen.by_scene:
        for id in seen.scenes:
            yield from (Offer(move, id) for move in ruleset.moves(seen.in_scene(scene(id))) if move not in moves)


def _limit_to_seat(move: Move, seen: Seen) -> Move | None:
    """Return the part of the move that the seat may declare, or None."""
    declarer = find_declarer(move.do)
    if move.seats is not None and seen.seat.seat not in move.seats:
        return None
    if declarer.who != "owner" and seen.decides:
        return move
    if declarer.who == "anyone":  # the game is not waiting for a seat that acts for another one
        is_for_others = (
            move.awaits is not None and move.of is not None and seen.seat.seat not in _list_players(move, move.of, seen)
        )
        return changed(move, awaits=None) if is_for_others else move
    if declarer.who == "gm":
        return None
    own_ids: Collection[str] = (seen.seat.seat,) if declarer.who == "seat" else seen.seat.characters
    if move.of is not None:
        return move if move.of in own_ids else None
    if declarer.field is None:
        return None
    domain = move.fields.get(declarer.field) or complete_fields(move.do, move.fields)[declarer.field]
    if isinstance(domain, Open):
        allowed_ids = tuple(sorted(own_ids))
    elif isinstance(domain, Among):
        allowed_ids = tuple(str(value) for value in domain.values if value in own_ids)
        if allowed_ids == domain.values:
            return move
    else:
        return None
    fields: dict[str, Domain] = {**move.fields, declarer.field: Among(allowed_ids)}
    return changed(move, fields=fields) if allowed_ids else None


# --- awaited seats ---


def list_awaited_now(ruleset: AnyRuleset, seen: Seen) -> list[Awaited]:
    """Return the seats that the game is waiting for, as the viewer sees it. If no move is awaited, return the game
    masters.
    """
    awaited: dict[Awaited, None] = {}
    master_ids = [id for id, entry in seen.seats.items() if entry.role == "gm"]
    for offer in list_offers_to_all(ruleset, seen):
        if offer.move.awaits is not None:
            for character_id, seat_ids in _list_awaited_seats(offer.move, seen, master_ids):
                for seat_id in seat_ids:
                    awaited[Awaited(seat_id, offer.move.awaits, offer.move.do, character_id, offer.scene)] = None
    return list(awaited) or [Awaited(master_id) for master_id in master_ids]


def _list_awaited_seats(move: Move, seen: Seen, master_ids: list[str]) -> Iterator[tuple[str | None, list[str]]]:
    """Yield each character of the move with the seats that should make the move."""
    declarer = find_declarer(move.do)
    ids: tuple[object, ...] = (move.of,)
    if move.of is None and declarer.field is not None:
        domain = complete_fields(move.do, move.fields)[declarer.field]
        ids = domain.values if isinstance(domain, Among) else (None,)
    for id in ids:
        if id is None or declarer.who == "gm":
            yield None, master_ids
        elif declarer.who == "seat":
            yield None, [str(id)] if str(id) in seen.seats else master_ids
        else:
            yield str(id), _list_players(move, str(id), seen) or master_ids


def _list_players(move: Move, character_id: str, seen: Seen) -> list[str]:
    """Return the seats that should make the move: the seat of the character's player, or the seats that the rules allow
    instead.
    """
    player_id = seen.find_player(character_id)
    if move.seats is None or player_id in move.seats:
        return [player_id] if player_id is not None else []
    return [seat_id for seat_id in move.seats if seat_id in seen.seats and seen.seats[seat_id].role != "gm"]


# --- steps that follow automatically ---


#: A viewer who sees only what every seat sees.
EVERYBODY = Viewer("", "observer")


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """A step that follows automatically: the declaration, its seat, and its scene (None if it needs none)."""

    do: Any
    seat: str
    scene: str | None


def find_step(
    ruleset: AnyRuleset,
    subjects: Subjects,
    declarer: Viewer,
    is_left_out: Callable[[Step], bool] = lambda step: False,
) -> Step | None:
    """Return the first step that follows automatically, or None if there is none or a seat pauses automatic steps. Only
    public information is used, so that a step reveals nothing hidden.

    `declarer`: the seat that declares the step if it may (EVERYBODY: no seat). If it may not, the awaited seat declares
    it. `is_left_out`: returns whether to skip a step, for example because it is already declared and waits for an
    answer.
    """
    return next((step for step in _list_steps(ruleset, subjects, declarer) if not is_left_out(step)), None)


def _list_steps(ruleset: AnyRuleset, subjects: Subjects, declarer: Viewer) -> Iterator[Step]:
    seen = Seen(ruleset, subjects, EVERYBODY, None, declarer)
    if any(entry.holds for entry in seen.seats.values()):
        return
    master_ids = [id for id, entry in seen.seats.items() if entry.role == "gm"]
    for offer in list_offers_to_all(ruleset, seen):
        move = offer.move
        if move.follows is not None:
            if declarer is not EVERYBODY and _limit_to_seat(move, seen) is not None:
                yield Step(move.follows, seen.seat.seat, offer.scene)
            else:
                yield from (
                    Step(move.follows, seat_ids[0], offer.scene)
                    for _, seat_ids in _list_awaited_seats(move, seen, master_ids)
                )


# --- moves of every game ---


def list_kernel_moves(seen: Seen, left_out: Collection[type[object]] = ()) -> Iterator[Move]:
    """Yield the moves that every game has. `left_out`: declarations that the game forbids or offers itself."""
    return (Move(do_class, fields) for do_class, fields in _list_kernel_declarations(seen) if do_class not in left_out)


def _list_kernel_declarations(seen: Seen) -> Iterator[tuple[type[object], Mapping[str, Domain]]]:
    roster_domain = Among(seen.roster)
    yield commands.OpenScene, {"cast": Some(roster_domain)}
    if seen.scenes:
        yield commands.CloseScene, {"scene": Among(seen.scenes)}
    if seen.session is None:
        yield commands.OpenSession, {}
    else:
        yield commands.CloseSession, {"session": Among((seen.session,))}
    if seen.roster:
        yield commands.HandOver, {"character": roster_domain, "seat": Among(tuple(seen.seats))}
    if seen.characters:
        yield commands.Retire, {"character": Among(seen.characters), "reason": OPEN}

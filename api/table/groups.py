"""Group the actions of a seat: a few in sight, others under "More actions". Actions that every game has are in a
drawer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import msgspec

from api.table.client import Json
from api.table.words import Words

IN_SIGHT = 3  # kinds of actions in sight
OTHER = "Other actions"
Place: TypeAlias = Literal["shown", "more", "drawer"]
_encoder = msgspec.json.Encoder(
    enc_hook=lambda value: str(value) if isinstance(value, str) else dict(value), order="deterministic"
)
#: Declarations that every game has. They are rarely needed, so they are in a drawer.
DRAWER = {
    "Scenes and sessions": ("open-scene", "close-scene", "open-session", "close-session"),
    "Characters": ("enrol", "hand-over", "retire"),
    "Corrections and options": ("amend", "adjust", "set-dial"),
}


@dataclass(frozen=True, slots=True)
class Group:
    """Moves under a heading, by kind.

    `is_awaited`: whether the game is waiting for one of them. `place`: where they are shown. `about`: a description of
    each kind. `player`: the player's name, if the moves are about another seat's character.
    """

    title: str
    moves_by_kind: Mapping[str, list[Json]]
    is_awaited: bool = False
    place: Place = "shown"
    about: Mapping[str, str] = field(default_factory=dict)
    player: str = ""

    @property
    def kind_count(self) -> int:
        return len(self.moves_by_kind)

    def list_alternatives(self, move_id: str) -> list[Json]:
        """Return this move and the others of its kind in the group, or [] if the move is not in the group."""
        return next((ways for ways in self.moves_by_kind.values() if any(way["move"] == move_id for way in ways)), [])


def group_moves(
    moves: list[Json], state: Json, words: Words, own_seat_id: str, headings: Mapping[str, str] | None = None
) -> Iterator[Group]:
    """Yield the moves in groups: first those in sight, then the others, then those in the drawer.

    `headings`: the game's heading for each kind, in the game's order.
    """
    headings = headings or {}
    moves = [move for move in moves if move["awaits"] is not None or headings.get(move["kind"], OTHER)]
    characters_by_id = {character["id"]: character for character in state["characters"]}
    for_others_flags = [_is_for_others(move, state, words, own_seat_id) for move in moves]
    moves_for_others = [
        {**move, "move": make_move_id(move)}
        for move, is_for_others in zip(moves, for_others_flags, strict=True)
        if is_for_others
    ]
    own_moves = [move for move, is_for_others in zip(moves, for_others_flags, strict=True) if not is_for_others]
    awaited_moves, moves_by_character, other_moves, drawer_moves = _split_moves(own_moves, state, words)
    # if the form of a kind asks for the character, the kind is not listed under each character
    for character_id, character_moves in list(moves_by_character.items()):
        open_kinds = {move["kind"] for move in other_moves}
        other_moves += [move for move in character_moves if move["kind"] in open_kinds]
        moves_by_character[character_id] = [move for move in character_moves if move["kind"] not in open_kinds]
    near_groups = [Group("Next step", _group_by_kind(awaited_moves, words, headings), is_awaited=True)]
    far_groups = []
    for character_id in sorted(moves_by_character, key=lambda id: int(id) if id.isdecimal() else 0):
        character = characters_by_id[character_id]
        moves_by_kind, name = _group_by_kind(moves_by_character[character_id], words, headings), character["name"]
        if character["seat"] == own_seat_id:
            near_groups.append(Group(name, moves_by_kind))
        else:
            far_groups.append(Group(name, moves_by_kind, place="more", player=str(character["player"] or "")))
    near_groups.append(Group("Your actions", _group_by_kind(other_moves, words, headings)))
    far_groups.append(Group("For other players", _group_by_kind(moves_for_others, words, headings), place="more"))
    visible_groups, hidden_groups = _split_by_sight(near_groups, headings)
    yield from (
        group
        for group in (*visible_groups, *hidden_groups, *far_groups, *_list_drawer_groups(drawer_moves, words))
        if group.moves_by_kind
    )


def _is_for_others(move: Json, state: Json, words: Words, own_seat_id: str) -> bool:
    """Return whether another seat should make this move, because the game is waiting for that seat."""
    awaited_entries = [entry for entry in state.get("awaited", ()) if entry["kind"] is not None]
    entries_of_kind = [entry for entry in awaited_entries if entry["kind"] == move["kind"]]
    role = next(
        (seat["role"] for seat in state.get("campaign", {}).get("seats", ()) if seat["id"] == own_seat_id), "gm"
    )
    if role == "player" and entries_of_kind and all(entry["seat"]["seat"] != own_seat_id for entry in entries_of_kind):
        return True
    actor_id = _find_actor_id(move, words)
    if move["awaits"] is not None:
        awaited_seat_ids = {
            entry["seat"]["seat"] for entry in entries_of_kind if actor_id in (None, entry["character"])
        }
        return (
            bool(awaited_seat_ids)
            and own_seat_id not in awaited_seat_ids
            and any(entry["seat"]["seat"] == own_seat_id for entry in awaited_entries)
        )
    is_own_character = any(
        character["id"] == actor_id and character["seat"] == own_seat_id for character in state["characters"]
    )
    return not is_own_character and any(entry["character"] is not None for entry in entries_of_kind)


def _split_by_sight(groups: list[Group], headings: Mapping[str, str]) -> tuple[list[Group], list[Group]]:
    """Return the groups in two parts: the first few kinds, and the other kinds under the game's headings."""
    visible_groups: list[Group] = []
    moves_by_heading: dict[str, dict[str, list[Json]]] = {heading: {} for heading in headings.values()}
    places_left = IN_SIGHT
    for group in groups:
        visible_moves_by_kind = dict(list(group.moves_by_kind.items())[:places_left])
        places_left -= len(visible_moves_by_kind)
        visible_groups.append(Group(group.title, visible_moves_by_kind, group.is_awaited))
        for kind, moves in group.moves_by_kind.items():
            if kind not in visible_moves_by_kind:
                heading = headings.get(moves[0]["kind"], OTHER if group.title == "Your actions" else group.title)
                moves_by_heading.setdefault(heading, {}).setdefault(kind, []).extend(moves)
    awaited_ids = {
        move["move"] for group in groups if group.is_awaited for moves in group.moves_by_kind.values() for move in moves
    }
    return visible_groups, [
        Group(
            heading,
            moves_by_kind,
            any(move["move"] in awaited_ids for moves in moves_by_kind.values() for move in moves),
            "more",
        )
        for heading, moves_by_kind in moves_by_heading.items()
    ]


def _list_drawer_groups(moves: list[Json], words: Words) -> Iterator[Group]:
    for title, kinds in DRAWER.items():
        drawer_moves = sorted(
            (move for move in moves if move["kind"] in kinds), key=lambda move: kinds.index(move["kind"])
        )
        moves_by_kind: dict[str, list[Json]] = {}
        for move in drawer_moves:
            moves_by_kind.setdefault(words.name_declaration(move["kind"]), []).append(move)
        yield Group(title, moves_by_kind, place="drawer")


SplitMoves: TypeAlias = tuple[list[Json], dict[str, list[Json]], list[Json], list[Json]]


def _split_moves(moves: list[Json], state: Json, words: Words) -> SplitMoves:
    """Return the moves in four parts: awaited moves, moves by character, other moves, and moves for the drawer."""
    character_ids = {character["id"] for character in state["characters"]}
    moves_by_character: dict[str, list[Json]] = {}
    awaited_moves, other_moves, drawer_moves = [], [], []
    actor_ids = [_find_actor_id(move, words) for move in moves]
    begun_pairs = {
        (move["awaits"], character_id)
        for move, character_id in zip(moves, actor_ids, strict=True)
        if is_begun(move["kind"], character_id, state["waiting"], words)
    }
    for move, actor_id in zip(moves, actor_ids, strict=True):
        offered_move, character_id = {**move, "move": make_move_id(move)}, _find_settled_character_id(move, words)
        if move["awaits"] is not None and (move["awaits"], actor_id) not in begun_pairs:
            awaited_moves.append(offered_move)
        elif any(move["kind"] in kinds for kinds in DRAWER.values()):
            drawer_moves.append(offered_move)
        elif character_id in character_ids:
            moves_by_character.setdefault(str(character_id), []).append(offered_move)
        else:
            other_moves.append(offered_move)
    return awaited_moves, moves_by_character, other_moves, drawer_moves


def _find_settled_character_id(move: Json, words: Words) -> str | None:
    """Return the id of the character that the move is fixed to, or None."""
    return next((value for value in _list_character_values(move, words) if isinstance(value, str)), None)


def _find_actor_id(move: Json, words: Words) -> str | None:
    """Return the id of the character that the move is fixed to, or None. A list with one character also counts."""
    single_values = (
        value for value in _list_character_values(move, words) if isinstance(value, str) or len(value) == 1
    )
    return next((value if isinstance(value, str) else str(value[0]) for value in single_values), None)


def _list_character_values(move: Json, words: Words) -> list[str | list[str]]:
    settled_fields = move["settled"].items()
    return [value for name, value in settled_fields if value and words.fields.get(name) == "character"]


def _group_by_kind(moves: list[Json], words: Words, headings: Mapping[str, str]) -> dict[str, list[Json]]:
    """Return the moves by kind: first the kinds that the game lists or names, then kinds about a character.

    Within a kind, the move with the simplest form comes first.
    """
    rank_by_kind = {kind: rank for rank, kind in enumerate(dict.fromkeys([*headings, *words.labels]))}

    def make_sort_key(move: Json) -> tuple[int, bool, bool]:
        open_fields = move["schema"]["allOf"][-1].get("properties", {})
        is_about_character = any(words.fields.get(name) == "character" for name in open_fields)
        return (
            rank_by_kind.get(move["kind"], len(rank_by_kind)),
            not is_about_character,
            any(_has_records(schema) for schema in open_fields.values()),
        )

    kinds: dict[str, list[Json]] = {}
    for move in sorted(moves, key=make_sort_key):
        kinds.setdefault(words.name_declaration(move["kind"]), []).append(move)
    return kinds


def _has_records(schema: Json) -> bool:
    """Return whether a field contains records."""
    text = json.dumps(schema)
    return '"properties"' in text or '"$ref"' in text


def make_move_id(move: Json) -> str:
    """Return an id that stays the same as long as the move is offered."""
    return make_digest([move["kind"], move["schema"], move["scene"]])


def make_digest(value: object) -> str:
    return hashlib.sha256(_encoder.encode(value)).hexdigest()[:10]


def is_begun(kind: str | None, character_id: str | None, waiting_declarations: list[Json], words: Words) -> bool:
    """Return whether a declaration of this kind for this character is waiting for answers.

    A declaration that names no character counts for every character. If `kind` is None, any waiting declaration counts.
    """
    if kind is None:
        return bool(waiting_declarations)
    for declaration in (waiting["declared"] or {} for waiting in waiting_declarations):
        values = [value for name, value in declaration.items() if words.fields.get(name) == "character" and value]
        named_ids = [id for value in values for id in (value if isinstance(value, list) else [value])]
        if declaration.get("kind") == kind and (character_id is None or not named_ids or character_id in named_ids):
            return True
    return False


def is_already_declared(waiting: Json, fields: Json, seat_id: str) -> bool:
    """Return whether this seat already has a waiting declaration with this kind and these fields."""
    return waiting["by"]["seat"] == seat_id and has_fields(waiting, fields)


def has_fields(waiting: Json, fields: Json) -> bool:
    """Return whether a waiting declaration has this kind and these fields."""
    declaration = waiting["declared"] or {}
    is_of_kind = declaration.get("kind") == fields["kind"]
    return is_of_kind and all(declaration.get(name, value) == value for name, value in fields.items())

"""The actions of a seat in groups: few in sight, the others under "More actions", those of every table in a drawer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from api.table.client import Json
from api.table.words import Words

IN_SIGHT = 3  # kinds of actions in sight
OTHER = "Other actions"
Place: TypeAlias = Literal["shown", "more", "drawer"]
#: What every table declares, whatever it plays: seldom wanted, and kept in a drawer.
DRAWER = {
    "Scenes and sessions": ("open-scene", "close-scene", "open-session", "close-session"),
    "Characters": ("enrol", "hand-over", "retire"),
    "Corrections and options": ("amend", "adjust", "set-dial"),
}


@dataclass(frozen=True, slots=True)
class Group:
    """Moves under a heading, by kind. `first`: the game waits for them. `place`: where they are shown.

    `about`: a description of each kind, if the game waits for several. `player`: the player of somebody else's
    character.
    """

    title: str
    kinds: Mapping[str, list[Json]]
    first: bool = False
    place: Place = "shown"
    about: Mapping[str, str] = field(default_factory=dict)
    player: str = ""

    @property
    def many(self) -> int:
        return len(self.kinds)

    def list_alternatives(self, move: str) -> list[Json]:
        """Return the moves of the same kind, if this move is one of the group."""
        return next((ways for ways in self.kinds.values() if any(way["move"] == move for way in ways)), [])


def group_moves(
    moves: list[Json], state: Json, words: Words, me: str, headings: Mapping[str, str] | None = None
) -> Iterator[Group]:
    """Yield the moves in groups: the few in sight, the others, then those of the drawer.

    `headings`: the game's heading of each kind, the kinds that are wanted most first.
    """
    headings = headings or {}
    people = {character["id"]: character for character in state["characters"]}
    others = [_is_for_others(move, state, words, me) for move in moves]
    for_others = [{**move, "move": make_move_id(move)} for move, other in zip(moves, others, strict=True) if other]
    mine = [move for move, other in zip(moves, others, strict=True) if not other]
    awaited_moves, own, other_moves, drawer_moves = _split_moves(mine, state, words)
    for who, theirs in list(own.items()):  # a kind stands in one place where it can be for somebody yet to be named
        open_kinds = {move["kind"] for move in other_moves}
        other_moves += [move for move in theirs if move["kind"] in open_kinds]
        own[who] = [move for move in theirs if move["kind"] not in open_kinds]
    near_groups = [Group("Next step", _group_by_kind(awaited_moves, words, headings), first=True)]
    far_groups = []
    for who in sorted(own, key=lambda person: int(person) if person.isdecimal() else 0):
        kinds, name = _group_by_kind(own[who], words, headings), people[who]["name"]
        if people[who]["seat"] == me:
            near_groups.append(Group(name, kinds))
        else:
            far_groups.append(Group(name, kinds, place="more", player=str(people[who]["player"] or "")))
    near_groups.append(Group("Your actions", _group_by_kind(other_moves, words, headings)))
    far_groups.append(Group("For other players", _group_by_kind(for_others, words, headings), place="more"))
    shown, more = _split_by_sight(near_groups, headings)
    yield from (
        group for group in (*shown, *more, *far_groups, *_list_drawer_groups(drawer_moves, words)) if group.kinds
    )


def _is_for_others(move: Json, state: Json, words: Words, me: str) -> bool:
    """Return whether the game waits for other seats to do this, so that nobody does by mistake what is theirs to do.

    A game master for whom the game does not wait is shown what it waits for.
    """
    waits = [entry for entry in state.get("awaited", ()) if entry["kind"] is not None]
    asked = [entry for entry in waits if entry["kind"] == move["kind"]]
    role = next((seat["role"] for seat in state.get("campaign", {}).get("seats", ()) if seat["id"] == me), "gm")
    if role == "player" and asked and all(entry["seat"]["seat"] != me for entry in asked):
        return True
    who = _find_actor(move, words)
    if move["awaits"] is not None:
        seats = {entry["seat"]["seat"] for entry in asked if who in (None, entry["character"])}
        return bool(seats) and me not in seats and any(entry["seat"]["seat"] == me for entry in waits)
    own = any(each["id"] == who and each["seat"] == me for each in state["characters"])
    return not own and any(entry["character"] is not None for entry in asked)


def _split_by_sight(groups: list[Group], headings: Mapping[str, str]) -> tuple[list[Group], list[Group]]:
    """Return the groups with the first kinds only, and the other kinds under the headings of the game."""
    shown: list[Group] = []
    more: dict[str, dict[str, list[Json]]] = {heading: {} for heading in headings.values()}
    places_left = IN_SIGHT
    for group in groups:
        few = dict(list(group.kinds.items())[:places_left])
        places_left -= len(few)
        shown.append(Group(group.title, few, group.first))
        for kind, moves in group.kinds.items():
            if kind not in few:
                heading = headings.get(moves[0]["kind"], OTHER if group.title == "Your actions" else group.title)
                more.setdefault(heading, {}).setdefault(kind, []).extend(moves)
    waits = {move["move"] for group in groups if group.first for moves in group.kinds.values() for move in moves}
    return shown, [
        Group(heading, kinds, any(move["move"] in waits for moves in kinds.values() for move in moves), "more")
        for heading, kinds in more.items()
    ]


def _list_drawer_groups(moves: list[Json], words: Words) -> Iterator[Group]:
    for title, kinds in DRAWER.items():
        inside = sorted((move for move in moves if move["kind"] in kinds), key=lambda move: kinds.index(move["kind"]))
        by_kind: dict[str, list[Json]] = {}
        for move in inside:
            by_kind.setdefault(words.name_declaration(move["kind"]), []).append(move)
        yield Group(title, by_kind, place="drawer")


Parted: TypeAlias = tuple[list[Json], dict[str, list[Json]], list[Json], list[Json]]


def _split_moves(moves: list[Json], state: Json, words: Words) -> Parted:
    """Return the moves in four parts: awaited; by character; other; the table's business."""
    people = {character["id"] for character in state["characters"]}
    own: dict[str, list[Json]] = {}
    first, other_moves, table = [], [], []
    acting = [_find_actor(move, words) for move in moves]
    under_way = {
        (move["awaits"], who)
        for move, who in zip(moves, acting, strict=True)
        if is_begun(move["kind"], who, state["waiting"], words)
    }
    for move, actor in zip(moves, acting, strict=True):
        offered, who = {**move, "move": make_move_id(move)}, _find_character(move, words)
        if move["awaits"] is not None and (move["awaits"], actor) not in under_way:
            first.append(offered)
        elif any(move["kind"] in kinds for kinds in DRAWER.values()):
            table.append(offered)
        elif who in people:
            own.setdefault(str(who), []).append(offered)
        else:
            other_moves.append(offered)
    return first, own, other_moves, table


def _find_character(move: Json, words: Words) -> str | None:
    """Return the character that the move settles, or None."""
    return next((who for who in _list_characters(move, words) if isinstance(who, str)), None)


def _find_actor(move: Json, words: Words) -> str | None:
    """Return the character that the move settles, also as the only one of a list; else None."""
    alone = (who for who in _list_characters(move, words) if isinstance(who, str) or len(who) == 1)
    return next((who if isinstance(who, str) else str(who[0]) for who in alone), None)


def _list_characters(move: Json, words: Words) -> list[str | list[str]]:
    settled = move["settled"].items()
    return [value for name, value in settled if value and words.fields.get(name) == "character"]


def _group_by_kind(moves: list[Json], words: Words, headings: Mapping[str, str]) -> dict[str, list[Json]]:
    """Return the moves by kind; first those that the game wants first or has a word for, then those about a character.

    Of one kind, the move with the plainest form comes first: one tap opens it.
    """
    order = {kind: at for at, kind in enumerate(dict.fromkeys([*headings, *words.labels]))}

    def make_sort_key(move: Json) -> tuple[int, bool, bool]:
        open_fields = move["schema"]["allOf"][-1].get("properties", {})
        about = any(words.fields.get(name) == "character" for name in open_fields)
        return (
            order.get(move["kind"], len(order)),
            not about,
            any(_has_records(schema) for schema in open_fields.values()),
        )

    kinds: dict[str, list[Json]] = {}
    for move in sorted(moves, key=make_sort_key):
        kinds.setdefault(words.name_declaration(move["kind"]), []).append(move)
    return kinds


def _has_records(schema: Json) -> bool:
    """Return whether a field takes records: a form within the form."""
    text = json.dumps(schema)
    return '"properties"' in text or '"$ref"' in text


def make_move_id(move: Json) -> str:
    """Return an id that stays the same as long as the move is offered."""
    return make_digest([move["kind"], move["schema"], move["scene"]])


def make_digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def is_begun(kind: str | None, who: str | None, waiting: list[Json], words: Words) -> bool:
    """Return whether it was declared for this character, or for nobody by name, and waits for answers.

    Without a kind, anything that waits counts.
    """
    if kind is None:
        return bool(waiting)
    for declared in (question["declared"] or {} for question in waiting):
        people = [value for name, value in declared.items() if words.fields.get(name) == "character" and value]
        named = [id for value in people for id in (value if isinstance(value, list) else [value])]
        if declared.get("kind") == kind and (who is None or not named or who in named):
            return True
    return False

"""What tells moves apart that read alike: the fields in which they differ, as the form would show them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from api.table.client import Json
from api.table.node_maker import Maker
from api.table.nodes import Choice, Const, FieldOf, Listing, Node, Number, Record, Text, Truth
from api.table.words import Words, small

NOTHING: tuple[object, ...] = (None, "", [], {})
LISTED = 3  # choices that are named
TOLD = 3  # differences
OPEN = "as you say"
Fields = Mapping[str, FieldOf]


def tell_apart(moves: Sequence[Json], maker: Maker, words: Words) -> None:
    """`apart`: what a move says that another of the same sentence does not; nothing where it reads alone."""
    alike: dict[tuple[str, str], list[Json]] = {}
    for move in moves:
        alike.setdefault((move["kind"], _read(move["text"])), []).append(move)
    for some in alike.values():
        those = [_fields(maker.node(move["schema"], {})) for move in some] if len(some) > 1 else []
        for move, said in zip(some, _apart(those, words) or [""], strict=True):
            move["apart"] = said


def _read(text: str) -> str:
    """As it is read: without the places that are still open."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _fields(node: Node) -> Fields:
    return {each.name: each for each in node.fields} if isinstance(node, Record) else {}


def _apart(those: Sequence[Fields], words: Words) -> list[str]:
    names = list(dict.fromkeys(name for one in those for name in one))
    differ = [name for name in names if len({repr(one[name].node) for one in those if name in one}) > 1]
    if len(differ) == 1 and all(isinstance(one[differ[0]].node, Record) for one in those):
        return _apart([_fields(one[differ[0]].node) for one in those], words)
    told = [{name: _said(one[name], words) for name in differ if name in one} for one in those]
    found = [_sentence(one, told, those) for one in told]
    return [one if found.count(one) == 1 else f"{one} ({at})".strip() for at, one in enumerate(found, 1)]


def _sentence(mine: Mapping[str, str], told: Sequence[Mapping[str, str]], those: Sequence[Fields]) -> str:
    """What only this one says, with what few say; or what it leaves out, where it says nothing of the kind."""
    often = {name: sum(other.get(name) == said for other in told) for name, said in mine.items() if said}
    few = [name for name, n in often.items() if n == 1 or 2 * n <= len(told)]
    sure = [name for name in few if not mine[name].endswith(OPEN)] or few
    if sure:
        return "; ".join(mine[name] for name in sure[:TOLD])
    titles = {name: each.title for fields in those for name, each in fields.items()}
    without = [small(titles[name]) for name, said in mine.items() if not said]
    return f"Without {', '.join(without[:TOLD])}" if without else "; ".join(list(mine.values())[:TOLD])


def _said(field: FieldOf, words: Words) -> str:
    """What the field says or can say: "Net: 4 or more"; nothing where nothing can be said."""
    said = _of(field, words)
    return f"{field.title}: {said}" if said else ""


def _of(field: FieldOf, words: Words) -> str:
    match field.node:
        case Const(value=value):
            return "" if value in NOTHING else words.shown(field.name, value)
        case Choice(options=options):
            named = [label for value, label in options.items() if value not in ("null", '""')]
            return " or ".join(named) if len(named) <= LISTED else "one of these"
        case Number(least=least, most=most):
            return _number(least, most)
        case Truth():
            return "Yes or No"
        case Text():
            return "in words"
        case Listing():
            return "some"
    return OPEN


def _number(least: int | None, most: int | None) -> str:
    if least is None or most is None:
        return "any number" if least == most else f"{least} or more" if most is None else f"{most} or less"
    return str(least) if least == most else f"{least} to {most}"

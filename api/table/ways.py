"""What tells moves apart that read alike: the fields in which they differ, as the form would show them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from api.table.client import Json
from api.table.node_maker import Maker
from api.table.telling import differences, fields_of
from api.table.words import Words


def tell_apart(moves: Sequence[Json], maker: Maker, words: Words) -> None:
    """`apart`: what a move says that another of the same sentence does not; nothing where it reads alone."""
    alike: dict[tuple[str, str], list[Json]] = {}
    for move in moves:
        alike.setdefault((move["kind"], _read(move["text"])), []).append(move)
    for group in alike.values():
        records = [fields_of(maker.node(move["schema"], {})) for move in group] if len(group) > 1 else []
        for move, text in zip(group, differences(records, words) or [""], strict=True):
            move["apart"] = text


def _read(text: str) -> str:
    """As it is read: without the places that are still open."""
    return " ".join(re.findall(r"\w+", text.lower()))

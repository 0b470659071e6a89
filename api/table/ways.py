"""Describe the differences between moves that have the same sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from api.table.client import Json
from api.table.node_maker import NodeMaker
from api.table.telling import list_differences, list_fields
from api.table.words import Words


def mark_differences(moves: Sequence[Json], maker: NodeMaker, words: Words) -> None:
    """Set `apart` in each move: its difference from other moves with the same sentence, or "" if there are none."""
    moves_by_sentence: dict[tuple[str, str], list[Json]] = {}
    for move in moves:
        moves_by_sentence.setdefault((move["kind"], _strip_to_words(move["text"])), []).append(move)
    for group in moves_by_sentence.values():
        records = [list_fields(maker.make_node(move["schema"], {})) for move in group] if len(group) > 1 else []
        for move, text in zip(group, list_differences(records, words) or [""], strict=True):
            move["apart"] = text


def _strip_to_words(text: str) -> str:
    """Return the words of a sentence, without its blanks."""
    return " ".join(re.findall(r"\w+", text.lower()))

"""List the turns that the game is waiting for, one line each. Everybody at the table sees the same lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from api.table.client import Json
from api.table.groups import IN_SIGHT, is_begun
from api.table.presentations import PROMPT, index_headings, load_source
from api.table.words import Words


def list_awaited_turns(state: Json, words: Words) -> list[Json]:
    """Return the entries that the game is waiting for, except those that are already declared.

    `again`: whether the previous entry has the same rule, so that the rule is shown only once.
    """
    turns: list[Json] = []
    entries = state["awaited"]
    begun_pairs = {
        (entry["rule"], entry["character"])
        for entry in entries
        if entry["rule"] is not None and is_begun(entry["kind"], entry["character"], state["waiting"], words)
    }
    for entry in entries:
        is_open = (entry["rule"], entry["character"]) not in begun_pairs
        if is_open and not is_begun(entry["kind"], entry["character"], state["waiting"], words):
            repeats_rule = bool(turns) and turns[-1]["rule"] == entry["rule"] and entry["rule"] is not None
            turns.append({**entry, "again": repeats_rule})
    return turns


def group_turns(entries: Iterable[Json], system: str) -> list[list[Json]]:
    """Return the entries to name in each line, grouped by seat and character."""
    entries_by_turn: dict[tuple[str, str | None], list[Json]] = {}
    for entry in entries:
        turn = (entry["seat"]["seat"], entry["character"] if entry["kind"] else None)
        entries_by_turn.setdefault(turn, []).append(entry)
    return [_choose_named_entries(turn_entries, system) for turn_entries in entries_by_turn.values()]


def _choose_named_entries(entries: list[Json], system: str) -> list[Json]:
    """Return the entries to name in one line: those in the template of the game's prompts, or else the first few.

    The buttons of a prompt would be the wrong choice, because they differ from seat to seat.
    """
    ranks = {kind: rank for rank, kind in enumerate(index_headings(system))}
    ordered_entries = sorted(entries, key=lambda entry: ranks.get(entry["kind"], len(ranks)))
    prompt_source = _read_prompt_source(system)
    prompted_entries = [entry for entry in ordered_entries if f'"{entry["kind"]}"' in prompt_source]
    rules_to_show = {entry["rule"] for entry in entries if not entry["again"]}
    named_entries = []
    for entry in prompted_entries or ordered_entries[:IN_SIGHT]:
        named_entries.append({**entry, "again": entry["rule"] not in rules_to_show})
        rules_to_show.discard(entry["rule"])
    return named_entries


@cache
def _read_prompt_source(system: str) -> str:
    """Return the text of the game's prompt template and of the files that it imports."""
    template = load_source(f"{system}/{PROMPT}.html.jinja") or ""
    return template + "".join(load_source(name) or "" for name in re.findall(r'from "([^"]+)" import', template))

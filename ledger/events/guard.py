"""The function of the triggers that keep the record append-only, as the migrations make it."""

from __future__ import annotations

GUARD = "BEGIN RAISE EXCEPTION 'the record is append-only' USING ERRCODE = 'insufficient_privilege'; END"


def make_body_condition(body: str, text: str) -> str:
    """Return an SQL condition that a function has this body, ignoring spaces and quotes."""
    return f"btrim(regexp_replace(replace({body}, '\"', ''), '\\s+', ' ', 'g'), ' ;') = {text}"

"""The function of the triggers that keep the record append-only, as the migrations make it."""

from __future__ import annotations

GUARD = "BEGIN RAISE EXCEPTION 'the record is append-only' USING ERRCODE = 'insufficient_privilege'; END"


def make_body_condition(body: str, text: str) -> str:
    """Return an SQL condition: the function has this body, apart from spaces and quotes."""
    return f"btrim(regexp_replace(replace({body}, '\"', ''), '\\s+', ' ', 'g'), ' ;') = {text}"

"""The trigger function that keeps the record append-only, as the migrations create it."""

from __future__ import annotations

GUARD = "BEGIN RAISE EXCEPTION 'the record is append-only' USING ERRCODE = 'insufficient_privilege'; END"


def make_body_condition(body: str, text: str) -> str:
    """Return an SQL condition that compares the body of a function with a text, ignoring spaces and quotes."""
    return f"btrim(regexp_replace(replace({body}, '\"', ''), '\\s+', ' ', 'g'), ' ;') = {text}"

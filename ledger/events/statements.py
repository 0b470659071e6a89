"""Splits a script into statements: a cluster's coordinator takes one at a time, and sends each to its workers."""

from __future__ import annotations


def split_statements(script: str) -> list[str]:
    """Return the statements. Each ends with a semicolon at its line's end, except between `$$` and the last."""
    parts = [""]
    for place, part in enumerate(script.split("$$")):
        if place % 2:
            parts[-1] += f"$${part}$$"
            continue
        first, *rest = f"{part}\n".split(";\n") if part.endswith(";") else part.split(";\n")
        parts[-1] += first
        parts += rest
    return [statement.strip() for statement in parts if statement.strip()]

"""A script's statements one by one: a cluster's coordinator takes one at a time, and hands each to its workers."""

from __future__ import annotations


def statements(script: str) -> list[str]:
    """Each ends with a semicolon at the end of its line, but for what stands between `$$` and the last one's end."""
    found = [""]
    for place, part in enumerate(script.split("$$")):
        if place % 2:
            found[-1] += f"$${part}$$"
            continue
        first, *rest = f"{part}\n".split(";\n") if part.endswith(";") else part.split(";\n")
        found[-1] += first
        found += rest
    return [one.strip() for one in found if one.strip()]

"""What the description of a schema says of its fields, for people."""

from __future__ import annotations

import re

from api.table.client import Json

LEFT_OUT = re.compile(r"Left out: `([^`]*)`\.")
_OF_FIELDS = re.compile(r"((?:`\w+`, )*`\w+`): ")


def hint_of(own: Json, *, usual: bool = True) -> str:
    """Its sentence; what a reference is is said by the choice itself, and that nothing is said by leaving it open.

    `usual`: with what leaving it open says, where it can be left open.
    """
    said = str(own.get("description", ""))
    if said.startswith("The id of") or ("`" in said and "id of" in said):
        return ""
    return LEFT_OUT.sub(_usual if usual else "", said).replace("`", "").strip()


def _usual(found: re.Match[str]) -> str:
    usual = found[1].strip('"')
    if usual in ("", "null", "false", "true") or usual[0] in "[{":
        return ""
    return f"Usually {usual}."


def about(description: str) -> tuple[str, dict[str, str]]:
    """What a declaration is, and what is told of its fields: "`weapon`, `armour`: what it is worth as one." """
    first, *parts = _OF_FIELDS.split(" ".join(description.split()))
    told: dict[str, str] = {}
    for names, said in zip(parts[::2], parts[1::2], strict=True):
        said = said.strip(" ;,").replace("`", "")  # noqa: PLW2901
        told |= {name: said[:1].upper() + said[1:] for name in re.findall(r"\w+", names)}
    return first.strip().replace("`", ""), told

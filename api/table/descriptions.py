"""What the description of a schema says of its fields, for people."""

from __future__ import annotations

import re
from collections.abc import Callable

from api.table.client import Json
from api.table.words import plain

LEFT_OUT = re.compile(r"Default: `([^`]*)`\.")
_CODE = re.compile(r"`(\w+)`")
_FIRST = re.compile(r"(?:^|(?<=[.!?] ))`([a-z]\w*)`")  # a sentence begins with it
_KEBAB = re.compile(r"`([a-z]\w*(?:[-:][a-z]\w*)+)`")
_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s|$)|$)", re.DOTALL)
_OF_FIELDS = re.compile(r"((?:`\w+`(?:, and |, | and ))*`\w+`): ")


def hint_of(own: Json, *, usual: bool = True, chosen: bool = False, called: Callable[[str], str] = str) -> str:
    """Its sentence; what a reference is is said by the choice itself, and that nothing is said by leaving it open.

    `usual`: with what leaving it open says, where it can be left open. `chosen`: from a list, so that nobody has to be
    told how it is written, or where it would be found. `called`: what a word of the game is called.
    """
    said = str(own.get("description", ""))
    if said.startswith("The id of") or ("`" in said and "id of" in said):
        return ""
    said = LEFT_OUT.sub(lambda found: _usual(found, called) if usual else "", said)
    return uncoded(said if not chosen else " ".join(one for one in _SENTENCE.findall(said) if "`" not in one))


def uncoded(said: str) -> str:
    """The names that programs use, as words."""
    said = _FIRST.sub(lambda code: plain(code[1]), said)
    said = _KEBAB.sub(lambda code: f"“{plain(code[1])}”", said)
    return _CODE.sub(lambda code: code[1].replace("_", " "), said).replace("`", "").strip()


def _usual(found: re.Match[str], called: Callable[[str], str]) -> str:
    usual = found[1].strip('"')
    if usual in ("", "null", "false", "true") or usual[0] in "[{":
        return ""
    return f"Default: {usual if usual == found[1] else called(usual)}."


def first_of(description: str) -> str:
    """The first sentence of what a declaration is."""
    return next(iter(_SENTENCE.findall(about(description)[0])), "")


def about(description: str) -> tuple[str, dict[str, str]]:
    """What a declaration is, and what is told of its fields: "`weapon`, `armour`: what it is worth as one." """
    first, *parts = _OF_FIELDS.split(" ".join(description.split()))
    told: dict[str, str] = {}
    for names, said in zip(parts[::2], parts[1::2], strict=True):
        said = uncoded(said.strip(" ;,"))  # noqa: PLW2901
        told |= {name: said[:1].upper() + said[1:] for name in _CODE.findall(names)}
    return uncoded(first), told

"""Words for people: what a value of a document is called, by the names that the viewer's own documents tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from markupsafe import Markup, escape

from api.table.client import Json

WRITTEN = re.compile(r"[0-9]{1,12}(-[0-9]{1,6})?", re.ASCII)
SMALL = {"gm": "Game master"}


def plain(word: str) -> str:
    """`smooth-talker`, `other_declared` or `max_wounds` as one says it."""
    said = re.sub(r"[-_:/]+", " ", word).strip() or word
    return said[:1].upper() + said[1:]


_BLANK = re.compile(r"\.{2,}")


def open_(text: str) -> bool:
    """Whether a sentence has places in which something or somebody is still to be said."""
    return _BLANK.search(text) is not None or "somebody" in text.lower()


def weight(value: object) -> int:
    """How much there is to be read."""
    if isinstance(value, Mapping):
        return sum(map(weight, value.values()))
    if isinstance(value, list):
        return sum(map(weight, value))
    return value not in (None, "", False, 0)


def blanks(text: str) -> Markup:
    """The sentence, with these places to be seen as such. Two dots are a place and the sentence's own end."""

    def said(found: re.Match[str]) -> str:
        end = "." if found.end() == len(text) and len(found[0]) == 2 else ""
        return f'<span class="blank">…</span>{end}'

    return Markup(_BLANK.sub(said, str(escape(text))))


def moment(said: str) -> str:
    """When something was, as it stands in a document."""
    at = datetime.fromisoformat(said)
    return f"{at.day} {at:%B %Y}, {at:%H:%M}"


class Words:
    """`names`: by what is referred to (`character`, `seat` ...), the names by id. `fields`: what a field refers to."""

    def __init__(self, names: Mapping[str, Mapping[str, str]], fields: Mapping[str, str]) -> None:
        self.names = names
        self.fields = fields

    def of(self, value: object, ref: str | None = None) -> str:
        """What a value is called, where it refers to something or is a word of the game."""
        match value:
            case None:
                return "None"
            case bool():
                return "Yes" if value else "No"
            case str():
                return self._said(value, ref)
            case dict():
                return self._record(value)
            case list():
                between = "; " if any(isinstance(one, dict) for one in value) else ", "
                return between.join(map(self.of, value)) or "None"
        return str(value)

    def _record(self, value: Mapping[str, object]) -> str:
        """By its name, where it has one; the rest behind it. What is not so, or not there, is not told."""
        told = {
            name: self.of(inner, self.fields.get(name)) for name, inner in value.items()
            if inner not in (None, "", [], {}) and inner is not False
        }  # fmt: skip
        named = told.pop("name", None)
        rest = ", ".join(told.values())
        if named is None:
            return rest or "None"
        return f"{named} ({rest})" if rest else named

    def _said(self, value: str, ref: str | None) -> str:
        named = self.names.get(ref or "", {}).get(value)
        if named is not None:
            return named
        kind, colon, rest = value.partition(":")
        id, slash, what = rest.partition("/")
        if colon and kind in self.names and id in self.names[kind]:
            return f"{self.names[kind][id]}{f': {plain(what)}' if slash else ''}"
        if value in SMALL:
            return SMALL[value]
        if value == "":
            return "Nothing"
        if WRITTEN.fullmatch(value):  # numbers are written as numbers: this is somebody's, or a scene's, id
            return self.names.get("character", {}).get(value) or self.names.get("scene", {}).get(value) or value
        return plain(value) if re.fullmatch(r"[a-z0-9]+([-_/:][a-z0-9]+)*", value) else value

    def shown(self, name: str, value: object) -> str:
        """A leaf of a state, under its name."""
        return self.of(value, self.fields.get(name))


def words_of(state: Json, schemas: Mapping[str, Json], dials: list[str] = []) -> Words:  # noqa: B006  (never changed)
    """Of a campaign as a seat sees it, and of its game's schemas."""
    seats = {one["id"]: one["name"] for one in state["campaign"]["seats"]}
    names = {
        "character": {one["id"]: one["name"] for one in state["characters"]},
        "seat": seats,
        "scene": {one["id"]: one["title"] for one in state["scenes"]},
        "session": {one["id"]: one.get("title") or f"Session {one['id']}" for one in state["campaign"]["sessions"]},
        "dial": {one: plain(one) for one in state["campaign"]["dials"]},
    }
    names["audience"] = {
        "gm": "Game masters", **seats, **{f"character:{id}": name for id, name in names["character"].items()},
    }  # fmt: skip
    names["subject"] = {
        "campaign": "The campaign", **{f"character:{id}": name for id, name in names["character"].items()},
        **{f"scene:{id}": title for id, title in names["scene"].items()},
    }  # fmt: skip
    return Words(names, _fields(schemas, state["campaign"]["system"]))


_referred: dict[str, tuple[int, dict[str, str]]] = {}


def _fields(schemas: Mapping[str, Json], system: str) -> dict[str, str]:
    """What the fields of a game refer to, by name, where they always refer to the same."""
    kept = _referred.get(system)
    if kept is None or kept[0] != id(schemas):
        found: dict[str, set[str]] = {}
        for name, schema in schemas.items():
            if name.startswith((f"{system}_", "ledger_")):
                for field, said in schema.get("properties", {}).items():
                    for one in (said, *said.get("anyOf", ()), said.get("items", {})):
                        found.setdefault(field, set()).add(one.get("x-ref", {}).get("to", ""))
        sure = {field: next(iter(one)) for field, refs in found.items() if len(one := refs - {""}) == 1}
        kept = _referred[system] = (id(schemas), sure)
    return kept[1]

"""What a decision would change, made ready to be read before it is made: counted, told, before and after by person."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from api.table.client import Json
from api.table.words import Words, plain, small

#: A field, and what stands in it before and after.
Change: TypeAlias = tuple[str, object, object]
NOTHING = "nothing"
#: Beside what there is on the other side: nothing is lost where something is new.
NEW, GONE = "none", "removed"
#: What the campaign keeps of others, which is told of these.
ECHOES = ("card/roster/", "card/scenes")
#: How later rulings come out, with what is said of so many of them, and of one.
OUTCOMES = (
    ("stands", "stay the same", "stays the same"),
    ("changes", "get a different result", "gets a different result"),
    ("loses support", "are no longer possible", "is no longer possible"),
    ("needs dice", "need new dice", "needs new dice"),
    (
        "rests on what is hidden from you",
        " depend on information hidden from you",
        "depends on information hidden from you",
    ),
)


@dataclass(frozen=True, slots=True)
class Count:
    kind: str
    many: int
    said: str


@dataclass(frozen=True, slots=True)
class Line:
    """A value of somebody's, as it is and as it would be."""

    name: str
    before: str
    after: str

    @classmethod
    def of(cls, name: str, before: str, after: str) -> Line:
        """What is nothing on one side only is new, or gone."""
        return cls(name, before if before != NOTHING else NEW, after if after != NOTHING else GONE)


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever ends otherwise; `path`: of the sheet. `whole`: nobody and nothing of it is there any more, or yet."""

    name: str
    path: str
    lines: list[Line]
    whole: Literal["gone", "come"] | None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A comparison of the API's for people. `digest`: the same as long as it says the same.

    `revised`: the ruling that is corrected, as it comes out; `rows`: later ones, which do not stand.
    """

    counts: list[Count]
    rows: list[Json]
    revised: list[Json]
    more: int | None
    people: list[Person]
    more_people: int
    findings: list[Json]
    digest: str

    @property
    def later(self) -> int:
        return sum(one.many for one in self.counts)

    def left(self, told: int = 0) -> int:
        """How many do not stand beyond those that are told here, and were before."""
        return max(0, sum(one.many for one in self.counts if one.kind != "stands") - len(self.rows) - told)


def foreseen(comparison: Json, words: Words) -> Foreseen:
    revised = [one for one in comparison["rulings"] if one["number"] in comparison["revised"]]
    itself = Counter(one["standpoint"] for one in revised)
    if comparison["revised"] and not revised:
        itself["stands"] = 1
    counts = [
        _count(kind, max(0, comparison["counts"].get(kind, 0) - itself[kind]), many, one)
        for kind, many, one in OUTCOMES
    ]
    return Foreseen(
        counts=[one for one in counts if one.many or one.kind != OUTCOMES[-1][0]],
        rows=[one for one in comparison["rulings"] if one not in revised],
        revised=revised,
        more=comparison["more"],
        people=[one for one in (_person(each, words) for each in comparison["subjects"]) if one.lines or one.whole],
        more_people=comparison["more_subjects"],
        findings=comparison["findings"],
        digest=digest(comparison),
    )


def _count(kind: str, many: int, several: str, one: str) -> Count:
    return Count(kind, many, one if many == 1 else several)


def digest(comparison: Json) -> str:
    """Of what it says; findings are numbered by where they would be saved, which is no part of it."""
    findings = [{**one, "id": ""} for one in comparison["findings"]]
    said = json.dumps({**comparison, "findings": findings}, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _person(changed: Json, words: Words) -> Person:
    kind, _, id = changed["subject"].partition(":")
    fields = [(one["field"], one["before"], one["after"]) for one in changed["fields"]]
    told = [
        one for one in fields
        if (kind != "campaign" or not one[0].startswith(ECHOES)) and not _nowhere(one)
    ]  # fmt: skip
    lines = list(dict.fromkeys(_lines(told, words)))
    entry = [one for one in fields if one[0] in ("card", "card/name", "card/title")]
    whole: Literal["gone", "come"] | None = None
    if any(after is None for _, _, after in entry):
        whole = "gone"
    elif any(before is None for _, before, _ in entry):
        whole = "come"
    return Person(changed["name"] or plain(kind), f"{kind}/{id}" if id else kind, lines, whole)


def _nowhere(change: Change) -> bool:
    """Whether it says nothing of what is new or gone: that something was not so, or that nothing was counted."""
    field, *sides = change
    said = next((one for one in sides if one is not None), None)
    return None in sides and (said is False or (field == "adrift" and said == 0))


def _lines(fields: list[Change], words: Words) -> Iterator[Line]:
    """A line for each that reads otherwise; lists are told by what is in one of both only, records in them whole."""
    lists: dict[str, tuple[list[str], list[str]]] = {}
    fields = list(_whole(fields, words))
    for field, before, after in fields:
        was, now = value(field, before, words), value(field, after, words)
        parent = field.rpartition("/")[0]
        if _placed(field, words) and (None in (before, after) or all(isinstance(one, str) for one in (before, after))):
            gone, come = lists.setdefault(parent, ([], []))
            gone += [was] if before is not None else []
            come += [now] if after is not None else []
        elif was != now:
            yield Line.of(label(field, words), was, now)
    for parent, (gone, come) in lists.items():
        lost, made = Counter(gone) - Counter(come), Counter(come) - Counter(gone)
        if lost or made:
            yield Line.of(label(parent, words), _joined(lost), _joined(made))


def _joined(some: Counter[str]) -> str:
    told = list(some.elements())
    return ("; " if any("," in one for one in told) else ", ").join(told) or NOTHING


def _placed(field: str, words: Words) -> bool:
    """Whether it is something in a list, and not what somebody has under their name."""
    *within, last = parts(field)
    return last.isdecimal() and words.label(last, next((one for one in reversed(within)), "")) == last


def _item(field: str, words: Words) -> str:
    """The record in a list in which the value stands, if it stands in one."""
    names = field.split("/")
    ends = (end for end in range(2, len(names)) if _placed("/".join(names[:end]), words))
    return next(("/".join(names[:end]) for end in ends), "")


def _whole(fields: list[Change], words: Words) -> Iterator[Change]:
    """With what is there on one side only, of several values in a list, as the one thing that it is."""
    items: dict[str, list[Change]] = {}
    for one in fields:
        items.setdefault(_item(one[0], words), []).append(one)
    told = {item for item, some in items.items() if item and len(some) > 1 and len({_side(one) for one in some}) == 1}
    told = {item for item in told if _side(items[item][0]) is not None}
    for one in fields:
        item = _item(one[0], words)
        if item not in told:
            yield one
        elif one is items[item][0]:
            side = 1 if one[1] is not None else 2
            record = _record((each[0].removeprefix(f"{item}/"), each[side]) for each in items[item])
            yield item, *((record, None) if side == 1 else (None, record))


def _side(change: Change) -> str | None:
    """On which side alone it is there."""
    return "before" if change[2] is None else "after" if change[1] is None else None


def _record(leaves: Iterable[tuple[str, object]]) -> object:
    """Of values by their path: a list in it by its places, in their order."""
    made: Json = {}
    for path, one in leaves:
        *within, last = parts(path)
        there = made
        for name in within:
            there = there.setdefault(name, {})
        there[last] = one
    return _listed(made)


def _listed(one: object) -> object:
    if not isinstance(one, dict):
        return one
    inner = {name: _listed(each) for name, each in one.items()}
    return list(inner.values()) if all(name.isdecimal() for name in inner) else inner


# --- fields for people ---


def parts(field: str) -> list[str]:
    """Of a pointer as the API writes it, with its first part, `state` or so."""
    return [one.replace("~1", "/").replace("~0", "~") for one in field.removeprefix("/").split("/")]


def label(field: str, words: Words) -> str:
    """`state/used/0/features/1`: Used 1, features 2."""
    first, *rest = parts(field)
    if first == "balances":
        return words.account("/".join(rest))
    named = rest if first in ("state", "card") and rest else [first, *rest]
    said = ", ".join(_numbered(named, words))
    return said[:1].upper() + said[1:]


def _numbered(names: list[str], words: Words) -> Iterator[str]:
    """Places in lists are counted from 1, behind what the list is called."""
    said = within = ""
    for name in names:
        called = words.label(name, within)
        if re.fullmatch("[0-9]+", name) and said and called == name:
            yield f"{said} {int(name) + 1}"
            said = ""
            continue
        if said:
            yield said
        within = within if name.isdecimal() else name
        said = small(called) if re.fullmatch("[a-z0-9_-]+", name) and not name.isdecimal() else called
    if said:
        yield said


def value(field: str, said: object, words: Words) -> str:
    """By the name it stands under; what is not there is nothing."""
    if said is None or said in ("", [], {}):
        return NOTHING
    first, *rest = parts(field)
    if first == "balances" and isinstance(said, int):
        return words.amount("/".join(rest), said)
    name = next((one for one in reversed(parts(field)) if not one.isdecimal()), "")
    return words.told(name, said)


# --- what is otherwise in what was declared ---


def flat(document: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every value that is no record or list of others, by its pointer."""
    pairs: list[tuple[str, object]] = []
    if isinstance(document, Mapping):
        pairs = [(str(name), one) for name, one in document.items()]
    elif isinstance(document, list):
        pairs = [(str(place), one) for place, one in enumerate(document)]
    if not pairs:
        yield path, document
    for name, one in pairs:
        yield from flat(one, f"{path}/{name.replace('~', '~0').replace('/', '~1')}")


def differences(was: object, now: object, words: Words) -> list[Line]:
    before, after = dict(flat(was)), dict(flat(now))
    fields = [(field, before.get(field), after.get(field)) for field in dict.fromkeys([*before, *after])]
    return list(_lines([one for one in fields if one[1] != one[2]], words))


def merge_patch(was: Json, now: Json) -> Json:
    """What is otherwise, after RFC 7396: lists as a whole, null for what is gone."""
    found: Json = {name: None for name in was if name not in now}
    for name, one in now.items():
        before = was.get(name)
        if isinstance(one, dict) and isinstance(before, dict):
            if inner := merge_patch(before, one):
                found[name] = inner
        elif name not in was or one != before:
            found[name] = one
    return found

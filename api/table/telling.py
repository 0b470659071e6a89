"""What tells forms of the same apart: the fields, or the things in a list, in which they differ; in people's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from api.table.nodes import Choice, Const, Either, Entries, FieldOf, Listing, Node, Number, Record, Text, Truth, certain
from api.table.words import Words, small

NOTHING: tuple[object, ...] = (None, "", [], {})
LISTED = 3  # choices that are named
TOLD = 3  # differences
OPEN = "your choice"
VAGUE = (OPEN, "free text", "some")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
OF_THESE = re.compile(r"([0-9]+|Some|One) of these|A number")  # names that say nothing
Fields = Mapping[str, FieldOf]


def fields_of(node: Node) -> Fields:
    if isinstance(node, Entries):
        return {key: FieldOf(key, node.titles.get(key, key), "", one, False) for key, one in node.nodes.items()}
    return {each.name: each for each in node.fields} if isinstance(node, Record) else {}


def differences(those: Sequence[Fields], words: Words) -> list[str]:
    """Of each what it says that another does not; where nothing is left to tell by, which of them it is."""
    names = list(dict.fromkeys(name for one in those for name in one))
    differ = [name for name in names if len({repr(one[name].node) for one in those if name in one}) > 1]
    if len(differ) == 1 and all(isinstance(one[differ[0]].node, Record) for one in those):
        return differences([fields_of(one[differ[0]].node) for one in those], words)
    told = [{name: _said(one[name], words) for name in differ if name in one} for one in those]
    return numbered([_sentence(one, told, those) for one in told])


def numbered(told: Sequence[str]) -> list[str]:
    """What reads alike by its place."""
    return [
        one if told.count(one) == 1 else f"{one} ({ORDINALS[at] if at < len(ORDINALS) else at + 1})".strip()
        for at, one in enumerate(told)
    ]  # fmt: skip


def _sentence(mine: Mapping[str, str], told: Sequence[Mapping[str, str]], those: Sequence[Fields]) -> str:
    """What only this one says, with what few say; or what it leaves out, where it says nothing of the kind."""
    often = {name: sum(other.get(name) == said for other in told) for name, said in mine.items() if said}
    few = [name for name, n in often.items() if n == 1 or 2 * n <= len(told)]
    sure = [name for name in few if mine[name].partition(": ")[2] not in VAGUE]
    titles = {name: each.title for fields in those for name, each in fields.items()}
    alone = [name for name in few if sum(bool(other.get(name)) for other in told) == 1]
    if alone and not sure:
        return f"With {', '.join(small(titles[name]) for name in alone[:TOLD])}"
    if sure or few:
        return "; ".join(mine[name] for name in (sure or few)[:TOLD])
    without = [small(titles[name]) for name, said in mine.items() if not said]
    return f"Without {', '.join(without[:TOLD])}" if without else "; ".join(list(mine.values())[:TOLD])


def _said(field: FieldOf, words: Words) -> str:
    """What the field says or can say: "Net: 4 or more"; nothing where nothing can be said."""
    said = sayable(field.node, words, field.name)
    return f"{field.title}: {said}" if said else ""


def sayable(node: Node, words: Words, name: str = "") -> str:
    """What can be said there, as shortly as can be."""
    match node:
        case Const(value=value):
            return "" if value in NOTHING else words.shown(name, value)
        case Choice(options=options):
            named = [label for value, label in options.items() if value not in ("null", '""')]
            few = named if len(named) <= LISTED else [*named[: LISTED - 1], f"{len(named) - LISTED + 1} others"]
            return " or ".join(filter(None, [", ".join(few[:-1]), *few[-1:]]))
        case Number(least=least, most=most):
            return _number(least, most)
        case Truth():
            return "Yes or No"
        case Text():
            return "free text"
        case Listing():
            return _several(node, words)
        case Either(parts=parts):
            return _one_of([part for _, part in parts], words)
        case Entries():
            return "amounts"
    return OPEN


def _number(least: int | None, most: int | None) -> str:
    if least is None or most is None:
        return "any number" if least == most else f"{least} or more" if most is None else f"{most} or less"
    return str(least) if least == most else f"{least} to {most}"


def _several(node: Listing, words: Words) -> str:
    """Of a list: what must be in it, what it sums up to, or what stands at its places."""
    if node.needed:
        return f"with {words.of(list(node.needed))}"
    if node.items is None:
        total = _total(node)
        said = [sayable(one, words) for one in node.first]
        plainly = said and not any(one in ("", *VAGUE) for one in said)
        return f"{total} in all" if total else ", then ".join(said) if plainly else str(len(node.first) or "")
    many = str(node.least) if node.least == node.most else ""
    each = sayable(node.items, words)
    each = "" if each in VAGUE else each
    return f"{many} of {each}" if many and each else many or each or "some"


def _one_of(parts: Sequence[Node], words: Words) -> str:
    """Of several lists that come to the same sum, that sum."""
    totals = {_total(one) if isinstance(one, Listing) else None for one in parts}
    if len(totals) == 1 and (total := totals.pop()) is not None:
        return f"{total} in all"
    said = [sayable(one, words) for one in parts]
    return " or ".join(filter(None, said)) if len(said) <= LISTED and not any(one in VAGUE for one in said) else OPEN


def _total(listing: Listing) -> int | None:
    """What the numbers of it come to, where each of its records says just one for certain."""
    if listing.items is not None or not listing.first:
        return None
    found = [_numbers(one) for one in listing.first]
    return sum(one[0] for one in found) if all(len(one) == 1 for one in found) else None


def _numbers(node: Node) -> list[int]:
    fields = node.fields if isinstance(node, Record) else ()
    said = [sure.value for one in fields if (sure := certain(one.node)) is not None]
    return [one for one in said if isinstance(one, int) and not isinstance(one, bool)]


def apart(named: Iterable[tuple[str, Node]], words: Words) -> tuple[tuple[str, Node], ...]:
    """Under names of which no two are the same. What has no name yet is called by what the others do not say."""
    some = list(named)
    names, parts = [name for name, _ in some], [part for _, part in some]
    made = [*names]
    if names.count("") == 1 and all(map(fields_of, parts)):
        at = names.index("")
        made[at] = differences([*map(fields_of, parts)], words)[at]
    for name in dict.fromkeys(made):
        there = [at for at, one in enumerate(made) if one == name]
        if not name or len(there) > 1:
            for at, told in zip(there, _told(name, [parts[at] for at in there], words), strict=True):
                made[at] = told
    return tuple(zip(numbered(made), parts, strict=True))


def _told(name: str, parts: Sequence[Node], words: Words) -> list[str]:
    """The name with what tells each of these from the others that have it."""
    if len(parts) > 1 and all(map(fields_of, parts)):
        said = differences([fields_of(one) for one in parts], words)
    else:
        said = [_alone(one, words) for one in parts]
    bare = OF_THESE.fullmatch(name) is not None
    whole = [one if bare else f"{name}, {small(one)}" if name and one else name or one for one in said]
    return [one[:1].upper() + one[1:] or name or "These" for one in whole]


def _alone(part: Node, words: Words) -> str:
    """Of a record, what is said in it; of anything else, what it can say."""
    if isinstance(part, Record):
        return ", ".join(one.title if not at else small(one.title) for at, one in enumerate(part.fields[:TOLD]))
    return sayable(part, words)

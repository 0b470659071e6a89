"""The changes that a decision would make, prepared for the page: counts, rulings, and values before and after."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from api.table.client import Json
from api.table.words import Words, lower_first, to_plain_words
from ledger.rules.kernel.json_types import join_pointer, split_pointer

#: A field's path, and its values before and after.
Change: TypeAlias = tuple[str, object, object]
NOTHING = "nothing"
MOST_LINES = 8  # the number of a character's lines that are shown at once
#: The texts for a missing value: before the change, and after it.
NEW, GONE = "none", "removed"
#: Parts of the campaign's state that only repeat the states of other subjects.
ECHOES = ("card/roster/", "card/scenes")
#: The possible outcomes for later rulings. Each has a kind, and words in the plural and the singular.
OUTCOMES = (
    ("stands", "stay the same", "stays the same"),
    ("changes", "get a different result", "gets a different result"),
    ("loses support", "are no longer possible", "is no longer possible"),
    ("needs dice", "need new dice", "needs new dice"),
    (
        "rests on what is hidden from you",
        "depend on information hidden from you",
        "depends on information hidden from you",
    ),
)


@dataclass(frozen=True, slots=True)
class Count:
    kind: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A value before and after the change. `is_worded`: whether the game has a word for the field. Such lines come
    first.
    """

    name: str
    before: str
    after: str
    is_worded: bool = True

    @classmethod
    def from_values(cls, path: str, before: str, after: str, words: Words) -> Line:
        """Return the line for a field. A missing value is `none` before the change, and `removed` after the change."""
        first_name, *inner_names = split_pointer(path)
        name = next((part for part in reversed(inner_names) if not part.isdecimal()), "")
        return cls(
            label_field(path, words),
            before if before != NOTHING else NEW,
            after if after != NOTHING else GONE,
            first_name != "state" or name in words.labels,
        )


@dataclass(frozen=True, slots=True)
class ChangedSubject:
    """A character, a scene or the campaign, and how it would change.

    `path`: the path of its sheet. `presence`: `gone` if it would no longer exist, `come` if it would exist again.
    `front_count`: the number of lines shown at once.
    """

    name: str
    path: str
    lines: list[Line]
    front_count: int
    presence: Literal["gone", "come"] | None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A comparison by the API, prepared for people. `digest`: the same for equal comparisons.

    `revised`: the corrected ruling. `rows`: later rulings that would change. `through`: the last ruling of a rewind.
    """

    counts: list[Count]
    rows: list[Json]
    revised: list[Json]
    more: int | None
    people: list[ChangedSubject]
    more_people: int
    findings: list[Json]
    digest: str
    through: int | None = None

    @property
    def later_count(self) -> int:
        return sum(count.number for count in self.counts)

    def count_left(self, shown_count: int = 0) -> int:
        """Return how many affected rulings are still to be shown."""
        return max(
            0, sum(count.number for count in self.counts if count.kind != "stands") - len(self.rows) - shown_count
        )


def describe_comparison(comparison: Json, words: Words) -> Foreseen:
    revised_rulings = [ruling for ruling in comparison["rulings"] if ruling["number"] in comparison["revised"]]
    revised_counts = Counter(ruling["standpoint"] for ruling in revised_rulings)
    if comparison["revised"] and not revised_rulings:
        revised_counts["stands"] = 1
    counts = [
        _make_count(kind, max(0, comparison["counts"].get(kind, 0) - revised_counts[kind]), plural, singular)
        for kind, plural, singular in OUTCOMES
    ]
    return Foreseen(
        counts=[count for count in counts if count.number or count.kind != OUTCOMES[-1][0]],
        rows=[ruling for ruling in comparison["rulings"] if ruling not in revised_rulings],
        revised=revised_rulings,
        more=comparison["more"],
        people=[
            person
            for person in (_describe_subject(subject, words) for subject in comparison["subjects"])
            if person.lines or person.presence
        ],
        more_people=comparison["more_subjects"],
        findings=comparison["findings"],
        digest=hash_comparison(comparison),
        through=comparison.get("through"),
    )


def _make_count(kind: str, number: int, plural: str, singular: str) -> Count:
    return Count(kind, number, singular if number == 1 else plural)


def hash_comparison(comparison: Json) -> str:
    """Return a digest of a comparison without the ids of its findings, because the ids depend on the position of the
    save.
    """
    findings = [{**finding, "id": ""} for finding in comparison["findings"]]
    text = json.dumps({**comparison, "findings": findings}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _describe_subject(changed_subject: Json, words: Words) -> ChangedSubject:
    kind, _, id = changed_subject["subject"].partition(":")
    all_changes = [(field["field"], field["before"], field["after"]) for field in changed_subject["fields"]]
    changes = [
        change
        for change in all_changes
        if (kind != "campaign" or not change[0].startswith(ECHOES)) and not _is_meaningless(change)
    ]
    lines = sorted(dict.fromkeys(_list_lines(changes, words)), key=lambda line: not line.is_worded)
    worded_count = sum(line.is_worded for line in lines)
    front_count = worded_count if worded_count or kind != "character" else len(lines)
    entry_changes = [change for change in all_changes if change[0] in ("card", "card/name", "card/title")]
    presence: Literal["gone", "come"] | None = None
    if any(after is None for _, _, after in entry_changes):
        presence = "gone"
    elif any(before is None for _, before, _ in entry_changes):
        presence = "come"
    return ChangedSubject(
        changed_subject["name"] or to_plain_words(kind),
        f"{kind}/{id}" if id else kind,
        lines,
        min(front_count, MOST_LINES),
        presence,
    )


def _is_meaningless(change: Change) -> bool:
    """Return whether the change only adds or removes an empty value: False, or 0 in `adrift`."""
    path, *sides = change
    only_value = next((side for side in sides if side is not None), None)
    return None in sides and (only_value is False or (path == "adrift" and only_value == 0))


def _list_lines(changes: list[Change], words: Words) -> Iterator[Line]:
    """Yield a line for each value with a changed text. A list has one line, with the items added or removed."""
    texts_by_list_path: dict[str, tuple[list[str], list[str]]] = {}
    changes = list(_join_records(changes, words))
    for path, before, after in changes:
        old_text, new_text = word_value(path, before, words), word_value(path, after, words)
        list_path = path.rpartition("/")[0]
        if _is_list_item(path, words) and (
            None in (before, after) or all(isinstance(side, str) for side in (before, after))
        ):
            removed_texts, added_texts = texts_by_list_path.setdefault(list_path, ([], []))
            removed_texts += [old_text] if before is not None else []
            added_texts += [new_text] if after is not None else []
        elif old_text != new_text:
            yield Line.from_values(path, old_text, new_text, words)
    for list_path, (removed_texts, added_texts) in texts_by_list_path.items():
        lost_counts = Counter(removed_texts) - Counter(added_texts)
        gained_counts = Counter(added_texts) - Counter(removed_texts)
        if lost_counts or gained_counts:
            yield Line.from_values(list_path, _join_counts(lost_counts), _join_counts(gained_counts), words)


def _join_counts(counts: Counter[str]) -> str:
    items = list(counts.elements())
    return ("; " if any("," in item for item in items) else ", ").join(items) or NOTHING


def _is_list_item(path: str, words: Words) -> bool:
    """Return whether the path ends with the index of a list item, not with the id of a named thing."""
    *parents, last_name = split_pointer(path)
    return last_name.isdecimal() and not words.is_somebody(last_name, parents[-1] if parents else "")


def _find_item_path(path: str, words: Words) -> str:
    """Return the path of the list item that contains the value, or "" if there is none."""
    names = path.split("/")
    ends = (end for end in range(2, len(names)) if _is_list_item("/".join(names[:end]), words))
    return next(("/".join(names[:end]) for end in ends), "")


def _join_records(all_changes: list[Change], words: Words) -> Iterator[Change]:
    """Yield the changes, with only one change for each new or removed list item."""
    changes_by_item_path: dict[str, list[Change]] = {}
    for change in all_changes:
        changes_by_item_path.setdefault(_find_item_path(change[0], words), []).append(change)
    joined_paths = {
        item_path
        for item_path, changes in changes_by_item_path.items()
        if item_path and len(changes) > 1 and len({_find_side(change) for change in changes}) == 1
    }
    joined_paths = {
        item_path for item_path in joined_paths if _find_side(changes_by_item_path[item_path][0]) is not None
    }
    for change in all_changes:
        item_path = _find_item_path(change[0], words)
        if item_path not in joined_paths:
            yield change
        elif change is changes_by_item_path[item_path][0]:
            side_index = 1 if change[1] is not None else 2
            record = _build_record(
                (item_change[0].removeprefix(f"{item_path}/"), item_change[side_index])
                for item_change in changes_by_item_path[item_path]
            )
            yield item_path, *((record, None) if side_index == 1 else (None, record))


def _find_side(change: Change) -> str | None:
    """Return the only side of the change that has a value, `before` or `after`, or None if both sides have one."""
    return "before" if change[2] is None else "after" if change[1] is None else None


def _build_record(leaves: Iterable[tuple[str, object]]) -> object:
    """Return the record or list with these leaves at their paths."""
    record: Json = {}
    for path, leaf in leaves:
        *parents, last_name = split_pointer(path)
        node = record
        for name in parents:
            node = node.setdefault(name, {})
        node[last_name] = leaf
    return _build_lists(record)


def _build_lists(node: object) -> object:
    if not isinstance(node, dict):
        return node
    children = {name: _build_lists(child) for name, child in node.items()}
    return list(children.values()) if all(name.isdecimal() for name in children) else children


# --- fields for people ---


def label_field(path: str, words: Words) -> str:
    """Return the name of a field: "Used 1, features 2" for `state/used/0/features/1`."""
    first_name, *inner_names = split_pointer(path)
    if first_name == "balances":
        return words.name_account("/".join(inner_names))
    if first_name == "adrift":
        return "Results that no longer have an effect"
    shown_names = inner_names if first_name in ("state", "card") and inner_names else [first_name, *inner_names]
    text = ", ".join(_number_names(shown_names, words))
    return text[:1].upper() + text[1:]


def _number_names(names: list[str], words: Words) -> Iterator[str]:
    """Yield the names. An item is named after its list, with a number counted from 1."""
    pending_name = container = ""
    for name in names:
        label = words.label(name, container)
        if re.fullmatch("[0-9]+", name) and pending_name and label == name:
            yield f"{pending_name} {int(name) + 1}"
            pending_name = ""
            continue
        if pending_name:
            yield pending_name
        container = container if name.isdecimal() else name
        pending_name = lower_first(label) if re.fullmatch("[a-z0-9_-]+", name) and not name.isdecimal() else label
    if pending_name:
        yield pending_name


def word_value(path: str, content: object, words: Words) -> str:
    """Return the text of a field's value, or "nothing" if it is missing."""
    if content is None or content in ("", [], {}):
        return NOTHING
    first_name, *inner_names = split_pointer(path)
    if first_name == "balances" and isinstance(content, int):
        return words.write_amount("/".join(inner_names), content)
    if first_name == "adrift" and content == 0:
        return NEW
    name = next((part for part in reversed(split_pointer(path)) if not part.isdecimal()), "")
    return words.write_in_full(name, content)


# --- differences between declarations ---


def flatten(document: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every leaf of a document with its pointer."""
    pairs: list[tuple[str, object]] = []
    if isinstance(document, Mapping):
        pairs = [(str(name), value) for name, value in document.items()]
    elif isinstance(document, list):
        pairs = [(str(index), value) for index, value in enumerate(document)]
    if not pairs:
        yield path, document
    for name, value in pairs:
        yield from flatten(value, path + join_pointer([name]))


def list_differences(old: object, new: object, words: Words) -> list[Line]:
    old_values, new_values = dict(flatten(old)), dict(flatten(new))
    changes = [(path, old_values.get(path), new_values.get(path)) for path in dict.fromkeys([*old_values, *new_values])]
    return list(_list_lines([change for change in changes if change[1] != change[2]], words))


def merge_patch(old: Json, new: Json) -> Json:
    """Return the JSON merge patch (RFC 7396) from `old` to `new`. Null removes a field, and a list is replaced as a
    whole.
    """
    patch: Json = {name: None for name in old if name not in new}
    for name, new_value in new.items():
        old_value = old.get(name)
        if isinstance(new_value, dict) and isinstance(old_value, dict):
            if inner_patch := merge_patch(old_value, new_value):
                patch[name] = inner_patch
        elif name not in old or new_value != old_value:
            patch[name] = new_value
    return patch

"""Sentences for facts, questions, refusals and derivation steps, with the names that the viewer may know.

A phrase is a template over the fields of its class: `{actor} hits {target}[ with {weapon}] for {harm:point|points}.`
How a field is written depends on its domain: characters and seats by name, words of the game without hyphens, lists
with "and". A part in square brackets is left out if a field in it is empty. `{harm:point|points}` is the number with
the singular or the plural. `{subject}` is the name of the fact's subject. If the wording depends on the record, a
function replaces the template.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Protocol, TypeAlias, Union, get_args, get_origin

from ledger.rules.kernel.domains import OPEN, Mark, Prose, Ref, load_marked_hints, split_marks
from ledger.rules.kernel.json_types import cached_by_identity
from ledger.rules.kernel.subjects import Subject, character, parse_subject, scene, seat

NAMED: Mapping[str, Callable[[str], Subject]] = {"character": character, "seat": seat, "scene": scene}
PART = re.compile(r"\[([^\[\]]*)\]|\{(\w+)(?::([^{}|]*)\|([^{}]*))?\}|([^\[\]{}]+)")
NAME = re.compile(r"\{(\w+)")
#: A colon within a word of the game, for example in `credit:nuin`.
COLON = re.compile(r":(?=\S)")
ENDS = (".", "!", "?", "…")


class Names(Protocol):
    """The names of people and scenes that a viewer may know."""

    def name(self, subject: Subject) -> str:
        """Return the name of a character or seat, or the title of a scene. Without a name, return a word such as
        "somebody".
        """


@dataclass(frozen=True, slots=True)
class About:
    """Names together with the subject of the fact. A phrase that is a function gets this in place of plain names."""

    names: Names
    subject: Subject

    def name(self, subject: Subject) -> str:
        return self.names.name(subject)


#: A function that returns the sentence for a record. A table of phrases lists it under the class of the record.
Saying: TypeAlias = "Callable[[Any, Names], str]"
Phrase: TypeAlias = "str | Saying"
#: A template over `given` and `{out}` of a step, or a function that returns one (an empty text if the step needs no
#: sentence).
Step: TypeAlias = "str | Callable[[Mapping[str, Any]], str]"
#: Puts a value in words.
Teller: TypeAlias = Callable[[Any, Names], str]
#: Returns a field of a record in a game's own words, or an empty text for the default wording.
OwnWords: TypeAlias = Callable[[object, str, Names], str]


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of a game.

    - `facts`, `inputs`, `choices`: the phrases by class.
    - `questions`: the phrases by the first word of the slot.
    - `refusals`: the phrases by code, filled in from the context. `refusals_of`: the phrases by (rule, code), if
      several rules share a code and a rule has its own sentence for it.
    - `steps`: the phrases by rule, filled in from `given` and `{out}`. A step without one is worded as the statement of
      its rule.
    - `headlines`: the facts that can stand for a whole ruling, the most important first.
    - `people`, `seats`: the names in contexts and steps that hold ids of characters or seats.
    - `words`: the words for a value in a context, such as a card.
    """

    facts: Mapping[type[object], Phrase] = field(default_factory=dict)
    inputs: Mapping[type[object], Phrase] = field(default_factory=dict)
    choices: Mapping[type[object], Phrase] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)
    refusals: Mapping[str, str] = field(default_factory=dict)
    refusals_of: Mapping[tuple[str, str], str] = field(default_factory=dict)
    steps: Mapping[str, Step] = field(default_factory=dict)
    headlines: tuple[type[object], ...] = ()
    people: frozenset[str] = frozenset({"character", "actor", "target", "who", "owner", "by"})
    seats: frozenset[str] = frozenset({"seat", "player", "asked"})
    words: Mapping[str, str] = field(default_factory=dict)


def find_names(template: str) -> set[str]:
    """Return the names of the fields in a template."""
    return set(NAME.findall(template))


def sentence(
    phrase: Phrase, record: object, names: Names, subject: Subject | None = None, own_words: OwnWords | None = None
) -> str:
    """Return the phrase filled in from the record, beginning with a capital. `own_words`: the game's own words for
    fields of a template.
    """
    if not isinstance(phrase, str):
        return _capitalize(_drop_second_stop(phrase(record, About(names, subject) if subject is not None else names)))
    cls: Any = type(record)
    tellers, own_subject = _list_tellers(cls), names.subject if isinstance(names, About) else subject

    def word_field(name: str) -> str:
        if own_words is not None and (own_text := own_words(record, name, names)):
            return own_text
        if name == "subject" and own_subject is not None:
            return names.name(own_subject)
        return tellers[name](getattr(record, name), names)

    return _capitalize(fill_template(phrase, word_field, lambda name: getattr(record, name, None)))


def fill_from_context(
    phrase: str, context: Mapping[str, object], phrases: Phrases, names: Names, prose: Iterable[str] = ()
) -> str:
    """Return the phrase of a refusal or step, filled in from its context.

    `prose`: the names of texts that somebody wrote. These texts stay as they are.
    """

    def word_field(name: str) -> str:
        value = context.get(name)
        if name in prose and isinstance(value, str):
            return value.strip()
        if isinstance(value, str) and value in phrases.words:
            return phrases.words[value]
        if (
            value
            and isinstance(value, list | tuple)
            and all(isinstance(word, str) and word in phrases.words for word in value)
        ):
            return listed(phrases.words[word] for word in value)
        for names_of_kind, subject in ((phrases.people, character), (phrases.seats, seat)):
            if name in names_of_kind:
                return listed(
                    names.name(subject(str(id))) for id in (value if isinstance(value, list | tuple) else [value])
                )
        return word_value(value, type(value), names)

    return _capitalize(fill_template(phrase, word_field, context.get))


def fill_template(template: str, word_field: Callable[[str], str], get_raw: Callable[[str], object]) -> str:
    """Return a template with its fields filled in."""
    filled_text = ""
    for optional, name, singular, plural, text in _split_template(template):
        if text:
            # a text that somebody wrote may end with a full stop
            is_ended = text.startswith(".") and filled_text.endswith(ENDS)
            filled_text += text[1:] if is_ended else text
        elif optional:
            names = list_fields(optional)
            filled_text += (
                fill_template(optional, word_field, get_raw)
                if all(_has_content(get_raw(optional_name)) for optional_name in names)
                else ""
            )
        elif plural:
            count = get_raw(name)
            filled_text += f"{count} {singular if count == 1 else plural}"
        else:
            filled_text += word_field(name)
    return filled_text


@cache
def _split_template(template: str) -> tuple[tuple[str, str, str, str, str], ...]:
    parts = PART.findall(template)
    if "".join(_write_part(part) for part in parts) != template:
        raise ValueError(f"not a phrase: {template!r}")
    return tuple(parts)


def _write_part(part: tuple[str, str, str, str, str]) -> str:
    optional, name, singular, plural, text = part
    if text:
        return text
    if name:
        return f"{{{name}:{singular}|{plural}}}" if plural else f"{{{name}}}"
    return f"[{optional}]"


@cache
def list_fields(template: str) -> tuple[str, ...]:
    """Return the names of a template's fields. Raise ValueError for anything that is not a template."""
    names: list[str] = []
    for optional, name, _, _, _ in _split_template(template):
        names += list_fields(optional) if optional else [name] if name else []
    return tuple(names)


def _has_content(value: object) -> bool:
    return value is not None and value is not False and value not in ("", (), [], {})


def word_value(value: object, hint: object, names: Names) -> str:
    """Return a value in words. `hint`: its type."""
    return _make_teller(hint)(value, names)


@cache
def _list_tellers(cls: type[object]) -> Mapping[str, Teller]:
    """Return, for each field of a class, the function that puts it in words."""
    return {name: _make_teller(hint) for name, hint in load_marked_hints(cls).items()}


@cached_by_identity
def _make_teller(hint: Any) -> Teller:
    """Return the function that puts values of a type in words."""
    plain_type, marks = split_marks(hint)
    if get_origin(plain_type) not in (Union, types.UnionType):
        return partial(_word_single_type, plain_type, marks)
    branches = [
        (cls, _make_teller(branch)) for branch in get_args(plain_type) if (cls := _find_class(branch)) is not None
    ]
    return lambda value, names: _choose_teller(value, branches)(value, names)


def _find_class(branch: object) -> type[object] | None:
    """Return the class of the type's values, or None if there is none, as for a list of words."""
    plain_type, _ = split_marks(branch)
    cls = get_origin(plain_type) or plain_type
    if cls in OPEN:
        return object
    return cls if isinstance(cls, type) else None


def _choose_teller(value: object, branches: Iterable[tuple[type[object], Teller]]) -> Teller:
    """Return the function that puts this value of a union in words."""
    return next((tell for cls, tell in branches if isinstance(value, cls)), None) or _make_teller(type(value))


def _word_single_type(plain_type: object, marks: tuple[Mark, ...], value: object, names: Names) -> str:
    if isinstance(value, str):
        return _word_text(value, marks, names)
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | frozenset):
        item_types = _list_item_types(plain_type, len(value))
        return listed(word_value(item, item_type, names) for item, item_type in zip(value, item_types, strict=True))
    if isinstance(value, Mapping):
        key_type, item_type = (get_args(plain_type) or (str, type(None)))[:2]
        pairs = (
            (word_value(name, key_type, names), word_value(entry, item_type, names)) for name, entry in value.items()
        )
        return listed(f"{name} {entry}" for name, entry in pairs)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        cls: Any = type(value)
        tellers = _list_tellers(cls)
        named_values = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return " ".join(
            tellers[name](value_part, names) for name, value_part in named_values if _has_content(value_part)
        )
    return str(value)


def _word_text(value: str, marks: Iterable[Mark], names: Names) -> str:
    for mark in marks:
        if isinstance(mark, Ref) and mark.to in NAMED:
            return names.name(NAMED[mark.to](value))
        if isinstance(mark, Ref) and mark.to == "subject":
            return names.name(parse_subject(value)) if ":" in value else f"the {value}"
        if isinstance(mark, Ref) and mark.to == "field":
            return value
        if isinstance(mark, Prose):
            return value.strip()
    return _word_account(value, names) or words(value)


def _word_account(value: str, names: Names) -> str | None:
    """Return `character:12/gold` as "Senna's gold", `bank/gold` as "the bank's gold", and `character:12` as "character
    12". None for any other text.
    """
    owner, slash, unit = value.partition("/")
    kind, _, id = owner.partition(":")
    if slash and kind in ("bank", "house", "world"):
        return f"the {kind}'s {words(unit)}"
    if kind not in NAMED or not id:
        return None
    return f"{names.name(NAMED[kind](id))}'s {words(unit)}" if slash else f"{kind} {id}"


def _list_item_types(hint: object, count: int) -> list[object]:
    parts = [part for part in get_args(hint) if part is not Ellipsis]
    return parts if len(parts) == count and count > 1 else [parts[0] if parts else object] * count


def words(value: str) -> str:
    """Return a word of the game as people write it: "smooth talker" for `smooth-talker`. A leading minus is kept."""
    return COLON.sub(" ", value[:1] + value[1:].replace("-", " ").replace("_", " "))


def listed(parts: Iterable[str]) -> str:
    """Return "a", "a and b", "a, b and c"; "none" for an empty list."""
    *first_parts, last_part = [*parts] or ["none"]
    return f"{', '.join(first_parts)} and {last_part}" if first_parts else last_part


def _drop_second_stop(text: str) -> str:
    """Return the text without a second full stop at its end."""
    return text[:-1] if text.endswith(".") and text[:-1].endswith(ENDS) else text


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]

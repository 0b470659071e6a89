"""Names of values for people, from the documents that the reader may see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import NamedTuple

from markupsafe import Markup, escape

from api.table.client import Json
from ledger.rules.kernel.declarations import find_fact_kind
from ledger.rules.kernel.sentences import ECHOES

READ = 10  # the most values of a record that is shown without folding
FRONT = 6  # values of a state that are shown without folding
NAUGHT = ("0", "none")  # words for an empty value
SMALL = {"gm": "Game master"}
#: Kinds of facts that repeat another fact for a second subject.
ECHO_KINDS = frozenset(f"ledger.{find_fact_kind(fact_class).partition('@')[0]}" for fact_class in ECHOES)
#: The names of declarations that every game has.
DEEDS = {
    "enrol": "Add a character",
    "hand-over": "Hand a character to another player",
    "retire": "Retire a character",
    "open-scene": "Start a scene",
    "close-scene": "End the scene",
    "open-session": "Start a session",
    "close-session": "End the session",
    "amend": "Correct a character’s sheet",
    "adjust": "Change a balance",
    "set-dial": "Change an option",
}
WORD = re.compile(r"(?=.*[a-z])[a-z0-9]+([-_/:][a-z0-9]+)*")
PARTS_OF = re.compile(r"(.*), in ([1-9][0-9]*)ths")
PEOPLE = ("character", "seat")
OWN_NAMES = ("name", "title", "text")  # fields with the name of a record, the best first
ID = re.compile(r"s?[0-9]+")
OWN = re.compile(r"[0-9]+(-[0-9]+)?")  # an id of the game's own
PLACE = re.compile(r"<(\w+)>")


def to_plain_words(word: str) -> str:
    """Return `smooth-talker`, `other_declared` or `max_wounds` as ordinary words."""
    text = re.sub(r"[-_:/]+", " ", word).strip() or word
    return text[:1].upper() + text[1:]


_BLANK = re.compile(r"\.{2,}")
_ARTICLE = re.compile(r"^(an?|the) ")


def has_blanks(text: str) -> bool:
    """Return whether a sentence has blanks that are still to be filled in."""
    return _BLANK.search(text) is not None or "somebody" in text.lower()


def count_filled_values(value: object) -> int:
    """Return how many non-empty values this value contains, at any depth."""
    if isinstance(value, Mapping):
        return sum(map(count_filled_values, value.values()))
    if isinstance(value, list):
        return sum(map(count_filled_values, value))
    return value not in (None, "", False, 0)


def mark_blanks(text: str) -> Markup:
    """Return the sentence with its blanks marked. Two dots at the end are a blank followed by the full stop."""

    def mark_blank(match: re.Match[str]) -> str:
        end = "." if match.end() == len(text) and len(match[0]) == 2 else ""
        return f'<span class="blank">…</span>{end}'

    return Markup(_BLANK.sub(mark_blank, str(escape(text))))


def link_rulings(text: str, seat_path: str, own_number: int = 0) -> Markup:
    """Return the sentence with a link to each ruling it names, except `own_number`. `seat_path`: the seat's path."""

    def make_link(match: re.Match[str]) -> str:
        return match[0] if int(match[1]) == own_number else f'<a href="{seat_path}/rulings/{match[1]}">{match[0]}</a>'

    return Markup(re.sub(r"\b[Rr]uling ([1-9][0-9]{0,8})\b", make_link, str(escape(text))))


def list_further_results(ruling: Json) -> list[str]:
    """Return the texts of a ruling's facts that the ruling's sentence does not contain. Repeated facts are left out."""
    sentence = ruling["text"].lower()
    texts = [fact["text"] for fact in ruling["facts"] if not fact["struck"] and fact["kind"] not in ECHO_KINDS]
    return [text for text in texts if text and _ARTICLE.sub("", text.lower().strip(".")) not in sentence]


def write_mixed(number: object) -> str:
    """Return a number as people write it: 28 3/4 for `115/4`."""
    fraction = Fraction(str(number))
    wholes, remainder = divmod(fraction, 1)
    return " ".join(str(part) for part in (wholes, remainder) if part) or "0"


def format_moment(text: str) -> str:
    """Return a time as people write it, in UTC. The page's script replaces it with the reader's own time."""
    time = datetime.fromisoformat(text).astimezone(UTC)
    return f"{time.day} {time:%B %Y}, {time:%H:%M} UTC"


def lower_first(text: str) -> str:
    """Return the text with a lower-case first letter, unless its first word is in capitals."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def is_long_record(record: Mapping[str, object]) -> bool:
    """Return whether a record is too long to show at once."""
    return count_filled_values({name: value for name, value in record.items() if name != "id"}) > READ


def is_short_list(value: object) -> bool:
    """Return whether the value is a list short enough to show at once."""
    return isinstance(value, list) and 0 < len(value) <= FRONT


def list_plain_names(record: Mapping[str, object]) -> list[str]:
    """Return the names of the plain values, including zeros."""
    return [
        name
        for name, value in drop_repeated_values(record).items()
        if isinstance(value, str | int | float) and value != ""
    ]


def drop_repeated_values(record: Mapping[str, object]) -> dict[str, object]:
    """Return the record without the values that are already in its name, such as "dead" in "Inactive (dead)"."""
    names = {name: value for name, value in record.items() if name in ("name", "title") and isinstance(value, str)}
    words = {word.casefold() for value in names.values() for word in [value, *re.findall(r"\w+", value)]}
    return {
        name: value
        for name, value in record.items()
        if name in names or not (isinstance(value, str) and value.casefold() in words and not value.isdecimal())
    }


class Account(NamedTuple):
    """A kind of account: its form, its title, and how many parts make a whole."""

    form: re.Pattern[str]
    title: str
    parts_per_whole: int = 1

    @classmethod
    def from_form(cls, form: str, title: str) -> Account:
        """Return the kind of account for a form such as `character:<id>/ap:<against>` and a title. If the title ends
        with ", in 120ths", a whole has 120 parts.
        """
        parts_of_whole = 1
        if match := PARTS_OF.fullmatch(title):
            title, parts_of_whole = match[1], int(match[2])
        parts = PLACE.split(form)
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = [f"(?P<{name}>[^/:]+)" for name in parts[1::2]]
        return cls(re.compile("".join(parts)), title, parts_of_whole)


@dataclass(frozen=True, slots=True)
class Words:
    """Names for the values of a campaign.

    `names`: names by id, for each kind of reference (`character`, `seat` ...). `fields`: the kind of reference in each
    field. `labels`: names of fields and of the game's words, most important first. `accounts`: kinds of accounts.
    `steps`: the kind of reference in each input and result of a step. `things`: names for the game's own ids, such as
    the ids of checks and actions. `lists`: fields that contain a list. In such a field, a number is an index and not an
    id.
    """

    names: Mapping[str, Mapping[str, str]]
    fields: Mapping[str, str]
    labels: Mapping[str, str] = field(default_factory=dict)
    accounts: Sequence[Account] = ()
    steps: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    lists: Collection[str] = frozenset()

    # --- values ---

    def name_value(self, value: object, ref: str | None = None) -> str:
        """Return the value in words. `ref`: what kind of thing the value refers to."""
        match value:
            case None:
                return "None"
            case bool():
                return "Yes" if value else "No"
            case str():
                return self._name_text(value, ref)
            case dict():
                return self._name_record(value)
            case list():
                between = "; " if any(isinstance(item, dict | list) for item in value) else ", "
                return between.join(self.name_value(item, ref) for item in value) or "None"
        return str(value)

    def _name_record(self, value: Mapping[str, object]) -> str:
        """Return the name of a record, followed by its other values that are not empty."""
        texts = {
            name: self.name_field_value(name, field_value)
            for name, field_value in value.items()
            if field_value not in (None, "", [], {}) and field_value is not False
        }
        record_name = texts.pop("name", None)
        other_texts = ", ".join(texts.values())
        if record_name is None:
            return other_texts or "None"
        return f"{record_name} ({other_texts})" if other_texts else record_name

    def _name_text(self, value: str, ref: str | None) -> str:
        """Return the name of the thing that the value refers to, or the value in plain words. `ref`: the kind of
        reference.
        """
        # a game can use its own word for a kind of reference, such as `character`
        ref = self.fields.get(ref, ref) if ref and ref not in self.names else ref
        known_name = (self.labels if ref == "word" else self.names.get(ref or "", {})).get(value)
        known_name = known_name if known_name is not None else self.things.get(ref or "", {}).get(value)
        if known_name is None and ref in PEOPLE:  # a seat, in a field that mostly names characters
            known_name = next(
                (self.names[people_ref][value] for people_ref in PEOPLE if value in self.names.get(people_ref, {})),
                None,
            )
        if known_name is not None:
            return known_name
        kind, colon, address = value.partition(":")
        id, slash, account = address.partition("/")
        if colon and kind in self.names and id in self.names[kind]:
            return f"{self.names[kind][id]}{f': {to_plain_words(account)}' if slash else ''}"
        if value in SMALL:
            return SMALL[value]
        if value == "":
            return "Nothing"
        if ref in ("ruling", "scene", "session") and value.isdecimal():
            return f"{to_plain_words(ref)} {value}"
        return to_plain_words(value) if WORD.fullmatch(value) else value

    def name_field_value(self, name: str, value: object) -> str:
        """Return the text of a value in a field of a state."""
        return self.name_value(value, self.fields.get(name))

    def write_in_full(self, name: str, value: object) -> str:
        """Return the text of a field's value. In a record, name the field of each value: "Gladiator (die 8, now 6)"."""
        if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
            return "; ".join(self.write_in_full(name, item) for item in value)
        if not isinstance(value, dict):
            return self.name_field_value(name, value)
        shown_values = {
            key: field_value
            for key, field_value in drop_repeated_values(value).items()
            if field_value not in (None, "", [], {}, "none", False) or (field_value == 0 and field_value is not False)
        }
        shown_values = {
            key: field_value for key, field_value in shown_values.items() if "id" not in (key, self.fields.get(key))
        }
        record_name = next(
            (self.name_field_value(key, shown_values.pop(key)) for key in OWN_NAMES if key in shown_values), None
        )
        pairs = [self._write_pair(key, field_value, name) for key, field_value in shown_values.items()]
        if record_name and is_long_record(value):
            return record_name
        text = ", ".join([*pairs[:FRONT], *(["…"] if len(pairs) > FRONT else [])])
        return f"{record_name} ({text})" if record_name and text else record_name or text or "None"

    def _write_pair(self, name: str, value: object, within: str) -> str:
        label = lower_first(self.label(name, within))
        return label if value is True else f"{label} {self.write_in_full(name, value)}"

    def write_reckoning(self, rule: str, input_values: Mapping[str, object], out: object) -> str:
        """Return the inputs and the result of a rule: "Side: Own; Whose: Gero. Result: 4"."""
        pairs = [(self.label(name), self._word_input(name, value)) for name, value in input_values.items()]
        inputs = "; ".join(f"{name}: {text.removesuffix('.')}" for name, text in pairs if text)
        result = self._word_input(rule, out)
        return ". ".join(part for part in (inputs, f"Result: {result}" if result else "") if part)

    def _word_input(self, name: str, value: object) -> str:
        """Return the text of an input, or "" for an id that means nothing to people."""
        ref = self.steps.get(name) or self.fields.get(name)
        if ref == "id":
            return ""
        if isinstance(value, Mapping):
            return ", ".join(
                f"{self.label(key, name)} {self.name_field_value(key, field_value)}"
                for key, field_value in value.items()
            )
        items = value if isinstance(value, list) else [value]
        return (
            ", ".join(self._name_person(item) if ref in PEOPLE else self.name_value(item, ref) for item in items)
            or "None"
        )

    def _name_person(self, value: object) -> str:
        """Return the name of a character or a seat, or "Someone" if the reader does not know them."""
        known_name = next(
            (self.names[ref][str(value)] for ref in PEOPLE if str(value) in self.names.get(ref, {})), None
        )
        return known_name or ("Someone" if isinstance(value, str) and ID.fullmatch(value) else self.name_value(value))

    # --- names ---

    def name_declaration(self, kind: str) -> str:
        """Return the name of a kind of declaration, as a heading."""
        return self.labels.get(kind) or DEEDS.get(kind) or to_plain_words(kind)

    def label(self, name: str, within: str = "") -> str:
        """Return the name of a field, or of the thing that its id stands for. `within`: the field that contains it."""
        ref = "" if within in self.lists and name.isdecimal() else self.fields.get(within, "")
        if ref and name in self.names.get(ref, {}):
            return self.names[ref][name]
        if ref and name in self.things.get(ref, {}):
            return f"“{self.things[ref][name]}”"
        return self.labels.get(name) or (self.name_value(name) if ":" in name else to_plain_words(name))

    def is_somebody(self, name: str, within: str) -> bool:
        """Return whether `name`, a key in the field `within`, is the id of a named thing such as a character."""
        return within not in self.lists and name in self.names.get(self.fields.get(within, ""), {})

    def make_heading(self, name: str, value: object, within: str = "") -> str:
        """Return the name of a field. If it is only an id of the game's own, name the record after its contents."""
        label = self.label(name, within)
        is_own_id = label == name and OWN.fullmatch(name) is not None
        return self.write_in_short(value) or label if is_own_id and isinstance(value, dict) else label

    def write_in_short(self, record: Mapping[str, object]) -> str:
        """Return the name of the record's owner, and the first of the record's other texts."""
        texts = {name: text for name, text in record.items() if isinstance(text, str) and text and name != "id"}
        owner_fields = [
            name for name in record if self.fields.get(name) == "character" and (name in texts or "text" in texts)
        ]
        owner_names = [self.name_field_value(name, texts[name]) for name in owner_fields[:1] if name in texts]
        other_texts = [
            self.name_field_value(name, text) for name, text in texts.items() if self.fields.get(name) is None
        ]
        return ", ".join([*owner_names, *other_texts[: 4 - len(owner_names)]])

    def find_leading_name(self, text: str, own_seat: str) -> str:
        """Return the name of the other seat at the beginning of the sentence, or ""."""
        other_names = (name for id, name in self.names.get("seat", {}).items() if id != own_seat)
        return next((name for name in other_names if name and text.startswith(f"{name} ")), "")

    def list_other_names(self, moves: Sequence[Json], own_seat: str) -> tuple[list[str], bool]:
        """Return the names of the other seats that these moves are for, and whether some moves are for the reader's
        seat.
        """
        names = [self.find_leading_name(move["text"], own_seat) for move in moves]
        return list(dict.fromkeys(filter(None, names))), "" in names

    def name_account(self, account: str) -> str:
        """Return the name of an account without its owner: "Advantage Points against Steve"."""
        for form, title, _ in self.accounts:
            if title and (match := form.fullmatch(account)):
                text = PLACE.sub(lambda place: self.label(match[place[1]], place[1]), title)
                return text[:1].upper() + text[1:]
        return self.name_value(account.partition("/")[2])

    def write_amount(self, account: str, amount: int, *, signed: bool = False) -> str:
        """Return the amount in whole units: 90 parts of 120 are 3/4."""
        parts_per_whole = next(
            (
                account_kind.parts_per_whole
                for account_kind in self.accounts
                if account_kind.title and account_kind.form.fullmatch(account)
            ),
            1,
        )
        wholes, remainder = divmod(abs(amount), parts_per_whole)
        text = " ".join(str(part) for part in (wholes, Fraction(remainder, parts_per_whole)) if part) or "0"
        sign = "-" if amount < 0 else "+" if signed else ""
        return sign + text

    def drop_repeated_records(self, state: Mapping[str, object]) -> dict[str, object]:
        """Return the state without records that also occur in one of the state's mappings."""
        inner_records = [
            record
            for mapping in state.values()
            if isinstance(mapping, dict)
            for record in mapping.values()
            if isinstance(record, dict)
        ]
        return {
            name: value
            for name, value in state.items()
            if not (isinstance(value, dict) and value and value in inner_records)
        }

    def split_fields(self, state: Mapping[str, object]) -> tuple[list[str], list[str]]:
        """Return the names of plain values in two parts: those shown at once, and the rest. The game's words come
        first.
        """
        names = [name for name, value in state.items() if isinstance(value, str | int) and value]
        names_with_content = [name for name in names if state[name] not in NAUGHT]
        labelled_names = [name for name in self.labels if name in names_with_content]
        other_names = [name for name in names_with_content if name not in labelled_names]
        front = [*labelled_names, *other_names][:FRONT]
        return front, [name for name in names if name not in front]


def make_words(state: Json, schemas: Mapping[str, Json], system: Json) -> Words:
    """Return the words for a campaign as a seat sees it."""
    seats = {seat["id"]: seat["name"] for seat in state["campaign"]["seats"]}
    names = {
        "character": {character["id"]: character["name"] for character in state["characters"]},
        "seat": seats,
        "scene": {scene["id"]: scene["title"] for scene in state["scenes"]},
        "session": {
            session["id"]: session.get("title") or f"Session {session['id']}"
            for session in state["campaign"]["sessions"]
        },
        "dial": {dial: to_plain_words(dial) for dial in state["campaign"]["dials"]},
    }
    names["audience"] = {
        "gm": "Game masters",
        **seats,
        **{f"character:{id}": name for id, name in names["character"].items()},
    }
    names["subject"] = {
        "campaign": "The campaign",
        **{f"character:{id}": name for id, name in names["character"].items()},
        **{f"scene:{id}": title for id, title in names["scene"].items()},
    }
    references = system.get("references", {})
    refs_by_list = {list_name: ref for ref, about in references.items() if (list_name := _find_list_name(about))}
    fields = refs_by_list | _index_fields(schemas, state["campaign"]["system"]) | system.get("refers", {})
    accounts = [Account.from_form(account["form"], account["title"]) for account in system.get("accounts", ())]
    words = Words(names, fields, system.get("labels", {}), accounts, system.get("steps", {}))
    things = _name_things(words, state, references)
    lists, mappings = set[str](), set[str]()
    _collect_fields(state, lists, mappings)
    return replace(words, things=things, lists=frozenset(lists - mappings))


def _collect_fields(document: object, lists: set[str], mappings: set[str], name: str = "") -> None:
    """Add the names of the fields that contain lists to `lists`, and of those that contain mappings to `mappings`."""
    if isinstance(document, dict):
        mappings.add(name)
        for key, value in document.items():
            if isinstance(value, dict | list):
                _collect_fields(value, lists, mappings, key)
    elif isinstance(document, list):
        lists.add(name)
        for item in document:
            if isinstance(item, dict | list):
                _collect_fields(item, lists, mappings)


def _find_list_name(about: str) -> str | None:
    """Return the name of the list that a reference's description mentions: `checks` for "The id of a check, as the
    scene lists its `checks`".
    """
    list_match = re.search(r"`(\w+)`", about) if about.startswith("The id of ") else None
    return list_match[1] if list_match else None


def _name_things(words: Words, state: Json, references: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return names for the game's own ids, by the kind of reference. If two names are the same, the ids are added."""
    states = [
        subject["state"]
        for subject in (state["campaign"], *state["scenes"], *state["characters"])
        if subject.get("state")
    ]
    things: dict[str, dict[str, str]] = {}
    for ref, about in references.items():
        list_name = _find_list_name(about)
        lists = [subject_state[list_name] for subject_state in states if list_name in subject_state]
        records = {id: record for items in lists for id, record in _list_by_id(items)}
        name_by_id = {id: words.write_in_short(record) for id, record in records.items()}
        name_counts = Counter(name_by_id.values())
        things[ref] = {
            id: name if name_counts[name] == 1 else f"{name} ({id})" for id, name in name_by_id.items() if name
        }
    return things


def _list_by_id(container: object) -> Iterator[tuple[str, Json]]:
    """Yield the records of a list or a mapping, with their ids."""
    if isinstance(container, dict):
        yield from ((id, record) for id, record in container.items() if isinstance(record, dict))
    elif isinstance(container, list):
        yield from ((str(record["id"]), record) for record in container if isinstance(record, dict) and "id" in record)


_referred: dict[str, tuple[int, dict[str, str]]] = {}


def _index_fields(schemas: Mapping[str, Json], system: str) -> dict[str, str]:
    """Return the kind of reference of each field name. Ambiguous names are left out."""
    cached_index = _referred.get(system)
    if cached_index is None or cached_index[0] != id(schemas):
        targets: dict[str, set[str]] = {}
        for name, schema in schemas.items():
            if name.startswith((f"{system}_", "ledger_")):
                for field, field_schema in schema.get("properties", {}).items():
                    for part in (field_schema, *field_schema.get("anyOf", ()), field_schema.get("items", {})):
                        targets.setdefault(field, set()).add(part.get("x-ref", {}).get("to", ""))
        reference_by_field = {
            field: next(iter(real_refs)) for field, refs in targets.items() if len(real_refs := refs - {""}) == 1
        }
        cached_index = _referred[system] = (id(schemas), reference_by_field)
    return cached_index[1]

"""Declarations that the service offers only as a form: enrolling, setting an option, correcting a state or account."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import Any

from api.cli.playing.filling import NEAREST, Filling, Json, NeverFilled
from api.cli.playing.prose import write_prose
from api.cli.playing.table import Seat, Table, Word
from api.cli.playing.words import NOTHING, choose_least_used_index, list_words
from ledger.rules.kernel.json_types import join_pointer

BY_FORM = ("enrol", "amend", "adjust", "set-dial")
SHEET, SET, AMENDED, ADJUSTED = "sheet", "turned", "amended", "adjusted"  # the scopes of the words that are counted
VARIED, VARIATIONS = 0.7, 4  # how often a ready-made sheet is varied, and the attempts to do so
WAYS = 4  # variations made, of which the one with the least used words is tried
DROPPED = 0.5  # how often an optional field is left out to vary a sheet
PART = 0.7  # how often a list or number is changed a little, not replaced
TAKEN = 0.6  # how often an amount is taken away
GIVEN, SELDOM_GIVEN = 0.7, 0.2  # how often a character gets something they may not have had before
CHANGED = 0.8  # how often an amendment changes a number
FEW = 10  # numbers tried for an account without an amount
DRAWN = 30  # random sheets tried in a game without ready-made characters
WHOLE = 0.5  # how often an amendment changes the character itself, not one of its possessions
PLACE, WHOSE = re.compile(r"<([^>]*)>"), re.compile(r"(character|scene|seat):<id>/")  # parts of an account's form
NUMBERED = re.compile(r":[^:/]*\d[^:/]*")  # the parts of an account's name that contain ids


class ByForm:
    """Makes declarations of the kinds in `BY_FORM`.

    `most_people`: the most characters at once. `counts`: how often each word was used in this evening; new declarations
    add to it.
    """

    def __init__(self, table: Table, filler: Filling, most_people: int, counts: Counter[Word]) -> None:
        self.table, self.filler, self.rng, self.most_people = table, filler, filler.rng, most_people
        self.counts = counts
        people = list(table.system["people"].items())
        self.people = cycle(self.rng.sample(people, len(people)))
        self.campaign: Json = {"characters": [], "dials": {}}
        self.first_dials: Json = {}
        self.enrolled_count = 0

    def note_campaign(self, campaign: Json) -> None:
        self.campaign = campaign
        self.first_dials = self.first_dials or dict(campaign["dials"])

    def make_declaration(self, kind: str, seat: Seat) -> Json | None:
        """Return a declaration of the kind, or None if none is possible."""
        maker_by_kind: dict[str, Callable[[Seat], Json | None]] = {
            "enrol": self.make_enrolment_within_limits,
            "amend": self._make_amendment,
            "adjust": self._make_adjustment,
            "set-dial": self._make_dial_change,
        }
        return maker_by_kind[kind](seat)

    def make_enrolment(self, seat: Seat) -> Json | None:
        """Return an enrolment of one of the game's ready-made characters, or of any sheet that its form allows. Return
        None if there are enough characters.
        """
        active_names = [character["name"] for character in self.campaign["characters"] if not character["retired"]]
        if len(active_names) >= self.most_people:
            return None
        name, sheet = next(self.people, None) or (write_prose(self.rng, 20), self._make_sheet())
        self.enrolled_count += 1
        new_name = (
            f"{name} {self.enrolled_count}"
            if name in [character["name"] for character in self.campaign["characters"]]
            else name
        )
        return {"kind": "enrol", "name": new_name, "seat": seat.id, "sheet": sheet}

    def make_enrolment_within_limits(self, seat: Seat) -> Json | None:
        """Return an enrolment that a preview accepts, or None."""
        for _ in range(len(self.table.system["people"]) or DRAWN):
            declaration = self.make_enrolment(seat)
            if declaration is None:
                return None
            for _ in range(VARIATIONS if self.rng.random() < VARIED else 0):
                sheets = [self._vary_sheet(declaration["sheet"]) for _ in range(WAYS)]
                sheet = sheets[
                    choose_least_used_index(SHEET, sheets, self.table.earlier_record.words + self.counts, self.rng)
                ]
                if self._is_accepted(seat, varied_declaration := {**declaration, "sheet": sheet}):
                    self.counts.update(list_words(SHEET, sheet))
                    return varied_declaration
            if self._is_accepted(seat, declaration):
                return declaration
        return None

    def _vary_sheet(self, sheet: Any) -> Any:
        """Return the sheet with one part changed or an optional part left out."""
        schema = self.filler.resolve(self._load_sheet_schema())
        try:
            return self._change_part(sheet, schema)
        except NeverFilled:
            return sheet

    def _change_part(self, value: Any, schema: Json) -> Any:
        schema = self.filler.resolve(schema)
        field_schemas: Json = schema.get("properties", {})
        if isinstance(value, dict) and field_schemas:
            name = self.rng.choice(list(field_schemas))
            other_fields = {field: part for field, part in value.items() if field != name}
            if name not in value:
                return {**other_fields, name: self.filler.make_value(field_schemas[name])}
            if name not in schema.get("required", ()) and self.rng.random() < DROPPED:
                return other_fields
            return {**other_fields, name: self._change_part(value[name], field_schemas[name])}
        if isinstance(value, dict) and value:
            name = self.rng.choice(list(value))
            return {**value, name: self._change_part(value[name], schema.get("additionalProperties", {}))}
        if isinstance(value, list) and value and self.rng.random() < PART:
            index = self.rng.randrange(len(value))
            return [*value[:index], self._change_part(value[index], schema.get("items", {})), *value[index + 1 :]]
        if isinstance(value, int) and not isinstance(value, bool) and self.rng.random() < PART:
            return value + self.rng.choice((-1, 1))
        return self.filler.make_value(schema)

    def _is_accepted(self, seat: Seat, declaration: Json) -> bool:
        return seat.post("/rulings", {"declare": declaration, "preview": True}).status_code == 200

    def _make_sheet(self) -> object:
        return self.filler.make_value(self._load_sheet_schema())

    def _load_sheet_schema(self) -> Json:
        schema: Json = self.table.schemas[f"{self.table.system['name']}_Sheet"]
        return schema

    def _write_reason(self) -> str:
        return write_prose(self.rng, 200)

    def _make_dial_change(self, seat: Seat) -> Json | None:
        """Return a declaration that sets an option, or None if none is possible. A changed option gets its first value
        back.
        """
        dials, current_values = self.table.list_settable_dials(), self.campaign["dials"]
        changed_dials = [
            dial for dial in dials if current_values.get(dial["name"]) != self.first_dials.get(dial["name"])
        ]
        if not dials:
            return None
        dial = self.rng.choice(changed_dials or self._list_seldom_turned_dials(dials))
        values = dial["values"] or list(_vary_nearby(self.first_dials.get(dial["name"], dial["default"]), self.rng))
        for value in [self.first_dials[dial["name"]]] if changed_dials else self.rng.sample(values, len(values)):
            declaration = {"kind": "set-dial", "name": dial["name"], "value": value, "reason": self._write_reason()}
            if self._is_accepted(seat, declaration):  # the game can say who may set the option
                self.counts[SET, dial["name"], ""] += 1
                return declaration
        self.counts[SET, dial["name"], ""] += 1
        return None

    def _list_seldom_turned_dials(self, dials: list[Json]) -> list[Json]:
        """Return the options that were set least often, in this evening and earlier ones."""
        try_counts = {
            dial["name"]: self.counts[word := (SET, dial["name"], "")] + self.table.earlier_record.words[word]
            for dial in dials
        }
        return [dial for dial in dials if try_counts[dial["name"]] == min(try_counts.values())]

    def _make_amendment(self, seat: Seat) -> Json | None:
        """Return an amendment of a character, or None if a preview refuses it. Numbers change by one or become zero.
        Other values stay the same.
        """
        if not self.filler.known_ids.get("character"):
            return None
        id = self._choose_character_id()
        leaves = list(_list_leaves(seat.get(f"/characters/{id}")["state"], ""))
        if not leaves:
            return None
        top_leaves = [leaf for leaf in leaves if "/" not in leaf[0]]
        candidates = top_leaves if top_leaves and self.rng.random() < WHOLE else leaves
        changes = [(field, self._change_or_keep_value(value)) for field, value in self.rng.choices(candidates, k=WAYS)]
        keys = [(AMENDED, field, str(value == 0)) for field, value in changes]
        counts = [self.counts[key] + self.table.earlier_record.words[key] for key in keys]
        index = counts.index(min(counts))
        self.counts[keys[index]] += 1
        field, value = changes[index]
        declaration = {
            "kind": "amend",
            "subject": f"character:{id}",
            "field": field,
            "value": value,
            "reason": self._write_reason(),
        }
        return declaration if self._is_accepted(seat, declaration) else None

    def _change_or_keep_value(self, value: object) -> object:
        if not isinstance(value, int) or isinstance(value, bool) or self.rng.random() > CHANGED:
            return value
        return self.rng.choice((0, 0, max(0, value - 1), value + 1))

    def _choose_character_id(self, except_id: str = "") -> str:
        """Return the id of a character, usually one in the circle."""
        other_ids = [id for id in self.filler.known_ids["character"] if id != except_id] or [except_id]
        circle_ids = [id for id in self.filler.circle if id in other_ids]
        return self.rng.choice(circle_ids if circle_ids and self.rng.random() < NEAREST else other_ids)

    def _make_adjustment(self, seat: Seat) -> Json | None:
        """Return an adjustment: a character gets more or less of something, loses all of it, or gets something new."""
        accounts = seat.get("/accounts")["accounts"]
        owned_accounts = [account for account in accounts if not account["account"].startswith("bank/")]
        is_gift = self.rng.random() < (SELDOM_GIVEN if self.table.helpful_kinds else GIVEN)
        new_account = self._choose_account() if is_gift else None
        if not owned_accounts and new_account is None:
            return None
        if new_account is not None:
            account, amount = new_account, self._choose_small_amount()
        else:
            account, amount = (
                self._choose_least_adjusted(owned_accounts)
                if self.table.helpful_kinds
                else self._choose_amount(self.rng.choice(owned_accounts))
            )
        accounts_in_order = [f"bank/{account['unit']}", account["account"]]
        source, target = reversed(accounts_in_order) if amount < 0 else accounts_in_order
        declaration = {
            "kind": "adjust",
            "source": source,
            "target": target,
            "unit": account["unit"],
            "amount": abs(amount),
            "reason": self._write_reason(),
        }
        return declaration if self._is_accepted(seat, declaration) else None

    def _choose_small_amount(self) -> int:
        return self.rng.randint(1, FEW)

    def _choose_amount(self, account: Json) -> tuple[Json, int]:
        balance = account["balance"] or 0
        is_taken_away = balance > 0 and self.rng.random() < TAKEN
        return account, -self.rng.choice((1, balance)) if is_taken_away else self._choose_small_amount()

    def _choose_least_adjusted(self, owned_accounts: list[Json]) -> tuple[Json, int]:
        """Return an account to adjust, and the amount. Accounts whose form was adjusted least often come first."""
        changes = list[tuple[Word, Json, int]]()
        for account in owned_accounts:
            balance, account_form = account["balance"] or 0, NUMBERED.sub("", account["account"])
            changes.append(
                (
                    (ADJUSTED, account_form, ""),
                    account,
                    self.rng.choice((self._choose_small_amount(), -1)) if balance > 0 else self._choose_small_amount(),
                )
            )
            if balance > 0:
                changes.append(((ADJUSTED, account_form, NOTHING), account, -balance))
        counts = [self.counts[word] + self.table.earlier_record.words[word] for word, _, _ in changes]
        least_count = min(counts)
        word, account, amount = self.rng.choice(
            [change for change, count in zip(changes, counts, strict=True) if count == least_count]
        )
        self.counts[word] += 1
        return account, amount

    def _choose_account(self) -> Json | None:
        """Return one of the game's accounts that name several characters, filled in with known ids. Return None if
        there is none, or an id is missing.
        """
        accounts_with_kinds = []
        for account in self.table.system["accounts"]:
            if WHOSE.match(account["form"]):
                other_kinds = (self.table.system["refers"].get(name) for name in PLACE.findall(account["form"])[1:])
                accounts_with_kinds.append((account, [account["form"].partition(":")[0], *other_kinds]))
        self.rng.shuffle(accounts_with_kinds)
        for account, referred_kinds in accounts_with_kinds:
            account_name: str = account["form"]
            if referred_kinds.count("character") > 1 and all(
                self.filler.known_ids.get(kind) for kind in referred_kinds
            ):
                id = ""
                for name, kind in zip(PLACE.findall(account_name), referred_kinds, strict=True):
                    ids = self.filler.known_ids[kind]
                    id = self._choose_character_id(id) if kind == "character" else self.rng.choice(ids)
                    account_name = account_name.replace(f"<{name}>", id, 1)
                return {"account": account_name, "unit": account["unit"], "balance": 0}
        return None


def _vary_nearby(value: Any, rng: Random) -> Iterator[Any]:
    """Yield similar values, then the value itself."""
    if isinstance(value, list):
        nearby_list = [next(_vary_nearby(item, rng)) if rng.random() < 0.5 else item for item in value]
        yield from (nearby_list, rng.sample(value, max(0, len(value) - 1)), rng.sample(value, len(value)))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from rng.sample((value - 1, value + 1, value + rng.randint(2, 10)), 3)
    elif value is None:
        yield from range(FEW)
    yield value


def _list_leaves(state: object, pointer: str) -> Iterator[tuple[str, object]]:
    """Yield every number, text and truth value in the state, with its pointer."""
    if isinstance(state, dict):
        for name, value in state.items():
            yield from _list_leaves(value, (pointer + join_pointer([name])).removeprefix("/"))
    elif isinstance(state, list):
        for index, value in enumerate(state):
            yield from _list_leaves(value, f"{pointer}/{index}")
    elif state is not None:
        yield pointer, state

"""One campaign over HTTP: its seats with their tokens, and a record of what was sent and refused."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

import httpx

from api.cli.playing.filling import Json
from ledger.errors import LedgerError

NAMES = ("Ben", "Cleo", "Dora", "Eli", "Fay", "Gus", "Hal", "Ida")
# how often an option is changed at the start: if an earlier evening changed it, and if none did
OTHERWISE, NEVER_TURNED = 0.3, 0.45
HELPFUL = 3  # options set that may help kinds that never occurred
DIAL, SET_RIGHT = "set-dial", ("adjust", "amend")
TRIES = 5  # attempts to open a campaign with options that fit together
CONSENT = "consent"  # an option of every table
LATER = (429, 503)  # too many requests, or not ready: the answer says when to try again
COUNTED = (
    "kinds",
    "facts",
    "asked",
    "chosen",
    "decided",
    "offered",
    "refused",
    "hidden",
    "blank",
    "words",
    "dice",
    "opened",
    "led",
    "shut",
    "tried",
    "reached",
)
LOST = (httpx.ConnectError, httpx.RemoteProtocolError, httpx.ReadTimeout)


Word: TypeAlias = tuple[str, str, str]


class Unplayed(LedgerError):
    """The service does not answer, or an evening cannot begin."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A request for an offered action that the service refused. `what`: what was sent, and its kind."""

    what: str
    seat_name: str
    sent: Json
    problem: Json
    offered: Json

    def __str__(self) -> str:
        detail = self.problem.get("detail") or self.problem.get("title")
        return f"{self.what}, by {self.seat_name}: {self.problem.get('code')}: {detail} Sent: {self.sent}"


@dataclass
class Record:
    """What happened in an evening.

    `faults`: requests that should not have been refused. `by_form`: refused declarations that only a form offered.
    `declined`: the number of answers that declined. `lapsed`: the number of waiting declarations that a later ruling
    made impossible. `overtaken`: the number of answers that came after a decision had made them impossible. `hidden`:
    how often an answer to a hidden declaration was refused, by reason. `blank`: how often a declaration was accepted
    only with all its texts, by kind. `words`: how often each word was used.
    """

    ruling_count: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    chosen: Counter[str] = field(default_factory=Counter)
    decided: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    blank: Counter[str] = field(default_factory=Counter)
    words: Counter[Word] = field(default_factory=Counter)
    dice: Counter[str] = field(default_factory=Counter)
    opened: Counter[tuple[str, str]] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    shut: Counter[tuple[str, str]] = field(default_factory=Counter)
    led: Counter[tuple[Word, str]] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    by_form: list[Fault] = field(default_factory=list)
    overtaken: int = 0
    lapsed: int = 0
    declined: int = 0

    def add(self, other: Record) -> None:
        self.ruling_count += other.ruling_count
        self.overtaken += other.overtaken
        self.lapsed += other.lapsed
        self.declined += other.declined
        for name in COUNTED:
            getattr(self, name).update(getattr(other, name))
        self.faults += other.faults
        self.by_form += other.by_form


class Seat:
    """A seat at the table. `get` and `post` take paths below the campaign."""

    def __init__(self, table: Table, id: str, name: str, token: str) -> None:
        self.table, self.id, self.name, self.token = table, id, name, token

    def get(self, path: str = "", **query: str) -> Any:
        answer = self.table.send("GET", f"/campaigns/{self.table.id}{path}", self.token, params=query or None)
        if answer.status_code != 200:
            raise Unplayed(f"{self.name} can't read {path or 'the campaign'}: {answer.text}")
        return answer.json()

    def post(self, path: str, body: Json) -> httpx.Response:
        return self.table.send("POST", f"/campaigns/{self.table.id}{path}", self.token, json=body)


class Table:
    """A campaign opened for the evening, with its game master and players.

    `system`: the service's description of the game. `schemas`: the components of its OpenAPI document, by name.
    `helpful_kinds`: kinds that may make other kinds possible for the first time. `slots`: the questions that the game
    has sentences for. `has_turned_dials`: whether the campaign begins with some changed options.
    """

    def __init__(
        self,
        client: httpx.Client,
        operator_token: str | None,
        system_name: str,
        rng: Random,
        player_count: int,
        *,
        has_turned_dials: bool = False,
        earlier_record: Record | None = None,
    ) -> None:
        self.client, self.rng, self.earlier_record = client, rng, earlier_record or Record()
        self.dials_turned: Json = {}
        self.system: Json = self._load(f"/systems/{system_name}")
        self.slots = {question["slot"] for question in self.system["questions"]}
        self.helpful_kinds = self._list_helpful_kinds()
        self.schemas: Mapping[str, Json] = self._load("/openapi.json")["components"]["schemas"]
        body = {"name": f"{self.system['title']}: an evening", "system": system_name, "gm": {"name": "Ann"}}
        campaign = (has_turned_dials and self._open_with_turned_dials(operator_token, body)) or self._create(
            "/campaigns", operator_token, body
        )
        self.id: str = campaign["id"]
        self.name = str(body["name"])
        self.gm = Seat(self, campaign["seat"]["id"], "Ann", campaign["seat"]["token"])
        self.seats = [self.gm]
        for name in NAMES[:player_count]:
            created_seat = self._create(f"/campaigns/{self.id}/seats", self.gm.token, {"name": name, "role": "player"})
            self.seats.append(Seat(self, created_seat["id"], name, created_seat["token"]))

    def _open_with_turned_dials(self, operator_token: str | None, body: Json) -> Json | None:
        """Open a campaign with some options changed, and return it. Return None if no attempt was accepted."""
        other_values_by_name = {
            dial["name"]: [value for value in dial["values"] if value != dial["default"]]
            for dial in self._list_dials_with_values()
        }
        helpful_names = [
            dial["name"]
            for dial in self._list_dials_with_values()
            if dial["name"] in self._list_helpful_dials() and other_values_by_name[dial["name"]]
        ]
        for _ in range(TRIES):
            chosen_names = self.rng.sample(helpful_names, min(HELPFUL, len(helpful_names)))
            dials = {
                name: self._choose_least_used_value(name, values)
                for name, values in other_values_by_name.items()
                if values and (name in chosen_names or self._decide_to_turn(name))
            }
            answer = self.send("POST", "/campaigns", operator_token, json={**body, "dials": dials})
            if answer.status_code == 201:
                campaign: Json = answer.json()
                self.dials_turned = dials
                return campaign
        return None

    def _decide_to_turn(self, name: str) -> bool:
        was_turned = any(word[:2] == (DIAL, name) for word in self.earlier_record.words)
        return self.rng.random() < (OTHERWISE if was_turned else NEVER_TURNED)

    def _list_helpful_dials(self) -> set[str]:
        """Return the options whose rules are in the same chapter as a declaration or choice that never occurred."""
        chapters = {_find_chapter(rule) for entry in self._list_unused_kinds() for rule in _list_rules(entry)}
        return {dial["name"] for dial in self.system["dials"] if _find_chapter(dial["rule"]) in chapters}

    def _list_unused_kinds(self) -> Iterator[Json]:
        """Yield the declarations and choices that never occurred. Yield nothing on the first evening."""
        if self.earlier_record.ruling_count:
            yield from (entry for entry in self.system["inputs"] if not self.earlier_record.kinds[entry["kind"]])
            yield from (entry for entry in self.system["choices"] if not self.earlier_record.chosen[entry["kind"]])

    def _list_helpful_kinds(self) -> set[str]:
        """Return the kinds that may make other kinds possible for the first time. Return an empty set on the first
        evening.
        """
        unoffered_entries = [
            entry
            for entry in self.system["inputs"]
            if self.earlier_record.ruling_count and not self.earlier_record.offered[entry["kind"]]
        ]
        rules = {rule for entry in unoffered_entries for rule in _list_rules(entry)}
        return {
            entry["kind"] for entry in self.system["inputs"] if unoffered_entries and rules & _list_rules(entry)
        } | {kind for kind in SET_RIGHT if unoffered_entries}

    def _choose_least_used_value(self, name: str, values: list[Any]) -> Any:
        """Return the value that was used least often."""
        counts = [self.earlier_record.words[DIAL, name, str(value)] for value in values]
        return self.rng.choice([value for value, count in zip(values, counts, strict=True) if count == min(counts)])

    def list_settable_dials(self) -> list[Json]:
        """Return the options that may be set later. An option without listed values has `values: null`.

        Options that hide something and options for consent are left out.
        """
        return [dial for dial in self.system["dials"] if not dial["hides"] and not dial["name"].startswith(CONSENT)]

    def _list_dials_with_values(self) -> list[Json]:
        """Return the options with listed values, except the one for consent."""
        return [dial for dial in self.system["dials"] if dial["values"] and dial["name"] != CONSENT]

    def find_seat(self, id: str | None) -> Seat | None:
        return next((seat for seat in self.seats if seat.id == id), None)

    def _load(self, path: str) -> Json:
        answer = self.send("GET", path, None)
        if answer.status_code != 200:
            raise Unplayed(f"{path}: {answer.text}")
        document: Json = answer.json()
        return document

    def _create(self, path: str, token: str | None, body: Json) -> Json:
        answer = self.send("POST", path, token, json=body)
        if answer.status_code != 201:
            raise Unplayed(f"{path}: {answer.text}")
        document: Json = answer.json()
        return document

    def send(self, method: str, path: str, token: str | None, **options: Any) -> httpx.Response:
        """Send a request and return the answer. Retry while the service is busy or not ready. Raise Unplayed if it does
        not respond.
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        while True:
            try:
                answer = self.client.request(method, path, headers=headers, **options)
            except LOST as problem:
                raise Unplayed(f"The service is not responding: {problem}.") from problem
            if answer.status_code not in LATER:
                return answer
            time.sleep(int(answer.headers["Retry-After"]))


def _list_rules(entry: Json) -> set[str]:
    """Return the rules that the examples of the entry use."""
    return {rule for example in entry["examples"] for rule in example["rules"]}


def _find_chapter(rule: str) -> str:
    """Return the chapter of a rule: its id without the last part."""
    return rule.rpartition(".")[0]

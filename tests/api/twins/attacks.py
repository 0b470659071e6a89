"""What an attacker does, step by step, in both of two campaigns at once; and where they first answer otherwise."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

import httpx
from hypothesis import strategies as st

from tests.api.table import Json, Player, Service, Table
from tests.api.twins.games import Secret
from tests.api.twins.masks import told
from tests.api.twins.places import NOW, Places

Kind: TypeAlias = Literal[
    "read",
    "what-if",
    "declare",
    "answer",
    "withdraw",
    "decide",
    "preview",
    "revise",
    "take back",
    "repeat",
    "expect",
    "master",
    "consent",
]
KINDS: tuple[Kind, ...] = (
    "read",
    "read",
    "what-if",
    "what-if",
    "what-if",
    "declare",
    "declare",
    "declare",
    "answer",
    "withdraw",
    "decide",
    "preview",
    "revise",
    "take back",
    "repeat",
    "expect",
    "master",
    "master",
)
#: Where decisions wait for consent.
ASKING: tuple[Kind, ...] = (*KINDS, "consent", "consent")
#: Under which every request is known; the same in both campaigns.
KEY = uuid.UUID("5d1f6a52-77b5-4e0c-8f0e-3c2d6c9a1b7e")
PRIMES = (1, 3, 5, 11, 13)

#: Lengths are compared, and that of what is compressed follows from random ids.
UNCOMPRESSED = {"Accept-Encoding": "identity"}


@dataclass(frozen=True, slots=True)
class Step:
    """`who`: which of the attackers. All are taken round the list of what there is to choose from.

    Those of all zeros, which Hypothesis draws first, are an attack, too: `at`, their place in it, is added to each.
    """

    kind: int
    who: int
    picks: tuple[int, ...]

    def at(self, place: int) -> Step:
        picks = tuple(pick + place * prime for pick, prime in zip(self.picks, PRIMES, strict=True))
        return Step(self.kind + 7 * place, self.who + place, picks)

    def pick(self, place: int, choices: Sequence[Any]) -> Any:
        return choices[self.picks[place] % len(choices)]


class Found(Exception):
    """The two were told different things: nothing further need be tried."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What the two were told, and by which request, the so-manieth."""

    steps: int
    request: str
    one: str
    other: str

    def __str__(self) -> str:
        lines = list(zip(self.one.split("\n"), self.other.split("\n"), strict=False))
        otherwise = [(one, other) for one, other in lines if one != other and not one.startswith("content-length")]
        one, other = otherwise[0] if otherwise else (self.one, self.other)
        place = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        cut = slice(max(0, place - 300), place + 300)
        return f"request {self.steps}, {self.request}:\n{one[cut]}\n{other[cut]}"


def steps(most: int) -> st.SearchStrategy[list[Step]]:
    picks = st.tuples(*[st.integers(0, 2**16)] * 5)
    return st.lists(st.builds(Step, st.integers(0, 2**16), st.integers(0, 5), picks), min_size=most // 2, max_size=most)


class Fork(Table):
    """A fork of a table. `origin`: the campaign it goes on from."""

    origin: str


def fork_of(table: Table, at: int) -> Fork:
    made = table.gm.does("/fork", {"at": at, "name": "Twins"})
    fork = object.__new__(Fork)
    fork.service, fork.id, fork.origin = table.service, made["id"], table.id
    fork.gm = Player(fork, made["seat"]["id"], made["seat"]["token"])
    return fork


def claim(fork: Table, player: Player) -> httpx.Response:
    """A seat of the fork, by its token of the origin."""
    sent = {**player.bearer, **UNCOMPRESSED, "Idempotency-Key": "1", "X-Request-ID": str(KEY)}
    answer = fork.service.send("POST", f"/campaigns/{fork.id}/claim", sent)
    assert answer.status_code == 200, answer.text
    return answer


class Twins:
    """Two campaigns that differ in one secret; whatever is done is done in both, and what is told is compared.

    `ruled`: which rulings the service adjudicates, in order, where that is compared, too.
    """

    def __init__(
        self,
        service: Service,
        secret: Secret,
        attackers: Sequence[str] = (),
        ruled: list[int] | None = None,
        tables: tuple[Table, Table] | None = None,
    ) -> None:
        """`tables`: that are there already."""
        self.service = service
        self.secret = secret
        self.ruled = ruled
        self.attackers = attackers or secret.attackers
        self.tables = tables or (secret.table(service, False), secret.table(service, True))
        self.done = 0
        self.difference: Difference | None = None
        self.last: tuple[int, str, str, Any, str] = (0, "GET", "", None, "")
        self.rulings = int(self.seats("gm")[0].look()["rulings"])
        self.waiting: list[str] = []
        self.places = Places(secret, self._owners_view)
        self.decided = self.taken = 0
        self.untried: dict[str, list[Any]] = {}

    def _owners_view(self, path: str) -> tuple[httpx.Response, httpx.Response]:
        one, other = self.seats(self.secret.owner)
        return one.send("GET", path, UNCOMPRESSED), other.send("GET", path, UNCOMPRESSED)

    def _pick(self, step: Step, place: int, what: str, choices: Iterable[Any]) -> Any:
        """One of them, which it was not before as long as there is one."""
        left = self.untried.get(what) or list(choices)
        self.untried[what] = left
        return left.pop(step.picks[place] % len(left))

    def seats(self, name: str) -> tuple[Player, Player]:
        return getattr(self.tables[0], name), getattr(self.tables[1], name)

    # --- one request, twice ---

    def send(self, who: int, method: str, path: str, body: Any = None, key: str = "", **headers: str) -> httpx.Response:
        """As an attacker. Remembers the first difference."""
        self.done += 1
        key = key or str(uuid.uuid5(KEY, f"{self.done}"))
        self.last = (who, method, path, body, key)
        answers, work = [], []
        for seat in self.seats(self.attackers[who % len(self.attackers)]):
            more: Json = {"json": body} if body is not None else {}
            asked = str(uuid.uuid5(KEY, f"asked {self.done}"))
            sent = {"X-Request-ID": asked, **UNCOMPRESSED, **headers}
            if method == "POST":
                sent["Idempotency-Key"] = key
            done = len(self.ruled or ())
            answers.append(seat.send(method, path, sent, **more))
            work.append([] if self.ruled is None else self.ruled[done:])
        one, other = (
            told(answer, table.id, getattr(table, "origin", ""))
            for answer, table in zip(answers, self.tables, strict=True)
        )
        if one != other and self.difference is None:
            name = self.attackers[who % len(self.attackers)]
            self.difference = Difference(self.done, f"{name} {method} {path} {body or ''}", one, other)
            raise Found
        looks = path.startswith("/what-if") or (path == "/rulings" and body is not None and "preview" in body)
        assert work[0] == work[1] or not looks, f"{path} takes longer in one of them"
        self._learn(answers[0])
        return answers[0]

    def forked(self, at: int, claims: Sequence[str] = ("ben", "cleo", "dora"), attackers: Sequence[str] = ()) -> Twins:
        """Both forked by their game masters, and by these the seats claimed: what they are told by it is the same."""
        forks = tuple(fork_of(table, at) for table in self.tables)
        for name in claims:
            answers = [claim(fork, getattr(table, name)) for fork, table in zip(forks, self.tables, strict=True)]
            for fork, answer in zip(forks, answers, strict=True):
                setattr(fork, name, Player(fork, answer.json()["id"], answer.json()["token"]))
            one, other = (
                told(answer, fork.id, fork.origin).replace(answer.json()["token"].rpartition(".")[2], "TOKEN")
                for answer, fork in zip(answers, forks, strict=True)
            )
            assert one == other, name
        return Twins(self.service, self.secret, attackers or self.attackers, tables=(forks[0], forks[1]))

    def _learn(self, answer: httpx.Response) -> None:
        if answer.status_code == 202:
            self.waiting.append(answer.json()["id"])
        if answer.status_code == 201 and "number" in answer.json():
            self.rulings = max(self.rulings, answer.json()["number"])

    def master(self, path: str, body: Json) -> None:
        """What the game master does, in both; it is no answer to the attacker."""
        one, other = (seat.post(path, body).status_code for seat in self.seats("gm"))
        assert one == other, (path, one, other)

    # --- one step ---

    def take(self, step: Step) -> None:
        self.taken += 1
        step = step.at(self.taken)
        numbers = range(1, self.rulings + 1)
        number = step.pick(0, numbers)
        take: dict[Kind, Callable[[], object]] = {
            "read": lambda: self.send(step.who, "GET", self._path(step)),
            "what-if": lambda: self.send(step.who, "GET", self._what_if(step, numbers)),
            "declare": lambda: self._declare(step),
            "answer": lambda: self._on_waiting(step, "answers", {"answer": step.pick(1, self.secret.answers)}),
            "withdraw": lambda: self._on_waiting(step, "withdraw", {"reason": "never mind"}),
            "decide": lambda: self._decide(step, number),
            "preview": lambda: self._preview(step, number),
            "revise": lambda: self._revise(step, number),
            "take back": lambda: self._take_back(step, number),
            "repeat": lambda: self._repeat(step),
            "expect": lambda: self._expect(step, number),
            "master": self._decided,
            "consent": lambda: self._consent(step),
        }
        with suppress(Found):
            kinds = KINDS if self.secret.consent == "none" else ASKING
            take[kinds[step.kind % len(kinds)]]()

    def _path(self, step: Step) -> str:
        """As often what tells how things are now, which changes, as anything there is to read."""
        return str(step.pick(0, NOW) if step.picks[1] % 2 else self._pick(step, 0, "paths", self.paths()))

    def _decided(self) -> None:
        """The next thing the game master does, round the list."""
        if self.secret.decides:
            self.decided += 1
            self.master(*self.secret.decides[(self.decided - 1) % len(self.secret.decides)])
        if self.decided % 2:
            self.agree()

    def agree(self) -> None:
        """Ben consents to whatever he is asked for, which is the same in both: else it would tell when it takes effect.

        What waits is known to everybody by its id.
        """
        told = [[one["id"] for one in seat.look("/waiting", mine=True)["decisions"]] for seat in self.seats("ben")]
        assert told[0] == told[1], f"Ben is asked for {told[0]}, or for {told[1]}"
        for id in told[0]:
            body = {"consent": True, "reason": "so it was"}
            one, other = (seat.post(f"/waiting/{id}/consent", body).status_code for seat in self.seats("ben"))
            assert one == other, (id, one, other)

    def _consent(self, step: Step) -> None:
        """To what he is asked for, or is not; or goes on without, or looks at it."""
        with_ids = self.seats(self.attackers[step.who % len(self.attackers)])[0].look("/waiting")["decisions"]
        ids = [one["id"] for one in with_ids] or ["w1"]
        path = f"/waiting/{step.pick(0, ids)}"
        what = step.pick(1, ("consent", "consent", "go-on", "withdraw", ""))
        if not what:
            self.send(step.who, "GET", path)
            return
        body: Json = {"reason": "it is late"}
        if what == "consent":
            body["consent"] = bool(step.picks[2] % 2)
        self.send(step.who, "POST", f"{path}/{what}", body)

    def _what_if(self, step: Step, numbers: Sequence[int]) -> str:
        without = sorted({step.pick(place, numbers) for place in range(step.picks[3] % 3)})
        said = [f"without={','.join(map(str, without))}"] if without else []
        if step.picks[3] % 5 or not said:
            chosen = (self._pick(step, 2, "dials", self.secret.dials), step.pick(4, self.secret.dials))
            dials = {dial.partition(":")[0]: dial for dial in chosen[: 1 + step.picks[3] % 2]}
            said += [f"dial={quote(dial)}" for dial in dials.values()]
        return "/what-if?" + "&".join(said)

    def foresee(self, do: Json, who: int = 0) -> None:
        """Whatever is declared is looked at beforehand, and more: nobody notices that."""
        self.send(who, "POST", "/rulings", {"declare": do, "preview": True})

    def foresee_all(self) -> None:
        with suppress(Found):
            for who in range(len(self.attackers)):
                for do in (*self.secret.tries, *self.secret.foresees):
                    self.foresee(do, who)

    def _declare(self, step: Step) -> None:
        self.foresee(step.pick(4, (*self.secret.tries, *self.secret.foresees)), step.who)
        body: Json = {"declare": self._pick(step, 0, "tries", self.secret.tries)}
        if step.picks[1] % 2:
            body["answers"] = [step.pick(2, self.secret.answers)]
        body["dice"] = "table"  # the ledger's are another roll in every campaign
        self.send(step.who, "POST", "/rulings", body)

    def _on_waiting(self, step: Step, what: str, body: Json) -> None:
        id = step.pick(0, self.waiting) if self.waiting else "w1"
        self.send(step.who, "POST", f"/waiting/{id}/{what}", body)

    def _decide(self, step: Step, number: int) -> None:
        what = step.pick(1, ("dispute", "witness", "uphold", "reinstate", "overturn", "overturn", "rewind"))
        body: Json = {} if what == "witness" else {"reason": "look again"}
        if what in ("reinstate", "overturn"):
            body["settle"] = step.pick(2, ("flag", "rerule"))
        self.send(step.who, "POST", f"/rulings/{number}/{what}", body)

    def _take_back(self, step: Step, number: int) -> None:
        """The latest, which he may have declared himself, or any other; for real, or only looked at."""
        chosen = number if step.picks[1] % 3 == 0 else self.rulings
        self.send(step.who, "POST", f"/rulings/{chosen}/take-back", {"preview": bool(step.picks[2] % 2)})

    def _preview(self, step: Step, number: int) -> None:
        body: Json = {"reason": "?", "preview": True}
        what = step.pick(2, ("overturn", "reinstate", "rewind"))
        if what != "rewind":
            body["settle"] = step.pick(1, ("flag", "rerule"))
        self.send(step.who, "POST", f"/rulings/{number}/{what}", body)

    def _revise(self, step: Step, number: int) -> None:
        body = {"reason": "?", "code": "entry", "preview": True, "answers": [step.pick(1, self.secret.answers)]}
        if step.picks[2] % 2:
            body |= {"declare": step.pick(1, self.secret.tries), "answers": []}
        elif step.picks[2] % 4:
            body |= {"patch": self._patch(step), "answers": []}
        self.send(step.who, "POST", f"/rulings/{number}/revise", body)

    def _patch(self, step: Step) -> Json:
        """A field of something declared, as it may be, or taken away; or one that nothing declared has."""
        declared = step.pick(1, self.secret.tries)
        name = step.pick(3, [*declared, "nothing"])
        return {name: declared.get(name) if step.picks[4] % 2 else None}

    def _repeat(self, step: Step) -> None:
        who, method, path, body, key = self.last
        other = {**body, "reason": "something else"} if step.picks[0] % 2 and isinstance(body, dict) else body
        self.send(who, method, path, other, key)

    def _expect(self, step: Step, number: int) -> None:
        """Whether something is of the version he guesses."""
        tag = f'"{step.picks[1] % 6}"'
        self.send(step.who, "POST", f"/rulings/{number}/dispute", {"reason": "?"}, **{"If-Match": tag})

    def read_all(self) -> None:
        """Whoever attacks beside the first looks at things as they are, and not at every place in play again."""
        with suppress(Found):
            for who in range(len(self.attackers)):
                for path in self.paths():
                    if not (who and any(part in path for part in ("?at=", "?ruling=", "/seal/"))):
                        self.send(who, "GET", path)

    def try_all(self) -> None:
        """Everything that can be done by itself, once; what comes to wait is withdrawn."""
        with suppress(Found):
            for path, body in self.secret.decides:
                self.master(path, body)
                self.agree()
                for look in ("/findings", "/audit", "/waiting", "/waiting?mine=true"):
                    self.send(0, "GET", look)
            for do in self.secret.tries:
                self.foresee(do)
                answer = self.send(0, "POST", "/rulings", {"declare": do, "dice": "table"})
                if answer.status_code == 202:
                    self.send(0, "POST", f"/waiting/{answer.json()['id']}/withdraw", {"reason": "never mind"})
                if answer.status_code == 201:
                    self.send(0, "POST", f"/rulings/{answer.json()['number']}/take-back", {})

    def leave_waiting(self) -> None:
        """Everything that can be done by itself, and whatever is asked then left unanswered."""
        with suppress(Found):
            for do in self.secret.tries:
                self.send(0, "POST", "/rulings", {"declare": do, "dice": "table"})

    def see_what_lapses(self) -> None:
        """What waits while the game master decides things, and then rules that the attackers' character is gone."""
        self.leave_waiting()
        for path, body in self.secret.decides:
            self.master(path, body)
            self.leave_waiting()
        for do in ({"kind": "open-session"}, {"kind": "retire", "character": "2", "reason": "He has had enough."}):
            with suppress(Found):
                self.master("/rulings", {"declare": do})
                for path in ("/waiting", "/waiting?mine=true", *(f"/waiting/{id}" for id in self.waiting), "/seal"):
                    self.send(0, "GET", path)
                    self.send(1, "GET", path)

    def paths(self) -> Iterable[str]:
        return self.places.paths(self.rulings, self.waiting)

    def look_at(self, who: int, path: str) -> None:
        with suppress(Found):
            self.send(who, "GET", path)

    def look(self, path: str) -> bool:
        """Whether an attacker is told different things there."""
        self.difference = None
        with suppress(Found):
            self.send(0, "GET", path)
        return self.difference is not None

"""Two campaigns of the same play: one enters everything in time, the other forgets something and enters it late.

Both must be the same, apart from the numbers of rulings and the ids made from them.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ledger.application import Ledger
from ledger.application.commands.entering_late import OF_THE_TABLE, LateDeclaration
from ledger.application.commands.revising import Correction
from ledger.application.reading.comparisons import compare_without_rulings
from ledger.application.reading.moments import find_moment
from ledger.application.reading.pasts import load_history
from ledger.application.reading.stretches import load_subjects_at
from ledger.errors import LedgerError, NotYours
from ledger.events.records import Settle
from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.questions import Dice, Drawn, Flipped, Shuffled
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import Subject, scene
from ledger.rules.kernel.world import PastRuling
from tests.desk import Desk, present
from tests.kernel.correctness import OTHERWISE, Correctness, audited
from tests.rules.anything import play
from tests.views.test_every_game import Retold

TRIES = 6  # choices of what is forgotten in one campaign
#: Why a ruling is refused late that was made in time. `not-yours`: the seat could not declare it today.
LATE_ONLY = frozenset({"late-cards", "late-secret", "rests-on-hidden", "not-yours"})
#: An id made from the number of a ruling, also within the name of an account.
ID = re.compile(r"(?<![\w.])(\d+)((?:-\d+)?)(?![\w.])")
#: Fields with text that may look like an id: names, numbers as they were typed, rows of tables.
TEXTS = frozenset({"title", "reason", "note", "entered", "faces", "cards", "cost", "row"})
#: Fields with tables whose rows are numbered.
TABLES = frozenset({"healing", "ag"})
#: Fields that keep things by name in numbered boxes. The name decides on the box, and names have ids in them.
BOXES = frozenset({"boxes", "elements"})


class Missing(Exception):
    """A declaration names what a forgotten ruling would have made."""


@dataclasses.dataclass
class Tally:
    """What happened in some campaigns.

    `entered`: rulings entered late; `reruled`: later rulings ruled again because of them; `codes`: why nothing was
    entered.
    """

    entered: int = 0
    reruled: int = 0
    codes: Counter[str] = dataclasses.field(default_factory=Counter)


class Forgetful(Retold):
    """The same play without the forgotten rulings, as far as it goes without them.

    `rulings`: those in time, by number. `numbers`: by number in time, the number here.
    """

    def __init__(self, ledger: Ledger, in_time: Retold, forgotten: Sequence[int]) -> None:
        super().__init__(ledger, in_time.game)
        self.forgotten = forgotten
        self.rulings = load_rulings(in_time.desk)
        kept_numbers = [number for number in self.rulings if number not in forgotten]
        self.numbers = {number: number_here for number_here, number in enumerate(kept_numbers, 1)}

    def tell(self) -> None:
        for number in [*self.numbers]:
            try:
                self.declare(self.rulings[number])
            except (Missing, LedgerError, Refused, Unfit, KeyError, AssertionError):
                break
            self.told += 1
        self.numbers = {number: number_here for number, number_here in self.numbers.items() if number_here <= self.told}
        self.last = max(self.numbers, default=0)

    def declare(self, ruling: PastRuling) -> None:
        by = self.call(ruling.by.seat)
        reply = self.ledger.declare(by, self.named(ruling.declared), present, dice="table")
        for answer in ruling.answers:
            waiting = json.loads(reply.body)
            reply = self._answered(waiting["waiting"], waiting["question"], self.named(answer), by)
        assert json.loads(reply.body) == {"ruling": self.told + 1}

    def count_rulings(self) -> int:
        with self.desk.ledger.open_for_seat(self.desk.call()) as (book, _):
            return book.campaign.rulings

    def has_other_scenes(self) -> bool:
        """Whether a declaration is in another scene than in time, because the opening of its own was forgotten."""
        rulings_here = load_rulings(self.desk)
        return any(
            rulings_here[number_here].scene != self.find_scene(self.rulings[number])
            for number, number_here in self.numbers.items()
        )

    def find_scene(self, ruling: PastRuling) -> Subject | None:
        return scene(renumber(ruling.scene.id, self.numbers)) if ruling.scene is not None else None

    def enter_late(self, number: int, settle: Settle) -> None:
        """Enter what was forgotten, where it belongs."""
        ruling = self.rulings[number]
        base = self.numbers[max(kept for kept in self.numbers if kept < number and kept not in self.forgotten)]
        self.numbers[number] = self.count_rulings() + 1
        scene_here = self.find_scene(ruling)
        late_declaration = LateDeclaration(
            self.named(ruling.declared),
            scene_here.id if scene_here is not None else None,
            [self.named(answer) for answer in ruling.answers],
            base,
            settle,
        )
        self.ledger.enter_late(self.call(ruling.by.seat), late_declaration, present)

    def rule_again(self) -> None:
        """Rule again what comes out differently, in order of play, on the answers given in time."""
        numbers_in_time = {number_here: number for number, number_here in self.numbers.items()}
        count = 0
        while findings := [finding for finding in self.desk.findings() if finding.kind in OTHERWISE]:
            assert count < 3 * len(self.numbers), findings
            number = min(numbers_in_time[finding.ruling] for finding in findings)
            answers = [self.named(answer) for answer in self.rulings[number].answers]
            correction = Correction("as it was", "entry", self.named(self.rulings[number].declared), answers)
            self.ledger.revise(self.desk.call(), self.numbers[number], correction, present)
            count += 1

    def named(self, value: Any) -> Any:
        """Return the value with the numbers of this campaign. Missing if a forgotten ruling would have made it."""
        match value:
            case str():
                if (id := ID.fullmatch(value)) and int(id[1]) in self.forgotten and int(id[1]) not in self.numbers:
                    raise Missing
                return renumber(value, self.numbers)
            case Mapping():
                return {self.named(key): self.named(item) for key, item in value.items()}
            case Dice() | Drawn() | Shuffled() | Flipped() | SetDial():
                return value
        if not dataclasses.is_dataclass(value) or isinstance(value, type):
            return super().named(value)
        fields = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
        return dataclasses.replace(value, **{name: self.named(item) for name, item in fields if name not in TEXTS})


def renumber(text: str, numbers: Mapping[int, int]) -> str:
    return ID.sub(lambda id: f"{numbers.get(int(id[1]), id[1])}{id[2]}", text)


def load_rulings(desk: Desk) -> dict[int, PastRuling]:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return dict(load_history(book).rulings)


# --- what is forgotten ------------------------------------------------------------------------------------------------


def list_candidates(desk: Desk) -> list[int]:
    """Return the rulings that can perhaps be entered late: of a game master, seen by everybody, no cards dealt."""
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        history = load_history(book)
        return [
            number
            for number, ruling in history.rulings.items()
            if number > 1
            and ruling.by.role == "gm"
            and history.recorded_rulings[number].audience is None
            and not isinstance(ruling.declared, OF_THE_TABLE)
            and not any(
                answer.question is not None and answer.question.get("ask") in ("draw", "shuffle")
                for answer in ruling.said
            )
        ]


def list_with_consequences(desk: Desk, numbers: Sequence[int]) -> list[int]:
    """Return those without which a later ruling comes out differently, and none before it is refused."""
    numbers_with_consequences = []
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        for number in numbers:
            rows = compare_without_rulings(book, frozenset({number}), position=book.campaign.position).comparison.rows
            standpoints = [row.standpoint for row in rows if row.number != number and not row.as_recorded]
            if standpoints[:1] == ["changes"]:
                numbers_with_consequences.append(number)
    return numbers_with_consequences


# --- what is compared -------------------------------------------------------------------------------------------------


def plain(value: Any, numbers: Mapping[int, int]) -> Any:
    """Return the value as plain data, with these numbers."""
    if isinstance(value, str):
        return renumber(value, numbers)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
        return type(value).__name__, {name: _plain_field(name, item, numbers) for name, item in fields}
    if isinstance(value, Mapping):
        return [(plain(key, numbers), plain(item, numbers)) for key, item in value.items()]
    if isinstance(value, frozenset | set):
        return sorted((plain(item, numbers) for item in value), key=repr)
    if isinstance(value, tuple | list):
        return [plain(item, numbers) for item in value]
    return value


def _plain_field(name: str, value: Any, numbers: Mapping[int, int]) -> Any:
    if name in BOXES and isinstance(value, Mapping) and all(isinstance(box, Mapping) for box in value.values()):
        return sorted((plain(pair, numbers) for box in value.values() for pair in box.items()), key=repr)
    if name == "ruling" and isinstance(value, int):
        return numbers.get(value, value)
    is_as_it_is = name in TEXTS or (name in TABLES and isinstance(value, Mapping))
    return plain(value, {} if is_as_it_is else numbers)


def find_difference(here: Any, there: Any, path: str = "") -> str:
    """Return in words where two plain values first differ."""
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        pairs = [(key, here[key], there[key]) for key in here]
    elif isinstance(here, list | tuple) and isinstance(there, list | tuple) and len(here) == len(there):
        pairs = [(key, left, right) for key, (left, right) in enumerate(zip(here, there, strict=True))]
    else:
        return f"{path}: {here} instead of {there}"
    return next(find_difference(left, right, f"{path}/{key}") for key, left, right in pairs if left != right)


def load_state(desk: Desk, number: int, numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return every subject with its balances, right after this ruling and everything entered late there."""
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        moment = find_moment(book, number, recorded=False)
        return {
            renumber(str(subject), numbers): {
                "entry": plain(folded.entry, numbers),
                "state": plain(folded.state, numbers),
                "adrift": [(numbers.get(ruling, ruling), step) for ruling, step in folded.adrift],
                "cited": sorted(plain(folded.citation_counts, numbers)),
                "purse": sorted(plain({name: n for name, n in folded.purse.items() if n}, numbers)),
            }
            for subject, (folded, _) in load_subjects_at(book, [*book.campaign.subjects], moment).items()
            if folded.entry is not None or folded.purse or folded.state != book.ruleset.blank(subject.kind)
        }


def load_facts(desk: Desk, number: int, numbers: Mapping[int, int]) -> Any:
    """Return a ruling as it stands: who declared what in which session, the answers, and what it recorded."""
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        history = load_history(book)
        ruling, revision = history.rulings[number], history.standing_revisions.get(number, 0)
        facts = [
            (str(subject), body.step, body.fact, body.postings, body.audience)
            for subject, body in ruling.facts
            if body.revision == revision and not isinstance(body.fact, Leg)
        ]
        by, recorded_ruling = (ruling.by.seat, ruling.by.role, ruling.by.characters), history.recorded_rulings[number]
        session, dials = recorded_ruling.session, recorded_ruling.ruled.dials
        return plain([by, session, dials, ruling.declared, ruling.answers, facts], numbers)


def load_record(desk: Desk, number: int, numbers: Mapping[int, int]) -> Any:
    """Return how a ruling was worked out: its scene, what it read, and each step."""
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        ruled = load_history(book).recorded_rulings[number].ruled
        reads = sorted(plain(name, numbers) for name in ruled.reads)
        return [plain([ruled.scene, ruled.edition], numbers), reads, plain(ruled.because, numbers)]


def list_in_play(desk: Desk) -> list[int]:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return [ruling.number for ruling in load_history(book).list_in_play()]


def must_be_the_same(in_time: Desk, late: Forgetful, rng: Random, tally: Tally) -> None:
    """AssertionError with the first difference, as far as the late campaign was played."""
    assert Correctness(late.desk).look() == []
    late.rule_again()
    tally.reruled += sum(late.desk.ruling(number).revision > 0 for number in late.numbers.values())
    names = {**late.numbers, 0: 0}
    assert list_in_play(late.desk) == [names[number] for number in range(1, late.last + 1)]
    for number in range(1, late.last + 1):
        here, there = load_facts(in_time, number, names), load_facts(late.desk, names[number], {})
        assert here == there, (number, late.forgotten, find_difference(here, there))
    if len(late.forgotten) == 1:  # with another one missing, it was worked out on something else
        (number,) = late.forgotten
        here, there = load_record(in_time, number, names), load_record(late.desk, names[number], {})
        assert here == there, (number, find_difference(here, there))
    bases = {number - 1 for number in late.forgotten}
    for number in {late.last, *bases, *rng.sample(range(1, late.last + 1), min(3, late.last))}:
        number_in_time = number
        while number not in late.forgotten and number_in_time + 1 in late.forgotten:
            number_in_time += 1  # as corrected, a ruling includes what was entered late after it
        here, there = load_state(in_time, number_in_time, names), load_state(late.desk, names[number], {})
        assert here == there, (number, late.forgotten, find_difference(here, there))
    assert late.desk.findings() == []
    assert Correctness(late.desk).look() == [] and audited(late.desk) == []


def compare_with_in_time(ledger: Ledger, name: str, seed: int, words: int, tally: Tally) -> bool:
    """Return whether a ruling of this campaign was entered late. If so, all is as if it had been entered in time."""
    rng = Random(seed)
    in_time = Retold(ledger, play(name, seed, words))
    in_time.tell()
    numbers = list_candidates(in_time.desk)
    telling_numbers = list_with_consequences(in_time.desk, rng.sample(numbers, min(12, len(numbers))))
    for _ in range(min(TRIES, len(numbers))):
        first = rng.choice(telling_numbers or numbers) if rng.random() < 0.6 else rng.choice(numbers)
        forgotten = [first]
        if rng.random() < 0.4:
            forgotten = sorted({first, rng.choice([number for number in numbers if abs(number - first) < 4])})
        late = Forgetful(ledger, in_time, forgotten)
        late.tell()
        if late.last < max(forgotten) or late.count_rulings() > late.told:
            tally.codes["missing"] += 1
            continue
        if late.has_other_scenes():
            tally.codes["another scene"] += 1
            continue
        settle: Settle = rng.choice(["flag", "rerule"])
        has_own_bases = forgotten[-1] - forgotten[0] > 1  # else their order there is the one in which they are entered
        try:
            for number in reversed(forgotten) if has_own_bases and rng.random() < 0.5 else forgotten:
                late.enter_late(number, settle)
        except (LedgerError, Refused) as refusal:
            if len(forgotten) == 1 and refusal.code not in LATE_ONLY:
                raise AssertionError(f"{forgotten} could be declared in time") from refusal
            tally.codes[refusal.code] += 1
            continue
        except Missing:
            tally.codes["missing"] += 1
            continue
        try:
            must_be_the_same(in_time.desk, late, rng, tally)
        except NotYours as refusal:  # a later ruling depends on something hidden from who would rule it again
            tally.codes[refusal.code] += 1
            continue
        tally.entered += len(forgotten)
        return True
    return False

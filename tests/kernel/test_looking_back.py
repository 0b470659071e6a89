"""Laws of looking back, on random play of every game, decided about at random in between, on a real Postgres.

Kept states change nothing; a replay as recorded is what was answered; a difference is one of two states.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from ledger.aggregates import kept_states, subject_stream
from ledger.aggregates.subject_stream import SubjectStream
from ledger.application import (
    Book,
    Ledger,
    Moment,
    Shown,
    list_bodies_up_to,
    load_history,
    load_past_before,
    load_shown_rulings,
    load_subjects_at,
    snapshots,
)
from ledger.application.commands.revising import Correction
from ledger.application.json_form import to_json
from ledger.errors import LedgerError
from ledger.events.records import Settle
from ledger.rules import systems
from ledger.rules.kernel.places import place_of, place_of_end
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, Viewer
from ledger.rules.kernel.world import Past
from projections.documents import differences, presenting
from projections.documents.replays import Selection, list_frames
from projections.documents.rulings import make_stored_ruling_for_lens, show_ruling
from projections.documents.state_comparison import index_subjects
from projections.documents.states import describe_state
from projections.documents.subjects import (
    Clock,
    describe_for_comparison,
    flatten,
    list_changed_fields,
    list_differing_leaves,
    list_hidden_accounts,
    list_hidden_accounts_of,
)
from projections.redaction import LiveLens
from tests import desk
from tests.kernel.books import compare_books
from tests.levels import sampled
from tests.rules.anything import play
from tests.views import test_every_game
from tests.views.test_every_game import Retold

WORDS = 36
EVENINGS = 2  # of each system
KEPT, MOST = 3, 6  # facts between two kept states, and kept states of one stream
Leaves = dict[str, Any]


class Evening(Retold):
    """Played, decided about, played on; with what everybody was answered, and saw after every save.

    `answered`: by seat and position. `saw`: by seat and position, every subject. `snapshots`: by position.
    """

    def __init__(self, ledger: Ledger, name: str, seed: int) -> None:
        super().__init__(ledger, play(name, seed, WORDS))
        self.answered: dict[tuple[str, int], tuple[Viewer, Any]] = {}
        self.saw: dict[tuple[str, int], tuple[Viewer, dict[Subject, Any]]] = {}
        self.snapshots: dict[int, bytes] = {}
        self.rng = Random(seed)

    def note(self, book: Book, viewer: Viewer | None, shown: Shown) -> str:
        if viewer is not None:
            document = presenting.describe_shown(LiveLens(book, viewer), shown)
            if "number" in document:
                self.answered[viewer.seat, book.campaign.position + 1] = viewer, to_json(document)
        return desk.present(book, viewer, shown)

    def look(self) -> None:
        for lens in self.lenses():
            book = lens.book
            place = lens.viewer.seat, book.campaign.position
            campaign = book.load_stream(CAMPAIGN).folded
            self.snapshots[book.campaign.position] = snapshots.freeze_value(book.make_snapshot())
            if place not in self.saw:
                self.saw[place] = (
                    lens.viewer,
                    {
                        one: to_json(
                            describe_for_comparison(
                                lens, book.load_stream(one).folded, list_hidden_accounts_of(lens, one), campaign
                            )
                        )
                        for one in book.campaign.subjects
                    },
                )

    def lenses(self) -> Iterator[LiveLens]:
        for id in self.seats.values():
            with self.ledger.open_for_seat(self.call(id)) as (book, viewer):
                yield LiveLens(book, viewer)

    def _said(self, past: Any) -> Any:
        self.look()
        said = super()._said(past)
        self.look()
        if 2 * self.told > len(self.game.history) and self.rng.random() < 0.3:
            self.decide(Random(self.rng.random()))
            self.look()
        return said

    def decide(self, rng: Random) -> None:
        number = rng.randint(1, self.told)
        with suppress(LedgerError, Refused, Unfit):
            match rng.choice(["overturn", "overturn", "reinstate", "reinstate", "dispute", "revise", "rewind"]):
                case "revise":
                    self.ledger.revise(self.desk.call(), number, Correction("so", "entry"), self.note)
                case "overturn":
                    settle: Settle = rng.choice(["flag", "rerule"])
                    self.ledger.overturn(self.desk.call(), number, "so", self.note, settle=settle)
                case "rewind":
                    self.ledger.rewind(self.desk.call(), number, "so", self.note)
                case "reinstate":
                    self.ledger.reinstate(self.desk.call(), number, "so", self.note)
                case "dispute":
                    self.ledger.dispute(self.desk.call(), number, "so", self.note)

    def tell(self) -> None:
        with pytest.MonkeyPatch.context() as patch, suppress(AssertionError, LedgerError, Refused, Unfit, KeyError):
            patch.setattr(test_every_game, "present", self.note)
            super().tell()
        for _ in range(4):
            self.look()
            self.decide(self.rng)
        self.look()


def first(evening: tuple[str, int]) -> str:
    return evening[0]


@pytest.fixture(
    scope="module",
    params=sampled([(name, seed) for name in sorted(systems()) for seed in range(EVENINGS)], 3, 1, group=first),
    ids=str,
)
def told(request: pytest.FixtureRequest, ledger: Ledger) -> Iterator[Evening]:
    """An evening, told once for all laws, which only look at it; its states are kept often."""
    name, seed = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_states, "EVERY", KEPT)
        patch.setattr(kept_states, "MOST", MOST)
        patch.setattr(subject_stream, "EVERY", KEPT)
        patch.setattr(snapshots, "SHORT", 0)
        try:
            evening = Evening(ledger, name, seed)
        except Refused:  # its dials do not go together; in memory nobody asks
            evening = Evening(ledger, name, seed + EVENINGS)
        evening.tell()
        assert evening.told
        yield evening


def sessions(lens: LiveLens) -> list[str]:
    return list(lens.book.campaign.rulings_by_session)


# --- kept states --------------------------------------------------------------------------------------------------


def test_made_from_kept_states_a_subject_is_what_it_is_without(told: Evening) -> None:
    most = 0
    with told.ledger.open_for_seat(told.desk.call()) as (book, _):
        for place in places(book):
            found = load_subjects_at(book, book.campaign.subjects, place)
            for subject, (folded, count) in found.items():
                bodies = list_bodies_up_to(book, subject, place)
                bare = SubjectStream.build(book.ruleset, subject, lambda bodies=bodies: iter(bodies))  # type: ignore[misc]
                assert folded.same_as(bare.folded), (place, subject)
                assert folded.audiences_by_account == bare.folded.audiences_by_account, (place, subject)
                assert count == len(bodies), (place, subject)
            most = max(most, *(len(book.load_stream(one).kept_states) for one in found))
    assert 0 < most <= MOST


def test_begun_from_a_snapshot_a_campaign_is_what_it_is_without(told: Evening) -> None:
    """From whenever it is, and looked back on likewise."""
    with told.ledger.open_for_seat(told.desk.call()) as (book, _):
        anew = Book(book.recorder, book.codec, book.id)
        anew.catch_up()
        for position in Random(told.desk.campaign).sample(sorted(told.snapshots), min(8, len(told.snapshots))):
            begun = Book(book.recorder, book.codec, book.id)
            begun.restore(snapshots.thaw_value(told.snapshots[position]))
            assert begun.campaign.position == position and begun.campaign.subjects
            begun.catch_up()
            assert compare_books(begun, anew) is None, position
            for place in [*places(book)][:: max(1, position // 3)]:
                there, here = (load_subjects_at(one, book.campaign.subjects, place) for one in (begun, anew))
                for subject, (folded, count) in here.items():
                    assert there[subject][0].same_as(folded) and there[subject][1] == count, (place, subject)


def places(book: Book) -> Iterator[Moment]:
    for number, position in enumerate(book.campaign.ruling_positions, 1):
        yield Moment(book.campaign.find_end(number), position, recorded=True)
        yield Moment(book.campaign.find_end(number), position, recorded=False)
    for position in range(1, book.campaign.position + 1):
        number = sum(one <= position for one in book.campaign.ruling_positions)
        yield Moment(place_of_end(number), position, recorded=True)


def test_a_replay_as_corrected_is_the_history_told_once_more(told: Evening) -> None:
    for lens in told.lenses():
        expected = list(told_once_more(lens))
        by_session = {one: [*list_frames(lens, one, Selection())] for one in sessions(lens)}
        found = {frame["ruling"]["number"]: frame for those in by_session.values() for frame in those}
        assert [(one["ruling"], one["changed"]) for _, one in sorted(found.items())] == expected
        for session, those in by_session.items():
            numbers = [one["ruling"]["number"] for one in those]
            middle = numbers[len(numbers) // 2] if numbers else 1
            part = [one for one in those if middle <= one["ruling"]["number"] <= middle + 4]
            assert [*list_frames(lens, session, Selection(middle, middle + 4))] == part


def told_once_more(lens: LiveLens) -> Iterator[tuple[Any, Any]]:
    """Every ruling and what it changed, from the whole history told in memory."""
    book = lens.book
    history = load_history(book)
    shown = load_shown_rulings(book.recorder, book.codec, book.id, history.rulings, book.campaign.position)
    documents = {
        one.ruling.number: make_stored_ruling_for_lens(lens, one) for one in shown if lens.may_know(one.ruling)
    }
    past, hidden = load_past_before(book, history, place_of(1)), list_hidden_accounts(lens)
    for number, ruling in history.rulings.items():
        past.tell(ruling.before)
        touched = list(dict.fromkeys(subject for subject, _ in ruling.facts))
        before = {one: describe_for_comparison(lens, copied(past, one), hidden, past.find(CAMPAIGN)) for one in touched}
        past.tell(ruling.facts)
        if number in documents:
            changed = []
            for one in touched:
                fields = list_changed_fields(
                    before[one], describe_for_comparison(lens, copied(past, one), hidden, past.find(CAMPAIGN))
                )
                if fields:
                    changed.append({"subject": str(one), "name": lens.name(one), "fields": fields})
            yield show_ruling(lens, documents[number]), changed


def copied(past: Past, subject: Subject) -> Any:
    """None where nothing is to be seen of it: no entry, no balance, nothing adrift."""
    found = past.find(subject)
    there = found is not None and (found.entry is not None or found.purse or found.adrift)
    return found.copy() if found is not None and there else None


# --- as recorded --------------------------------------------------------------------------------------------------


def test_as_recorded_each_frame_is_what_was_answered_and_seen_then(told: Evening) -> None:
    compared = 0
    for lens in told.lenses():
        seat = lens.viewer.seat
        by_position: dict[int, Any] = {}
        for session in sessions(lens):  # a session's opening is told in it, and was done before it
            shown = [*list_frames(lens, session, Selection(recorded=True))]
            assert [one["position"] for one in shown] == sorted({one["position"] for one in shown})
            by_position |= {one["position"]: one for one in shown}
        for (whose, position), (then, document) in told.answered.items():
            if whose == seat:
                compared += 1
                frame = wordless(to_json(by_position[position]["ruling"]))
                answer = wordless({name: one for name, one in document.items() if name not in ("changed", "ways")})
                if gave_up(then, lens.viewer):  # by the rights of today: what it gave up is hidden
                    assert all(one in answer["facts"] for one in frame["facts"]), position
                else:
                    assert frame == answer, position
        for frame in by_position.values():
            position = frame["position"]
            before, after = told.saw.get((seat, position - 1)), told.saw.get((seat, position))
            if before is not None and after is not None:
                compared += 1
                for one in frame["changed"]:
                    was, now = (states(saw, one["subject"]) for _, saw in (before, after))
                    expected = [
                        field for field in list_differing_leaves(was, now) if field["field"].startswith("state/")
                    ]
                    told_then = [field for field in one["fields"] if field["field"].startswith("state/")]
                    if any(gave_up(then, lens.viewer) for then, _ in (before, after)):
                        assert {leaf["field"] for leaf in told_then} <= {leaf["field"] for leaf in expected}
                    else:
                        assert to_json(told_then) == expected, position
    assert compared > len(told.seats)


def gave_up(then: Viewer, now: Viewer) -> bool:
    """Whether the seat has given up a character or a chair since."""
    return not (then.characters <= now.characters and then.chairs <= now.chairs)


def wordless(document: Any) -> Any:
    """Without sentences, which may be newer."""
    if isinstance(document, dict):
        return {name: wordless(one) for name, one in document.items() if name != "text"}
    return [wordless(one) for one in document] if isinstance(document, list) else document


def states(saw: dict[Subject, Any], subject: str) -> Leaves:
    """Of balances those that something unseen has moved since are not shown any more: they are left out."""
    found: Any = next((one for about, one in saw.items() if str(about) == subject), {})
    return flatten(found)


# --- differences --------------------------------------------------------------------------------------------------


def test_a_difference_makes_of_the_one_state_the_other(told: Evening) -> None:
    rng = Random(told.told)
    for lens in told.lenses():
        for start, end in pairs(lens.book, rng):
            one, other = (index_subjects(describe_state(lens, clock)) for clock in (start, end))
            found = differences.describe_differences(lens, differences.Interval(start, end))
            assert applied(to_json(one), to_json(found)) == to_json(other), (start, end)
            named = {number for each in found["subjects"] for field in each["fields"] for number in field["rulings"]}
            assert named == {doer["number"] for doer in found["rulings"]}
            if start == end:
                assert found["subjects"] == []


def pairs(book: Book, rng: Random) -> Iterator[tuple[Clock, Clock]]:
    numbers = range(1, book.campaign.rulings + 1)
    for _ in range(6):
        recorded = rng.random() < 0.5
        yield Clock(rng.choice(numbers), recorded), Clock(rng.choice([*numbers, None]), recorded)
        at = rng.choice(numbers)
        yield Clock(at, recorded=True), Clock(at, recorded=False)
    yield Clock(at), Clock(at)


def applied(subjects: Leaves, found: Any) -> Leaves:
    """The one state with what is otherwise put there."""
    for one in found["subjects"]:
        for field in one["fields"]:
            if not field["field"]:
                subjects[one["subject"]] = field.get("after")
        gone = [field["field"] for field in one["fields"] if field["field"] and "after" not in field]
        for path in sorted(gone, key=lambda path: [part.zfill(9) for part in path.split("/")], reverse=True):
            within, last = reached(subjects[one["subject"]], path)
            del within[last]
        for field in one["fields"]:
            if field["field"] and "after" in field:
                within, last = reached(subjects[one["subject"]], field["field"])
                if isinstance(within, list) and last == len(within):
                    within.append(field["after"])
                else:
                    within[last] = field["after"]
    return {subject: told for subject, told in subjects.items() if told is not None}


def reached(document: Any, path: str) -> tuple[Any, Any]:
    *within, last = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")]
    for part in within:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document, int(last) if isinstance(document, list) else last


def test_what_one_ruling_changed_is_said_to_be_its_doing(told: Evening) -> None:
    with told.ledger.open_for_seat(told.desk.call()) as (book, viewer):
        lens = LiveLens(book, viewer)
        for number in range(2, book.campaign.rulings + 1):
            found = differences.describe_differences(lens, differences.Interval(Clock(number - 1), Clock(number)))
            for one in found["subjects"]:
                stream = book.load_stream(Subject(*one["subject"].split(":")) if ":" in one["subject"] else CAMPAIGN)  # type: ignore[arg-type]
                for field in one["fields"]:
                    assert field["rulings"] in ([], [number]), json.dumps(field)
                    if not (stream.has_secrets or field["field"].startswith("seats")):
                        assert field["rulings"] == [number], json.dumps(field)

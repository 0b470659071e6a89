"""Whole evenings played over HTTP by a program that knows no game: nothing that is offered or asked for is refused."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from api.cli.main import app
from api.cli.playing.evening import Evening
from api.cli.playing.filling import Filling, Json
from api.cli.playing.forms import ADJUSTED, SET, SHEET
from api.cli.playing.preferring import Preferring
from api.cli.playing.report import count_words, list_occurrence_lines, list_unused_words, write_report
from api.cli.playing.table import DIAL, Record, Table
from ledger.rules import systems
from ledger.rules.kernel.moves import Move
from ledger.rules.kernel.seen import Seen
from tests.api.conftest import OPERATOR
from tests.api.table import Service
from tests.laws.test_moves import widened
from tests.levels import sampled

WITH_MOVES = sorted(name for name, one in systems().items() if one.moves is not None)
LISTED = ("intensity", "mnemonic", "moc", "mongrel", "scattershot")
with_moves = pytest.mark.parametrize("name", sampled(WITH_MOVES, 1, salt="evening"))


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    """As the program's own; every answer it gets is held against the service's description."""

    def judge(response: httpx.Response) -> None:
        response.read()
        assert response.status_code < 500, response.text
        if response.url.path != "/openapi.json":
            service.description.judge(response)

    with httpx.Client(base_url=service.client.base_url, timeout=120, event_hooks={"response": [judge]}) as client:
        yield client


def played(client: httpx.Client, name: str, seed: int, rulings: int, sentences: list[str] | None = None) -> Record:
    """All dice are typed in: so that a seed plays the same evening every time."""
    table = Table(client, OPERATOR, name, Random(seed), 3)
    return Evening(table, sentences.append if sentences is not None else (lambda _: None), ("table",)).play(rulings)


@with_moves
def test_an_evening_is_played_and_nothing_is_refused(client: httpx.Client, name: str) -> None:
    """Another one of each game is played in `test_evening_told`."""
    sentences: list[str] = []
    record = played(client, name, 2, 40, sentences)
    assert not record.faults, "\n".join(map(str, record.faults))
    assert len(sentences) == record.ruling_count >= 40
    assert len(record.kinds) >= 6, record.kinds


@pytest.mark.nightly
@with_moves
def test_a_move_that_is_too_wide_is_found(monkeypatch: pytest.MonkeyPatch, client: httpx.Client, name: str) -> None:
    """It offers what names nobody there is."""
    own = systems()[name].moves
    assert own is not None

    def too_wide(seen: Seen) -> Iterator[Move]:
        yield from widened(seen, iter(own(seen)))

    monkeypatch.setitem(systems(), name, replace(systems()[name], moves=too_wide))
    record = Record()
    for seed in range(4):
        record.add(played(client, name, seed, 40))
        if any(one.what.startswith("declare ") for one in record.faults):
            return
    pytest.fail("no refusal was met")


def test_the_command_prints_each_ruling_and_ends_with_one_where_something_was_refused(
    monkeypatch: pytest.MonkeyPatch, service: Service
) -> None:
    monkeypatch.setenv("LEDGER_OPERATOR_TOKEN", OPERATOR)
    monkeypatch.setenv("COLUMNS", "200")
    words = ["play", "--random", "toy", "--rulings", "30", "--address", str(service.client.base_url)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, (result.output, result.exception)
    assert "    1  " in result.stdout and " joins, played by Ann." in result.stdout
    for what in ("\nRefusals: 0.\n", "\ninputs: ", "\nfacts: ", "\nquestions: ", "\nchoices: "):
        assert what in result.stdout
    several = CliRunner().invoke(app, [*words, "--rulings", "8", "--evenings", "2"])
    assert several.exit_code == 0 and " joins, " not in several.stdout and "choices: " in several.stdout

    own = systems()["toy"].moves
    assert own is not None
    wide = replace(systems()["toy"], moves=lambda seen: widened(seen, iter(own(seen))))
    monkeypatch.setitem(systems(), "toy", wide)
    for seed in range(1, 5):
        refused = CliRunner().invoke(app, [*words, "--seed", str(seed)])
        if refused.exit_code:
            break
    assert refused.exit_code == 1, refused.output
    assert CliRunner().invoke(app, [*words, "--random", "chess"]).exit_code == 2


def test_a_game_without_moves_is_tried_and_stops_nothing(monkeypatch: pytest.MonkeyPatch, client: httpx.Client) -> None:
    """All is offered by its form alone there, so much is refused."""
    monkeypatch.setitem(systems(), "toy", replace(systems()["toy"], moves=None))
    record = played(client, "toy", 1, 10)
    assert record.ruling_count >= 10 and record.faults


def test_where_nobody_is_ready_people_are_made_by_their_form(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(systems(), "toy", replace(systems()["toy"], people={}))
    record = played(client, "toy", 1, 12)
    assert record.ruling_count >= 12 and record.kinds["enrol"] >= 2 and not record.faults


def test_the_report_tells_what_never_occurred(client: httpx.Client) -> None:
    record = played(client, "toy", 1, 30)
    system = client.get("/systems/toy").json()
    lines = list(list_occurrence_lines(record, system))
    never = list_unused_words(record.kinds, [one["kind"] for one in system["inputs"]])
    assert lines[0] == f"inputs: {len(system['inputs']) - len(never)} of {len(system['inputs'])}."
    slots = {one["slot"] for one in system["questions"]}
    asked = {one.partition(" ")[2] for one in record.asked} & slots
    assert asked and f"questions: {len(asked)} of {len(slots)}." in lines
    told = list(write_report(record, 2.0))
    assert told[0] == f"{record.ruling_count} rulings in 2 seconds, {record.ruling_count / 2:.1f} a second."
    assert told[-1] == "Refusals: 0."


@pytest.mark.parametrize("name", sampled(LISTED, 1, salt="listed"))
def test_what_never_occurs_is_little_and_listed_by_words_of_the_game(client: httpx.Client, name: str) -> None:
    """Of ten evenings: nine in ten facts, and of facts and choices together; all inputs, most questions."""
    all_ = count_words(Record(), client.get(f"/systems/{name}").json())
    unmet = importlib.import_module(f"tests.rules.{name}.unmet").UNMET
    assert unmet.keys() <= all_.keys()
    figures = {}
    for what, (_, words) in all_.items():
        never = unmet.get(what, {})
        assert never.keys() <= {*words} and all(never.values()), what
        figures[what] = len(words) - len(never), len(words)
    assert figures["inputs"][0] == figures["inputs"][1], figures
    for least, whats in (
        (0.9, ("facts",)),
        (0.9, ("facts", "choices")),
        (0.8, ("questions", "choices")),
    ):
        occurred, there = (sum(figures[one][place] for one in whats) for place in (0, 1))
        assert occurred >= least * there, figures


def test_a_text_that_need_not_be_written_is_left_blank_and_written_afterwards() -> None:
    fields = {"kind": {"const": "heal"}, "char": {"type": "string", "x-ref": {"to": "character"}}}
    texts = {"reason": {"type": "string", "maxLength": 40}, "story": {"type": "string", "maxLength": 40}}
    whole = {"type": "object", "properties": {**fields, **texts}, "required": ["kind", "char", "story"]}
    filling = Filling({"toy_heal": whole}, {"character": ["1"]}, Random(1))
    move = {"allOf": [{"$ref": "#/components/schemas/toy_heal"}, {"properties": {"char": {"const": "1"}}}]}
    said = filling.make_declaration(move, is_terse=True)
    assert said.keys() == {"kind", "char", "story"} and filling.make_declaration(move).keys() == {*fields, *texts}
    assert filling.fill_blanks(move, said).keys() == {"reason"} and not filling.fill_blanks(
        move, filling.make_declaration(move)
    )


@pytest.mark.parametrize("taken", [True, False])
def test_what_is_taken_once_its_texts_are_written_was_no_fault(client: httpx.Client, taken: bool) -> None:
    """A game may want a reason that its form does not."""
    evening = Evening(Table(client, OPERATOR, "toy", Random(1), 1), lambda _: None)
    sent: list[Json] = []

    def post(path: str, body: Json) -> httpx.Response:
        sent.append(dict(body["declare"]))
        there = taken and "title" in body["declare"]
        return httpx.Response(202, json={"id": "w1", "question": None}) if there else httpx.Response(422, json={})

    move = {"kind": "open-session", "schema": {"allOf": [{"$ref": "#/components/schemas/ledger_open-session"}, {}]}}
    seat: Any = SimpleNamespace(post=post, name="Ben")
    evening._send(seat, {"kind": "open-session"}, move, evening.record.faults)
    assert ["title" in one for one in sent] == [False, True]
    assert (evening.record.blank["open-session"], len(evening.record.faults)) == ((1, 0) if taken else (0, 1))


def test_dice_can_be_lucky_and_come_to_an_end_all_the_same() -> None:
    filling = Filling({}, {}, Random(1))
    open_ended = {"x-opens": 6, "minItems": 3, "items": {"type": "integer", "minimum": 1, "maximum": 6}}
    with filling.force_luck("most"):
        faces = filling.fill_value({"type": "array", **open_ended}, {})
    assert faces[:3] == [6, 6, 6] and len(faces) >= 6
    with filling.force_luck("least"):
        assert filling.fill_value({"type": "array", **open_ended}, {}) == [1, 1, 1]


def test_what_may_lead_to_what_never_was_is_declared_sooner() -> None:
    record, rng = Record(), Random(1)
    preferring = Preferring({"dig": ["toy.gold"], "wait": []}, record, Record(), rng)
    moves = [{"kind": kind, "schema": {"allOf": [{"$ref": "#/components/schemas/toy_x"}]}} for kind in ("dig", "wait")]
    record.kinds.update({"dig": 1, "wait": 1})

    def share() -> float:
        return sum(preferring.choose_kind(moves, set()) == "dig" for _ in range(1000)) / 1000

    assert share() > 0.6
    record.facts["toy.gold"] += 1
    assert 0.4 < share() < 0.6


def test_a_table_turns_dials_to_what_was_in_force_least(client: httpx.Client) -> None:
    """Where some are turned at all: of each that is, another value before the same again."""
    before, values = Record(), set[object]()
    for seed in range(4):
        table = Table(client, OPERATOR, "toy", Random(seed), 1, has_turned_dials=True, earlier_record=before)
        evening = Evening(table, lambda _: None)
        assert {(DIAL, name, str(value)) for name, value in table.dials_turned.items()} <= evening.record.words.keys()
        before.words.update(evening.record.words)
        values |= table.dials_turned.items()
        assert table.gm.get()["dials"].items() >= table.dials_turned.items()
    often = before.words
    assert max(often.values()) - min(often.values()) <= 2 and len(values) >= 3, often


def test_a_table_turns_the_dials_in_whose_chapter_something_never_occurred(client: httpx.Client) -> None:
    """Which these are is said by the rules of its worked examples."""
    system = client.get("/systems/scattershot").json()
    before = Record(ruling_count=1)
    before.kinds.update(one["kind"] for one in system["inputs"])
    before.chosen.update(one["kind"] for one in system["choices"])
    table = Table(client, OPERATOR, "scattershot", Random(1), 1, has_turned_dials=True, earlier_record=before)
    assert table._list_helpful_dials() == set()
    del before.kinds["replace-roll"]
    helpful = table._list_helpful_dials()
    assert "preempt" in helpful and len(helpful) < len(system["dials"]) / 3


def test_whoever_joins_later_is_said_in_words_that_were_said_least(client: httpx.Client) -> None:
    evening = Evening(Table(client, OPERATOR, "mnemonic", Random(1), 1), lambda _: None)
    evening.play(2)
    for _ in range(12):
        evening.forms.make_enrolment_within_limits(evening.table.gm)
    assert evening.record.words[SHEET, "/rate_importance", "False"], "no ready person says so"


def test_the_dial_that_was_tried_least_is_turned(client: httpx.Client) -> None:
    evening = Evening(Table(client, OPERATOR, "mnemonic", Random(1), 1), lambda _: None)
    evening.play(2)
    dials = {one["name"] for one in evening.table.list_settable_dials()}
    for _ in dials:
        evening.forms.make_declaration("set-dial", evening.table.gm)
    assert {word[1] for word in evening.record.words if word[0] == SET} == dials


def test_what_people_have_is_set_right_as_it_was_least(client: httpx.Client) -> None:
    """Each by its name, whoever has it: as often a little, as to the last of it."""
    evening = Evening(Table(client, OPERATOR, "scattershot", Random(1), 1), lambda _: None)
    evening.play(2)
    owned = evening.table.gm.get("/accounts")["accounts"]
    held = [one for one in owned if one["account"].endswith("/resource:hit-points")]
    made = [evening.forms._choose_least_adjusted(held) for _ in range(8)]
    assert len(held) >= 2 and [amount == -one["balance"] for one, amount in made].count(True) == 4
    assert {count for word, count in evening.record.words.items() if word[0] == ADJUSTED} == {4}


def test_what_may_make_possible_what_never_was_is_done_sooner(client: httpx.Client) -> None:
    """What is an example of the same rule; and what people have is set right. The first evening is as it comes."""
    before = Record(ruling_count=1)
    before.offered.update(one["kind"] for one in client.get("/systems/scattershot").json()["inputs"])
    assert not Table(client, OPERATOR, "scattershot", Random(1), 1, earlier_record=before).helpful_kinds
    assert not Table(client, OPERATOR, "scattershot", Random(1), 1).helpful_kinds
    del before.offered["react-off-guard"]
    table = Table(client, OPERATOR, "scattershot", Random(1), 1, earlier_record=before)
    assert table.helpful_kinds == {"react-off-guard", "set-off-guard", "adjust", "amend"}
    assert Evening(table, lambda _: None, earlier_record=before).preferences.helpful_kinds == table.helpful_kinds

    def share(kind: str, of: str, sooner: set[str]) -> float:
        both = ((kind, of), ("hit", "toy"))
        moves = [{"kind": one, "schema": {"allOf": [{"$ref": f"#/{whose}_x"}]}} for one, whose in both]
        record = Record()
        record.kinds.update({kind: 1, "hit": 1})
        preferring = Preferring({}, record, Record(), Random(1), helpful_kinds=sooner)
        return sum(preferring.choose_kind(moves, set()) == kind for _ in range(300)) / 300

    assert share("adjust", "ledger", set()) < 0.2 and 0.4 < share("adjust", "ledger", {"adjust"}) < 0.6
    assert share("wait", "toy", set()) < 0.6 and share("wait", "toy", {"wait"}) > 0.8


def test_what_need_not_be_said_is_left_open_now_and_then() -> None:
    filling = Filling({}, {}, Random(1))
    face = {"anyOf": [{"const": None}, {"type": "integer", "minimum": 1, "maximum": 6}]}
    with filling.leave_out_optional(True):
        assert [filling.fill_value(face, {}) for _ in range(20)] == [None] * 20
        assert filling.fill_value({"enum": ["2", None, "3"]}, {}) is None
        fields = {"a": {"type": "integer"}, "b": {"type": "integer"}}
        assert filling.fill_value({}, {"type": "object", "properties": fields, "required": ["a"]}).keys() == {"a"}
    assert any(filling.fill_value(face, {}) for _ in range(20))


def test_who_is_of_the_circle_is_named_before_others() -> None:
    filling = Filling({}, {}, Random(1))
    filling.circle = ["7", "8"]
    named = [filling.fill_value({"enum": [str(one) for one in range(20)]}, {}) for _ in range(200)]
    assert 0.7 < sum(one in filling.circle for one in named) / len(named) < 1
    some = {"type": "array", "items": {"enum": [str(one) for one in range(20)]}, "minItems": 2, "uniqueItems": True}
    assert all(len(filling.fill_value(some, {})) == 2 for _ in range(20)), "few are among themselves"


def test_the_way_to_something_rare_is_gone_by_what_made_it_possible_most_often() -> None:
    record = Record(ruling_count=1)
    record.kinds.update({"climb": 20, "dig": 20, "wait": 20, "sell": 1})
    record.offered.update({"climb": 60, "dig": 60, "wait": 60, "sell": 1})
    record.opened.update({("dig", ""): 10, ("dig", "sell"): 5, ("climb", ""): 10, ("climb", "sell"): 1})
    record.opened.update({("wait", ""): 10, ("wait", "dig"): 10})
    preferring = Preferring(dict.fromkeys(record.kinds, ()), record, Record(), Random(1))
    assert preferring._measure_distances("sell") == {"sell": 0, "dig": 2, "climb": 10, "wait": 3}
    moves = [
        {"kind": kind, "schema": {"allOf": [{"$ref": "#/components/schemas/toy_x"}]}}
        for kind in ("climb", "dig", "wait")
    ]
    chosen = [preferring.choose_kind(moves, set()) for _ in range(300)]
    assert preferring.pursued_kind in ("sell", "dig") and chosen.count("dig") > 200, (
        "a game's way may go the same steps"
    )
    record.shut["dig", "sell"] = 3
    preferring.pursued_kind = "sell"
    assert preferring._is_preventing("dig") and not preferring._is_preventing("wait")
    seldom = Preferring(dict.fromkeys(record.kinds, ()), record, Record(), Random(1), helpful_kinds={"sell"})
    moves[1]["schema"] = {"allOf": [{"$ref": "#/components/schemas/ledger_x"}]}
    chosen = [seldom.choose_kind(moves, set()) for _ in range(300)]
    assert chosen.count("wait") > 50, "what every table can do, done in vain, is not done for good"


def test_somebody_is_given_what_the_games_list_of_accounts_says_of_people(client: httpx.Client) -> None:
    evening = Evening(Table(client, OPERATOR, "intensity", Random(1), 1), lambda _: None)
    evening.play(4)
    made = [evening.forms._choose_account() for _ in range(60)]
    there = evening.known_ids["character"]
    forms = {one["account"].split("/", 1)[1].split(":")[0] for one in made if one is not None}
    assert forms == {"ap"}
    for one in made:
        assert one is not None and "<" not in one["account"]
        holder, _, against = one["account"].removeprefix("character:").partition("/ap:")
        assert not against or (holder != against and {holder, against} <= {*there})

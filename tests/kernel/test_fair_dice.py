"""The ledger's dice: fair, committed to beforehand, without gaps, and recomputed here by other code than theirs."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations
from typing import Any

import msgspec
import pytest

from ledger.application import Ledger, check_dice, make_environment
from ledger.application.commands import adjudicating, seating
from ledger.application.roller import answer_by_ledger
from ledger.errors import Malformed, NotYours
from ledger.events import dice_proofs
from ledger.events.dice_proofs import Proof, draw_below, draw_numbers, draw_outcome, parse_proof
from ledger.events.envelope import Event
from ledger.rules.kernel.contract import About, Verdict
from ledger.rules.kernel.questions import draw, flip, roll, shuffle
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from tests.desk import Desk, present
from tests.kernel.conftest import SCHEMA, service_url

STAND, DODGE = {"choice": {"kind": "stand"}}, {"choice": {"kind": "dodge"}}
SEED = bytes(range(32))
CARDS = ("ace", "two", "three", "four", "five")


# --- a second implementation, from the description alone ----------------------------------------------------------


def naive_numbers(seed: str, campaign: str, roll: int, ruling: int, entropies: dict[str, str]) -> Iterator[int]:
    mixed = hashlib.sha256()
    for seat in sorted(entropies):
        mixed.update((seat + ":" + hashlib.sha256(entropies[seat].encode("utf-8")).hexdigest() + "\n").encode())
    block = 0
    while True:
        lines = ["campaign-ledger/dice/1", campaign, str(roll), str(ruling), mixed.hexdigest(), str(block)]
        made = hmac.new(bytes.fromhex(seed), "\n".join(lines).encode(), hashlib.sha256).digest()
        for place in (0, 8, 16, 24):
            yield int.from_bytes(made[place : place + 8], "big")
        block += 1


def naive_choice(numbers: Iterator[int], limit: int) -> int:
    while True:
        number = next(numbers)
        if number < 2**64 - (2**64 % limit):
            return number % limit


def naive_fall(question: dict[str, Any], numbers: Iterator[int]) -> list[Any]:
    if question["ask"] == "roll":
        faces: list[int] = []
        owed = question["count"]
        while owed:
            wave = [naive_choice(numbers, question["sides"]) + 1 for _ in range(owed)]
            owed = wave.count(question.get("opens", 0))
            faces += wave
        return faces
    if question["ask"] == "flip":
        return ["tails" if naive_choice(numbers, 2) else "heads" for _ in range(question["count"])]
    cards = list(question["cards"])
    wanted = question.get("count", len(cards))
    for i in range(wanted):
        j = i + naive_choice(numbers, len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]
    return cards[:wanted]


# --- the record ---------------------------------------------------------------------------------------------------


def rows_of(desk: Desk) -> list[tuple[str, str, Any]]:
    """Stream's kind, topic and body of all that is recorded, in stored order."""
    rows = desk.ledger.store.select_range(f"{desk.campaign}/", f"{desk.campaign}0")
    return [(stream.split("/")[1], topic, json.loads(bytes(state))) for stream, _, topic, state in rows]


def events_of(desk: Desk) -> list[Event]:
    rows = desk.ledger.store.select_range(f"{desk.campaign}/", f"{desk.campaign}0")
    return [
        Event(stream, version, desk.ledger.codec.decode(topic, bytes(state))) for stream, version, topic, state in rows
    ]


def rolls_of(desk: Desk) -> dict[int, tuple[dict[str, str], Any, list[Any]]]:
    """Every roll with a proof: by number, the proof's fields, its question, what fell; as first recorded."""
    found: dict[int, tuple[dict[str, str], Any, list[Any]]] = {}
    for kind, _, body in rows_of(desk):
        if kind in ("ruling", "waiting"):
            for given in body["fact"].get("answers", []):
                ((_, said),) = given["answer"].items()
                if "proof" in said:
                    proof = dict(part.split("=") for part in said["proof"].split())
                    falls = said.get("faces") or said.get("cards") or said.get("coins")
                    found.setdefault(int(proof["roll"]), (proof, given["question"], falls))
    return found


def recomputed(desk: Desk, number: int, seed: str | None = None) -> list[Any]:
    """From what is recorded in the open alone: seeds revealed, entropies, the proof."""
    proof, question, _ = rolls_of(desk)[number]
    facts = [(topic, body["fact"]) for kind, topic, body in rows_of(desk) if kind == "randomness"]
    seeds = {fact["number"]: fact["seed"] for topic, fact in facts if topic == "ledger.epoch-ended@1"}
    given = [fact for topic, fact in facts if topic == "ledger.entropy-given@1"][: int(proof["entropies"])]
    entropies = {one["seat"]: one["value"] for one in given}
    seed = seed or seeds[int(proof["epoch"])]
    return naive_fall(question, naive_numbers(seed, desk.campaign, number, int(proof["ruling"]), entropies))


def entropy(desk: Desk, seat: str, token: str | None, value: str) -> None:
    desk.ledger.give_entropy(desk.call(token=token), seat, value, present)


@pytest.fixture
def fight(desk: Desk) -> Desk:
    desk.enrol("A")
    desk.enrol("B")
    return desk


def hit(desk: Desk) -> int:
    return int(desk("hit", STAND, char="1", target="2"))


def hit_with_everything(desk: Desk) -> int:
    """Where `ask_for_everything`."""
    return int(desk("hit", char="1", target="2"))


# --- fair ---------------------------------------------------------------------------------------------------------


def test_a_few_rolls_for_ever() -> None:
    """Whoever writes another implementation can hold it against these."""
    entropy = dice_proofs.mix_entropies({"s2": "rain", "s10": "snow", "s1": "3 6 1"})
    assert entropy == "c314082e7eca7ae7f236fb1cc9eba48b34f67a010271ee705caa8394f7de564a"
    questions: list[dict[str, Any]] = [
        {"ask": "roll", "count": 8, "sides": 6},
        {"ask": "flip", "count": 5},
        {"ask": "draw", "count": 2, "cards": list(CARDS)},
        {"ask": "shuffle", "cards": list(CARDS)},
        {"ask": "roll", "count": 8, "sides": 4, "opens": 4},
    ]
    falls = [
        draw_outcome(question, draw_numbers(SEED, "k3v7q2mzt5a4c", Proof(1, number, 7, 3, "open"), entropy))
        for number, question in enumerate(questions, 1)
    ]
    assert falls == [
        (3, 6, 1, 3, 4, 6, 2, 2),
        ("heads", "heads", "tails", "tails", "heads"),
        ("ace", "four"),
        ("ace", "five", "four", "two", "three"),
        (4, 1, 3, 3, 4, 1, 1, 2, 3, 3),
    ]


def test_no_remainder_is_likelier_than_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """With numbers of four bits all can be tried: each result comes of equally many, the rest is passed over."""
    monkeypatch.setattr(dice_proofs, "NUMBERS", 16)
    for limit in range(1, 17):
        made = Counter[int]()
        for number in range(16):
            try:
                made[draw_below(iter([number]), limit)] += 1
            except (StopIteration, RuntimeError):
                assert number >= 16 - 16 % limit
        assert dict(made) == dict.fromkeys(range(limit), 16 // limit)
    assert draw_below(iter([15, 15, 7]), 6) == 1, "the next one is taken instead"


def chi_square_bound(freedom: int) -> float:
    """Exceeded by chance once in about 30,000 (Wilson and Hilferty)."""
    return float(freedom * (1 - 2 / (9 * freedom) + 4 * math.sqrt(2 / (9 * freedom))) ** 3)


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 100])
def test_faces_fall_equally_often(sides: int) -> None:
    counts = Counter[Any]()
    for number in range(1, 301):
        question = {"ask": "roll", "count": 100, "sides": sides}
        counts.update(
            draw_outcome(
                question, draw_numbers(SEED, "c", Proof(0, number, number, 0, "open"), dice_proofs.mix_entropies({}))
            )
        )
    assert set(counts) == set(range(1, sides + 1))
    expected = 30_000 / sides
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < chi_square_bound(sides - 1)


@pytest.mark.parametrize("drawn", [1, 2, 4])
def test_orders_and_hands_come_equally_often(drawn: int) -> None:
    counts = Counter[Any]()
    for number in range(1, 9601):
        question = {"ask": "draw", "count": drawn, "cards": ["a", "b", "c", "d"]}
        counts[
            draw_outcome(
                question, draw_numbers(SEED, "c", Proof(0, number, 1, 0, "open"), dice_proofs.mix_entropies({}))
            )
        ] += 1
    every = set(permutations("abcd", drawn))
    assert set(counts) == every
    expected = 9600 / len(every)
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < chi_square_bound(len(every) - 1)


def test_a_proof_reads_as_it_is_written() -> None:
    proof = Proof(3, 17, 8, 2, "hidden")
    assert parse_proof(str(proof)) == proof
    assert parse_proof(f"{proof} ") is None and parse_proof("epoch=٣ roll=1 ruling=1 entropies=0 seed=open") is None


# --- recomputed ---------------------------------------------------------------------------------------------------


def test_all_rolls_of_a_played_session_are_recomputed_once_its_seed_is_revealed(
    fight: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = fight
    ask_for_everything(desk, monkeypatch)
    bob, token = desk.seat("Bob")
    hit_with_everything(desk)
    session = str(desk("open-session", title="One"))
    hit_with_everything(desk)
    entropy(desk, bob, token, "thirteen\nblack cats")
    hit_with_everything(desk)
    entropy(desk, "s1", None, "rain ☂")
    entropy(desk, bob, token, "no cats")
    hit_with_everything(desk)
    desk.ledger.dispute(desk.call(), 3, "so much?", present)
    hit_with_everything(desk)
    desk("close-session", session=session)
    hit_with_everything(desk)
    desk("open-session", title="Two")
    made = rolls_of(desk)
    assert sorted(made) == list(range(1, 25)), "four of each hit"
    assert [proof["entropies"] for proof, _, _ in list(made.values())[::4]] == ["0", "0", "1", "3", "3", "3"]
    assert [proof["epoch"] for proof, _, _ in list(made.values())[::4]] == ["0", "1", "1", "1", "1", "2"]
    for number, (_, _, falls) in made.items():
        assert recomputed(desk, number) == falls
    assert check_dice(events_of(desk)) is None


def ask_for_everything(desk: Desk, monkeypatch: pytest.MonkeyPatch, audience: Any = None) -> None:
    """A hit rolls, draws, shuffles and flips."""

    def hit(table: Any, do: Any) -> Any:
        faces = yield from roll(character(do.char), 3, 20, audience=audience)
        yield from draw(character(do.char), 2, CARDS, audience=audience)
        yield from shuffle(None, CARDS, audience=audience)
        yield from flip(None, 3, audience=audience)
        return Verdict((About(character(do.target), toy(desk).Hurt(faces[0])),))

    original = desk.ruleset.adjudicate

    def adjudicate(table: Any, do: Any) -> Any:
        return (yield from (hit(table, do) if type(do).__name__ == "Hit" else original(table, do)))

    monkeypatch.setattr(type(desk.ruleset), "adjudicate", property(lambda self: adjudicate))


def toy(desk: Desk) -> Any:
    return sys.modules[type(desk.ruleset.blank("character")).__module__]


def test_what_is_committed_to_comes_first_and_is_what_is_revealed(fight: Desk) -> None:
    session = str(fight("open-session", title="One"))
    randomness = [(topic, body) for kind, topic, body in rows_of(fight) if kind == "randomness"]
    assert [topic for topic, _ in randomness] == [
        "ledger.epoch-begun@1",
        "ledger.epoch-ended@1",
        "ledger.epoch-begun@1",
    ]
    first, ended, second = (body["fact"] for _, body in randomness)
    assert (first["session"], second["session"]) == ("", session)
    assert hashlib.sha256(bytes.fromhex(ended["seed"])).hexdigest() == first["commitment"]
    assert len({first["commitment"], first["hidden"], second["commitment"], second["hidden"]}) == 4
    hit(fight)
    (proof, _, _) = rolls_of(fight)[1]
    assert proof == {"epoch": "1", "roll": "1", "ruling": "4", "entropies": "0", "seed": "open"}
    fight("close-session", session=session)
    ended = [body["fact"] for _, topic, body in rows_of(fight) if topic == "ledger.epoch-ended@1"][-1]
    assert hashlib.sha256(bytes.fromhex(ended["seed"])).hexdigest() == second["commitment"]


def test_entropy_is_the_seats_own_and_counts_from_then_on(fight: Desk) -> None:
    bob, token = fight.seat("Bob", "observer")
    with pytest.raises(NotYours):
        entropy(fight, bob, None, "the game master's")
    with pytest.raises(Malformed):
        entropy(fight, bob, token, " ")
    before = fight.position
    call = fight.call(token=token)
    first = fight.ledger.give_entropy(call, bob, "rain", present)
    again = fight.ledger.give_entropy(call, bob, "rain", present)
    assert again.is_repeated and first.body == again.body and fight.position == before + 1


# --- nobody fishes ------------------------------------------------------------------------------------------------


def test_rolls_have_no_gaps_whoever_races(fight: Desk, another: Ledger) -> None:
    do = fight.input("hit", char="1", target="2")
    answers = fight.answers({"choice": {"kind": "stand"}})

    def declare(place: int) -> None:
        ledger = (fight.ledger, another)[place % 2]
        ledger.declare(fight.call(), do, present, answers=answers)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(declare, range(30)))
    made = rolls_of(fight)
    assert list(made) == list(range(1, 31))
    assert [body.get("rolls") for kind, _, body in rows_of(fight) if kind == "journal"][-1] == 30
    fight("open-session", title="")
    assert all(recomputed(fight, number) == falls for number, (_, _, falls) in made.items())
    assert check_dice(events_of(fight)) is None


def test_a_lost_race_is_no_other_roll(fight: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled: list[Any] = []

    def noting(save: Any, question: Any, ruling: int) -> Any:
        rolled.append(answer_by_ledger(save, question, ruling))
        return rolled[-1]

    saved, lost = fight.ledger._try_save, iter([True, True])
    monkeypatch.setattr(fight.ledger, "_try_save", lambda save: False if next(lost, False) else saved(save))
    monkeypatch.setattr(adjudicating, "answer_by_ledger", noting)
    hit(fight)
    assert len(rolled) == 3 and rolled.count(rolled[0]) == 3
    assert list(rolls_of(fight)) == [1]


def test_what_was_rolled_and_withdrawn_stays_counted(fight: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def roll_first(table: Any, do: Any) -> Any:
        (face,) = yield from roll(character(do.char), 1, 6)
        yield from toy(fight).ask(table.owner(character(do.target)), toy(fight).Dodge, toy(fight).Stand)
        return Verdict((About(character(do.target), toy(fight).Hurt(face)),))

    original = fight.ruleset.adjudicate

    def adjudicate(table: Any, do: Any) -> Any:
        return (yield from (roll_first(table, do) if type(do).__name__ == "Hit" else original(table, do)))

    monkeypatch.setattr(type(fight.ruleset), "adjudicate", property(lambda self: adjudicate))
    for _ in range(3):
        waiting = str(fight("hit", char="1", target="2"))
        fight.ledger.withdraw(fight.call(), waiting, "not to my liking", present)
    waiting = str(fight("hit", char="1", target="2"))
    fight.ledger.answer_waiting_declaration(fight.call(), waiting, fight.answers(STAND)[0], present)
    made = rolls_of(fight)
    assert list(made) == [1, 2, 3, 4], "each is on record"
    fight("open-session", title="")
    assert all(recomputed(fight, number) == falls for number, (_, _, falls) in made.items())
    assert check_dice(events_of(fight)) is None
    ((answer,),) = [(one,) for one in fight.ruling(3).ruled.answers if "dice" in one.answer]
    assert "roll=4" in answer.answer["dice"]["proof"], "kept from when it was rolled"


def test_a_roll_that_was_refused_is_the_next_one_all_the_same(fight: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules refuse before they roll; those that do not give nobody another roll."""
    rolled: list[Any] = []
    original, refuse = fight.ruleset.adjudicate, [True]

    def adjudicate(table: Any, do: Any) -> Any:
        verdict = yield from original(table, do)
        if type(do).__name__ == "Hit" and refuse:
            raise Refused("toy.hit", "after-the-roll")
        return verdict

    def noting(save: Any, question: Any, ruling: int) -> Any:
        rolled.append(answer_by_ledger(save, question, ruling))
        return rolled[-1]

    monkeypatch.setattr(type(fight.ruleset), "adjudicate", property(lambda self: adjudicate))
    monkeypatch.setattr(adjudicating, "answer_by_ledger", noting)
    for _ in range(2):
        with pytest.raises(Refused):
            hit(fight)
    refuse.clear()
    hit(fight)
    assert rolled.count(rolled[0]) == len(rolled) == 3


def test_overturning_reinstating_and_ruling_again_roll_nothing(fight: Desk) -> None:
    for _ in range(4):
        hit(fight)
    made = rolls_of(fight)
    fight.ledger.overturn(fight.call(), 3, "no", present, settle="rerule")
    fight.ledger.reinstate(fight.call(), 3, "yes", present, settle="rerule")
    assert rolls_of(fight) == made and len(made) == 4
    hit(fight)
    assert list(rolls_of(fight)) == [1, 2, 3, 4, 5]
    assert check_dice(events_of(fight)) is None


# --- secrets ------------------------------------------------------------------------------------------------------


def test_what_is_hidden_is_recomputed_from_nothing_that_is_recorded(
    fight: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_for_everything(fight, monkeypatch, audience=("gm",))
    for _ in range(10):  # one alone comes out alike by chance now and then
        hit_with_everything(fight)
    fight("open-session", title="")
    made = rolls_of(fight)
    assert {proof["seed"] for proof, _, _ in made.values()} == {"hidden"}
    alike = [recomputed(fight, number) == falls for number, (_, _, falls) in made.items()]
    assert sum(alike) < len(alike)
    hidden = fight.ledger.keys.make_dice_seed(fight.campaign, 0, "hidden").hex()
    assert all(recomputed(fight, number, hidden) == falls for number, (_, _, falls) in made.items())
    assert hidden not in json.dumps(rows_of(fight))
    lasting = fight.ledger.keys.make_dice_seed(fight.campaign, 1, "open").hex()
    assert lasting not in json.dumps(rows_of(fight)), "nor is the seed of what is still being played"
    assert check_dice(events_of(fight)) is None


# --- checked ------------------------------------------------------------------------------------------------------


@pytest.fixture
def record(fight: Desk) -> list[Event]:
    """Rulings 4 to 16 roll in a session that is over: thirteen dice, which from another seed never fall alike."""
    session = str(fight("open-session", title="One"))
    entropy(fight, "s1", None, "rain")
    for _ in range(13):
        hit(fight)
    fight("close-session", session=session)
    hit(fight)
    return events_of(fight)


def changed(record: list[Event], topic: str, change: Any) -> list[Event]:
    """With the first event of a class changed; None: left out."""
    at = next(place for place, event in enumerate(record) if type(event.body.fact).__name__ == topic)
    done = change(record[at].body.fact)
    made = [] if done is None else [_with(record[at], done)]
    return [*record[:at], *made, *record[at + 1 :]]


def _with(event: Event, done: Any) -> Event:
    return msgspec.structs.replace(event, body=msgspec.structs.replace(event.body, fact=done))


def answers_changed(record: list[Event], ruling: int, **said: Any) -> list[Event]:
    """With another answer of the ledger's in the ruling's own stream."""
    made = []
    for event in record:
        fact = event.body.fact
        if event.originator_id.endswith(f"/ruling/{ruling}"):
            given = fact.answers[-1]
            other = replace(given, answer={"dice": {**given.answer["dice"], **said}})
            made.append(_with(event, replace(fact, answers=(*fact.answers[:-1], other))))
        else:
            made.append(event)
    return made


def test_whatever_is_altered_in_the_dice_is_found(record: list[Event]) -> None:
    assert check_dice(record) is None and check_dice(reversed(record)) is None
    (rolled,) = [event for event in record if event.originator_id.endswith("/ruling/4")]
    said = rolled.body.fact.answers[-1].answer["dice"]
    face, proof = said["faces"][0], said["proof"]

    def about(bad: list[Event]) -> str:
        found = check_dice(bad)
        assert found is not None
        return found.detail

    assert "follow from its seed" in about(answers_changed(record, 4, faces=[face % 6 + 1]))
    assert "no proof" in about(answers_changed(record, 4, proof=None))
    for was, other in (("ruling=4", "ruling=3"), ("entropies=1", "entropies=0"), ("epoch=1", "epoch=0")):
        assert "the wrong inputs" in about(answers_changed(record, 4, proof=proof.replace(was, other)))
    assert "follows roll 0" in about(answers_changed(record, 4, proof=proof.replace("roll=1", "roll=2")))
    assert "counts 1 rolls" in about([event for event in record if event is not rolled])
    assert "follow from its seed" in about(changed(record, "EntropyGiven", lambda fact: replace(fact, value="snow")))
    assert "the wrong inputs" in about(changed(record, "EntropyGiven", lambda fact: None))
    assert "its commitment" in about(changed(record, "EpochBegun", lambda fact: replace(fact, commitment="00" * 32)))
    assert "its commitment" in about(changed(record, "EpochEnded", lambda fact: replace(fact, seed="11" * 32)))
    assert "its commitment" in about(changed(record, "EpochEnded", lambda fact: replace(fact, seed="no seed")))
    assert about(changed(record, "EpochEnded", lambda fact: None))
    assert about(changed(record, "EpochBegun", lambda fact: None))


def test_a_roll_recorded_twice_stays_what_it_was(fight: Desk) -> None:
    told = fight.declare("hit", char="1", target="2", dice="ledger")
    waiting = json.loads(told.body)["waiting"]
    fight.ledger.answer_waiting_declaration(fight.call(), waiting, fight.answers(STAND)[0], present)
    record = events_of(fight)
    assert check_dice(record) is None
    found = check_dice(answers_changed(record, 3, faces=[7]))
    assert found is not None and "earlier record" in found.detail


# --- what was there before ----------------------------------------------------------------------------------------


def test_a_campaign_from_before_plays_on(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(seating, "begin_epoch", lambda save, session: None)
        desk = Desk(ledger)
    desk.enrol("A")
    desk.enrol("B")
    assert not any(kind == "randomness" for kind, _, _ in rows_of(desk))
    hit(desk)
    assert rolls_of(desk) == {}, "nothing had been committed to"
    hit(desk)
    desk("open-session", title="")
    assert list(rolls_of(desk)) == [1]
    assert recomputed(desk, 1) == rolls_of(desk)[1][2]
    assert check_dice(events_of(desk)) is None


def test_another_key_of_the_server_begins_anew(fight: Desk, database: str) -> None:
    hit(fight)
    with Ledger(
        make_environment(service_url(database), schema=SCHEMA, pool_size=2), b"another key altogether"
    ) as other:
        desk = Desk.__new__(Desk)
        token = other.keys.make_token(fight.campaign, "s1", 1)  # those made with the first key open nothing any more
        desk.__dict__ = {**fight.__dict__, "ledger": other, "token": token}
        hit(desk)
        hit(desk)
        desk("open-session", title="")
        made = rolls_of(desk)
        assert [(proof["epoch"], proof["roll"]) for proof, _, _ in made.values()] == [("0", "1"), ("1", "2")]
        assert recomputed(desk, 2) == made[2][2]
        assert check_dice(events_of(desk)) is None

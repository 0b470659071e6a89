"""Every standing ruling is correct, or a finding says that it is not."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from ledger.application import Ledger, make_environment
from ledger.application.commands.revising import Correction
from ledger.application.roller import answer_by_chance
from ledger.errors import LedgerError, NotYours
from ledger.events.records import Settle
from ledger.events.records_of_journal import Settled
from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.questions import Ask, Choice
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.moc.damage import ApplyHarm
from ledger.rules.mongrel.deeds import RollTask
from ledger.rules.mongrel.tasks import TaskResolved
from ledger.rules.scattershot.power import RestoreResource, SpendPower
from tests.desk import Desk, present
from tests.kernel.conftest import KEY, service_url
from tests.kernel.correctness import Correctness, audited
from tests.kernel.test_exports import bring, exported, lines_of, parsed
from tests.kernel.test_forks import forked
from tests.levels import examples, sampled
from tests.rules.anything import play
from tests.rules.moc.game import Game as Moc
from tests.rules.mongrel.game import Game as Mongrel
from tests.rules.mongrel.game import the
from tests.rules.scattershot.game import Game as Scattershot
from tests.rules.world import World
from tests.schemas import made_anew
from tests.views.test_every_game import Retold

WORDS, DECISIONS = 70, 30
few = settings(max_examples=examples(1, 2, 40), deadline=None, suppress_health_check=list(HealthCheck))


class Told(Retold):
    """A game told to a ledger, and decided about."""

    def __init__(self, ledger: Ledger, game: World) -> None:
        super().__init__(ledger, game)
        self.tell()
        self.law = Correctness(self.desk)
        self.holds()

    def overturn(self, number: int, settle: Any = "flag") -> None:
        self.ledger.overturn(self.desk.call(), number, "so", present, settle=settle)
        self.holds()

    def reinstate(self, number: int, settle: Any = "flag") -> None:
        self.ledger.reinstate(self.desk.call(), number, "so", present, settle=settle)
        self.holds()

    def holds(self) -> None:
        assert self.law.look() == []

    def findings(self) -> list[tuple[str, int | None]]:
        return [(one.kind, one.ruling) for one in self.desk.findings()]


def test_power_restored_to_who_had_spent_none_is_found(ledger: Ledger) -> None:
    game = Scattershot()
    game.declare(SpendPower(game.cid, 4))
    game.declare(RestoreResource(game.cid, "power", 4))
    spent, restored = len(game.history) - 1, len(game.history)
    told = Told(ledger, game)
    told.overturn(restored)
    told.overturn(spent)
    told.reinstate(restored)
    assert len(told.findings()) == 1
    told.reinstate(spent)
    assert told.findings() == []


def test_a_hit_put_back_without_the_one_before_it_is_found(ledger: Ledger) -> None:
    game = Mongrel()
    for _ in range(2):
        game.hit(game.ahvia, 3, reason="it hurts")
    first, second = len(game.history) - 1, len(game.history)
    told = Told(ledger, game)
    told.overturn(second)
    told.overturn(first)
    told.reinstate(second)
    assert ("changes", second) in told.findings()


@pytest.mark.parametrize("settle", ["flag", "rerule"])
def test_harm_put_back_in_another_order_is_found_or_ruled_again(ledger: Ledger, settle: str) -> None:
    game = Moc()
    for pain in (5, 30):
        game.does(ApplyHarm(game.hero, pain=pain, reason="it hurts"))
    first, second = len(game.history) - 1, len(game.history)
    told = Told(ledger, game)
    told.overturn(first, "rerule")
    told.overturn(second)
    told.reinstate(first, settle)
    told.reinstate(second, settle)
    assert bool(told.findings()) == (settle == "flag")


def test_a_hit_whose_task_is_overturned_is_found_until_it_is_put_back(ledger: Ledger) -> None:
    game = Mongrel()
    roll = RollTask(game.vooruk, "rend", "target", "physique", target=game.ahvia, faces=(1, 2, 3, 6))
    effect = the(game.plays(roll), TaskResolved).effect
    task = len(game.history)
    game.hit(game.ahvia, effect, ruling=str(task))
    told = Told(ledger, game)
    told.overturn(task)
    assert told.findings() == [("loses support", task + 1)]
    told.reinstate(task)
    assert told.findings() == []


@pytest.mark.parametrize("secretly", [0, 1, 3])
def test_that_a_debt_is_paid_back_does_not_tell_what_was_paid_in_secret(ledger: Ledger, secretly: int) -> None:
    """Everybody knows of a debt of 4. Once something hidden was paid, its finding stays whatever is paid openly."""
    desk = Desk(ledger)
    ann, ben = desk.enrol("Ann"), desk.enrol("Ben")
    minted = desk("mint", to=ann, coins=4)
    desk("give", char=ann, to=ben, coins=4)
    ledger.overturn(desk.call(), minted, "so", present)
    if secretly:
        desk("mint", to=ann, coins=secretly, hidden=True)
    for coins in (1, 2, 1):
        desk("mint", to=ann, coins=coins)
    assert Correctness(desk).look() == []
    debts = [one for one in desk.findings() if one.kind == "overdrawn"]
    assert bool(debts) == bool(secretly)


# --- of every game, on random play -----------------------------------------------------------------------------------


class Evening(Retold):
    """Played, decided about while it is played, forked and brought elsewhere; the law is looked at after every save."""

    def __init__(self, ledger: Ledger, game: World, seed: int) -> None:
        super().__init__(ledger, game)
        self.rng = Random(seed)
        self.law = Correctness(self.desk)
        self.did: Counter[str] = Counter()

    def _said(self, past: Any) -> Any:
        said = super()._said(past)
        self.holds()
        return said

    def tell(self) -> None:
        """As it was played; then what is said again of it, with decisions in between."""
        with suppress(AssertionError, LedgerError, Refused, Unfit, KeyError):
            super().tell()
        for _ in range(DECISIONS):
            self.decide_something()
            self.rng.choice([self.say_again, self.say_again, self.rule])()

    def say_again(self) -> None:
        """Something of what was said before; the dice fall anew."""
        past = self.rng.choice(self.game.history)
        for seat in (self.seats[past.by.seat], "s1"):
            with suppress(NotYours, Refused, Unfit, LedgerError):
                reply = self.ledger.declare(self.call(seat), self.named(past.declared), present, dice="ledger")
                told = json.loads(reply.body)
                for answer in past.answers:
                    if "waiting" in told and isinstance(answer, Choice):
                        reply = self._answered(told["waiting"], told["question"], self.named(answer), self.call(seat))
                        told = json.loads(reply.body)
                if "ruling" in told:
                    self.did["declared again"] += 1
                    self.told = max(self.told, told["ruling"])
                    break
        self.holds()

    def rule(self) -> None:
        """Something of what a game master does at every table."""
        rng, names = self.rng, [one.id for one in self.game.table().subjects("character")]
        if not names:
            return
        id = rng.choice(names)
        numbers = [one.name for one in dataclasses.fields(self.desk.state(id)) if is_number(self.desk.state(id), one)]
        declared: list[Any] = [commands.HandOver(id, rng.choice([*self.seats.values()]))]
        declared += [commands.Amend(f"character:{id}", name, rng.randint(0, 9), "so") for name in numbers]
        for account in self.desk.folded(character(id)).purse:
            source, target = rng.sample([account, "bank/" + account.partition("/")[2]], 2)
            declared.append(commands.Adjust(source, target, unit_of(account), 3, "so"))
        with suppress(NotYours, Refused, Unfit, LedgerError):
            do = rng.choice(declared)
            told = json.loads(self.ledger.declare(self.desk.call(), do, present).body)
            self.told = max(self.told, told.get("ruling", 0))
            self.did[type(do).__name__] += 1
        self.holds()

    def decide_something(self) -> None:
        rng, call = self.rng, self.desk.call()
        number = rng.randint(1, self.told)
        settle: Settle = rng.choice(["flag", "flag", "rerule"])
        did = rng.choice(["overturn", "overturn", "overturn both", "reinstate", "reinstate", "revise", "settle"])
        with suppress(LedgerError, Refused, Unfit):
            match did:
                case "overturn":
                    self.ledger.overturn(call, number, "so", present, settle=settle)
                case "overturn both":
                    also = [rng.randint(1, self.told)]
                    self.ledger.overturn(call, number, "so", present, settle=settle, also=also)
                case "reinstate":
                    gone = [one for one in range(1, self.told + 1) if not self.desk.ruling(one).stands]
                    if gone:
                        self.ledger.reinstate(call, rng.choice(gone), "so", present, settle=settle)
                case "revise":
                    self.ledger.revise(call, number, self.correction(number, settle), present)
                case "settle" if findings := self.desk.findings():
                    how: Settled = rng.choice(["let-stand", "amended"])
                    self.ledger.settle_finding(call, rng.choice(findings).id, how, "so", present)
                case _:
                    return
            self.did[f"{did} {settle}" if did != "settle" else did] += 1
        self.holds()

    def correction(self, number: int, settle: Any) -> Correction:
        """Other dice, or what else was declared of the same kind."""
        past = self.game.history[min(number, len(self.game.history)) - 1]
        alike = [one.declared for one in self.game.history if type(one.declared) is type(past.declared)]
        if self.rng.random() < 0.5:
            return Correction("so", "entry", self.named(self.rng.choice(alike)), settle=settle)
        answers = []
        for question, _ in self.game.beginning().branch({}).replay(past)[0].answered:
            answers.append(None if isinstance(question, Ask) else answer_by_chance(question, self.rng))
        return Correction("so", "ruling", None, answers, settle=settle)

    def holds(self) -> None:
        assert self.law.look() == [], self.did

    def elsewhere(self, other: Ledger) -> None:
        """The law holds in a fork, too, and where the record was brought."""
        for desk in (forked(self.desk, self.told), brought(self.desk, other)):
            law = Correctness(desk)
            law.excused = dict(self.law.excused)
            assert law.look() == []
            assert audited(desk) == []


def brought(desk: Desk, other: Ledger) -> Desk:
    """The same campaign in another ledger."""
    header, rows = exported(desk)
    made = json.loads(bring(other, parsed(b"".join(lines_of(rows, header))), desk.campaign).body)
    there = copy.copy(desk)
    there.ledger, there.campaign, there.token = other, made["campaign"], made["token"]
    return there


def is_number(state: Any, field: Any) -> bool:
    return isinstance(getattr(state, field.name), int) and not isinstance(getattr(state, field.name), bool)


@pytest.fixture(scope="module")
def elsewhere(postgres: Any) -> Iterator[Ledger]:
    """Another ledger, with a schema of its own."""
    made_anew(postgres.owner_url, "elsewhere")
    with Ledger(make_environment(service_url(postgres.owner_url), schema="elsewhere", pool_size=2), KEY) as ledger:
        yield ledger


@pytest.mark.parametrize("name", sampled(sorted(systems()), 1, 1, salt="correctness"))
@few
@given(seed=st.integers(0, 2**32))
def test_every_standing_ruling_is_correct_or_a_finding_says_so(
    name: str, seed: int, ledger: Ledger, elsewhere: Ledger
) -> None:
    game = play(name, seed, WORDS)
    try:
        evening = Evening(ledger, game, seed)
    except Refused:  # its dials do not go together; in memory nobody asks
        reject()
    evening.tell()
    assert evening.told
    evening.elsewhere(elsewhere)
    assert audited(evening.desk) == []

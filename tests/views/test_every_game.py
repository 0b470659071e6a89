"""Random play of every game, decided about at random, on a real Postgres: the laws that hold for what is stored."""

from __future__ import annotations

import dataclasses
import json
import uuid
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st

from ledger.application import Call, Ledger, Reply, audit
from ledger.errors import LedgerError, NotYours
from ledger.events.records import Settle
from ledger.rules import systems
from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.declarations import find_chooser
from ledger.rules.kernel.questions import Answer, Choice
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.world import PastRuling
from projections.views.projector import Projector
from tests.desk import Desk, present
from tests.levels import examples, sampled
from tests.rules.anything import play
from tests.rules.world import World
from tests.views.conftest import ViewDatabase
from tests.views.test_views import everything

few = settings(max_examples=examples(1, 2, 12), deadline=None, suppress_health_check=list(HealthCheck))


class Retold:
    """What was played in memory, told to a ledger. The people of the one get seats at the other."""

    def __init__(self, ledger: Ledger, game: World) -> None:
        self.ledger, self.game = ledger, game
        self.desk = Desk(ledger, game.ruleset.name, **game.dials)
        self.seats = {id: f"s{number}" for number, id in enumerate(game.people, 1)}
        self.told = 0
        for id, role in list(game.people.items())[1:]:
            ledger.add_seat(self.desk.call(), id, role, present)
        ledger.change_seat(self.desk.call(), "s1", None, False, present, holds=True)  # nothing follows in memory

    def call(self, seat: str) -> Call:
        return self.desk.call(token=self.ledger.keys.make_token(self.desk.campaign, seat, 1))

    def tell(self) -> None:
        """As far as somebody at the table may say it: in memory anybody says anything. Numbers stay as they were."""
        for number, past in enumerate(self.game.history, 1):
            said = self._said(past)
            if said is None:
                break
            assert said == {"ruling": number}, past

    def _said(self, past: PastRuling) -> Any:
        for seat in (self.seats[past.by.seat], *self.seats.values()):
            with suppress(NotYours, Refused):
                by = self.call(seat)
                reply = self.ledger.declare(by, self.named(past.declared), present, dice="table")
                for answer in past.answers:
                    told = json.loads(reply.body)
                    reply = self._answered(told["waiting"], told["question"], self.named(answer), by)
                self.told += 1
                return json.loads(reply.body)
        return None

    def _answered(self, waiting: str, question: Any, answer: Answer, declarer: Call) -> Reply:
        """By who is asked for what is theirs alone to say; else by the game master who may answer everything, but for
        what is hidden from it. `question`: others may be open at the same time."""
        audience, slot = question.get("audience"), question["slot"]
        if (
            isinstance(answer, Choice)
            and find_chooser(answer.value) == "asked"
            and question["seat"] in self.seats.values()
        ):
            return self.ledger.answer_waiting_declaration(self.call(question["seat"]), waiting, answer, present, slot)
        if audience is None or "gm" in audience:
            return self.ledger.answer_waiting_declaration(self.call("s1"), waiting, answer, present, slot)
        asked = next((one for one in audience if one in self.seats.values()), None)
        by = self.call(asked) if asked is not None else declarer
        return self.ledger.answer_waiting_declaration(
            dataclasses.replace(by, key=uuid.uuid4().hex), waiting, answer, present, slot
        )

    def named(self, value: Any) -> Any:
        """With the seats as they are called here."""
        match value:
            case SetDial():
                return value
            case str():
                return self.seats.get(value, value)
            case tuple():
                return tuple(map(self.named, value))
            case Mapping():
                return {key: self.named(one) for key, one in value.items()}
        if not dataclasses.is_dataclass(value) or isinstance(value, type):
            return value
        fields = [one.name for one in dataclasses.fields(value)]
        return dataclasses.replace(value, **{name: self.named(getattr(value, name)) for name in fields})

    def decide(self, rng: Random) -> None:
        """Overturn, rewind, reinstate, dispute, uphold, as far as allowed; with later rulings ruled again or not."""
        for _ in range(8):
            number = rng.randint(1, self.told)
            settle: Settle = rng.choice(["flag", "rerule"])
            call = self.desk.call()
            with suppress(LedgerError):
                match rng.choice(["overturn", "overturn", "reinstate", "reinstate", "dispute", "uphold", "rewind"]):
                    case "overturn":
                        self.ledger.overturn(call, number, "so", present, settle=settle)
                    case "rewind":
                        self.ledger.rewind(call, number, "so", present)
                    case "reinstate":
                        self.ledger.reinstate(call, number, "so", present, settle=settle)
                    case "dispute":
                        self.ledger.dispute(call, number, "so", present)
                    case "uphold":
                        self.ledger.uphold(call, number, "so", present)


@pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="built anew"))
@few
@given(seed=st.integers(0, 2**32))
@example(seed=882)  # a ruling refused anew for what was answered to it
def test_built_anew_the_views_are_what_they_were(
    name: str, seed: int, ledger: Ledger, projector: Projector, database: ViewDatabase
) -> None:
    game = play(name, seed, 60)
    try:
        reruled = Retold(ledger, game)
    except Refused:  # its dials do not go together; in memory nobody asks
        reject()
    reruled.tell()
    assert reruled.told
    projector.catch_up()
    reruled.decide(Random(seed))
    projector.catch_up()
    kept = everything(database)
    projector.rebuild()
    assert everything(database) == kept
    with ledger.open_for_seat(reruled.desk.call()) as (book, _):
        assert not audit(book).differences

"""kill -9 right before and right after every step that follows by itself: a repeated request does each step once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.levels import sampled
from tests.reliability.asking import Asking
from tests.reliability.checks import audited
from tests.reliability.planted import falls_at
from tests.reliability.postgres import Server
from tests.reliability.system import OPERATOR, System, running

Json = dict[str, Any]
STEPS = ["close-opportunity", "roll-mib", "close-decision", "reach-outcome", "close-application"]


class Duel(Asking):
    """Ann, the game master, and Ben, whose character acts. Every request is repeated until it is answered."""

    def __init__(self, system: System) -> None:
        self.system = system
        body: Json = {
            "name": "A table",
            "system": "scattershot",
            "gm": {"name": "Ann"},
            "dials": {"forced_steps": "by_ledger"},
        }
        opened = self.ask(OPERATOR, "/campaigns", body)
        self.id, self.ann = opened["id"], opened["seat"]["token"]
        self.at = f"/campaigns/{self.id}"
        seat = self.ask(self.ann, f"{self.at}/seats", {"name": "Ben", "role": "player"})
        self.ben = seat["token"]
        sheet: Json = {"statistics": {"agility": 14}}
        self.ask(self.ann, f"{self.at}/characters", {"name": "Bruno", "seat": seat["id"], "sheet": sheet})
        self.ask(self.ann, f"{self.at}/scenes", {"title": "A bridge", "cast": ["1"]})


@pytest.mark.parametrize(
    "moment", sampled([f"{when}-{step}" for step in range(1, 6) for when in ("before", "after")], 1)
)
def test_each_step_is_done_once_whenever_the_service_is_killed(server: Server, moment: str) -> None:
    with falls_at(moment) as mark, running(server, "falling") as system:
        duel = Duel(system)
        declared = {
            "kind": "declare-action",
            "character": "1",
            "text": "leaps",
            "modifiers": [{"amount": -13}],
        }  # it fails
        acted = duel.ask(duel.ben, f"{duel.at}/rulings", {"declare": declared})
        asked = acted["followed"][-1]["waiting"]
        answered = duel.ask(duel.ben, f"{duel.at}/waiting/{asked}/answers", {"answer": {"choice": {"kind": "go-on"}}})
        first = acted["number"]
        followed = [*acted["followed"][:-1], {"ruling": answered["number"]}, *answered["followed"]]
        assert [one["ruling"] for one in followed] == list(range(first + 1, first + 1 + len(STEPS)))
        with system.client() as client:
            rulings = client.get(f"{duel.at}/rulings", headers=duel.bearer).json()["rulings"]
            assert [one["declared"]["kind"] for one in rulings][first:] == STEPS
            assert [one.get("follows") for one in rulings][first - 1 :] == [None, *[first] * len(STEPS)]
            assert audited(client, duel) == []
        assert not mark.exists(), "it was not killed"

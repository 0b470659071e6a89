"""Every worked example of every system again, over HTTP on Postgres; and overturning every ruling of it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from api.http.examples import ExampleAnswer, list_examples, split_answers
from ledger.application import Call, Ledger, json_form
from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.declarations import find_kind, list_recorded_kinds
from ledger.rules.kernel.fold import Folded
from projections.documents.derivations import explain_field
from projections.documents.subjects import Clock, flatten
from projections.redaction import LiveLens
from tests.api.table import Json, Player, Service, Table
from tests.levels import sampled
from tests.rules.examples import Outcome, play

EXAMPLES = [
    (name, one)
    for name in sorted(systems())
    if name != "toy"
    for one in list_examples(name)
    if not one.get("rules_only")
]
RECORDS = {
    (name, kind): set(list_recorded_kinds(cls))
    for name, one in systems().items()
    for kind, cls in json_form.index_declaration_classes(one).items()
}
#: The last rulings of an example: so many are overturned.
MOST = 4
KERNEL = {find_kind(cls) for cls in commands.INPUTS}
every_example = pytest.mark.parametrize(
    "case", sampled(EXAMPLES, 7, group=lambda case: case[0]), ids=lambda case: f"{case[0]}: {case[1]['name']}"
)


class HttpPlayer:
    """Plays through the API as a game master."""

    def __init__(self, service: Service, system: str, dials: Json) -> None:
        table = Table.__new__(Table)
        table.service = service
        opened = service.open(system=system, dials=dials)
        assert opened.status_code == 201, opened.text
        table.id = opened.json()["id"]
        self.gm = Player(table, "s1", opened.json()["seat"]["token"])
        self.players: dict[str, Player] = {}
        self.rulings = 0

    def declare(self, declared: Json, answers: Sequence[ExampleAnswer], by: str) -> Outcome:
        along, others = split_answers(answers)
        said = self.players.get(by, self.gm).post(
            "/rulings", {"declare": declared, "answers": along, **({"dice": "table"} if others else {})}
        )
        for one in others:
            if said.status_code == 202:
                who = self.players.get(one.by or "", self.gm)
                said = who.post(f"/waiting/{said.json()['id']}/answers", {"answer": one.answer})
        if said.status_code == 422:
            return Outcome(self.rulings + 1, refused=said.json()["code"])
        assert said.status_code == 201, said.text
        made = said.json()
        self.rulings = made["number"]
        facts = tuple((fact["kind"].partition(".")[2], fact["fact"]) for fact in made["facts"])
        return Outcome(made["number"], facts, tuple((one["rule"], one["out"]) for one in made["because"]))

    def view(self, subject: str) -> Mapping[str, Any]:
        kind, _, id = subject.partition(":")
        found: Mapping[str, Any] = self.gm.look("" if kind == "campaign" else f"/{kind}s/{id}")["state"]
        return found

    def balance(self, account: str) -> int:
        balances = self.gm.look("/accounts")["accounts"]
        return next((int(one["balance"]) for one in balances if one["account"] == account), 0)

    def seat(self, name: str) -> str:
        made = self.gm.does("/seats", {"name": name, "role": "player"})
        self.players[made["id"]] = Player(self.gm.table, made["id"], made["token"])
        return str(made["id"])

    def everything(self) -> Json:
        """All that stands, as the game master sees it."""
        campaign = self.gm.look()
        told = {"campaign": [campaign[part] for part in ("state", "balances", "characters", "scenes", "dials")]}
        for kind in ("characters", "scenes"):
            for one in campaign[kind]:
                seen = self.gm.look(f"/{kind}/{one['id']}")
                told[f"{kind}/{one['id']}"] = [seen["state"], seen["balances"], seen["adrift"]]
        return told


@every_example
def test_an_example_comes_out_as_written_and_can_be_overturned(
    service: Service, ledger: Ledger, case: tuple[str, Json]
) -> None:
    system, example = case
    player = HttpPlayer(service, system, example.get("dials", {}))
    outcomes = play(player, example, "s1")
    assert len(outcomes) == len(example["step"])
    for step, outcome in zip(example["step"], outcomes, strict=True):
        kind = step["declare"]["kind"]
        recorded = {fact for fact, _ in outcome.facts}
        assert kind in KERNEL or recorded <= RECORDS[system, kind], "the guide says what each input can record"
    every_field_is_explained(ledger, player)
    every_ruling_can_be_overturned_and_put_back(player)


def every_field_is_explained(ledger: Ledger, player: HttpPlayer) -> None:
    """For every field of every state: the chain behind it ends with its value."""
    with ledger.open_for_seat(Call(player.gm.table.id, player.gm.token)) as (book, viewer):
        lens = LiveLens(book, viewer)
        for subject in [one for one in book.campaign.subjects if one.kind in ("character", "scene")]:
            blank = flatten(lens.show_state(Folded(book.ruleset, subject)))
            for field, value in flatten(lens.show_state(book.load_stream(subject).folded)).items():
                told = explain_field(lens, subject, field, Clock())
                assert told["value"] == value, (subject, field)
                assert value == blank.get(field) or told["chain"], f"nothing explains {field} of {subject}"
                assert not told["chain"] or told["chain"][-1]["after"] == value


def every_ruling_can_be_overturned_and_put_back(player: HttpPlayer) -> None:
    """What a preview tells is what becomes true; reinstating leaves nothing changed and nothing to settle."""
    before = player.everything()
    for number in itertools.islice(range(player.rulings, 0, -1), MOST):
        told = player.gm.does(f"/rulings/{number}/overturn", {"reason": "Seeing.", "preview": True}, 200)
        done = player.gm.does(f"/rulings/{number}/overturn", {"reason": "A mistake."}, 200)
        assert done["status"] == "overturned" and done["changed"]["rulings"] == told["rulings"]
        assert done["changed"]["subjects"] == told["subjects"]
        player.gm.does(f"/rulings/{number}/reinstate", {"reason": "It was right."}, 200)
        assert player.everything() == before, number
        assert not player.gm.look()["findings"]
    audit = player.gm.look("/audit")
    assert (audit["healthy"], audit["rulings"], audit["older_edition"]) == (True, player.rulings, []), audit

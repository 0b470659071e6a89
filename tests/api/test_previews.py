"""What declaring something would come to, seen beforehand: as it then comes, and nothing is changed by looking."""

from __future__ import annotations

import json
import uuid
from random import Random
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from ledger.application import Book, Call, Ledger, Shown, json_form
from ledger.application.calls import Act, Done
from ledger.application.commands import declaring, foreseeing
from ledger.application.save import Save
from ledger.errors import LedgerError
from ledger.rules import systems
from ledger.rules.kernel import as_known
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer
from ledger.rules.kernel.world import PastRuling
from projections.documents import presenting
from tests.api.conftest import SCHEMA
from tests.api.table import HIT, Json, Player, Service, Table, rolled
from tests.api.twins.games import MNEMONIC, MOC, TOY, Secret
from tests.levels import sampled, seeds
from tests.rules.anything import play
from tests.rules.near_misses import NearMisses
from tests.rules.world import World
from tests.views.test_every_game import Retold


def foreseen(player: Player, declare: Json, status: int = 200, **more: Any) -> Json:
    return player.does("/rulings", {"declare": declare, "preview": True, **more}, status)


def everything(table: Table) -> str:
    """The whole export, but for the seal's time and the salts of what is sealed anew."""
    return table.gm.get("/export").text.rpartition("\n{")[0]


# --- what it says -----------------------------------------------------------------------------------------------------


def test_a_verdict_is_told_as_the_ruling_will_be(table: Table) -> None:
    table.fighters()
    mint = {"kind": "mint", "to": "1", "coins": 2}
    before, position = everything(table), table.position
    told = foreseen(table.gm, mint)
    assert told["preview"] is True and told["question"] is None and told["rests_on_hidden"] is False
    assert (everything(table), table.position) == (before, position)
    ruling = table.gm.does("/rulings", {"declare": mint})
    assert told["verdict"]["text"] == told["text"] == ruling["text"]
    assert told["verdict"]["facts"] == [unstruck(one) for one in ruling["facts"]]
    assert told["verdict"]["because"] == ruling["because"]


def unstruck(fact: Json) -> Json:
    return {name: value for name, value in fact.items() if name != "struck"}


def test_the_first_question_is_told_and_nothing_rolled(table: Table) -> None:
    table.fighters()
    dice = table.gm.look("/dice")
    told = foreseen(table.ben, HIT)
    assert told["verdict"] is None
    assert told["question"]["asked"]["name"] == "Cleo"
    assert told["text"] == told["question"]["text"] == "Do you dodge or stand?"
    sneak = foreseen(table.ben, {"kind": "sneak", "char": "1"}, dice="ledger")
    assert sneak["question"]["ask"] == "roll"
    assert table.gm.look("/dice") == dice
    assert table.gm.look("/waiting")["waiting"] == []


def test_a_refusal_is_the_refusal(table: Table) -> None:
    table.fighters()
    give = {"kind": "give", "char": "1", "to": "2", "coins": 4}
    told = foreseen(table.ben, give, 422)
    assert told == table.ben.tries("give", char="1", to="2", coins=4).json()
    assert foreseen(table.cleo, give, 403) == table.cleo.tries("give", char="1", to="2", coins=4).json()
    assert foreseen(table.dora, give, 403)["code"] == "not-yours"


def test_an_enrolment_is_tried_with_all_its_faults(table: Table) -> None:
    body: Json = {"name": " ", "seat": table.ben.id, "sheet": {"health": 0}, "preview": True}
    told = table.ben.does("/characters", body, 422)
    assert [one["pointer"] for one in told["errors"]] == ["/name", "/sheet/health"]
    told = table.ben.does("/characters", {**body, "name": "Bruno", "sheet": {"health": 7}}, 200)
    assert told["verdict"]["text"] == "Bruno joins, played by Ben."
    assert table.gm.look()["characters"] == []


def rows_of(url: str) -> dict[str, int]:
    """How many rows each table of the service holds: events, receipts and dice among them, views too."""
    with psycopg.connect(url) as connection:
        named = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [SCHEMA]).fetchall()
        counts = {name: SQL("SELECT count(*) FROM {}").format(Identifier(SCHEMA, name)) for (name,) in named}
        return {name: connection.execute(count).fetchall()[0][0] for name, count in counts.items()}


@pytest.mark.parametrize("status", [200, 422, 403])
def test_nothing_is_stored_for_a_preview(postgres: Any, table: Table, status: int) -> None:
    """No event, no receipt, no roll: whatever is told, be it a verdict, a question or a refusal."""
    table.fighters()
    table.ben.declare("sneak", rolled(5), char="1")
    looked: dict[int, tuple[tuple[Player, Json], ...]] = {
        200: (
            (table.gm, {"kind": "mint", "to": "1", "coins": 2}),
            (table.ben, HIT),
            (table.ben, {"kind": "sneak", "char": "1"}),
            (table.cleo, {"kind": "look", "char": "2", "at": "1"}),
        ),
        422: ((table.ben, {"kind": "give", "char": "1", "to": "2", "coins": 4}),),
        403: ((table.dora, HIT), (table.ben, {"kind": "mint", "to": "1", "coins": 2})),
    }
    before = rows_of(postgres.owner_url)
    assert sum(before.values()) > 3, "the events are among them"
    for player, declare in looked[status]:
        for dice in ("ledger", "table"):
            foreseen(player, declare, status, dice=dice)
    assert rows_of(postgres.owner_url) == before
    table.gm.declare("mint", to="1", coins=2)
    assert rows_of(postgres.owner_url) != before, "what is declared is stored"


def test_it_takes_no_answers_and_no_key(table: Table) -> None:
    table.fighters()
    told = foreseen(table.ben, HIT, 422, answers=[rolled(3)])
    assert [one["pointer"] for one in told["errors"]] == ["/answers"]
    mint = {"declare": {"kind": "mint", "to": "1", "coins": 2}}
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    assert table.gm.post("/rulings", {**mint, "preview": True}, headers).status_code == 200
    made = table.gm.post("/rulings", mint, headers)
    assert made.status_code == 201 and "Idempotency-Replayed" not in made.headers
    again = table.gm.post("/rulings", {**mint, "preview": True}, headers)
    assert again.status_code == 200, "it looks again"


def test_what_rests_on_what_is_hidden_says_so(table: Table) -> None:
    table.fighters()
    table.ben.declare("sneak", rolled(5), char="1")
    look = {"kind": "look", "char": "2", "at": "1"}
    told = foreseen(table.cleo, look)
    assert told["rests_on_hidden"] is True and told["verdict"] is None and told["question"] is None
    assert told["text"] == "The result depends on information hidden from you."
    table.ben.declare("look", char="1", at="1")
    assert foreseen(table.ben, {"kind": "look", "char": "1", "at": "1"})["rests_on_hidden"] is False


# --- laws, by random play ---------------------------------------------------------------------------------------------


def present(book: Book, viewer: Viewer | None, shown: Shown) -> str:
    return presenting.present(book, viewer, shown)


def unasked(question: Json) -> Json:
    """Without whom it asks: where several are asked at once, a preview shows the first, and a seat its own."""
    return {name: value for name, value in question.items() if name not in ("seat", "asked", "slot")}


class Dry(Exception):
    """What it would have answered; so nothing is saved."""


class Beforehand(Retold):
    """Previews everything before it is declared, and near misses of it, which are declared and then not saved."""

    def __init__(self, ledger: Ledger, game: World, seed: int) -> None:
        super().__init__(ledger, game)
        self.misses = NearMisses(game, seed, lambda *_: None)
        self.rng = Random(seed)
        self.seen = {"verdict": 0, "question": 0, "refused": 0, "rests": 0}

    def _said(self, past: PastRuling) -> Any:
        do = self.named(past.declared)
        for seat in self.seats.values():
            self.same(do, seat)
        for _ in range(3):
            nearly = self.named(self.misses.nearly(past.declared))
            self.same(nearly, self.rng.choice(list(self.seats.values())))
        return super()._said(past)

    def same(self, do: Any, seat: str) -> None:
        """The preview is what declaring it now answers, unless it rests on what is hidden."""
        before = self.stored()
        told = self.outcome(lambda call: self.ledger.preview_declaration(call, do, present).body, seat)
        assert self.stored() == before, "looking changes nothing"
        made = self.outcome(lambda call: self.declared(call, do), seat)
        if isinstance(told, dict) and told["rests_on_hidden"]:
            assert self.game.ruleset.secrets, "there is nothing to hide"
            self.seen["rests"] += 1
        elif isinstance(told, dict) and told["verdict"] is not None:
            facts = [unstruck(one) for one in made["facts"]]
            assert told["verdict"] == {"text": made["text"], "facts": facts, "because": made["because"]}
            self.seen["verdict"] += 1
        elif isinstance(told, dict):
            assert unasked(told["question"]) == unasked(made["question"])
            self.seen["question"] += 1
        else:
            assert told == made
            self.seen["refused"] += 1

    def stored(self) -> list[Any]:
        """Every row of the campaign, and what its book knows."""
        id = self.desk.campaign
        return [
            *self.ledger.store.select_range_by_stream(f"{id}/", f"{id}0"),
            self.ledger.get_book(id).campaign.position,
        ]

    def declared(self, call: Call, do: Any) -> str:
        act = declaring.declare(do, None, (), "table", present)
        with pytest.raises(Dry) as found:
            self.ledger.post(call, dry(act))
        return str(found.value.args[0])

    def outcome(self, asked: Any, seat: str) -> Any:
        try:
            return json.loads(asked(self.call(seat)))
        except Refused as refused:
            return [(one.rule, one.code, one.context, one.pointer) for one in (refused, *refused.others)]
        except LedgerError as problem:
            return (type(problem), problem.code, problem.detail)


def dry(act: Act) -> Act:
    def tried(save: Save) -> Done:
        raise Dry(act(save).body)

    return tried


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(0, 1, 4))
@pytest.mark.parametrize("name", sampled(sorted(systems()), 1, salt="previews"))
def test_a_preview_says_what_declaring_it_answers(ledger: Ledger, name: str, seed: int) -> None:
    told = Beforehand(ledger, play(name, seed, 25), seed)
    told.tell()
    print(name, seed, told.told, told.seen)
    assert told.seen["verdict"] and told.seen["refused"]


@pytest.mark.parametrize("secret", [TOY[1], MNEMONIC[0], MOC[0]], ids=str)
def test_a_sheet_rests_on_nobodys_secret(service: Service, secret: Secret) -> None:
    """Whoever joins a game in which something is hidden can look at their sheet all the same."""
    cleo = secret.table(service, False).cleo
    name, sheet = next(iter(systems()[secret.system].people.items()))
    body = {"name": name, "seat": cleo.id, "sheet": json_form.to_json(sheet), "preview": True}
    assert cleo.does("/characters", body, 200)["rests_on_hidden"] is False


def test_a_preview_is_worked_out_as_often_whether_anything_of_a_character_is_hidden(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Celia has a rating that Cleo may not know of, Rocco has none: the time that a preview takes must not tell."""
    table, times = MNEMONIC[0].table(service, False), 0
    sheet = {"kind": "player_character", "primary_role": "Deputy"}
    table.cleo.does("/characters", {"name": "Rocco", "seat": table.cleo.id, "sheet": sheet})
    rocco = table.gm.look()["characters"][-1]["id"]
    work_out = as_known._replay

    def counted(*given: Any) -> Any:
        nonlocal times
        times += 1
        return work_out(*given)

    monkeypatch.setattr(as_known, "_replay", counted)
    taken = []
    for id in ("2", rocco):
        times = 0
        foreseen(table.cleo, {"kind": "declare-action", "character": id, "text": "looks around"})
        taken.append(times)
    assert taken == [2, 2]


def test_a_preview_that_saves_is_found(monkeypatch: pytest.MonkeyPatch, ledger: Ledger) -> None:
    monkeypatch.setattr(Ledger, "preview_declaration", Ledger.declare)
    with pytest.raises(AssertionError, match="looking changes nothing"):
        Beforehand(ledger, play("toy", 0, 5), 0).tell()


def test_a_preview_of_another_ruling_is_found(monkeypatch: pytest.MonkeyPatch, ledger: Ledger) -> None:
    begun = foreseeing._Preview.__init__

    def later(self: Any, *given: Any) -> None:
        begun(self, *given)
        self.number += 1

    monkeypatch.setattr(foreseeing._Preview, "__init__", later)
    with pytest.raises(AssertionError, match="text"):
        Beforehand(ledger, play("toy", 0, 5), 0).tell()

"""Steps that nobody has a choice about follow by themselves, each as a ruling of its own (option `forced_steps`)."""

from __future__ import annotations

from tests.api.page.campaigns import begun
from tests.api.table import Json, Player, Service, Table

GO_ON: Json = {"choice": {"kind": "go-on"}}


def follows_by_itself(service: Service, system: str = "scattershot") -> Table:
    table = begun(service, system)
    table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="We play on.")
    return table


def acts(player: Player, **fields: Any) -> Json:
    return player.declare("declare-action", character="1", text="thrusts", **fields)


def test_it(service: Service) -> None:
    table = follows_by_itself(service)
    print(table.gm.look("/campaign") if 0 else table.gm.look("")["dials"])
    made = acts(table.ben)
    print(made["followed"], made["number"])
    for player in (table.ben, table.cleo):
        waiting = player.look("/waiting?mine=true")["waiting"]
        print(waiting and (waiting[0]["text"], waiting[0]["question"]["text"]))
        if waiting:
            got = player.does(
                f"/waiting/{waiting[0]['id']}/answers", {"answer": GO_ON}, 202 if player is table.ben else 201
            )
            print(got.get("followed"))
    for r in table.gm.look("/rulings", limit=50)["rulings"]:
        print(r["number"], r["text"], r.get("follows"))
    assert 0

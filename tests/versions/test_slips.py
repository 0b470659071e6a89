"""A database of an earlier version accepts slips: a ruling taken back, a rewind, a late entry. All are verified."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from ledger.application.commands.importing import replay_export
from ledger.application.reading.export_reader import read_export
from ledger.events.codec import load_codec
from tests.api.table import Json, Player
from tests.levels import sampled
from tests.versions.database import Place, load, new_database, running
from tests.versions.test_versions import KEPT, healthy, name_of, notes, unpacked

STATUS = {"taken-back": "overturned", "rewound": "overturned", "entered-late": "standing"}


@pytest.mark.nightly
@pytest.mark.parametrize("file", sampled(KEPT, 1, salt="slips"), ids=name_of)
def test_a_database_of_an_earlier_version_accepts_slips(file: Path, postgres: Any) -> None:
    kept = notes(file)
    with new_database(postgres.owner_url, f"slips_{kept['system']}") as logins:
        load(unpacked(file, "sql.gz").decode(), logins)
        with running(logins) as place:
            for campaign in kept["campaigns"].values():
                gm = place.sitting(campaign["campaign"], "s1", campaign["tokens"]["s1"])
                for decision, do in (("taken-back", take_back), ("rewound", rewind), ("entered-late", enter_late)):
                    number = do(gm)
                    assert gm.look(f"/rulings/{number}")["status"] == STATUS[decision]
                    decisions = gm.look("/decisions", decision=decision)["decisions"]
                    assert [row["ruling"] for row in decisions] == [number]
                    healthy(gm)
                verify_offline(place, campaign["campaign"])
            place.views_are_whole()
            views = place.rows()
            place.projector.rebuild()
            assert place.rows() == views


def take_back(gm: Player) -> int:
    """Set an option, and take that back."""
    dials = gm.look()["dials"]
    value = "table" if dials["dice"] == "ledger" else "ledger"
    number = int(gm.declare("set-dial", name="dice", value=value, reason="A slip.")["number"])
    gm.does(f"/rulings/{number}/take-back", {}, 200)
    assert gm.look()["dials"] == dials
    return number


def rewind(gm: Player) -> int:
    """Rewind to the last ruling but two that can be rewound to."""
    for ruling in list_rulings(gm)[-3::-1]:
        answer = gm.post(f"/rulings/{ruling['number']}/rewind", {"reason": "We play it again."})
        if answer.status_code == 200:
            return int(ruling["number"])
    raise AssertionError("nothing can be rewound")


def enter_late(gm: Player) -> int:
    """Enter late, once more, the first ruling that can be, right after itself."""
    codes = []
    for ruling in list_rulings(gm):
        answers = [answer["answer"] for answer in ruling["answers"] if "answer" in answer]
        late = {"declare": ruling["declared"], "answers": answers, "after": ruling["number"]}
        answer = gm.post("/rulings", late)
        if answer.status_code == 201:
            return int(answer.json()["number"])
        codes.append(answer.json()["code"])
    raise AssertionError(f"nothing can be entered late: {codes}")


def list_rulings(gm: Player) -> list[Json]:
    rulings: list[Json] = gm.look("/rulings", limit=500)["rulings"]
    return rulings


def verify_offline(place: Place, campaign: str) -> None:
    file = place.service.send("GET", f"/campaigns/{campaign}/export", place.service.operator).content
    assert replay_export(read_export(io.BytesIO(file)), load_codec())[1].differences == []

"""What somebody wrote is said once beside the question that is about it: on a phone the buttons come sooner."""

from __future__ import annotations

import re
from html import unescape

from tests.api.page.campaigns import FACES, begun
from tests.api.page.sitting import at_the_page
from tests.api.table import Service

OFFER = "I let her go, and she tells me where the letters are."


def test_the_words_of_a_bargain_are_said_once(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", "1")):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    table.gm.declare("roll", faces=FACES)
    table.gm.declare("attack", char="1", target="2")
    table.gm.declare("defend", dice=[])
    table.gm.declare("resolve")
    attack = table.gm.look("/state")["scenes"][0]["state"]["round"]["attack"]["attack"]
    bargain = {"kind": "negotiate", "attack": attack, "parties": ["1", "2"], "text": OFFER}
    waits = table.ben.does("/rulings", {"declare": bargain, "answers": []}, 202)["id"]
    cleo = at_the_page(table.cleo)
    (asked,) = re.findall(r'<div class="asked">.*?</section>', cleo.page("/"), re.DOTALL)
    for page in (asked, cleo.page(f"/waiting/{waits}").partition("<main")[2]):
        assert unescape(page).count(OFFER) == 1
        assert "Asked by Ben." in page

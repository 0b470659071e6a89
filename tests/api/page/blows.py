"""A blow of Levels of Intensity, and what the page shows of it: prompts, their buttons, the card of the last ruling."""

from __future__ import annotations

import re
from html import unescape

from tests.api.page.campaigns import begun
from tests.api.page.sitting import Sitter
from tests.api.table import Json, Service, Table

FACES = [{"char": "1", "intensity": 9, "trait": 4}, {"char": "2", "intensity": 3, "trait": 2}]


def attacks(service: Service) -> Table:
    """Sarah attacks Steve with 9. Both declared fanatical."""
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", None)):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="fanatical", trait=trait, text="steps forward")
    table.gm.declare("roll", faces=FACES)
    table.gm.declare("attack", char="1", target="2")
    return table


def hit(table: Table) -> str:
    """Steve defends with a 2, and the attack succeeds. Return its id."""
    table.gm.declare("defend", dice=[{"die": "intensity", "face": 2}])
    table.gm.declare("resolve")
    attack: Json = table.gm.look("/state")["scenes"][0]["state"]["round"]["attack"]
    return str(attack["attack"])


def prompts(sitter: Sitter) -> str:
    page = sitter.page("/")
    part = page[page.index('<section id="turn"') : page.index('<div class="columns">')]
    return " ".join(
        unescape(
            re.sub(
                r"<[^>]+>",
                " ",
                "".join(re.findall(r'<div class="prompt">.*?(?:</div>|</ul>|</p>)</div>', part, re.DOTALL)),
            )
        ).split()
    )


def plain(html: str) -> str:
    """Return the words of a part of the page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def card(sitter: Sitter) -> str:
    """Return the words of the card of the last ruling."""
    page = sitter.page("/")
    return plain(page[page.index('<div id="last">') : page.index('<div id="until">')])

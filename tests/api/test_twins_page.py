"""The law of twins on the page: what the page of a seat contains tells no more than the API does."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest

from ledger.application.keys import Keys
from tests.api.conftest import SCHEMA
from tests.api.page.sitting import Sitter
from tests.api.page.tapping import Form
from tests.api.table import Player, Service
from tests.api.twins.attacks import Twins
from tests.api.twins.games import SECRETS, Secret
from tests.api.twins.masks import Mask, masked

each = pytest.mark.parametrize("secret", SECRETS, ids=str)
#: What differs between any two pages, beside what differs between any two answers.
MASKS = (
    Mask("TOKEN", re.compile(r'(?<=name="token" value=")[\w-]{11}\.[\w-]+(?=")'), "Random, and of the session."),
    Mask("KEY", re.compile(r'(?<=name="key" value=")[0-9a-f-]{36}(?=")'), "Random, for each form that is shown."),
    Mask("SEEN", re.compile(r"(?<=live\?seen=)[0-9a-f.]{65}(?=\")"), "Digests, of what waits, too."),
    Mask("WAITING", re.compile(r"(?<=/waiting/)[\w-]+"), "Ids of what waits are random."),
    Mask("QR", re.compile(r'<svg[^>]* class="segno".*?</svg>', re.DOTALL), "Of a seal, which is over salted events."),
    Mask("NOTE", re.compile(r"(?<=\n)[A-Za-z0-9+/]{43}=\n\n— .+"), "A seal as a signed note."),
    Mask("MOMENT", re.compile(r"(?<=>)\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d(?=<)"), "When something was."),
)


@pytest.fixture(autouse=True)
def nobody_sat_down_yet(postgres: Any, service_url: str) -> None:
    assert service_url
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"TRUNCATE {SCHEMA}.permits")


def pages(player: Player) -> list[tuple[str, str]]:
    """Of every view of a seat, where it is and all it says."""
    sitter = Sitter(str(player.table.service.client.base_url))
    assert sitter.sit(player.token).status_code == 303
    first = sitter.get(f"{sitter.at}/").text
    links = [one for one in Form(first).links if one.startswith(sitter.at) and "/rulings/" not in one]
    rulings = player.look("/rulings", limit=500)["rulings"]
    paths = ["/timeline", "/timeline?q=as", *(one.removeprefix(sitter.at) for one in dict.fromkeys(links))]
    paths += [f"/rulings/{one['number']}?leaning=true" for one in rulings] + ["/rulings/999", "/waiting/nothing"]
    paths += [f"/rulings/{one['number']}/overturn" for one in rulings]
    sheets = ["/sheet/campaign", *(f"/sheet/character/{one['id']}" for one in player.look("/characters")["characters"])]
    paths += [*sheets, *(f"{one.replace('sheet', 'why', 1)}/name" for one in sheets)]
    told = [(path, sitter.get(f"{sitter.at}{path}")) for path in ["/", *dict.fromkeys(paths)]]
    sitter.client.close()
    return [(_same(path, player), _same(f"{one.status_code}\n{one.text}", player)) for path, one in told]


def _same(text: str, player: Player) -> str:
    text = masked(text, player.table.id)
    for mask in MASKS:
        text = mask.form.sub(mask.name, text)
    return text


def differences(twins: Twins, name: str) -> list[str]:
    one, other = (pages(getattr(table, name)) for table in twins.tables)
    assert len(one) > 4
    if len(one) != len(other):
        return [f"{name} is led to {len(one)} and to {len(other)} pages"]
    found = []
    for (path, said), (also, told) in zip(one, other, strict=True):
        if (path, said) != (also, told):
            place = next((at for at, (a, b) in enumerate(zip(said, told, strict=False)) if a != b), 0)
            found.append(f"{path}: {said[place - 80 : place + 80]} -- {told[place - 80 : place + 80]}")
    return found


@each
def test_the_pages_of_who_may_not_know_are_the_same(service: Service, secret: Secret) -> None:
    """Also while something waits; and who may know sees that there is a difference."""
    twins = Twins(service, secret)
    twins.leave_waiting()
    for name in secret.attackers:
        assert differences(twins, name) == []
    assert differences(twins, secret.owner) != []


def test_a_page_that_is_asked_for_as_somebody_else_is_found(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    twins = Twins(service, SECRETS[0])
    real = Keys.token
    attacker = getattr(twins.tables[0], SECRETS[0].attackers[0])
    with monkeypatch.context() as patched:
        patched.setattr(Keys, "token", lambda keys, campaign, seat, generation: real(keys, campaign, "s1", generation))
        assert attacker.id != "s1"
        assert differences(twins, SECRETS[0].attackers[0]) != []

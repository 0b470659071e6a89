"""The law of twins on the page: what the page of a seat contains tells no more than the API does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import psycopg
import pytest

from api.table import sessions
from api.table.sessions import Session
from ledger.application.keys import Keys
from tests.api.conftest import SCHEMA
from tests.api.page.sitting import Sitter
from tests.api.page.tapping import Form
from tests.api.table import Player, Service
from tests.api.twins.attacks import Twins
from tests.api.twins.games import SECRETS, Secret, system_of
from tests.api.twins.masks import Mask, masked
from tests.levels import sampled

MOST = 8  # pages that are held against each other, for each secret and each who may not know
pytestmark = pytest.mark.slow
each = pytest.mark.parametrize("secret", sampled(SECRETS, 1, group=system_of), ids=str)
#: What differs between any two pages, beside what differs between any two answers.
MASKS = (
    Mask("TOKEN", re.compile(r'(?<=name="token" value=")[\w-]{11}\.[\w-]+(?=")'), "Random, and of the session."),
    Mask("KEY", re.compile(r'(?<=name="key" value=")[0-9a-f-]{36}(?=")'), "Random, for each form that is shown."),
    Mask("SEEN", re.compile(r"(?<=live\?seen=)[0-9a-f.]{65}(?=\")"), "Digests, of what waits, too."),
    Mask("WAITING", re.compile(r"(?<=/waiting/)[\w-]+"), "Ids of what waits are random."),
    Mask("QR", re.compile(r'<svg[^>]* class="segno".*?</svg>', re.DOTALL), "Of a seal, which is over salted events."),
    Mask("NOTE", re.compile(r"(?<=\n)[A-Za-z0-9+/]{43}=\n\n— .+"), "A seal as a signed note."),
    Mask("MINUTE", re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?![:\d])"), "When something was, in a dossier."),
    Mask("MOMENT", re.compile(r"(?<=>)\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d(?=<)"), "When something was."),
)


@pytest.fixture(autouse=True)
def nobody_sat_down_yet(postgres: Any, service_url: str) -> None:
    assert service_url
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"TRUNCATE {SCHEMA}_common.permits")


class Pages:
    """What the page shows one seat. `paths`: of all its views, in an order that is the same in both twins."""

    def __init__(self, player: Player) -> None:
        self.player, self.sitter = player, Sitter(str(player.table.service.client.base_url))
        assert self.sitter.sit(player.token).status_code == 303
        first = self.sitter.get(f"{self.sitter.at}/").text
        links = [one for one in Form(first).links if one.startswith(self.sitter.at) and "/rulings/" not in one]
        rulings = [one["number"] for one in player.look("/rulings", limit=500)["rulings"]]
        sheets = [f"/sheet/character/{one['id']}" for one in player.look("/characters")["characters"]]
        found = ["/", "/timeline", "/timeline?q=as", *(one.removeprefix(self.sitter.at) for one in links)]
        views = ("?leaning=true", "?around=true", "/decide", "/overturn", "/dossier")
        found += [f"/rulings/{one}{more}" for one in rulings for more in views]
        found += [f"/back?at={one}{clock}" for one in rulings for clock in ("", "&as=recorded")] + [
            "/rulings/999",
            "/waiting/nothing",
            "/sheet/campaign",
        ]
        found += [*sheets, *(f"{one.replace('sheet', 'why', 1)}/name" for one in sheets)]
        self.paths = list(dict.fromkeys(found))

    def told(self, place: int) -> tuple[str, str]:
        """Where it is, and all it says."""
        answer = self.sitter.get(f"{self.sitter.at}{self.paths[place]}")
        return _same(self.paths[place], self.player), _same(f"{answer.status_code}\n{answer.text}", self.player)


def kind(path: str) -> str:
    """Alike for rulings, for declarations, for sheets."""
    return re.sub(r"\d+", "1", re.sub(r"(?<=/declare/).*", "", path))


def sample(paths: Sequence[str], seed: str) -> list[int]:
    """Of so many kinds one, where they stand; over all secrets every kind comes about often."""
    rng = Random(seed)
    kinds: dict[str, list[int]] = {}
    for place, path in enumerate(paths):
        kinds.setdefault(kind(path), []).append(place)
    return [rng.choice(kinds[one]) for one in rng.sample(sorted(kinds), min(MOST, len(kinds)))]


def _same(text: str, player: Player) -> str:
    text = masked(text, player.table.id)
    for mask in MASKS:
        text = mask.form.sub(mask.name, text)
    return text


def differences(twins: Twins, name: str, *, whole: bool = False) -> Iterator[str]:
    """Between what it is told in both, on some pages, or on all."""
    one, other = (Pages(getattr(table, name)) for table in twins.tables)
    assert len(one.paths) > 4
    if len(one.paths) != len(other.paths):
        yield f"{name} is led to {len(one.paths)} and to {len(other.paths)} pages"
        return
    for at in range(len(one.paths)) if whole else sample(one.paths, f"{twins.secret} {name}"):
        (path, said), (also, told) = one.told(at), other.told(at)
        if (path, said) != (also, told):
            place = next((at for at, (a, b) in enumerate(zip(said, told, strict=False)) if a != b), 0)
            yield f"{path}: {said[place - 80 : place + 80]} -- {told[place - 80 : place + 80]}"


@each
def test_the_pages_of_who_may_not_know_are_the_same(service: Service, secret: Secret) -> None:
    """Also while something waits; and who may know sees that there is a difference."""
    twins = Twins(service, secret)
    twins.leave_waiting()
    for name in secret.attackers:
        assert list(differences(twins, name)) == []
    assert any(differences(twins, secret.owner, whole=True))


def test_a_page_that_is_asked_for_as_somebody_else_is_found(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    twins = Twins(service, SECRETS[0])
    assert service.app is not None
    keys: Keys = service.app.state.ledger.keys
    attacker = getattr(twins.tables[0], SECRETS[0].attackers[0])

    def of_the_game_master(campaign: str, seat: str, cookie: str, token: str) -> Session:
        return Session(campaign, seat, cookie, keys.make_token(campaign, "s1", 1))

    with monkeypatch.context() as patched:
        patched.setattr(sessions, "Session", of_the_game_master)
        assert attacker.id != "s1"
        assert any(differences(twins, SECRETS[0].attackers[0]))

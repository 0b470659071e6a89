"""Lists of a campaign that the views do not know yet: waited for, then said in words of their own."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import unescape
from threading import Event
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from psycopg.conninfo import make_conninfo

from api.app import create_app
from api.http import reading
from api.run.views import make_views_check
from ledger.application import Ledger, make_environment
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE
from projections.views.projector import Projector
from tests.api.conftest import serving
from tests.api.page.sitting import Sitter
from tests.schemas import made_anew

SCHEMA = "behind_tests"
BODY = {"name": "The inn", "system": "mongrel", "gm": {"name": "Ann"}}


@pytest.fixture
def service_app(postgres: Any) -> Iterator[FastAPI]:
    """A service whose views nobody keeps, nor has made."""
    made_anew(postgres.owner_url, SCHEMA)
    url = make_conninfo(postgres.owner_url, user=SERVICE_ROLE, password="for-tests")
    with Ledger(make_environment(url, schema=SCHEMA), b"a key for the tests only") as ledger:
        yield create_app(ledger, operator_token=None)


@pytest.fixture
def client(service_app: FastAPI) -> Iterator[httpx.Client]:
    with serving(service_app) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield client


def opened(client: httpx.Client) -> tuple[str, dict[str, str]]:
    made = client.post("/campaigns", json=BODY).json()
    return f"/campaigns/{made['id']}", {"Authorization": f"Bearer {made['seat']['token']}"}


def test_views_that_are_not_there_yet_have_a_title_of_their_own(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_LAG", 0)
    monkeypatch.setattr(reading, "MOST_WAIT", 0)
    path, bearer = opened(client)
    answer = client.get(f"{path}/rulings", headers=bearer)
    told = answer.json()
    assert (answer.status_code, told["code"], told["type"]) == (503, "views-behind", "/problems/views-behind")
    assert told["title"] == "The views are catching up" and answer.headers["Retry-After"] == "5"


def test_the_page_says_that_the_views_have_stopped_and_why(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, service_app: FastAPI
) -> None:
    """It would else say for ever that they are catching up."""
    monkeypatch.setattr(reading, "MOST_LAG", 0)
    monkeypatch.setattr(reading, "MOST_WAIT", 0)
    made = client.post("/campaigns", json=BODY).json()
    sitter = Sitter(str(client.base_url))
    sitter.sit(made["seat"]["token"])

    def trouble() -> str:
        answer = sitter.get(f"{sitter.at}/timeline")
        assert answer.status_code == 503
        return unescape(answer.text)

    assert "Please try again." in trouble()
    newer = "A newer edition of Mongrel than the installed edition 1 stored some of these events. Install it."
    service_app.state.readiness.checks.append(make_views_check(service_app.state.ledger, Stopped(newer)))
    assert newer in trouble() and "Please try again." not in trouble()


@dataclass(frozen=True)
class Stopped:
    """What keeps the views no more."""

    problem: str


@pytest.mark.parametrize("path", ["/rulings", "/timeline", "/accounts", "/dice/faces"])
def test_the_first_list_of_a_new_campaign_waits_for_the_views(
    postgres: Any, client: httpx.Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """They are made and brought up to date only once somebody has looked at them and found nothing."""
    looked, ask = Event(), reading.Reading.ask_views

    def asked(self: reading.Reading, what: Any) -> Any:
        try:
            return ask(self, what)
        finally:
            looked.set()

    monkeypatch.setattr(reading.Reading, "ask_views", asked)
    monkeypatch.setattr(reading, "MOST_WAIT", 120)
    campaign, bearer = opened(client)
    with ThreadPoolExecutor() as threads:
        answer = threads.submit(client.get, f"{campaign}{path}", headers=bearer)
        assert looked.wait(60)
        with Projector(make_conninfo(postgres.owner_url, user=PROJECTOR_ROLE, password="for-tests"), SCHEMA) as kept:
            kept.catch_up()
        assert answer.result().status_code == 200, answer.result().text
        assert int(answer.result().headers["Ledger-Position"]) > 0

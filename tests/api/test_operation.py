"""Figures, readiness, what browsers are told, settings, and a stop that loses no request."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from api.app import create_app
from api.run import views as keeping
from api.run.views import measure_views
from api.service.environment import ServiceSettings
from api.service.options import Options, Rate, read_options
from api.service.readiness import Check
from ledger.application import Ledger, make_environment
from ledger.errors import Fault, Unavailable
from projections.views.everywhere import Everywhere
from projections.views.pages import Views
from projections.views.projector import Projector
from projections.views.store import VIEWS
from tests.api.conftest import KEY, OPERATOR, SCHEMA, serving
from tests.api.process import PROGRAM, process, service_of
from tests.api.table import Service, Table, described
from tests.settings import settings_of
from tests.waiting import wait_until

PAGE = "https://table.example"
PATIENCE = 120  # seconds: longer than any client waits
THREADS = 40  # that answer, at most


@contextmanager
def service_with(ledger: Ledger, **chosen: Any) -> Iterator[tuple[Service, Any]]:
    app = create_app(ledger, operator_token=OPERATOR, options=Options(**chosen))
    with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield Service(client, OPERATOR, described(app.openapi)), app


# --- figures ---


def figures(service: Service, **headers: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    answer = service.client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_what_happened_is_counted(ledger: Ledger) -> None:
    began = time.perf_counter()
    with service_with(ledger) as (service, app):
        table = Table(service)
        table.fighters()
        assert table.gm.tries("hit", char="1", target="9").status_code == 403
        assert table.gm.get("/rulings/77").status_code == 404
        key = {"Idempotency-Key": "once"}
        for _ in range(2):
            made = table.gm.post("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1}}, key)
            assert made.status_code == 201, made.text
        app.state.metrics.view_lag.labels("timeline").set(3)
        app.state.metrics.open_feeds.inc()
        found = figures(service)
        took = time.perf_counter() - began
    assert found["ledger_rulings_recorded_total", ()] == 3, "a repeated request made no ruling"
    assert found["ledger_refusals_total", (("code", "ruling-not-found"),)] == 1
    assert found["ledger_view_lag_events", (("view", "timeline"),)] == 3
    assert found["ledger_open_feeds", ()] == 1
    assert found["ledger_database_away_total", ()] == 0
    assert found["ledger_conflicts_total", ()] == ledger.lost_races
    seats = (("method", "POST"), ("route", "/campaigns/{campaign}/seats"), ("status", "201"))
    assert found["ledger_request_seconds_count", seats] == 3
    assert 0 < found["ledger_request_seconds_sum", seats] < took
    assert found["process_open_fds", ()] > 0


def test_the_views_are_looked_at_once_for_all_figures(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger, views: Projector
) -> None:
    """While the database is away each look takes seconds, and whoever collects the figures waits for ten at most."""
    looks: list[str] = []
    add_up = Everywhere.sum_over_shelves

    def counting(everywhere: Everywhere, count: Any) -> int:
        looks.append(count.__name__)
        return add_up(everywhere, count)

    wait_until(lambda: views.is_leading and not Views(ledger.shelves.get_shelf(0)).list_outdated())
    monkeypatch.setattr(Everywhere, "sum_over_shelves", counting)
    monkeypatch.setattr(keeping, "FRESH", PATIENCE)
    with service_with(ledger) as (service, app):
        measure_views(ledger, app.state.metrics)
        found = figures(service)
    assert looks == ["count_behind", "count_stopped"]
    assert {name for name, _ in found if "view_lag" in name or "stopped" in name} == {
        "ledger_view_lag_events",
        "ledger_stopped_campaigns",
    }
    assert all(found["ledger_view_lag_events", (("view", view.name),)] >= 0 for view in VIEWS)


def test_the_figures_name_nobody_and_stay_few(ledger: Ledger) -> None:
    with service_with(ledger) as (service, app):
        table = Table(service)
        for place in range(30):
            service.client.get(f"/{table.gm.token}/{place}")
            service.client.request(f"MADE{place}", f"/campaigns/{table.id}")
        for place in range(400):
            app.state.metrics.count_refusal(f"code-{place}")
        app.state.metrics.count_refusal("Not a code")
        text = service.client.get("/metrics").text
        found = figures(service)
    assert table.id not in text and table.gm.token not in text and "Ann" not in text
    assert len([name for name, _ in found if name == "ledger_refusals_total"]) <= 301
    assert found["ledger_refusals_total", (("code", "other"),)] > 0
    unknown = [labels for name, labels in found if name == "ledger_request_seconds_count"]
    assert len(unknown) < 10


def test_a_lost_race_is_counted(ledger: Ledger, service_url: str) -> None:
    with Ledger(make_environment(service_url, schema=SCHEMA), KEY) as other, service_with(ledger) as (service, _):
        table = Table(service)
        before = figures(service)["ledger_conflicts_total", ()]
        with service_with(other) as (elsewhere, _):
            body = {"declare": {"kind": "mint", "to": "1", "coins": 1}}
            table.fighters()
            for place in range(12):  # this process takes itself to be alone until it loses
                table.gm.post("/rulings", body)
                if place % 4 == 3:
                    path = f"/campaigns/{table.id}/rulings"
                    assert elsewhere.send("POST", path, table.gm.bearer, json=body).status_code == 201
        assert figures(service)["ledger_conflicts_total", ()] > before


def test_the_figures_can_have_a_token_of_their_own(ledger: Ledger) -> None:
    with service_with(ledger, metrics_token="for-prometheus") as (service, _):
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Bearer {OPERATOR}"}):
            refused = service.send("GET", "/metrics", headers)
            assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert figures(service, Authorization="Bearer for-prometheus")


# --- alive and ready ---


def test_a_check_that_fails_is_named(ledger: Ledger) -> None:
    def behind() -> None:
        raise Unavailable("The views are not kept.", code="views-away")

    def broken() -> None:
        raise ZeroDivisionError

    with service_with(ledger) as (service, app):
        assert service.send("GET", "/readyz").json() == {"status": "ready"}
        app.state.readiness.checks.append(Check("views", behind))
        answer = service.send("GET", "/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "views-away")
        assert answer.json()["context"] == {"failed": ["views"]}
        assert int(answer.headers["Retry-After"]) > 0
        app.state.readiness.checks.append(Check("more", broken))
        assert service.send("GET", "/readyz").json()["context"] == {"failed": ["more", "views"]}
        assert service.send("GET", "/healthz").status_code == 200


def test_whoever_asks_is_told_in_time_and_one_look_is_enough(ledger: Ledger) -> None:
    looks: list[int] = []
    go_on = threading.Event()

    def slow() -> None:
        looks.append(1)
        go_on.wait(PATIENCE)

    with service_with(ledger) as (service, app), ThreadPoolExecutor(8) as pool:
        app.state.readiness.checks.append(Check("slow", slow))
        answers = list(pool.map(lambda _: service.send("GET", "/readyz"), range(8)))  # while it goes on
        assert {answer.json()["code"] for answer in answers} == {"check-too-slow"}
        assert answers[0].json()["context"] == {"failed": ["slow"]}
        assert len(looks) == 1
        go_on.set()
        wait_until(lambda: service.send("GET", "/readyz").status_code == 200)


def test_alive_even_when_every_thread_is_busy(ledger: Ledger) -> None:
    go_on, busy = threading.Event(), threading.Semaphore(0)

    def slow() -> None:
        busy.release()
        go_on.wait(PATIENCE)

    with service_with(ledger) as (service, app), ThreadPoolExecutor(60) as pool:
        app.add_api_route("/slow", slow)
        waiting = [pool.submit(httpx.get, service.client.base_url.join("/slow"), timeout=120) for _ in range(50)]
        assert all(busy.acquire(timeout=PATIENCE) for _ in range(THREADS))
        assert service.send("GET", "/healthz").status_code == 200
        assert not any(one.done() for one in waiting)
        go_on.set()
        assert {one.result().status_code for one in waiting} == {200}


def test_a_schema_that_is_too_old_is_not_ready(postgres: Any, service_url: str, ledger: Ledger) -> None:
    """A newer one is: the schema is brought on first, the processes after it."""
    with service_with(ledger) as (service, _), psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        version = f"{SCHEMA}.alembic_version"
        row = owner.execute(f"SELECT version_num FROM {version}").fetchone()
        assert row is not None
        try:
            owner.execute(f"UPDATE {version} SET version_num = '0000'")
            answer = service.send("GET", "/readyz")
            assert (answer.status_code, answer.json()["code"]) == (503, "unfit-database")
            assert "migrate" in answer.json()["detail"]
            owner.execute(f"UPDATE {version} SET version_num = '9999'")
            assert service.send("GET", "/readyz").status_code == 200
        finally:
            owner.execute(f"UPDATE {version} SET version_num = %s", row)


# --- browsers ---


def test_browsers_are_told_to_be_careful(service: Service, table: Table) -> None:
    for answer in (
        table.gm.get(),
        table.gm.get("/rulings/7"),
        table.gm.post("/rulings", {"declare": {}}),
        service.send("GET", "/systems"),
        service.client.get("/nowhere"),
        service.client.get("/metrics"),
    ):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert "Strict-Transport-Security" not in answer.headers
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert (answer.headers.get("Cache-Control") == "no-store") is (answer.request.url.path != "/systems")


def policy(answer: httpx.Response) -> dict[str, list[str]]:
    parts = [one.split() for one in answer.headers["Content-Security-Policy"].split(";")]
    return {name: values for name, *values in parts}


def test_the_page_at_docs_is_text_with_a_style(service: Service) -> None:
    page = service.client.get("/docs/api")
    assert "<style>" in page.text and "<script" not in page.text
    assert policy(page)["style-src"] == ["'unsafe-inline'"] and "script-src" not in policy(page)


def test_the_page_for_trying_may_do_what_it_does(service: Service) -> None:
    """Scripts, styles and the icon of its own, the script written into it, and asking this service."""
    page = service.client.get("/docs/api/try")
    allowed = policy(page)
    for source in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert source.startswith(str(service.client.base_url)), source
        kind = "style-src" if source.endswith(".css") else "script-src" if source.endswith(".js") else "img-src"
        assert "'self'" in allowed[kind]
    assert re.search(r"<script>\s*const ui", page.text) and "'unsafe-inline'" in allowed["script-src"]
    assert "url: '/openapi.json'" in page.text and allowed["connect-src"] == ["'self'"]
    guide = service.client.get("/systems/toy/guide")
    assert "<style" not in guide.text and policy(guide)["style-src"] == ["'self'"]
    assert "<script" not in guide.text and "script-src" not in policy(guide)


def test_tls_is_insisted_on_only_over_tls_and_when_wanted(ledger: Ledger) -> None:
    behind = {"X-Forwarded-Proto": "https"}  # the proxy is on this machine, so it is believed
    with service_with(ledger, hsts=600) as (service, _):
        assert "Strict-Transport-Security" not in service.client.get("/healthz").headers
        assert service.client.get("/healthz", headers=behind).headers["Strict-Transport-Security"] == "max-age=600"
    with service_with(ledger) as (service, _):
        assert "Strict-Transport-Security" not in service.client.get("/healthz", headers=behind).headers


def test_pages_of_named_origins_may_ask(ledger: Ledger) -> None:
    asks = {"Origin": PAGE, "Access-Control-Request-Method": "POST"}
    wants = {**asks, "Access-Control-Request-Headers": "authorization,idempotency-key,content-type"}
    with service_with(ledger, cors_origins=(PAGE,)) as (service, _):
        table = Table(service)
        allowed = service.client.options(f"/campaigns/{table.id}/rulings", headers=wants)
        assert (allowed.status_code, allowed.headers["Access-Control-Allow-Origin"]) == (200, PAGE)
        answer = table.gm.send("GET", "", {"Origin": PAGE})
        assert answer.headers["Access-Control-Allow-Origin"] == PAGE
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Ledger-Position" in answer.headers["Access-Control-Expose-Headers"]
        other = service.client.options(f"/campaigns/{table.id}", headers={**asks, "Origin": "https://evil.example"})
        assert other.status_code == 400 and "Access-Control-Allow-Origin" not in other.headers
    with service_with(ledger) as (service, _):
        refused = service.client.options("/systems", headers=wants)
        assert refused.status_code == 405 and "Access-Control-Allow-Origin" not in refused.headers


# --- settings ---


def test_defaults_differ_where_the_service_runs_open() -> None:
    assert read_options(settings_of(ServiceSettings, {}), runs_open=False) == Options(
        "info", Rate(600, 60), Rate(600, 60)
    )
    assert read_options(settings_of(ServiceSettings, {}), runs_open=True) == Options("warning")
    said = {
        "LEDGER_LOG_LEVEL": "DEBUG",
        "LEDGER_RATE_LIMIT": "5 / second",
        "LEDGER_ADDRESS_RATE_LIMIT": "off",
        "LEDGER_CORS_ORIGINS": f"{PAGE}/, http://localhost:3000",
        "LEDGER_HSTS": "31536000",
        "LEDGER_METRICS_TOKEN": "m",
    }
    origins = (PAGE, "http://localhost:3000")
    assert read_options(settings_of(ServiceSettings, said), runs_open=True) == Options(
        "debug", Rate(5, 1), None, origins, 31536000, "m"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LEDGER_LOG_LEVEL", "loud"),
        ("LEDGER_RATE_LIMIT", "600"),
        ("LEDGER_RATE_LIMIT", "0/minute"),
        ("LEDGER_ADDRESS_RATE_LIMIT", "many/minute"),
        ("LEDGER_CORS_ORIGINS", "*"),
        ("LEDGER_CORS_ORIGINS", "table.example"),
        ("LEDGER_HSTS", "forever"),
        ("LEDGER_HSTS", "-1"),
        ("LEDGER_OPERATOR_TOKEN", "fifteen letters"),
        ("LEDGER_OPERATOR_TOKEN", ""),
        ("LEDGER_SERVER_KEY", "fifteen letters"),
    ],
)
def test_settings_that_cannot_be_read_are_named(name: str, value: str) -> None:
    with pytest.raises(Fault, match=f"^{name} must be [a-z].*\\.$") as met:
        settings_of(ServiceSettings, {name: value})
    assert met.value.code == "bad-setting"
    assert not value or value not in met.value.detail.partition(" must be ")[2].split()


# --- stopping ---


def refuses(address: str) -> bool:
    try:
        httpx.get(f"{address}/healthz")
    except httpx.TransportError as error:
        return isinstance(error, httpx.ConnectError)
    return False


#: Says on stderr when a request waits for a position.
TELLING = """
import sys
import api.http.request as request
wait_for_position = request.wait_for_position
async def told(*given):
    print("it waits", file=sys.stderr, flush=True)
    await wait_for_position(*given)
request.wait_for_position = told
"""


def test_requests_under_way_are_finished_and_no_new_one_is_taken(service_url: str, tmp_path: Path) -> None:
    program = TELLING + PROGRAM
    with process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, program, RATE_LIMIT="off") as running:
        with service_of(running, OPERATOR) as service:
            table = Table(service)
            position = table.position
        url = f"{running.address}/campaigns/{table.id}"
        with ThreadPoolExecutor(4) as pool:
            asked = [
                pool.submit(httpx.get, url, params={"wait": position + 9}, headers=table.gm.bearer, timeout=120)
                for _ in range(4)
            ]
            wait_until(lambda: running.said.count("it waits") == len(asked))
            running.signal()
            running.wait_for('"message":"Stopping')
            wait_until(lambda: refuses(running.address))
            assert [one.result().status_code for one in asked] == [200] * 4
        assert running.popen.wait(120) == 0
        messages = [one["message"] for one in running.log()]
        assert messages.index("stopped") > max(
            place for place, message in enumerate(messages) if message == "answered"
        ), "the last answers are in the log"


def test_nothing_answered_is_lost_when_it_is_stopped_in_full_flight(service_url: str, tmp_path: Path) -> None:
    """Everybody writes; whoever was answered finds the ruling in the record afterwards."""
    answered: list[int] = []
    with process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, RATE_LIMIT="off") as running:
        with service_of(running, OPERATOR) as service:
            table = Table(service)
            table.fighters()

        def write() -> None:
            body = {"declare": {"kind": "mint", "to": "1", "coins": 1}}
            with httpx.Client(base_url=running.address, headers=table.gm.bearer, timeout=120) as client:
                while True:
                    try:
                        made = client.post(f"/campaigns/{table.id}/rulings", json=body)
                    except httpx.TransportError:
                        return
                    assert made.status_code == 201, made.text
                    answered.append(made.json()["number"])

        with ThreadPoolExecutor(4) as pool:
            writers = [pool.submit(write) for _ in range(4)]
            wait_until(lambda: len(answered) > 20)
            assert running.stop() == 0
            for one in writers:
                one.result()
    with Ledger(make_environment(service_url, schema=SCHEMA), KEY) as ledger:
        known = ledger.get_book(table.id)
        known.catch_up()
        assert known.campaign.rulings >= max(answered)
        assert sorted(answered) == sorted(set(answered))

"""Who may sit at the page, and what it takes from whom: cookies, form tokens, where a form was sent from."""

from __future__ import annotations

import hashlib
import json
import re
from html import unescape
from importlib.resources import files

import httpx
import pytest

from tests.api.page.sitting import Form, Sitter, at_the_page
from tests.api.table import HIT, Json, Service, Table

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


@pytest.fixture
def fight(table: Table) -> Table:
    table.fighters()
    return table


def adjusting(sitter: Sitter) -> Form:
    (move,) = [one for one in sitter.moves() if "/declare/open-scene" in one]
    return sitter.form(move, move.partition("?")[0])


def count(table: Table) -> int:
    return len(table.gm.look("/rulings")["rulings"])


def test_the_files_of_the_page_are_those_of_the_manifest() -> None:
    folder = files("api.table") / "static"
    listed: list[Json] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert {one.name for one in folder.iterdir()} == {"manifest.json", *(one["file"] for one in listed)}
    for one in listed:
        assert one["licence"]
        if one["source"] is not None:
            assert one["version"]
            assert one["sha256"] == hashlib.sha256((folder / one["file"]).read_bytes()).hexdigest(), one["file"]


def test_what_opens_nothing_is_answered_alike(service: Service, fight: Table) -> None:
    told = set()
    invite = fight.gm.does("/invites", {"role": "player", "name": "Eve"})
    wrong = (f"{fight.id}.s1.wrong", f"{'a' * 13}.s2.{'x' * 43}")
    for secret in ("nonsense", *wrong, "ABCD-EFGH", "", "https://example.org/join#old"):
        sitter = Sitter(str(service.client.base_url))
        answer = sitter.sit(secret)
        assert answer.status_code == 422 and not sitter.client.cookies
        assert 'aria-describedby="problem"' in answer.text and "doesn’t work" in answer.text
        told.add(re.sub(r'name="key" value="[^"]+"', "", answer.text))
    first, second = Sitter(str(service.client.base_url)), Sitter(str(service.client.base_url))
    assert first.sit(invite["link"]).status_code == 303
    told.add(re.sub(r'name="key" value="[^"]+"', "", second.sit(invite["link"]).text))
    assert len(told) == 1
    assert "Eve" in first.page("/")


def test_a_link_that_is_sent_twice_by_one_form_opens_the_same_seat(service: Service, fight: Table) -> None:
    invite = fight.gm.does("/invites", {"role": "player", "name": "Eve"})
    sitter = Sitter(str(service.client.base_url))
    form = sitter.form("/join", "/join")
    both = [sitter.send(form, {"secret": invite["code"]}) for _ in range(2)]
    assert [one.status_code for one in both] == [303, 303]
    assert both[0].headers["location"] == both[1].headers["location"]


def test_a_cookie_opens_its_own_seat_at_the_page_and_nothing_else(service: Service, fight: Table) -> None:
    ben = at_the_page(fight.ben)
    (cookie,) = ben.client.cookies.jar
    assert cookie.path == f"/table/{fight.id}" and cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.value is not None and fight.ben.token not in ben.page("/")
    anywhere = {"Cookie": f"{cookie.name}={cookie.value}"}
    other = Table(service)
    for path in (f"/table/{fight.id}/{fight.cleo.id}/", f"/table/{other.id}/s2/"):
        renamed = f"ledger-{path.split('/')[2]}-{path.split('/')[3]}={cookie.value}"
        for said in (anywhere, {"Cookie": renamed}):
            turned = httpx.get(f"{ben.address}{path}", headers=said)
            if said is anywhere and path.startswith(f"/table/{fight.id}/"):
                assert turned.status_code == 303 and turned.headers["location"] == f"{ben.at}/", "led to his own"
                continue
            assert turned.status_code == 401 and "You are not signed in" in turned.text
    assert httpx.get(f"{ben.address}/campaigns/{fight.id}", headers=anywhere).status_code == 401
    body = {"declare": {"kind": "open-scene", "title": "x"}}
    sent = {**anywhere, "Idempotency-Key": "a-key-of-mine"}
    assert httpx.post(f"{ben.address}/campaigns/{fight.id}/rulings", json=body, headers=sent).status_code == 401
    assert httpx.get(f"{ben.address}{ben.at}/", headers=anywhere).status_code == 200


def test_a_link_to_somebody_elses_seat_leads_to_the_same_view_of_ones_own(fight: Table) -> None:
    """As does one without a seat. A part of a page and what is sent are turned away; nothing leads off the table."""
    master, ben = at_the_page(fight.gm), at_the_page(fight.ben)
    query = "at=2&as=recorded&person=1"
    for begin in (master.at, f"/table/{fight.id}", f"/table/{fight.id}/s99"):
        for view in ("/rulings/2", "/timeline", f"/back?{query}", "/why/character/1/balances/character:1/coin", "/"):
            led = ben.get(f"{begin}{view}")
            assert led.status_code == 303 and led.headers["location"] == f"{ben.at}{view}", (begin, view)
    for said in ({"HX-Request-Type": "partial"}, {"HX-Request": "true"}, {"Accept": "text/event-stream"}):
        assert ben.get(f"{master.at}/rulings/2", headers=said).status_code == 401
    assert ben.client.post(f"{master.at}/rulings/2/dispute", headers={"Origin": ben.address}).status_code == 401
    assert ben.get(f"{ben.at}/nowhere/at/all").status_code == 404
    for off in ("//elsewhere.example", "%2F%2Felsewhere.example", "%3F@elsewhere.example", "%5C%5Celsewhere.example"):
        assert ben.get(f"/table/{fight.id}/{off}").headers["location"].startswith(f"{ben.at}/")
    stranger = Sitter(ben.address)
    assert stranger.get(f"/table/{fight.id}/rulings/2").status_code == 401
    shared = f'id="shared" class="quiet" href="/table/{fight.id}/back?{query}"'.replace("&", "&amp;")
    assert shared in ben.page(f"/back?{query}")


def test_who_sits_down_from_a_link_to_a_view_finds_that_view(fight: Table) -> None:
    """Also after a slip at the door; an address of another table, or of another house, leads to the table only."""
    somebody = Sitter(str(fight.service.client.base_url))
    turned = somebody.get(f"/table/{fight.id}/back?at=1&as=recorded")
    assert turned.status_code == 401
    (door,) = re.findall(r'href="(/join[^"]*)"', turned.text)
    form = somebody.form(unescape(door), "/join")
    slip = somebody.send(form, {"secret": "nothing"})
    assert slip.status_code == 422
    answer = somebody.send(Form(slip.text, "/join"), {"secret": fight.cleo.token})
    assert answer.headers["location"] == f"/table/{fight.id}/{fight.cleo.id}/back?at=1&as=recorded"
    assert somebody.get(answer.headers["location"]).status_code == 200
    elsewhere = f"/table/{'a' * 13}/back"
    for to in (elsewhere, f"https://example.org/table/{fight.id}/back", f"//example.org/table/{fight.id}/x", "", "x"):
        form = somebody.form("/join", "/join")
        answer = somebody.send(form, {"secret": fight.cleo.token, "to": to})
        assert answer.headers["location"] == f"/table/{fight.id}/{fight.cleo.id}/", to


def test_who_sits_there_more_than_once_chooses(fight: Table) -> None:
    both = at_the_page(fight.ben)
    at = both.at
    assert both.sit(fight.cleo.token).status_code == 303
    choice = both.get(f"/table/{fight.id}/rulings/2?leaning=true")
    assert choice.status_code == 200
    assert re.findall(r'class="move" href="([^"]+)">(\w+)<', choice.text) == [
        (f"{at}/rulings/2?leaning=true", "Ben"),
        (f"{both.at}/rulings/2?leaning=true", "Cleo"),
    ]
    fight.ben.does(f"/seats/{fight.ben.id}/token", status=200)
    only = both.get(f"/table/{fight.id}/rulings/2")
    assert only.status_code == 303 and only.headers["location"] == f"{both.at}/rulings/2", "the other's has ended"


def test_a_cookie_ends_with_its_token(fight: Table) -> None:
    ben = at_the_page(fight.ben)
    fight.ben.does(f"/seats/{fight.ben.id}/token", status=200)
    assert ben.get(f"{ben.at}/").status_code == 401


def test_a_form_is_taken_from_this_page_and_this_seat_only(fight: Table) -> None:
    master, ben, before = at_the_page(fight.gm), at_the_page(fight.ben), count(fight)
    form = adjusting(master)
    said: dict[str, str | list[str]] = {"/declare/title": "The bridge"}
    for origin in ("https://evil.example", "null", ""):
        refused = master.send(form, said, origin)
        assert refused.status_code == 403 and "sent from another site" in refused.text
    form.action = form.action.replace(master.at, ben.at)
    assert ben.send(form, said).status_code == 403
    form.action = form.action.replace(ben.at, master.at)
    assert master.send(form, {**said, "token": "x.y"}).status_code == 403
    assert master.send(form, {**said, "schema": "eJyrrgUAAXUA-Q=="}).status_code == 403
    assert count(fight) == before
    again = at_the_page(fight.gm)
    again.send(again.form(f"{again.at}/", f"{again.at}/leave"), {})
    assert again.get(f"{again.at}/").status_code == 401


def test_a_form_sent_twice_is_one_ruling(fight: Table) -> None:
    master, before = at_the_page(fight.gm), count(fight)
    form = adjusting(master)
    both = [master.send(form, {"/declare/title": "The bridge"}) for _ in range(2)]
    assert [one.status_code for one in both] == [303, 303]
    assert both[1].headers["location"] == both[0].headers["location"] + "&again=open-scene"
    assert count(fight) == before + 1


def test_a_form_sent_again_asks_whether_to_do_it_again(fight: Table) -> None:
    master = at_the_page(fight.gm)
    form = adjusting(master)
    first, second = (master.send(form, {"/declare/title": "The bridge"}).headers["location"] for _ in range(2))
    question = "You already did this, so nothing happened this time. Do it again?"
    assert question not in master.get(first).text
    page = master.get(second).text
    assert question in page and f'href="{master.at}/declare/open-scene"' in page


def test_who_is_asked_answers_at_the_page(fight: Table) -> None:
    waiting = fight.ben.declare(**HIT, status=202)
    cleo, ben = at_the_page(fight.cleo), at_the_page(fight.ben)
    path = f"{cleo.at}/waiting/{waiting['id']}"
    assert "Cleo has to answer: Do you dodge or stand?" in ben.page("/")
    form = cleo.form(f"{cleo.at}/", path)
    assert "Your answer is needed" in cleo.page("/")
    (choice,) = [name for name in form.offered if name.startswith("/answer")][:1]
    done = None
    for option in form.offered[choice]:
        done = cleo.send(form, {choice: option})
        if done.status_code == 303:
            break
    assert done is not None and done.status_code == 303, done.text if done is not None else ""


def test_every_page_has_the_policy_and_nothing_written_into_it(fight: Table) -> None:
    ben = at_the_page(fight.ben)
    for path in ("/", "/join", f"{ben.at}/", f"{ben.at}/timeline", f"{ben.at}/rulings/1", f"{ben.at}/nowhere/x"):
        answer = ben.get(path)
        if answer.headers["content-type"].startswith("text/html"):
            assert answer.headers["content-security-policy"] == POLICY, path
            assert answer.headers["referrer-policy"] == "same-origin" and answer.headers["cache-control"] == "no-store"
            assert not re.search(r"<script(?![^>]+src=)|<style|\son\w+=|\sstyle=|https?://(?!127)", answer.text), path
    for file in re.findall(r'(?:src|href)="(/static/[^"]+)"', ben.page("/")):
        assert ben.get(file).headers["cache-control"] == "public, max-age=31536000, immutable"

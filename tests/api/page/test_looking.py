"""Looking back, accounts, dice, audit, settings and the book without a browser: the page says what the API says."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from html import unescape
from typing import Any

import pytest
from markupsafe import escape

from api.table import charts, settings
from ledger.application import Call, Ledger
from ledger.rules import systems
from projections.documents import comparisons
from tests.api.page.campaigns import begun, told
from tests.api.page.sitting import Sitter
from tests.api.table import Json, Player, Service, Table
from tests.levels import sampled
from tests.versions.keep import FOLDER as KEPT

ALL = pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="looking back"))
SEATED: dict[str, Sitter] = {}
PARTIAL = {"HX-Request-Type": "partial"}
Campaigns = Callable[[str], Table]
Sits = Callable[[Player], Sitter]


@pytest.fixture
def at_the_page(ledger: Ledger) -> Callable[[Player], Sitter]:
    """Whoever it is sits there already: nobody joins as often as these tests look."""

    def sits(player: Player) -> Sitter:
        if player.token not in SEATED:
            sitter = SEATED[player.token] = Sitter(str(player.table.service.client.base_url))
            with ledger.open_for_seat(Call(player.table.id, player.token)) as (book, _):
                generation = book.tokens[player.id].generation
            cookie = f"{generation}.{ledger.keys.make_page_session(player.table.id, player.id, generation)}"
            sitter.at = f"/table/{player.table.id}/{player.id}"
            sitter.client.cookies.set(f"ledger-{player.table.id}-{player.id}", cookie, "127.0.0.1", sitter.at)
        return SEATED[player.token]

    return sits


def text(page: str) -> str:
    """As it is read."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def rows(page: str, kind: str) -> list[str]:
    (table,) = re.findall(rf'<table class="{kind}">(.*?)</table>', page, re.DOTALL)
    return re.findall(r"<tr[^>]*>.*?</tr>", table.partition("</thead>")[2], re.DOTALL)


def rulings(player: Player) -> list[Json]:
    found: list[Json] = player.look("/rulings", limit=500)["rulings"]
    return found


@ALL
def test_every_place_is_told_by_both_clocks(campaign: Campaigns, at_the_page: Sits, name: str) -> None:
    table = campaign(name)
    master, all_ = at_the_page(table.gm), rulings(table.gm)
    otherwise = next((one["number"] for one in all_ if table.gm.look("/diff", at=one["number"])["subjects"]), None)
    assert otherwise is not None or all(one["status"] != "overturned" for one in all_)
    for number in {1, len(all_), otherwise or 1}:
        page = master.page(f"/back?at={number}")
        assert unescape(master.get(f"{master.at}/back?at={number}", headers=PARTIAL).text) in unescape(page)
        assert all_[number - 1]["text"] in text(page)
        fields = [one for each in table.gm.look("/diff", at=number)["subjects"] for one in each["fields"]]
        assert page.count("<del>") == page.count("<ins>") == len(fields)
        assert ("Nothing has been corrected since." in page) is not bool(fields)
        assert bool(fields) is ("<mark>" in page)
    for one in (one for one in all_ if one["status"] == "overturned"):
        now, then = (master.page(f"/back?at={one['number']}{clock}") for clock in ("&as=corrected", "&as=recorded"))
        assert "<s>" in now and "<s>" not in then, "nobody knew that it would be overturned"
        first = (one["tellings"] or [one])[0]
        assert f'<p class="told">{escape(first["text"])} <span class="quiet">{one["by"]["name"]}</span>' in then
    person = next(one for one in reversed(all_) if one["declared"].get("kind") == "enrol")
    id = person["facts"][0]["subject"].partition(":")[2]
    called = unescape(
        re.sub("<[^>]+>", " ", master.page(f"/back?at={person['number']}").partition("Other characters")[0])
    )
    assert person["status"] == "overturned" or person["declared"]["name"] in called.partition("How it was decided")[2]
    wanted = master.page(f"/back?at={len(all_)}&person={id}")
    assert f'href="?at={len(all_) - 1}&amp;person={id}"' in wanted and f'name="person" value="{id}"' in wanted
    assert 'name="as" value="recorded" checked' in master.page("/back?at=1&as=recorded")
    assert master.get(f"{master.at}/back?at={len(all_) + 1}").status_code == 404
    for wrong in ("at=x", "at=0", "as=never", "at=1&as=never"):
        answer = master.get(f"{master.at}/back?{wrong}")
        assert answer.status_code == 422 and 'role="alert"' in answer.text, wrong


@ALL
def test_a_session_is_shown_once_more(campaign: Campaigns, at_the_page: Sits, name: str) -> None:
    table = campaign(name)
    sitter = at_the_page(table.cleo)
    marks = table.cleo.look("/landmarks")
    sessions = [one["ruling"] for one in marks["landmarks"] if one["what"] == "session"]
    assert sessions == [int(one["id"]) for one in table.cleo.look()["sessions"]]
    assert marks["rulings"] == len(rulings(table.cleo))
    decided = Counter(one["kind"] for one in _decisions(rulings(table.gm)))
    assert sum(one["count"] for one in marks["landmarks"] if one["what"] == "decision") == sum(decided.values())
    for as_ in ("recorded", "corrected"):
        told_ = table.cleo.get(f"/sessions/{sessions[0]}/replay", **{"as": as_}).text.splitlines()[1:-1]
        page = sitter.page(f"/back/sessions/{sessions[0]}?as={as_}")
        while more := re.search(r'id="more"><a href="([^"]+)"', page):
            page = page.replace(more[0], "") + sitter.get(unescape(more[1]), headers=PARTIAL).text
        assert page.count('<li class="frame') == len(told_)
    assert sitter.get(f"{sitter.at}/back/sessions/{sessions[0]}?from=999999").status_code == 404
    assert sitter.get(f"{sitter.at}/back/sessions/nowhere").status_code in (404, 422)


def _decisions(all_: Iterable[Json]) -> list[Json]:
    shown = {"disputed", "upheld", "overturned", "reinstated", "revised", "reruled", "recounted"}
    return [{"kind": one["decision"]} for ruling in all_ for one in ruling["decisions"] if one["decision"] in shown]


def test_what_was_settled_stands_among_the_marks(service: Service, at_the_page: Sits) -> None:
    """After the ruling that was the last one then; what was settled with a decision is part of that."""
    table = begun(service, "toy")
    mint = table.gm.declare("mint", to="1", coins=4)["number"]
    table.ben.declare("give", char="1", to="2", coins=4)
    table.gm.does(f"/rulings/{mint}/overturn", {"reason": "It never was."}, 200)
    last = len(rulings(table.gm))
    for one in table.gm.look("/findings")["findings"]:
        table.gm.does(f"/findings/{one['id']}/settle", {"how": "let-stand", "reason": "So be it."}, 200)
    many = len(table.ben.look("/findings", settled="true")["findings"])
    (mark,) = [one for one in table.ben.look("/landmarks")["landmarks"] if one["what"] == "settlement"]
    assert (mark["ruling"], mark["last"], mark["count"]) == (last, last, many)
    page = text(at_the_page(table.ben).page(f"/back?at={last}"))
    assert f"Resolved: {mark['text']}" in page and "Ann resolves: " in mark["text"]


@ALL
def test_statements_add_up_and_what_is_taken_back_is_grey(campaign: Campaigns, at_the_page: Sits, name: str) -> None:
    table = campaign(name)
    sitter = at_the_page(table.ben)
    accounts = table.ben.look("/accounts", limit=500)["accounts"]
    page = sitter.page("/accounts")
    linked = [unescape(one) for one in re.findall(rf'href="{sitter.at}/accounts/([^"?]+)"', page)]
    assert sorted(linked) == sorted(one["account"].replace(":", "%3A") for one in accounts)
    statements = [table.ben.look(f"/accounts/{one['account']}", limit=500, line=120) for one in accounts]
    for one in (one for one in statements if one["balance"] is not None):
        balance = 0
        for entry in one["entries"]:
            balance += entry["amount"]
            assert entry["balance"] == balance
        assert (
            sum(entry["amount"] for entry in one["entries"] if entry["stands"] and entry["why"] == "recorded")
            == (one["balance"])
        )
        assert one["line"][-1]["balance"] == balance and len(one["line"]) <= 120
        assert max(point["most"] for point in one["line"]) == max(entry["balance"] for entry in one["entries"])
    for one in sorted(statements, key=lambda one: (not _taken_back(one), -len(one["entries"])))[:2]:
        page = sitter.page(f"/accounts/{one['account']}")
        assert len(rows(page, "statement")) == min(50, len(one["entries"]))
        assert page.count('<tr class="gone">') == len(_taken_back(one)[-50:])
        assert ('class="chart line"' in page) is (one["balance"] is not None)
    assert sitter.get(f"{sitter.at}/accounts/nobody/nothing").status_code == 404


def _taken_back(statement: Json) -> list[Json]:
    return [one for one in statement["entries"] if not one["stands"] or one["why"] != "recorded"]


@ALL
def test_dice_are_counted_as_they_fell_and_as_far_as_one_sees_them(
    campaign: Campaigns, at_the_page: Sits, name: str
) -> None:
    table = campaign(name)
    played = {f"character:{one['id']}": one["seat"] for one in table.gm.look()["characters"]}
    for player in (table.gm, table.ben, table.cleo):
        fell: dict[tuple[str, str, int], Counter[int]] = {}
        for ruling in rulings(player):
            for one in ruling["answers"]:
                if dice := one["answer"].get("dice"):
                    subject = one["whose"]["subject"] if one["whose"] else f"seat:{ruling['by']['seat']}"
                    seat = played.get(subject) or subject.partition(":")[2]
                    fell.setdefault((seat, dice["source"], dice["sides"]), Counter()).update(dice["faces"])
        counted = player.look("/dice/faces")["faces"]
        answered = [one for one in counted if one["source"] != "declaration"]
        assert {(one["seat"], one["source"], one["sides"]): one["faces"] for one in answered} == {
            key: [faces[face] for face in range(1, key[2] + 1)] for key, faces in fell.items()
        }
        page = at_the_page(player).page("/dice")
        assert page.count('class="chart histogram"') == len(counted)
        assert page.count("<b>Roll ") == min(20, player.look("/dice")["count"])


@ALL
def test_an_audit_says_what_it_found_and_an_old_seal_is_held_against_the_record(
    service: Service, campaign: Campaigns, at_the_page: Sits, name: str
) -> None:
    table = campaign(name)
    sitter = at_the_page(table.ben)
    found = table.ben.look("/audit")
    page = text(sitter.page("/audit/run"))
    assert f"{found['readjudicated']} results of {found['rulings']} rulings were checked again" in page
    assert ("The record is sound" in page) is not bool(found["differences"])
    assert all(one["text"] in page for one in found["findings"])
    then = table.ben.look("/seal")["checkpoint"]
    table.gm.does("/bookmarks", {"ruling": 1, "note": "Here it began."})
    other = Table(service).gm.look("/seal")["checkpoint"]
    lines = then.splitlines()
    for seal, says in (
        (then, "of the record match that seal"),
        (then.replace("\n\n", "\n"), "been added since then"),
        (then.replace(f"\n{lines[1]}\n", f"\n{int(lines[1]) + 1}\n"), "does not match this text and key"),
        (other, "belongs to another campaign"),
        ("nonsense", "That is not a seal"),
        ("{}", "That is not a seal"),
    ):
        form = sitter.form(f"{sitter.at}/audit", f"{sitter.at}/audit/compare")
        assert says in text(sitter.send(form, {"seal": seal}).text), says
    assert "<svg" in sitter.page("/audit") and then not in sitter.page("/audit")


def upload(sitter: Sitter, content: bytes, do: str = "verify", **more: str) -> str:
    form = sitter.form(f"{sitter.at}/audit", f"{sitter.at}/audit/file")
    answer = sitter.client.post(
        form.action,
        data={"token": form.fields["token"][0], "do": do, **more},
        files={"file": ("x.jsonl", content)},
        headers={"Origin": sitter.address},
    )
    assert answer.status_code == 200, answer.text
    return text(answer.text)


@ALL
def test_an_export_is_taken_along_verified_and_tried(
    service: Service, campaign: Campaigns, at_the_page: Sits, name: str
) -> None:
    table = campaign(name)
    master, cleo = at_the_page(table.gm), at_the_page(table.cleo)
    for sitter, player in ((master, table.gm), (cleo, table.cleo)):
        answer = sitter.get(f"{sitter.at}/audit/export")
        assert answer.headers["content-disposition"] == f'attachment; filename="{table.id}.jsonl"'
        assert answer.text.splitlines()[1:-1] == player.get("/export").text.splitlines()[1:-1]
        said = upload(sitter, answer.content)
        assert "None has changed since it was sealed." in said
        told_again = "rulings, and all dice" in said
        assert told_again is not ("events are hidden" in said)
        assert "The file is not valid" in upload(sitter, answer.content.replace(b'"ledger.', b'"ledgar.', 1))
    assert "Choose an export file" in upload(master, b"")
    exported = table.gm.get("/export").content
    assert "Only the operator" in upload(master, exported, "try", operator="nobody")
    assert "can’t be imported" in upload(master, exported, "try", operator=service.operator_token)
    for elsewhere in KEPT.glob(f"*/{name}.examples.jsonl.gz"):  # of another ledger, made by an earlier version
        content = gzip.decompress(elsewhere.read_bytes())
        said = upload(master, content, "try", operator=service.operator_token)
        assert "This file can be imported: “" in said and "Nothing was imported." in said
        there = service.send("GET", "/campaigns", service.operator).json()["campaigns"]
        assert json.loads(content.splitlines()[0])["campaign"] not in [one["id"] for one in there]


@ALL
def test_what_if_it_had_always_been_played_so(
    campaign: Campaigns, at_the_page: Sits, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = campaign(name)
    sitter = at_the_page(table.ben)
    system = table.service.client.get(f"/systems/{name}").json()
    page = sitter.page("/settings")
    assert all(f'name="dial" value="{one["name"]}"' in page for one in system["dials"])
    asked, looked = 0, []
    for dial in [one for one in system["dials"] if one["values"] and not one["hides"]][:4]:
        for value in dial["values"]:
            plain = value if isinstance(value, str) else json.dumps(value)
            counts = table.ben.look("/what-if", dial=f"{dial['name']}:{plain}")["counts"]
            query = f"/settings/what-if?dial={dial['name']}&value={plain}"
            for part in (sitter.page(query), sitter.get(f"{sitter.at}{query}", headers=PARTIAL).text):
                shown = re.findall(r"<li><b>(\d+)</b>", part)
                assert sorted(map(int, shown)) == sorted(one for one in counts.values() if one)
            asked += 1
            looked.append(f"{dial['name']}:{plain}")
    assert asked or not system["dials"]
    monkeypatch.setattr(comparisons, "MOST_ROWS", 1)
    monkeypatch.setattr(settings, "MORE", 2)
    most = max(
        (table.ben.look("/what-if", dial=one, limit=500) for one in looked),
        default=None,
        key=lambda one: len(one["rulings"]),
    )
    if most is None or not most["rulings"]:
        return
    ((dial_, value_),) = most["dials"].items()
    part = sitter.get(f"{sitter.at}/settings/what-if?dial={dial_}&value={json.dumps(value_)}", headers=PARTIAL).text
    numbers = re.findall(r'class="number" href="[^"]*/(\d+)"', part)
    while more := re.search(r'hx-get="([^"]+)"', part):
        part = sitter.get(unescape(more[1]), headers=PARTIAL).text
        numbers += re.findall(r'class="number" href="[^"]*/(\d+)"', part)
    assert list(map(int, numbers)) == [one["number"] for one in most["rulings"]], "told to its end"
    assert sitter.get(f"{sitter.at}/settings/what-if?dial=nothing&value=1").status_code == 422


@ALL
def test_every_rule_leads_to_its_text_in_the_book(campaign: Campaigns, at_the_page: Sits, name: str) -> None:
    table = campaign(name)
    sitter = at_the_page(table.gm)
    pages = [sitter.page("/settings"), *(sitter.page(f"/rulings/{one['number']}") for one in rulings(table.gm)[:12])]
    links = {one for page in pages for one in re.findall(rf'href="/systems/{name}/guide#([^"]+)"', page)}
    came = {"Referer": f"{sitter.address}{sitter.at}/rulings/1", "Accept": "text/html"}
    book = sitter.get(f"/systems/{name}/guide", headers=came)
    assert links and links <= set(re.findall(r'id="([^"]+)"', book.text))
    assert f'<a href="{sitter.at}/rulings/1">Back to the table</a>' in book.text
    elsewhere = {"Referer": "https://elsewhere.example/table/aaaaaaaaaaaaa/s1/", "Accept": "text/html"}
    assert "Back to the table" not in sitter.get(f"/systems/{name}/guide", headers=elsewhere).text
    rule, said = next(iter(systems()[name].rules.items()))
    words = " ".join(said.statement.split()[:5]).replace("`", "")
    found = sitter.get(f"/systems/{name}/guide", params={"q": words}, headers={"Accept": "text/html"})
    assert f'<a href="?#{rule}">Show in the rulebook</a>' in found.text and len(found.text) < len(book.text)
    assert "0 results" in sitter.get(f"/systems/{name}/guide?q=qwxzy", headers={"Accept": "text/html"}).text


@ALL
def test_a_statement_ends_now_and_its_figures_have_room(campaign: Campaigns, at_the_page: Sits, name: str) -> None:
    """Whichever ruling the last entry was of: what is taken back stands last, and is of an earlier one."""
    table = campaign(name)
    for one in table.gm.look("/accounts", limit=500)["accounts"][:3]:
        (chart,) = re.findall(
            r'<svg class="chart line".*?</svg>', at_the_page(table.gm).page(f"/accounts/{one['account']}")
        )
        texts = re.findall(r'<text x="([\d.]+)" y="[\d.]+"( class="end")?>([^<]*)</text>', chart)
        assert texts[-1][2] == "now"
        assert all(float(x) >= 8 * len(said) for x, end, said in texts if end), texts


def test_figures_of_many_digits_have_room() -> None:
    points = [{"balance": 120_000, "least": -90_000, "most": 120_000, "ruling": 7, "at": "2026"}]
    texts = re.findall(r'<text x="([\d.]+)" y="[\d.]+" class="end">([^<]*)</text>', charts.draw_line(points))
    assert [said for _, said in texts] == ["120000", "-90000", "now"]
    assert all(float(x) >= 8 * len(said) for x, said in texts)


@ALL
def test_decisions_read_calm_once_they_are_answered(campaign: Campaigns, at_the_page: Sits, name: str) -> None:
    """What fell is alarming, and a dispute nobody has answered; what was upheld is neither."""
    table = campaign(name)
    page = at_the_page(table.gm).page("/timeline")
    for one in rulings(table.gm):
        told_ = page.partition(f'id="r-{one["number"]}"')[2].partition("</li>")[0]
        assert (' class="decision struck"' in told_) is (one["status"] == "overturned"), one["number"]
        assert (' class="decision open"' in told_) is (one["status"] == "disputed"), one["number"]


@ALL
def test_dials_stand_in_groups_and_what_is_turned_stands_first(
    service: Service, campaign: Campaigns, at_the_page: Sits, name: str
) -> None:
    page = at_the_page(campaign(name).gm).page("/settings")
    groups = re.findall(r'<details class="dials"( open)?><summary><h3>([^<]*)</h3> <span class="quiet">(\d+)<', page)
    dials = service.client.get(f"/systems/{name}").json()["dials"]
    assert sum(int(many) for *_, many in groups) == len(dials)
    assert len({title for _, title, _ in groups}) == len(groups)
    changed = [one for one in dials if campaign(name).gm.look()["dials"][one["name"]] != one["default"]]
    assert [title for opened, title, _ in groups if opened] == (["Changed from the default"] if changed else [])
    assert not changed or groups[0][2] == str(len(changed))
    dotted = {one["name"].partition(".")[0] for one in dials if "." in one["name"] and one not in changed}
    assert len(dotted) <= len(groups)


def test_a_book_that_is_not_here_says_which_are(service: Service) -> None:
    """To a browser; a program hears of it as of any other problem."""
    page = service.client.get("/systems/<b>none/guide", headers={"Accept": "text/html"})
    assert page.status_code == 404 and page.headers["content-type"].startswith("text/html")
    assert "There is no game called “&lt;b&gt;none”." in page.text
    assert all(f'href="/systems/{one}/guide"' in page.text for one in systems())
    problem = service.client.get("/systems/none/guide", headers={"Accept": "application/json"})
    assert problem.status_code == 404 and problem.json()["code"] == "system-not-found"


def test_a_table_settles_its_own_matters(service: Service, at_the_page: Sits) -> None:
    table = told(service, "toy")
    master, ben = at_the_page(table.gm), at_the_page(table.ben)

    def does(sitter: Sitter, what: str, said: dict[str, Any], status: int = 303) -> str:
        form = sitter.form(f"{sitter.at}/settings", f"{sitter.at}/settings/{what}")
        answer = sitter.send(form, said)
        assert answer.status_code == status, (what, answer.text)
        return unescape(answer.text)

    invited = does(master, "invite", {"seat": [], "name": "Eve", "role": "observer", "days": "3"}, 200)
    link = re.search(r"<code>(http[^<]+)</code>", invited)
    assert link is not None and "<svg" in invited
    eve = Sitter(master.address)
    assert eve.sit(link[1]).status_code == 303 and "Eve" in eve.page("/")
    does(ben, "bookmark", {"ruling": "1", "note": "For <me>", "mine": "yes"})
    assert "For &lt;me&gt;" in ben.page("/settings") and "For &lt;me&gt;" not in master.page("/settings")
    assert 'role="alert"' in does(ben, "bookmark", {"ruling": "4000", "note": "x", "mine": "yes"}, 422)
    does(ben, "unmark", {})
    assert table.ben.look("/bookmarks")["bookmarks"] == []
    dial = next(one for one in service.client.get("/systems/toy").json()["dials"] if one["values"])
    other = next(one for one in dial["values"] if one != dial["default"])
    does(master, "dial", {"dial": dial["name"], "value": str(other).lower(), "reason": "So be it."})
    assert table.gm.look()["dials"][dial["name"]] == other
    form = master.form(f"{master.at}/settings", f"{master.at}/settings/dial")
    form.action = form.action.replace(master.at, ben.at)
    assert ben.send(form, {"reason": "mine"}).status_code == 403
    fork = master.send(
        master.form(f"{master.at}/settings", f"{master.at}/settings/fork"), {"at": "2", "name": "Had it been so"}
    )
    assert fork.status_code == 303 and "Had it been so" in master.get(fork.headers["location"]).text
    does(ben, "token", {})
    assert ben.page("/"), "who signs out everywhere else stays here"
    assert table.ben.get().status_code == 401

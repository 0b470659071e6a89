"""Deciding at the page without a browser: what was seen is saved, once, and what is wrong is told at its field."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape

import httpx
import pytest

from api.table import consenting
from ledger.application import save
from ledger.events.envelope import format_time
from ledger.rules import systems
from projections.documents import comparisons
from tests.api.page.campaigns import begun
from tests.api.page.sitting import Form, Sitter, at_the_page
from tests.api.table import Json, Service, Table
from tests.levels import sampled

ALL = pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="deciding"))
MOVED = "The campaign has changed since your preview."
OTHERWISE = "You have changed your choices since the preview."


@pytest.fixture
def quarrel(table: Table) -> Table:
    """3: mint 6 to 1. 4: 1 gives 4 to 2, which is disputed. 5: 2 is hit for 6. 6: 2 gives 1 back."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=6)
    table.ben.declare("give", char="1", to="2", coins=4)
    table.hit(6)
    table.cleo.declare("give", char="2", to="1", coins=1)
    table.cleo.does("/rulings/4/dispute", {"reason": "He kept them."}, 200)
    return table


def form_of(sitter: Sitter, path: str) -> Form:
    return sitter.form(f"{sitter.at}{path}", f"{sitter.at}{path}")


def seen_in(page: str) -> str:
    (found,) = re.findall(r'id="seen" name="seen" value="([^"]*)"', page)
    return str(found)


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.partition("<main")[2]))


def told(answer: httpx.Response) -> str:
    return words(answer.text)


def test_the_preview_comes_first_and_what_it_says_is_done_once(quarrel: Table) -> None:
    gm = at_the_page(quarrel.gm)
    page = gm.page("/rulings/4/overturn")
    said = words(page)
    assert "Cleo disputes this: “He kept them.”" in said
    assert "1 is no longer possible" in said and re.search(r"Ruling 6 \(.*?\) would not be possible", said)
    assert page.index("What would change") < page.index('id="do"')
    before = quarrel.position
    form = form_of(gm, "/rulings/4/overturn")
    answers = [gm.send(form, {"reason": "She is right.", "do": "1"}) for _ in range(2)]
    assert [one.status_code for one in answers] == [303, 303], answers[0].text
    assert answers[0].headers["location"] == answers[1].headers["location"] == f"{gm.at}/findings?after=4"
    assert quarrel.position == before + 1
    assert "Ann overturns ruling 4: She is right." in gm.page("/findings?after=4")


def test_what_is_chosen_otherwise_is_looked_at_before_it_is_done(quarrel: Table) -> None:
    gm, before = at_the_page(quarrel.gm), quarrel.position
    form = form_of(gm, "/rulings/4/overturn")
    again = gm.send(form, {"reason": "So it is.", "settle": "rerule", "also": ["5"]})
    assert again.status_code == 200 and OTHERWISE in again.text and quarrel.position == before
    assert "So it is." in again.text, "what was written stays"
    done = gm.send(form, {"reason": "So it is.", "settle": "rerule", "also": ["5"], "seen": seen_in(again.text)})
    assert done.status_code == 303, done.text
    assert [quarrel.gm.look(f"/rulings/{one}")["status"] for one in (4, 5)] == ["overturned", "overturned"]
    assert quarrel.gm.look("/rulings/6")["refusal"], "it was ruled again, and records nothing"


def test_a_stale_preview_says_so_and_shows_the_new_one(quarrel: Table) -> None:
    gm = at_the_page(quarrel.gm)
    form = form_of(gm, "/rulings/4/overturn")
    quarrel.cleo.declare("give", char="2", to="1", coins=2)
    before = quarrel.position
    stale = gm.send(form, {"reason": "She is right."})
    assert stale.status_code == 409 and MOVED in stale.text and quarrel.position == before
    assert re.search(r"Ruling 7 \(.*?\) would not be possible", told(stale))
    assert gm.send(form, {"reason": "She is right.", "seen": seen_in(stale.text)}).status_code == 303


def test_what_changes_nothing_of_it_does_not_make_it_stale(quarrel: Table) -> None:
    gm = at_the_page(quarrel.gm)
    form = form_of(gm, "/rulings/4/overturn")
    quarrel.ben.does("/rulings/5/dispute", {"reason": "I dodged."}, 200)
    assert gm.send(form, {"reason": "She is right."}).status_code == 303


def test_who_decided_meanwhile_is_not_decided_over(quarrel: Table) -> None:
    gm = at_the_page(quarrel.gm)
    form, back = form_of(gm, "/rulings/4/overturn"), form_of(gm, "/rulings/4/uphold")
    assert gm.send(back, {"reason": "It stays."}).status_code == 303
    assert gm.send(back, {"reason": "It stays."}).status_code == 303, "twice is once"
    quarrel.gm.does("/rulings/4/overturn", {"reason": "After all."}, 200)
    before = quarrel.position
    late = gm.send(form, {"reason": "She is right."})
    assert late.status_code in (409, 422) and quarrel.position == before
    assert "The ruling’s current status doesn’t allow this" in told(late)


def test_mistakes_are_told_at_their_field(quarrel: Table) -> None:
    gm, before = at_the_page(quarrel.gm), quarrel.position
    form = form_of(gm, "/rulings/4/overturn")
    for said, field in (({"reason": " "}, "reason"), ({"reason": "x", "others": "five", "look": "1"}, "others")):
        wrong = gm.send(form, said)
        assert f'id="e-{field}"' in wrong.text and 'aria-invalid="true"' in wrong.text, said
    nobody = gm.send(form, {"reason": "x", "others": "99", "look": "1"})
    assert "99" in told(nobody) and quarrel.position == before
    ben = at_the_page(quarrel.ben)
    looked = ben.page("/rulings/4/overturn")
    assert "It is only a preview" in looked and "<form" not in looked.partition("<main")[2]
    stolen = ben.send(form, {"reason": "x"})
    assert stolen.status_code in (401, 403) and quarrel.position == before


@pytest.mark.parametrize("settle", ["flag", "rerule"])
def test_what_leaned_on_it_is_told_after_it_was_overturned_too(quarrel: Table, settle: str) -> None:
    gm = at_the_page(quarrel.gm)
    assert 'id="r-6"' in gm.page("/rulings/4?leaning=true")
    quarrel.gm.does("/rulings/4/overturn", {"reason": "never happened", "settle": settle}, 200)
    page = gm.page("/rulings/4?leaning=true")
    assert "What depended on it" in page and 'id="r-6"' in page and 'id="r-5"' not in page
    for one in quarrel.gm.look("/findings")["findings"]:
        quarrel.gm.does(f"/findings/{one['id']}/settle", {"how": "let-stand", "reason": "So be it."}, 200)
    assert 'id="r-6"' in gm.page("/rulings/4?leaning=true")
    if settle == "rerule":
        assert f'<a href="{gm.at}/rulings/4">ruling 4</a>' in gm.page("/rulings/6"), "its decision says why"


def test_an_action_that_is_carried_out_leads_to_where_it_was_announced_and_back(service: Service) -> None:
    table = begun(service, "mongrel")
    gm = at_the_page(table.gm)
    table.gm.declare("open-conflict", participants=["1", "2"])
    actor, target = table.gm.look("/scenes/4")["state"]["conflict"]["queue"]
    announced = table.gm.declare("declare-attack", actor=actor, target=target, expertise="melee", attribute="speed")[
        "number"
    ]
    done = table.gm.declare("carry-out", {"choice": {"kind": "stand"}}, faces=[6])["number"]
    for number, other, said in ((done, announced, "Continues"), (announced, done, "Continued by")):
        path = f"/rulings/{number}?around=true"
        part = gm.get(f"{gm.at}{path}", headers={"HX-Request-Type": "partial"}).text
        for page in (part, gm.page(path)):
            assert f'{said} <a href="{gm.at}/rulings/{other}">ruling {other}</a>' in page, page[-2000:]
    alone = gm.page("/rulings/1?around=true")
    assert 'id="beside"' not in alone and "What it goes on from" not in alone


def test_what_is_overturned_is_put_back_after_a_look(quarrel: Table) -> None:
    quarrel.gm.does("/rulings/4/overturn", {"reason": "never happened"}, 200)
    gm = at_the_page(quarrel.gm)
    form = form_of(gm, "/rulings/4/reinstate")
    assert "1 gets a different result" in told(gm.get(form.action)) or "Bruno" in told(gm.get(form.action))
    done = [gm.send(form, {"reason": "It did."}) for _ in range(2)]
    assert {one.headers["location"] for one in done} == {f"{gm.at}/rulings/4?decided=1"}
    assert quarrel.gm.look("/rulings/4")["status"] == "standing"


def test_a_mistyped_die_is_corrected_with_the_difference_shown(quarrel: Table) -> None:
    gm, before = at_the_page(quarrel.gm), quarrel.position
    form = form_of(gm, "/rulings/5/revise")
    faces = "/answers/1/dice/faces/0"
    assert form.fields[faces] == ["6"]
    look = gm.send(form, {faces: "3", "look": "1"})
    assert look.status_code == 200 and quarrel.position == before
    assert "<td>6</td><td>3</td>" in re.sub(r">\s+<", "><", look.text)
    assert "Harm" in look.text, "before and after"
    said = {faces: "3", "reason": "It showed a 3.", "seen": seen_in(look.text)}
    answers = [gm.send(form, said) for _ in range(2)]
    assert [one.headers.get("location") for one in answers] == [f"{gm.at}/rulings/5?decided=1"] * 2, answers[0].text
    assert quarrel.position == before + 1 and quarrel.gm.look("/characters/2")["state"]["harm"] == 3
    unseen = gm.send(form_of(gm, "/rulings/3/revise"), {"/declare/coins": "2", "reason": "Two."})
    assert unseen.status_code == 200 and quarrel.position == before + 1, "it is looked at first"
    refused = gm.send(form_of(gm, "/rulings/3/revise"), {"/declare/coins": "-1", "look": "1"})
    assert 'id="e-declare-coins"></small>' not in refused.text


def test_an_id_of_the_games_own_is_corrected_by_what_it_stands_for(service: Service) -> None:
    table = begun(service, "mnemonic")
    table.gm.declare("rate-trait", character="1", trait="Boxer", trait_kind="life", rating="Very")
    traits = [{"kind": "life", "name": "Boxer"}, {"kind": "primary"}]
    made = table.gm.declare("rule-check", character="1", chances="Even", traits=traits)
    check = next(one["fact"]["check"] for one in made["facts"] if "check" in one["fact"])
    rolled = table.gm.declare("enter-roll", check=check, numbers=[5])
    page = at_the_page(table.gm).page(f"/rulings/{rolled['number']}/revise")
    (called,) = re.findall(f'name="/declare/check" value="&#34;{check}&#34;" checked><span>(.*?)</span>', page)
    name = table.gm.look("/characters/1")["name"]
    assert called.startswith(f"{name}, "), called


@ALL
def test_an_untouched_form_corrects_nothing(campaign: Callable[[str], Table], name: str) -> None:
    """Whatever was declared and answered: only what somebody changes is otherwise."""
    table = campaign(name)
    gm, kinds = at_the_page(table.gm), set()
    for one in table.gm.look("/rulings", limit=500)["rulings"]:
        kind = (one["declared"]["kind"], *(next(iter(each["answer"])) for each in one["answers"]))
        if one["status"] == "overturned" or kind in kinds:
            continue
        kinds.add(kind)
        form = form_of(gm, f"/rulings/{one['number']}/revise")
        _is_filled_in(form, [each for each in one["answers"] if not each["set_aside"]])
        same = gm.send(form, {"look": "1"})
        assert same.status_code == 200 and "You have not changed anything yet" in same.text, (kind, told(same)[-1500:])
    assert kinds


def _is_filled_in(form: Form, answers: list[Json]) -> None:
    """With what was answered, but for what the ledger rolled and for cards."""
    for place, one in enumerate(answers):
        ((kind, given),) = one["answer"].items()
        said = {name: value for name, [value] in form.fields.items() if name.startswith(f"/answers/{place}/")}
        if one["source"] == "ledger" or kind in ("cards", "order"):
            assert not said
        elif kind == "choice":
            values = [value for name, value in given.items() if name != "kind" and isinstance(value, str | int)]
            plain = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
            way = said.get(f"/answers/{place}/choice?", "0")
            there = {name.partition("/choice")[2]: value for name, value in said.items()}
            assert set(plain) <= set(there.values()), (one, said)
            assert all(not value for name, value in there.items() if "|" in name and not name.startswith(f"|{way}"))
        else:
            fell = [str(face) for face in next(value for value in given.values() if isinstance(value, list))]
            there = {name: value for name, value in said.items() if name.rpartition("/")[2].isdecimal()}
            assert list(there.values()) == fell, (one, said)


def test_findings_are_settled_where_they_stand(quarrel: Table) -> None:
    quarrel.gm.does("/rulings/4/overturn", {"reason": "never happened"}, 200)
    gm, cleo = at_the_page(quarrel.gm), at_the_page(quarrel.cleo)
    found = {one["kind"]: one["id"] for one in quarrel.gm.look("/findings")["findings"]}
    assert set(found) == {"loses support", "overdrawn"}
    page = cleo.page("/findings")
    assert "Only a game master can resolve these" in page and "<form" not in page.partition("<main")[2]

    def form(kind: str) -> Form:
        return gm.form(f"{gm.at}/findings", f"{gm.at}/findings/{found[kind]}")

    assert "Choose one of the three options" in gm.send(form("overdrawn"), {"reason": "x"}).text
    wrong = gm.send(form("overdrawn"), {"how": "let-stand", "reason": " "})
    assert wrong.status_code == 422 and 'aria-invalid="true"' in wrong.text
    once, before = form("overdrawn"), quarrel.position
    said = {"how": "let-stand", "reason": "She owes it."}
    assert [gm.send(once, said).status_code for _ in range(2)] == [303, 303]
    assert quarrel.position == before + 1
    for path, told_ in (
        ("/rulings/4", "Ann, <time"),
        ("/timeline", "Ann resolved this, <time"),
        ("/rulings/4/dossier", "Ann: left as it is"),
    ):
        page = gm.page(path)
        assert told_ in page and "She owes it." in page, "a decision like any other: who, when, how, why"
    assert "She owes it." in cleo.page("/timeline") and "She owes it." in cleo.page("/rulings/4/dossier")
    over = gm.send(form("loses support"), {"how": "overturned", "reason": "It rests on that."})
    assert over.headers["location"] == f"{gm.at}/rulings/6/overturn?reason=It+rests+on+that."
    assert gm.send(form_of(gm, "/rulings/6/overturn"), {"reason": "It rests on that."}).status_code == 303
    assert "Nothing needs attention" in gm.page("/findings")


def test_consent_is_asked_at_the_page_and_given_there(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(service)
    table.fighters(health=10)
    table.gm.declare("mint", to="1", coins=5)
    table.ben.declare("give", char="1", to="2", coins=4)
    table.gm.declare("set-dial", name="consent", value="affected", reason="we trust each other, so far")
    gm, cleo, dora = at_the_page(table.gm), at_the_page(table.cleo), at_the_page(table.dora)
    form = form_of(gm, "/rulings/4/overturn")
    asked = [gm.send(form, {"reason": "out of reach"}) for _ in range(2)]
    where = asked[0].headers["location"]
    assert asked[1].headers["location"] == where and "/proposals/" in where
    id = where.rpartition("/")[2]
    page = gm.page(f"/proposals/{id}")
    assert "Ann wants to overturn ruling 4: out of reach." in page and "Override missing consent" in page
    page = cleo.page(f"/proposals/{id}")
    assert "Do you agree?" in page and "Celia" in page
    assert "A decision is waiting for consent." in dora.page(f"/proposals/{id}"), "and no more"
    path = f"{cleo.at}/proposals/{id}"
    given = cleo.form(path, f"{path}/consent")
    assert "Choose whether you agree" in cleo.send(given, {"reason": "x"}).text
    blank = cleo.send(given, {"reason": "", "consent": "yes"})
    assert blank.status_code == 422 and 'id="e-reason"' in blank.text
    before = table.position
    no = {"reason": "not yet", "consent": "no"}
    assert [cleo.send(given, no).status_code for _ in range(2)] == [303, 303]
    assert table.position == before + 1 and "You disagreed: “not yet”" in cleo.page(f"/proposals/{id}")
    early = gm.send(gm.form(f"{gm.at}/proposals/{id}", f"{gm.at}/proposals/{id}/go-on"), {"reason": "We go on."})
    assert early.status_code in (409, 422) and "Override missing consent" in early.text and table.position == before + 1
    for one in (cleo, at_the_page(table.ben)):
        path = f"{one.at}/proposals/{id}"
        yes = one.send(one.form(path, f"{path}/consent"), {"reason": "so it was", "consent": "yes"})
        assert yes.status_code == 303, yes.text
    assert table.gm.look("/rulings/4")["status"] == "overturned"
    assert "The decision took effect" in gm.page(f"/proposals/{id}")

    form = form_of(gm, "/rulings/3/overturn")
    path = gm.send(form, {"reason": "no gifts"}).headers["location"]
    gone = format_time(datetime.now(UTC) + timedelta(hours=49))
    monkeypatch.setattr(save, "format_now", lambda: gone)
    on = gm.send(gm.form(path, f"{path}/go-on"), {"reason": "Nobody answers."})
    assert on.status_code == 303, on.text
    assert "without everybody’s consent" in gm.get(path).text
    assert table.gm.look("/rulings/3")["status"] == "overturned"


def test_a_dossier_leads_back_and_is_printed_by_the_browser(quarrel: Table) -> None:
    page = at_the_page(quarrel.ben).page("/rulings/4/dossier")
    at = f"/table/{quarrel.id}/{quarrel.ben.id}"
    assert f'<a href="{at}/rulings/4">Back to the ruling</a>' in page and "data-print hidden" in page
    assert "your browser’s menu" in page.partition("<noscript>")[2], "without script it is told how"
    assert not re.search(r"<script>|<style|style=|\son\w+=", page)


def test_a_proposal_tells_to_its_end_what_it_would_change(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Page by page, as where a ruling is looked at without it; with or without script."""
    table.fighters()
    mint = table.gm.declare("mint", to="1", coins=5)["number"]
    given = [table.ben.declare("give", char="1", to="2", coins=1)["number"] for _ in range(5)]
    table.gm.declare("set-dial", name="consent", value="majority", reason="we trust each other")
    asked = table.gm.does(f"/rulings/{mint}/overturn", {"reason": "It never was."}, 202)["id"]
    monkeypatch.setattr(comparisons, "MOST_ROWS", 1)
    monkeypatch.setattr(consenting, "MORE", 2)
    ben = at_the_page(table.ben)
    page = ben.page(f"/proposals/{asked}")
    for headers in ({"HX-Request-Type": "partial"}, {}):
        part, numbers = page, re.findall(r'class="number" href="[^"]*/(\d+)"', page)
        while more := re.search(r'<li class="more"><span></span><a href="([^"]+)"[^>]*>Show (\d+) more', part):
            assert int(more[2]) == len(given) - len(numbers)
            part = ben.get(unescape(more[1]), headers=headers).text
            numbers += re.findall(r'class="number" href="[^"]*/(\d+)"', part)
        assert [int(one) for one in numbers] == given

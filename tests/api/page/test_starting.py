"""Starting a campaign on the page, without a browser: what is taken from whom, and what a page gives away."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.inviting.letting_in import OF_AN_ADDRESS
from api.table.your_tables import NAME
from ledger.application import Ledger
from ledger.rules import systems
from tests.api.conftest import OPERATOR, serving
from tests.api.page.sitting import Form, Sitter, at_the_page
from tests.api.table import Json, Service, Table, described
from tests.levels import sampled

GAMES = sorted(systems())
TYPED = {"game": "intensity", "name": "The Long Winter", "gm": "Ann"}


@pytest.fixture(scope="module")
def open_service(ledger: Ledger) -> Iterator[Service]:
    """A service without an operator's token: anybody on its machine may start campaigns."""
    app = create_app(ledger, operator_token=None)
    with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield Service(client, "", described(app.openapi), app)


@pytest.fixture
def ann(open_service: Service) -> Sitter:
    return Sitter(str(open_service.client.base_url))


def starts(sitter: Sitter, **typed: str) -> httpx.Response:
    answer = sitter.send(sitter.form("/start", "/start"), {**TYPED, **typed})
    if answer.status_code == 303:
        sitter.at = answer.headers["location"].rstrip("/")
    return answer


def problem_at(page: str, field: str) -> str:
    """What is said at a field, which points there."""
    (said,) = re.findall(rf'<span class="error" id="e-{field}">([^<]*)</span>', page)
    assert not said or field == "game" or re.search(rf'id="{field}"[^>]*aria-describedby="e-{field}[" ]', page)
    return unescape(said)


def yours(sitter: Sitter) -> list[str]:
    """What stands under "Your tables"."""
    page = sitter.get("/").text
    (listed,) = re.findall(r'<ul class="cards" id="yours">(.*?)</ul>', page, re.DOTALL) or [""]
    return [" ".join(unescape(re.sub("<[^>]+>", " ", item)).split()) for item in re.findall(r"<li>.*?</li>", listed)]


# --- the form ---


def test_a_campaign_is_started_and_its_game_master_is_signed_in(ann: Sitter) -> None:
    answer = starts(ann)
    assert answer.status_code == 303 and re.fullmatch(r"/table/\w+/s1/", answer.headers["location"])
    page = ann.page("/")
    assert "The Long Winter" in page and "You are <b>Ann</b> (game master)" in page
    assert "Set up the table" in page and f'href="{ann.at}/start/players"' in page


def test_a_form_that_is_sent_twice_starts_one_campaign(ann: Sitter) -> None:
    form = ann.form("/start", "/start")
    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(lambda _: ann.send(form, TYPED), range(2)))
    again = ann.send(form, TYPED)
    assert {answer.status_code for answer in (*answers, again)} == {303}
    assert len({answer.headers["location"] for answer in (*answers, again)}) == 1


def test_a_form_that_is_changed_and_sent_again_starts_another_only_when_sent_once_more(ann: Sitter) -> None:
    form = ann.form("/start", "/start")
    first = ann.send(form, TYPED)
    changed = ann.send(form, {**TYPED, "name": "The Short Summer"})
    assert changed.status_code == 422 and "already started a campaign" in changed.text
    assert 'value="The Short Summer"' in changed.text
    second = ann.send(Form(changed.text, "/start"), {**TYPED, "name": "The Short Summer"})
    assert second.status_code == 303 and second.headers["location"] != first.headers["location"]


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("name", " ", "Enter a name for the campaign."),
        ("gm", "", "Enter your name."),
        ("game", "", "Choose a game."),
        ("name", "x" * 201, "Use at most 200 characters."),
        ("gm", "x" * 201, "Use at most 200 characters."),
        ("game", "no-such-game", "no-such-game"),
    ],
)
def test_a_mistake_is_shown_at_its_field_and_what_was_typed_is_kept(
    ann: Sitter, field: str, typed: str, said: str
) -> None:
    answer = starts(ann, **{field: typed})
    assert 400 <= answer.status_code < 500 and not ann.client.cookies
    assert said in (problem_at(answer.text, field) or unescape(answer.text))
    kept = Form(answer.text, "/start").fields
    assert {name: kept[name] for name in TYPED if name != field} == {
        name: [value] for name, value in TYPED.items() if name != field
    }


def test_what_is_typed_cannot_become_part_of_the_page(ann: Sitter) -> None:
    answer = starts(ann, name='"><script>alert(1)</script>', gm="")
    assert answer.status_code == 422 and "<script>alert" not in answer.text


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", ""])
def test_a_form_from_elsewhere_starts_nothing(ann: Sitter, origin: str) -> None:
    answer = ann.send(ann.form("/start", "/start"), TYPED, origin=origin)
    assert answer.status_code == 403 and "sent from another site" in answer.text
    assert not ann.client.cookies


# --- the operator's token ---


def test_the_operators_token_is_asked_for_only_where_it_is_needed(ann: Sitter, service: Service) -> None:
    assert "operator" not in ann.form("/start", "/start").fields
    assert "operator" in Sitter(str(service.client.base_url)).form("/start", "/start").fields


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("", "Enter the operator’s token."),
        ("wrong", "That is not the operator’s token."),
        ("wröng\n", "That is not the operator’s token."),
        (OPERATOR + "x", "That is not the operator’s token."),
    ],
)
def test_a_wrong_token_is_told_at_its_field_and_not_shown_again(service: Service, token: str, said: str) -> None:
    sitter = Sitter(str(service.client.base_url))
    answer = starts(sitter, operator=token)
    assert answer.status_code in (401, 422) and said in problem_at(answer.text, "operator")
    assert not token or token.strip() == "wrong" or token.strip() not in unescape(answer.text)
    assert Form(answer.text, "/start").fields["operator"] == [""]
    assert Form(answer.text, "/start").fields["name"] == [TYPED["name"]]
    assert not sitter.client.cookies


def test_the_operator_starts_a_campaign_and_no_page_has_the_token(service: Service) -> None:
    sitter = Sitter(str(service.client.base_url))
    answer = starts(sitter, operator=f" {OPERATOR} ", gm="")
    assert answer.status_code == 422 and OPERATOR not in answer.text
    answer = starts(sitter, operator=f" {OPERATOR} ")
    assert answer.status_code == 303
    assert OPERATOR not in str(answer.headers) and OPERATOR not in sitter.page("/")


def test_the_operators_token_cannot_be_guessed_for_long(service: Service) -> None:
    sitter = Sitter(str(service.client.base_url))
    form = sitter.form("/start", "/start")
    started_at, guesses = time.monotonic(), 0

    def use_up() -> httpx.Response:
        nonlocal guesses
        while (answer := sitter.send(form, {**TYPED, "operator": f"guess {guesses}"})).status_code == 401:
            guesses += 1
        return answer

    assert "Too many attempts" in use_up().text
    come_back = (time.monotonic() - started_at) * OF_AN_ADDRESS.most / OF_AN_ADDRESS.seconds
    assert OF_AN_ADDRESS.most <= guesses <= OF_AN_ADDRESS.most + come_back
    while sitter.send(form, {**TYPED, "operator": OPERATOR}).status_code != 429:  # one try has come back
        assert use_up().status_code == 429


# --- your tables ---


def test_your_tables_are_listed_with_their_names_until_you_leave(ann: Sitter) -> None:
    starts(ann)
    ann.page("/")
    first = ann.at
    starts(ann, name="The Short Summer", game="mongrel")
    ann.page("/")
    assert yours(ann) == ["The Short Summer Mongrel, as Ann", "The Long Winter Levels of Intensity, as Ann"]
    assert f'<a href="{first}/">' in ann.get("/").text
    form = ann.form(f"{first}/", f"{first}/leave")
    assert ann.send(form, {}).status_code == 303
    assert yours(ann) == ["The Short Summer Mongrel, as Ann"]
    ann.send(ann.form(f"{ann.at}/", f"{ann.at}/leave"), {})
    assert yours(ann) == [] and "Your tables" not in ann.get("/").text


def test_the_cookie_of_your_tables_opens_nothing_and_holds_nothing_secret(ann: Sitter) -> None:
    starts(ann)
    ann.page("/")
    kept = {cookie.name: cookie for cookie in ann.client.cookies.jar}
    cookie, seat = kept.pop(NAME), next(iter(kept.values()))
    assert cookie.path == "/" and cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "lax"
    assert seat.path == f"/table/{ann.at.split('/')[2]}", "the seat's stays on its path"
    told = json.loads(base64.urlsafe_b64decode(cookie.value or ""))
    assert told == [[*ann.at.split("/")[2:], "The Long Winter", "Levels of Intensity", "Ann"]]
    stranger = Sitter(ann.address)
    stranger.client.cookies.set(NAME, cookie.value or "")
    assert stranger.get(f"{ann.at}/").status_code == 401
    assert stranger.client.post(f"{ann.at}/leave", headers={"Origin": ann.address}).status_code == 401
    assert httpx.get(f"{ann.address}/campaigns/{told[0][0]}", cookies={NAME: cookie.value or ""}).status_code == 401


def packed(rows: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(rows).encode()).decode()


def test_a_forged_cookie_shows_only_what_is_in_it(ann: Sitter, table: Table) -> None:
    """The names of a campaign are not read for it."""
    forged = [table.id, "s1", "What I call it", "A game", "Me"]
    ann.client.cookies.set(NAME, packed([forged]))
    assert yours(ann) == ["What I call it A game, as Me"]
    turned = ann.get(f"/table/{table.id}/s1/")
    assert turned.status_code == 401 and "A table" not in turned.text
    assert "Max-Age=0" in turned.headers["set-cookie"] and NAME in turned.headers["set-cookie"]


@pytest.mark.parametrize(
    "row",
    [
        ["../x", "s1", "a", "b", "c"],
        ["k3v7q2mzt5a4c", "s1/../..", "a", "b", "c"],
        ["k3v7q2mzt5a4c", "s1", "a", "b"],
        ["k3v7q2mzt5a4c", "s1", "a" * 61, "b", "c"],
        ["k3v7q2mzt5a4c", 1, "a", "b", "c"],
        {"a": 1},
        None,
        [[]] * 5,
    ],
)
def test_rows_that_we_do_not_write_are_left_out(ann: Sitter, row: Any) -> None:
    ann.client.cookies.set(NAME, packed([row]))
    assert ann.get("/").status_code == 200 and yours(ann) == []


@pytest.mark.parametrize("value", ["", "%%%", "bm9uc2Vuc2U=", packed({}), packed("x"), packed(3), "W1tbW1tb" * 400])
def test_a_cookie_that_is_nonsense_shows_nothing(ann: Sitter, value: str) -> None:
    ann.client.cookies.set(NAME, value)
    assert ann.get("/").status_code == 200 and yours(ann) == []


def test_names_in_the_cookie_are_text(ann: Sitter) -> None:
    ann.client.cookies.set(NAME, packed([["k3v7q2mzt5a4c", "s1", "<script>alert(1)</script>", "<b>", '"']]))
    page = ann.get("/").text
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_a_browser_whose_seat_was_removed_learns_no_new_name_and_forgets_the_table(table: Table) -> None:
    ben = at_the_page(table.ben)
    ben.page("/")
    table.gm.send("PATCH", f"/seats/{table.ben.id}", json={"removed": True})
    assert len(yours(ben)) == 1 and yours(ben)[0].startswith("A table "), "as it last saw it"
    assert ben.get(f"{ben.at}/").status_code == 401
    assert yours(ben) == []


def test_many_tables_with_long_names_fit_into_the_cookie(ann: Sitter) -> None:
    rows = [[f"k3v7q2mzt5a4{letter}", "s1", "Ω" * 60, "Ω" * 60, "Ω" * 60] for letter in "abcdefghijk"]
    ann.client.cookies.set(NAME, packed([*rows]))
    starts(ann, name="Ω" * 200)
    answer = ann.get(f"{ann.at}/")
    (cookie,) = [said for said in answer.headers.get_list("set-cookie") if said.startswith(NAME)]
    assert len(cookie.partition(";")[0]) < 4_000
    assert yours(ann)[0].startswith("Ω" * 59 + "…") and 1 < len(yours(ann)) < 12, "the oldest are dropped"


def test_a_listed_table_opens_where_this_device_has_a_seat(ann: Sitter, open_service: Service, table: Table) -> None:
    starts(ann)
    ann.page("/")
    id = ann.at.split("/")[2]
    listed, path = set(), "/campaigns?limit=500"
    while path:
        found = open_service.client.get(path).json()
        listed |= {campaign["id"] for campaign in found["campaigns"]}
        path = found["next"]
    assert {id, table.id} <= listed
    page = ann.get("/").text
    (tables,) = re.findall(r'<ul class="cards" id="tables">(.*?)</ul>', page, re.DOTALL)
    assert table.id not in tables and tables.count("/table/") == (f'href="{ann.at}/"' in tables)
    assert tables.count("<li>") == tables.count("<a "), "the others lead to where one joins"


# --- setting up ---


def invited(sitter: Sitter, names: str) -> list[tuple[str, str]]:
    """The links and codes for these players."""
    path = f"{sitter.at}/start/players"
    answer = sitter.send(sitter.form(path, path), {"names": names})
    assert answer.status_code == 200, answer.text
    links = re.findall(r"<code>(http[^<]+)</code>", answer.text)
    return list(zip(links, re.findall(r'class="code">([^<]+)<', answer.text), strict=True))


def state(sitter: Sitter, service: Service) -> Json:
    """What the API says, to a token of the game master's own."""
    campaign, seat = sitter.at.split("/")[2:]
    assert service.app is not None
    token = service.app.state.ledger.keys.make_token(campaign, seat, 1)
    bearer = {"Authorization": f"Bearer {token}"}
    found: Json = service.client.get(f"/campaigns/{campaign}", headers=bearer).json()
    rulings = service.client.get(f"/campaigns/{campaign}/rulings", headers=bearer).json()["rulings"]
    return {**found, "kinds": [ruling["declared"]["kind"] for ruling in rulings]}


@pytest.mark.parametrize("game", sampled(GAMES, 2, salt="ready"))
def test_a_table_is_ready_with_one_ruling_for_each_character(ann: Sitter, open_service: Service, game: str) -> None:
    """Nobody hands anything over: the ruling that enrols a character names the seat that plays it."""
    starts(ann, game=game)
    assert ann.page("/").count('class="check done"') == 0
    (ben, _), (_, cleo) = invited(ann, "Ben\n Cleo ")
    path = f"{ann.at}/start/characters"
    for name in ("Ben", "Cleo"):
        page = ann.get(path).text
        assert re.search(rf'<option value="s\d" selected>{name}</option>', page), "who plays nobody yet is next"
        added = ann.send(Form(_first_card(page, path), path), {})
        assert added.status_code == 303, added.text
    assert ann.page("/").count('class="check done"') == 2
    path = f"{ann.at}/start/scene"
    began = ann.send(ann.form(path, path), {})
    assert began.status_code == 303 and "?ruling=" in began.headers["location"]
    page = ann.page("/")
    assert "checklist" not in page and f'href="{ann.at}/start"' in page
    assert ann.page("/start").count('class="check done"') == 3, "it can be reopened"
    found = state(ann, open_service)
    assert found["kinds"] == ["enrol", "enrol", "open-session", "open-scene"]
    assert [character["seat"] for character in found["characters"]] == ["s2", "s3"]
    assert [len(scene["cast"]) for scene in found["scenes"]] == [2]
    for secret, seat in ((ben, "s2"), (cleo, "s3")):
        player = Sitter(ann.address)
        assert player.sit(secret).headers["location"] == f"/table/{found['id']}/{seat}/"
        assert "Choose your character" not in player.page("/")


def _first_card(page: str, path: str) -> str:
    """Return the first form that is sent there, so that no other card's is read."""
    begin = page.index(f'action="{path}"')
    return page[page.rindex("<form", 0, begin) : page.index("</form>", begin) + len("</form>")]


@pytest.mark.parametrize("game", sampled(GAMES, 2, salt="dealing"))
def test_each_player_is_dealt_a_character_once(ann: Sitter, open_service: Service, game: str) -> None:
    starts(ann, game=game)
    invited(ann, "Ben\nCleo")
    form = ann.form(f"{ann.at}/start/characters", f"{ann.at}/start/deal")
    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(lambda _: ann.send(form, {}), range(2)))
    assert [answer.headers["location"] for answer in answers] == [f"{ann.at}/start/scene"] * 2
    found = state(ann, open_service)
    assert found["kinds"] == ["enrol", "enrol"]
    assert [character["seat"] for character in found["characters"]] == ["s2", "s3"]
    assert f"{ann.at}/start/deal" not in ann.get(f"{ann.at}/start/characters").text


@pytest.mark.parametrize("game", sampled(GAMES, 2, salt="a player chooses"))
def test_a_player_chooses_a_ready_character(ann: Sitter, game: str) -> None:
    starts(ann, game=game)
    ((link, _),) = invited(ann, "Ben")
    ben = Sitter(ann.address)
    ben.sit(link)
    assert f'href="{ben.at}/start/characters"' in ben.page("/")
    path = f"{ben.at}/start/characters"
    page = ben.get(path).text
    assert "Played by" not in page
    answer = ben.send(Form(_first_card(page, path), path), {})
    assert answer.status_code == 303 and answer.headers["location"].startswith(f"{ben.at}/?")
    assert "Choose your character" not in ben.page("/")
    asks = "?waiting=" in answer.headers["location"]  # some games ask the game master first
    assert ("At the table, played by Ben." in ben.get(path).text) is not asks


@pytest.mark.parametrize(("game", "name"), [("mnemonic", "The Brave Lucinda"), ("moc", "Warden Hask")])
def test_players_are_not_offered_the_game_masters_characters(ann: Sitter, game: str, name: str) -> None:
    starts(ann, game=game)
    links = invited(ann, "\n".join(f"Player {number}" for number in range(1, 9)))
    assert f"Add {name}" in ann.page("/start/characters")
    assert f": {name}" not in ann.page("/start/characters"), "no player is dealt it"
    ben = Sitter(ann.address)
    ben.sit(links[0][0])
    path = f"{ben.at}/start/characters"
    page = ben.get(path).text
    assert name not in page and name not in ben.page("/declare/enrol")
    assert ben.send(Form(_first_card(page, path), path), {"person": name}).status_code == 404


def test_a_player_enrols_for_nobody_else_and_invites_nobody(ann: Sitter, open_service: Service) -> None:
    starts(ann)
    (ben, _), _ = invited(ann, "Ben, Cleo")
    player = Sitter(ann.address)
    player.sit(ben)
    path = f"{player.at}/start/characters"
    page = player.get(path).text
    refused = player.send(Form(_first_card(page, path), path), {"seat": "s3"})
    assert refused.status_code in (403, 422) and 'role="alert"' in refused.text
    for view in ("", "/players", "/scene"):
        assert player.get(f"{player.at}/start{view}").status_code == 403
    token = Form(_first_card(page, path), path).fields["token"]
    for view in ("players", "scene", "link"):
        sent = player.client.post(
            f"{player.at}/start/{view}",
            data={"token": token[0], "names": "Eve", "scene": "x", "id": "s1"},
            headers={"Origin": player.address},
        )
        assert sent.status_code == 403, "the token is of another form"
    assert state(ann, open_service)["kinds"] == []


def test_names_that_are_sent_twice_make_each_seat_once(ann: Sitter, open_service: Service) -> None:
    starts(ann)
    path = f"{ann.at}/start/players"
    form = ann.form(path, path)
    answers = [ann.send(form, {"names": "Ben\nCleo"}) for _ in range(2)]
    links = [re.findall(r"<code>(http[^<]+)</code>", answer.text) for answer in answers]
    assert len(links[0]) == 2 and links[0] == links[1]
    assert [seat["name"] for seat in state(ann, open_service)["seats"]] == ["Ann", "Ben", "Cleo"]


@pytest.mark.parametrize(
    ("names", "said"),
    [(" \n ", "Enter at least one name."), ("x" * 201, "at most 200"), ("\n".join("abcdefghijklm"), "at most 12")],
)
def test_names_that_are_wrong_are_kept(ann: Sitter, open_service: Service, names: str, said: str) -> None:
    starts(ann)
    path = f"{ann.at}/start/players"
    answer = ann.send(ann.form(path, path), {"names": names})
    assert answer.status_code == 422 and said in answer.text
    assert Form(answer.text, path).fields["names"] == [names]
    assert len(state(ann, open_service)["seats"]) == 1


def test_a_link_works_once_and_a_new_one_replaces_it(ann: Sitter) -> None:
    starts(ann)
    ((link, code),) = invited(ann, "Ben")
    ben, other = Sitter(ann.address), Sitter(ann.address)
    assert ben.sit(link).status_code == 303
    assert [other.sit(secret).status_code for secret in (link, code)] == [422, 422]
    path = f"{ann.at}/start/players"
    answer = ann.send(ann.form(path, f"{ann.at}/start/link"), {})
    (again,) = re.findall(r"<code>(http[^<]+)</code>", answer.text)
    assert ben.get(f"{ben.at}/").status_code == 401
    assert other.sit(again).headers["location"] == f"{ben.at}/"
    assert link not in ann.get(path).text and again not in ann.get(path).text, "it was shown once"


def test_links_that_only_this_computer_can_open_are_called_so(ann: Sitter, open_service: Service) -> None:
    starts(ann)
    path = f"{ann.at}/start/players"
    assert "work on this computer only" in ann.send(ann.form(path, path), {"names": "Ben"}).text
    assert open_service.app is not None
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(open_service.app.state, "public_url", "https://table.example")
        made = ann.send(ann.form(path, path), {"names": "Cleo"}).text
    assert "https://table.example/join#" in made and "work on this computer only" not in made


def test_no_page_has_a_seats_token(ann: Sitter, open_service: Service) -> None:
    starts(ann)
    assert open_service.app is not None
    keys, campaign = open_service.app.state.ledger.keys, ann.at.split("/")[2]
    path = f"{ann.at}/start/players"
    made = ann.send(ann.form(path, path), {"names": "Ben"})
    pages = [made.text, *(ann.page(view) for view in ("/", "/start", "/start/characters", "/start/players"))]
    for seat in ("s1", "s2"):
        token = keys.make_token(campaign, seat, 1)
        assert not [page for page in pages if token in page or token.rpartition(".")[2] in page]


@pytest.mark.parametrize("view", ["/start/players", "/start/characters", "/start/scene"])
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
def test_a_form_from_elsewhere_sets_nothing_up(ann: Sitter, open_service: Service, view: str, origin: str) -> None:
    starts(ann)
    path = f"{ann.at}{view}"
    form = Form(_first_card(ann.get(path).text, path), path)
    assert ann.send(form, {"names": "Eve"}, origin=origin).status_code == 403
    assert ann.send(form, {"names": "Eve", "token": "x.y"}).status_code == 403
    found = state(ann, open_service)
    assert found["kinds"] == [] and len(found["seats"]) == 1


def test_a_scene_needs_a_title_and_keeps_who_was_chosen(ann: Sitter) -> None:
    starts(ann)
    path = f"{ann.at}/start/characters"
    ann.send(Form(_first_card(ann.get(path).text, path), path), {})
    path = f"{ann.at}/start/scene"
    answer = ann.send(ann.form(path, path), {"scene": " ", "session": "One", "cast": []})
    assert answer.status_code == 422 and problem_at(answer.text, "scene") == "Enter a title for the scene."
    fields = Form(answer.text, path).fields
    assert fields["session"] == ["One"] and "cast" not in fields
    assert ann.send(Form(answer.text, path), {"scene": "x" * 201}).status_code == 422


def test_the_pages_keep_the_policy_without_script_or_style_of_their_own(ann: Sitter) -> None:
    starts(ann)
    views = (
        "/",
        "/start",
        f"{ann.at}/",
        *(f"{ann.at}/start{view}" for view in ("", "/players", "/characters", "/scene")),
    )
    for path in views:
        answer = ann.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy, path
        assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", answer.text), path
        assert answer.headers["cache-control"] == "no-store"

"""The documentation, run: every request as printed, every answer at least as printed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.http.problem_kinds import KINDS
from api.http.problem_pages import HELP
from api.routes.documentation import answer_without_documentation
from api.service.options import Options
from ledger.application import Ledger
from projections.views.projector import Projector
from tests.api.conftest import serving
from tests.api.test_operation import policy

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
#: Pages with requests on them. The first two are sent here, hooks in `tests/api/hooks`.
STORIES, HOOKS = ("getting-started", "a-disputed-ruling"), "hooks"
#: Blocks that a test runs. Those of a shell and of a database are for people.
RUN, READ = {"http", "json", "jsonl", "python"}, {"console", "sql"}
#: Pages that the build makes (`scripts/docs`).
GENERATED = {"commands.md", "problems/index.md"}


def blocks(page: str, heading: str = "") -> list[tuple[str, str]]:
    """Return the language and text of each block of a page, or of what is below one heading of it, in order."""
    text = PAGES[page].split(f"\n## {heading}\n")[1].split("\n## ")[0] if heading else PAGES[page]
    return [(match[1], match[2].strip()) for match in BLOCK.finditer(text)]


class Story:
    """What `$NAME` stands for, learned from the answers."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def fill(self, text: str) -> str:
        """Texts as they are, anything else as JSON."""
        return re.sub(r"\$([A-Z]+)", lambda match: self._told(self.known[match[1]]), text)

    def _told(self, known: Any) -> str:
        return known if isinstance(known, str) else json.dumps(known)

    def compare(self, told: Any, real: Any, where: str) -> None:
        """Everything told is so: objects may have more fields, lists of objects more items between."""
        if isinstance(told, str) and told.startswith("$"):
            assert self.known.setdefault(told[1:], real) == real, where
        elif isinstance(told, dict):
            assert isinstance(real, dict), where
            for name, value in told.items():
                assert name in real, f"{where}/{name} is missing"
                self.compare(value, real[name], f"{where}/{name}")
        elif isinstance(told, list) and told and isinstance(told[0], dict):
            self.in_order(told, real, where)
        else:
            assert told == real, where

    def in_order(self, told: list[Any], real: list[Any], where: str) -> None:
        rest = iter(enumerate(real))
        for item in told:
            problems = []
            for place, candidate in rest:
                try:
                    self.compare(item, candidate, f"{where}/{place}")
                    break
                except AssertionError as problem:
                    problems.append(str(problem))
            else:
                pytest.fail(f"{where}: nothing is {item}: {problems}")


#: The header that the pages tell people to add to each printed request that has a body.
TOLD = ("Content-Type", "application/json")


def parse(request: str) -> tuple[str, str, dict[str, str], str]:
    head, _, body = request.partition("\n\n")
    line, *headers = head.splitlines()
    method, path = line.split(" ")
    named = dict(header.split(": ", 1) for header in headers)
    return method, path, named, body


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the documentation, built if it is not up to date."""
    subprocess.run([sys.executable, ROOT / "scripts/docs"], check=True)
    return ROOT / ".site"


@pytest.fixture
def client(ledger: Ledger, views: Projector, site: Path) -> Iterator[httpx.Client]:
    """Of a service that runs open, as `scripts/up` starts it."""
    with (
        serving(create_app(ledger, operator_token=None, options=Options(docs=site))) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        yield client


def tell(client: httpx.Client, page: str) -> tuple[Story, int]:
    """Send and compare what a page prints. Return what `$NAME` stands for, and the number of requests."""
    story, answer, sent = Story(), None, 0
    for kind, text in blocks(page):
        if kind == "http":
            method, path, headers, body = parse(story.fill(text))
            headers |= dict([TOLD]) if body else {}
            answer, sent = client.request(method, path, headers=headers, content=body), sent + 1
            assert answer.status_code in (200, 201, 202), f"{text}\n{answer.text}"
        elif kind == "json":
            assert answer is not None
            story.compare(json.loads(text), answer.json(), "")
        elif kind == "jsonl":
            for line in text.splitlines():
                token = {"Authorization": f"Bearer {story.known['ANN']}"}
                ruled = client.post(
                    f"/campaigns/{story.known['CAMPAIGN']}/rulings", headers=token, json={"declare": json.loads(line)}
                )
                assert ruled.status_code == 201, f"{line}\n{ruled.text}"
    return story, sent


def test_a_test_runs_every_block_that_can_run() -> None:
    for page in PAGES:
        kinds = {kind for kind, _ in blocks(page)}
        assert kinds <= RUN | READ, page
        assert page in (*STORIES, HOOKS) or not kinds & RUN, page
    assert {kind for kind, _ in [(match[1], match[2]) for match in BLOCK.finditer(README)]} == {"console"}


@pytest.mark.parametrize("page", STORIES)
def test_the_page_says_which_header_to_add_and_prints_no_key(page: str) -> None:
    assert f'`-H "{": ".join(TOLD)}"`' in PAGES[page].replace("\n", " ")
    assert all("Idempotency-Key" not in text for kind, text in blocks(page) if kind == "http")


@pytest.mark.parametrize("page", STORIES)
def test_a_header_that_the_page_lacks_is_missed(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """Every request is sent as printed: the first request with a token fails without it."""
    lines = PAGES[page].split("\n")
    place = next(place for place, line in enumerate(lines) if line.startswith("Authorization: "))
    monkeypatch.setitem(PAGES, page, "\n".join(lines[:place] + lines[place + 1 :]))
    with pytest.raises(AssertionError, match='"status":401'):
        tell(client, page)


def test_the_story_is_true(client: httpx.Client) -> None:
    story, sent = tell(client, "a-disputed-ruling")
    assert {"CAMPAIGN", "ANN", "BEN", "CLEO", "WAITING", "FORK"} <= set(story.known) and sent == 18


def test_the_first_ruling_of_two_games_is_the_fourth_request(client: httpx.Client) -> None:
    story, sent = tell(client, "getting-started")
    assert sent == 4 + 4 + 2, "and two requests invite Ben"
    for text in ("TEXT", "TOLD"):
        assert story.known[text].endswith(".") and story.known[text][0].isupper()
    assert story.known["BEN"]


def test_the_readme_is_short_and_names_the_two_commands() -> None:
    assert README.count("\n") < 200
    assert [text for _, text in BLOCK.findall(README)] == ["$ scripts/up\n", "$ scripts/test\n"]


def test_every_script_is_documented() -> None:
    for command in ("up", "test", "check", "clients", "docs", "bench", "backup", "restore", "reliability", "lock"):
        assert f"`{command}`" in PAGES["architecture"] and (ROOT / "scripts" / command).stat().st_mode & 0o111, command


@pytest.mark.parametrize("page", ["README", *sorted(PAGES)])
def test_every_link_leads_somewhere(page: str) -> None:
    folder, text = (ROOT, README) if page == "README" else (ROOT / "docs", PAGES[page])
    for target in re.findall(r"(?:\]\(|src=\"|srcset=\")([^)#\"]+)", text):
        assert target.startswith("/docs/") or target in GENERATED or (folder / target).exists(), target


def test_the_way_in_needs_nothing_from_elsewhere(client: httpx.Client) -> None:
    page = client.get("/")
    places = re.findall(r'(?:href|src)="([^"#]+)"', page.text)
    assert {"/docs/", "/join", "/systems/mongrel/guide"} <= set(places)
    for place in set(places):
        within = place.startswith("data:image/svg+xml,")  # a game's picture, which is in the page itself
        assert within or (place.startswith("/") and client.get(place).status_code == 200), place


def test_the_page_needs_nothing_from_elsewhere(client: httpx.Client) -> None:
    page = client.get("/docs/api")
    assert page.status_code == 200
    places = re.findall(r'href="([^"]+)"', page.text)
    assert {"/openapi.json", "/docs/api/try", "/systems/mongrel/guide"} <= set(places) and "src=" not in page.text
    for place in {one for one in places if not one.startswith("#")}:
        assert place.startswith("/") and client.get(place).status_code == 200, place


def test_the_page_for_trying_needs_nothing_from_elsewhere(client: httpx.Client) -> None:
    page = client.get("/docs/api/try")
    sources = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert sources
    for source in sources:
        assert str(source).startswith(str(client.base_url)), source
        assert client.get(source).status_code == 200


def test_the_documentation_is_served_with_everything_on_its_pages(client: httpx.Client, site: Path) -> None:
    """Every page of the build, and whatever each of them names: style, scripts, pictures and other pages."""
    pages = {
        f"/docs/{path.parent.relative_to(site).as_posix()}/".replace("/./", "/") for path in site.rglob("index.html")
    }
    assert {"/docs/", "/docs/getting-started/", "/docs/commands/", "/docs/problems/refused/"} <= pages
    places: set[str] = set()
    for place in sorted(pages):
        page = client.get(place)
        assert page.status_code == 200, place
        named = re.findall(r'(?:href|src)="([^"#]+)', page.text)
        places |= {
            str(httpx.URL(place).join(target)) for target in named if not target.startswith("https://squidfunk.")
        }
    assert {place for place in places if not place.startswith("/")} == set()
    for place in sorted(places - pages):
        assert client.get(place).status_code == 200, place


def test_a_page_of_the_documentation_runs_its_own_scripts_only(client: httpx.Client) -> None:
    for place in ("/docs/", "/docs/problems/refused/"):
        page = client.get(place)
        allowed = policy(page)
        scripts = re.findall(r"<script>(.*?)</script>", page.text, re.DOTALL)
        hashes = {f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts}
        assert hashes and hashes <= set(allowed["script-src"])
        assert "'unsafe-inline'" not in allowed["script-src"] + allowed["style-src"]
        assert not re.search(r"<style|\bstyle=|\bon\w+=", page.text)
        assert allowed["default-src"] == ["'none'"] and "font-src" not in allowed
    assert policy(client.get("/docs/assets/images/favicon.png")) == {
        "default-src": ["'none'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }


def test_a_browser_keeps_what_is_named_after_its_content(client: httpx.Client) -> None:
    page = client.get("/docs/")
    (style,) = {found for found in re.findall(r'href="([^"]+\.css)"', page.text) if "/main." in found}
    assert page.headers["Cache-Control"] == "no-cache"
    assert "immutable" in client.get(f"/docs/{style}").headers["Cache-Control"]
    again = client.get("/docs/", headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304 and "Content-Security-Policy" not in again.headers, "the page keeps its own"


def test_earlier_addresses_lead_on(client: httpx.Client) -> None:
    leads = {"/docs": "/docs/", "/docs/try": "/docs/api/try"}
    assert {place: client.get(place).headers["Location"] for place in leads} == leads


def test_every_type_of_problem_opens_its_page(client: httpx.Client) -> None:
    assert set(HELP) == {kind.name for kind in KINDS}
    for kind in KINDS:
        page = client.get(f"/problems/{kind.name}", follow_redirects=True)
        assert page.status_code == 200 and page.headers["Content-Type"].startswith("text/html"), kind.name
        assert kind.title in page.text and "What to do" in page.text
    real = client.get("/campaigns/aaaaaaaaaaaaa")
    assert client.get(real.json()["type"], follow_redirects=True).status_code == 200
    assert client.get("/problems/made-up").status_code == 404


def test_nothing_outside_the_documentation_is_served(client: httpx.Client) -> None:
    for place in ("../pyproject.toml", "%2e%2e/pyproject.toml", "..%2fpyproject.toml", "//etc/passwd", "nothing"):
        answer = client.get(f"/docs/{place}")
        assert answer.status_code == 404, place


def test_a_service_without_documentation_says_how_to_build_it(ledger: Ledger, views: Projector, tmp_path: Path) -> None:
    options = Options(docs=tmp_path / "none")
    with (
        serving(create_app(ledger, operator_token=None, options=options)) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        page = client.get("/docs/")
        assert page.status_code == 503 and "scripts/docs" in page.text and "script-src" not in policy(page)
        for kind in KINDS:
            problem = client.get(f"/problems/{kind.name}", follow_redirects=True)
            assert problem.status_code == 200 and f"<h1>{kind.title}</h1>" in problem.text, kind.name
            assert (
                "What to do" in problem.text and 'href="..' not in problem.text and "script-src" not in policy(problem)
            )
        assert client.get("/docs/problems/none/").status_code == 503
        assert client.get("/docs/api").status_code == 200


def test_an_installed_package_says_where_the_documentation_is() -> None:
    page = answer_without_documentation("", is_in_checkout=False)
    assert page.status_code == 404 and b"not installed" in page.body and b"LEDGER_DOCS" in page.body
    assert answer_without_documentation("problems/refused", is_in_checkout=False).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:1234", 200),
        ("LocalHost", 200),
        ("127.0.0.1", 200),
        ("[::1]:80", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("", 403),
    ],
)
def test_a_service_that_runs_open_answers_on_its_own_machine_only(client: httpx.Client, host: str, status: int) -> None:
    answer = client.get("/systems", headers={"Host": host})
    assert answer.status_code == status
    if status != 200:
        problem = answer.json()
        assert problem["code"] == "host-not-local" and problem["detail"].startswith("This service runs")


def test_the_map_names_what_is_there() -> None:
    """Each path of "What is where", and each bare name beside it: a module or folder below one of the row's paths."""
    rows = [row for row in PAGES["architecture"].partition("## What is where")[2].splitlines() if row.startswith("| ")]
    rows = [row for row in rows if "`" in row]
    assert len(rows) > 20
    lost = []
    for row in rows:
        named = re.findall(r"`([^`]+)`", row)
        paths = [re.sub(r"<.*|\.\*$", "", one).rstrip("/") for one in named if "/" in one and not one.startswith("/")]
        folders = [ROOT, ROOT / "scripts", *(ROOT / one for one in paths), *((ROOT / one).parent for one in paths)]
        lost += [one for one in paths if not there(ROOT / one)]
        words = [one for one in named if re.fullmatch(r"[a-z_]+", one) and one != "eventsourcing"]
        lost += [one for one in words if not any(there(folder / one) for folder in folders)]
    assert lost == []


def there(path: Path) -> bool:
    """A file or folder, whatever its ending; of a game also where the path stands for each of them."""
    return path.exists() or any(path.parent.glob(f"{path.name}.*")) or any(path.parent.glob(f"*/{path.name}.*"))

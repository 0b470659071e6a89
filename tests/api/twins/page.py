"""What an attacker does at the page, in both of two campaigns at once: he reads, looks beforehand, taps, takes back."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from random import Random

import httpx
import pytest

from api.table.form_tokens import make_form_token
from api.table.now import PARTS
from api.table.sessions import find_session
from api.table.your_tables import NAME
from ledger.application import roller
from ledger.events.dice_proofs import Proof, draw_numbers
from tests.api.page import tapping
from tests.api.page.every_view import views
from tests.api.page.sitting import Sitter, at_the_page
from tests.api.table import Json, Player
from tests.api.twins.attacks import UNCOMPRESSED, Twins
from tests.api.twins.masks import Mask, masked

#: What differs between any two pages, beside what differs between any two answers.
MASKS = (
    Mask("TOKEN", re.compile(r'(?<=name="token" value=")[\w-]{11}\.[\w-]+(?=")'), "Random, and of the session."),
    Mask("KEY", re.compile(r'(?<=name="key" value=")[0-9a-f-]{36}(?=")'), "Random, for each form that is shown."),
    Mask("WAITING", re.compile(r"(?<=/waiting/)[\w-]+|(?<=\?waiting=)[\w-]+"), "Ids of what waits are random."),
    Mask("QR", re.compile(r'<svg[^>]* class="segno".*?</svg>', re.DOTALL), "Of a seal, which is over salted events."),
    Mask("NOTE", re.compile(r"(?<=\n)[A-Za-z0-9+/]{43}=\n\n— .+"), "A seal as a signed note."),
    Mask("MINUTE", re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?![:\d])"), "When something was, in a dossier."),
    Mask("MOMENT", re.compile(r"(?<=>)\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d(?: UTC)?(?=<)"), "When something was."),
    Mask("SESSION", re.compile(r"(?<=-s)(\d+=\d+)\.[\w-]+"), "The seat's cookie: a code of its campaign."),
)
#: Digests of what the first view shows.
SEEN = re.compile(r"(?<=live\?seen=)[0-9a-f.]+|(?<=\nid: )[0-9a-f]+\.[0-9a-f.]+")
#: In which there are ids of what waits, and times.
RANDOM_PARTS = ("asked", "turn", "latest")
TAP = re.compile(r'action="[^"]+/(tap/[\w-]+|waiting/\w+/tap)"')
FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
BUTTON = re.compile(r'<button\b[^>]*? name="([^"]+)" value="([^"]*)"')


class Told(AssertionError):
    """The two were told different things."""


def same_dice(patch: pytest.MonkeyPatch) -> None:
    """The ledger's dice fall alike in all campaigns: else every roll of theirs would tell them apart."""

    def alike(seed: bytes, campaign: str, proof: Proof, entropy: str) -> Iterator[int]:
        return draw_numbers(bytes(32), "twins", proof, entropy)

    patch.setattr(roller, "draw_numbers", alike)


def _digests(found: re.Match[str]) -> str:
    digests = zip(PARTS, found[0].split("."), strict=True)
    return ".".join(part if part in RANDOM_PARTS else digest for part, digest in digests)


def same(text: str, player: Player) -> str:
    """The text without what differs between any two campaigns."""
    text = SEEN.sub(_digests, text)
    for mask in MASKS:
        text = mask.form.sub(mask.name, text)
    return masked(text, player.table.id)


def _opened(said: str) -> str:
    """A cookie with the device's tables, as text."""
    value = re.fullmatch(rf"({NAME}=)([^;]*)(.*)", said)
    return f"{value[1]}{base64.urlsafe_b64decode(value[2]).decode()}{value[3]}" if value else said


def told(answer: httpx.Response, player: Player) -> str:
    """Everything a browser is told: the status, every header, the page. Of a QR code, also the length is random."""
    headers = [(name, _opened(said)) for name, said in answer.headers.multi_items()]
    if answer.history or 'class="segno"' in answer.text:
        headers = [(name, said) for name, said in headers if name != "content-length"]
    lines = "\n".join(f"{name}: {said}" for name, said in headers if name != "x-request-id")
    return same(f"{answer.status_code}\n{lines}\n\n{answer.text}", player)


def _difference(one: str, other: str) -> str:
    """Where they differ first; the length of the page last of all."""
    length = re.compile(r"content-length: \d+")
    if length.sub("", one) != length.sub("", other):
        one, other = length.sub("", one), length.sub("", other)
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    around = slice(max(0, at - 160), at + 160)
    return f"{one[around]}\n--\n{other[around]}"


class Windows:
    """One seat's browser in each of the twins. Raises Told as soon as they are told different things."""

    def __init__(self, twins: Twins, name: str) -> None:
        """As `Twins.ruled` has it, what is only looked at takes as long in both."""
        self.twins, self.name = twins, name
        self.players: list[Player] = [getattr(table, name) for table in twins.tables]
        self.sitters: list[Sitter] = [at_the_page(player) for player in self.players]
        for sitter in self.sitters:
            sitter.client.headers.update(UNCOMPRESSED)
        self.asked = 0

    def _compared(
        self, about: str, asked: Iterable[httpx.Response], *, only_looks: bool = True
    ) -> list[httpx.Response]:
        """The answers, which come one by one. `only_looks`: nothing is declared by it."""
        self.asked += 1
        ruled = self.twins.ruled if self.twins.ruled is not None else []
        answers, work, done = [], [], len(ruled)
        for answer in asked:
            answers.append(answer)
            work.append(ruled[done:])
            done = len(ruled)
        one, other = (told(answer, player) for answer, player in zip(answers, self.players, strict=True))
        if one != other:
            raise Told(f"{self.name} {about}:\n{_difference(one, other)}")
        if only_looks and work[0] != work[1]:
            raise Told(f"{self.name} {about}: it takes longer in one of them")
        return answers

    def reads(self, path: str, **headers: str) -> list[httpx.Response]:
        return self._compared(path, (one.client.get(f"{one.at}{path}", headers=headers) for one in self.sitters))

    def reads_all(self, chosen: Callable[[list[str]], list[int]] = lambda paths: [*range(len(paths))]) -> None:
        """`chosen`: which of the views, by their places."""
        nows = [answer.text for answer in self.reads("/")]
        whole = [
            [*views(player, now, sitter.at), "/yours"]
            for player, now, sitter in zip(self.players, nows, self.sitters, strict=True)
        ]
        if len(whole[0]) != len(whole[1]):
            raise Told(f"{self.name} is led to {len(whole[0])} and to {len(whole[1])} views")
        for place in chosen(whole[0]):
            pairs = zip(self.sitters, whole, strict=True)
            asked = (sitter.client.get(f"{sitter.at}{paths[place]}") for sitter, paths in pairs)
            self._compared(whole[0][place], asked)

    def reads_outside(self) -> None:
        """What this device lists on the first page of all, and what a stranger sees with the same cookie."""
        self._compared("/ of the service", (sitter.client.get("/") for sitter in self.sitters))

        def answers() -> Iterator[httpx.Response]:
            for sitter in self.sitters:
                stranger = Sitter(sitter.address)
                stranger.client.headers.update(UNCOMPRESSED)
                stranger.client.cookies.set(NAME, sitter.client.cookies.get(NAME) or "")
                yield stranger.get(f"{sitter.at}/")

        assert {answer.status_code for answer in self._compared("as a stranger", answers())} == {401}

    def hears(self, seen: list[str] | None = None) -> list[str]:
        """What is sent first to a view that shows these digests; the digests it shows then."""
        texts = self._listens([f"/live?seen={digests}" for digests in seen or ["", ""]])
        for ruling in self.players[0].look("/rulings", order="desc", limit=2)["rulings"]:
            self._listens([f"/live/rulings/{ruling['number']}"] * 2)
        found = [re.search(r"\nid: ([0-9a-f.]+)", text) for text in texts]
        return [new[1] if new else old for new, old in zip(found, seen or ["", ""], strict=True)]

    def _listens(self, paths: list[str]) -> list[str]:
        """What is sent first there, which is alike."""
        texts = [_first(sitter, sitter.at + path) for sitter, path in zip(self.sitters, paths, strict=True)]
        one, other = (same(text, player) for text, player in zip(texts, self.players, strict=True))
        if one != other:
            raise Told(f"{self.name} hears of {paths[0]}:\n{_difference(one, other)}")
        return texts

    def sends(self, forms: list[str], rng: Random, more: Json | None = None, **headers: str) -> list[httpx.Response]:
        """The same form of both pages, filled in alike. `more`: fields, as of the button that is pressed."""
        state = rng.getstate()

        def answers() -> Iterator[httpx.Response]:
            for sitter, form in zip(self.sitters, forms, strict=True):
                rng.setstate(state)
                ((action, fields),) = tapping.Form(form).forms.items()
                data = {**tapping.fill(fields, rng, "table"), **(more or {})}
                yield sitter.client.post(action, data=data, headers={"Origin": sitter.address, **headers})

        looks = bool({"try", "look"} & {*(more or {})})
        return self._compared(f"sends {sorted(more or {})} of {forms[0][:120]}", answers(), only_looks=looks)

    def follows(self, answers: list[httpx.Response]) -> None:
        """Where the answers lead, then the first view; what waits since then is withdrawn, if that can be."""
        if answers[0].status_code != 303:
            return
        where = [answer.headers["location"] for answer in answers]
        self._compared("is led on", (one.client.get(at) for one, at in zip(self.sitters, where, strict=True)))
        if "waiting" in where[0]:
            ids = [re.split("[=/]", at)[-1] for at in where]
            waits = (one.client.get(f"{one.at}/waiting/{id}") for one, id in zip(self.sitters, ids, strict=True))
            for forms in _paired(self._compared("what waits", waits)):
                if 'withdraw"' in forms[0]:
                    self.sends(forms, Random(0))

    def taps(self, most: int) -> int:
        """Buttons that declare or answer at once, each as long as it is there; all of them, or so many."""
        done: set[str] = set()
        for _ in range(most):
            pages = self.reads("/")
            forms = [pair for pair in _paired(pages) if TAP.search(pair[0])]
            ways = [(pair, button) for pair in forms for button in BUTTON.findall(pair[0])]
            left = [(pair, name, value) for pair, (name, value) in ways if value not in done]
            if not left:
                break
            pair, name, value = left[0]
            done.add(value)
            self.follows(self.sends(pair, Random(0), {name: unescape(value)}))
        return len(done)

    def taps_anything(self, declared: Json) -> None:
        """What no button offers, with the token of a button: as an attacker would who writes his own page.

        As a move of this kind that is offered, if one is: then a refusal is shown with its form.
        """
        found = re.search(rf"/declare/{declared['kind']}[?]move=(\w+)", self.reads("/")[0].text)
        move = found[1] if found else ""

        def answers() -> Iterator[httpx.Response]:
            for sitter, player in zip(self.sitters, self.players, strict=True):
                assert player.table.service.app is not None
                keys = player.table.service.app.state.ledger.keys
                cookies = {cookie.name: cookie.value or "" for cookie in sitter.client.cookies.jar}
                session = find_session(keys, cookies, player.table.id, player.id)
                assert session is not None
                data = {"token": make_form_token(keys, session, "tap"), "declare": json.dumps(declared), "move": move}
                path = f"{sitter.at}/tap/{declared['kind']}"
                yield sitter.client.post(path, data=data, headers={"Origin": sitter.address})

        self.follows(self._compared(f"taps {declared}", answers(), only_looks=False))

    def looks_beforehand(self, rng: Random, most: int) -> int:
        """Forms of moves, filled in somehow: looked at as they are filled in, and as a whole."""
        pages = self.reads("/")
        links = [[link for link in tapping.Form(page.text).links if "/declare/" in link] for page in pages]
        places = rng.sample(range(len(links[0])), min(most, len(links[0])))
        for place in places:
            asked = (one.client.get(paths[place]) for one, paths in zip(self.sitters, links, strict=True))
            for forms in _paired(self._compared(links[0][place], asked)):
                if 'id="declare"' in forms[0]:
                    self.sends(forms, rng, {"try": "1"}, **{"HX-Request": "true", "HX-Request-Type": "partial"})
                    self.follows(self.sends(forms, rng, {"try": "1"}))
        return len(places)

    def decides(self, number: int) -> None:
        """The forms about a ruling, each looked at only: nothing is decided."""
        for what in ("overturn", "revise", "what-if"):
            for forms in _paired(self.reads(f"/rulings/{number}/{what}")):
                if f"/rulings/{number}/" in forms[0]:
                    self.sends(forms, Random(number), {"look": "1"})


def _paired(pages: list[httpx.Response]) -> list[list[str]]:
    """The forms of both pages, two by two: the pages are the same."""
    found = [FORM.findall(page.text) for page in pages]
    return [list(pair) for pair in zip(*found, strict=True)]


def _first(sitter: Sitter, path: str) -> str:
    """The first event of a feed, or the first word that there is none."""
    with sitter.client.stream("GET", path, headers={"Accept": "text/event-stream"}) as answer:
        assert answer.status_code == 200
        text = ""
        for part in answer.iter_text():
            text += part
            if text.count("\n\n") > 1:
                break
    return text.replace("\r\n", "\n")

"""Somebody at the page without a browser: cookies and forms as a browser would send them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlencode

import httpx

from tests.api.table import Player


class Form(HTMLParser):
    """The fields of the form at an address, as a browser sends them when nothing is touched."""

    def __init__(self, page: str, action: str) -> None:
        super().__init__()
        self.action = action
        self.fields: dict[str, list[str]] = {}
        self.offered: dict[str, list[str]] = {}
        self._within = self.there = False
        self._select = self._text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._within = said.get("action") == self.action
            self.there |= self._within
        elif not self._within or (tag != "option" and "name" not in said):
            return
        elif tag == "input" and said.get("type") in ("radio", "checkbox"):
            self.offered.setdefault(said["name"], []).append(said["value"])
            if "checked" in said:
                self.fields.setdefault(said["name"], []).append(said["value"])
        elif tag == "input":
            self.fields.setdefault(said["name"], []).append(said.get("value", ""))
        elif tag == "button" and said.get("class") == "answer":
            self.offered.setdefault(said["name"], []).append(said["value"])
        elif tag == "select":
            self._select = said["name"]
        elif tag == "textarea":
            self._text = said["name"]
            self.fields[self._text] = [""]
        elif tag == "option":
            self.offered.setdefault(self._select, []).append(said["value"])
            if "selected" in said:
                self.fields[self._select] = [said["value"]]

    def handle_data(self, data: str) -> None:
        if self._text:
            self.fields[self._text] = [data.removeprefix("\n")]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._within = False
        elif tag == "textarea":
            self._text = ""


class Sitter:
    """One seat's browser. Answers are told as they are: redirects are not followed."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.client = httpx.Client(base_url=self.address, timeout=120, limits=httpx.Limits(max_keepalive_connections=0))
        self.at = ""

    def sit(self, secret: str) -> httpx.Response:
        form = self.form("/join", "/join")
        answer = self.send(form, {"secret": secret})
        if answer.status_code == 303:
            self.at = answer.headers["location"].rstrip("/")
        return answer

    def get(self, path: str, **more: dict[str, str]) -> httpx.Response:
        return self.client.get(path, **more)  # type: ignore[arg-type]

    def page(self, path: str) -> str:
        answer = self.get(f"{self.at}{path}")
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.text

    def form(self, path: str, action: str) -> Form:
        answer = self.get(path)
        form = Form(answer.text, action)
        assert form.there, (path, action, answer.status_code, answer.text)
        return form

    def send(self, form: Form, said: Mapping[str, str | list[str]], origin: str | None = None) -> httpx.Response:
        fields = {**form.fields, **{name: one if isinstance(one, list) else [one] for name, one in said.items()}}
        pairs = [(name, value) for name, values in fields.items() for value in values]
        headers = {"Origin": origin if origin is not None else self.address}
        return self.client.post(
            form.action,
            content=urlencode(pairs),
            headers={**headers, "Content-Type": "application/x-www-form-urlencoded"},
        )

    def moves(self) -> list[str]:
        """Where the moves that are offered lead."""
        return [unescape(one) for one in re.findall(r'href="([^"]+/declare/[^"]+)"', self.page("/"))]


def at_the_page(player: Player) -> Sitter:
    sitter = Sitter(str(player.table.service.client.base_url))
    assert sitter.sit(player.token).status_code == 303
    return sitter


def part(sitter: Sitter, id: str) -> str:
    """Return a section of the first page."""
    (inner,) = re.findall(rf'<section id="{id}".*?</section>', sitter.page("/"), re.DOTALL)
    return unescape(inner)


def pressed(sitter: Sitter, label: str) -> int:
    """Press the button of the first page with this label. Return the status of the answer."""
    return press(sitter, label).status_code


def press(sitter: Sitter, label: str) -> httpx.Response:
    """Press the button of the first page with this label."""
    for text in re.findall(r"<form [^>]*>.*?</form>", sitter.page("/"), re.DOTALL):
        for attributes, words in re.findall(r'<button class="answer"([^>]*)>([^<]+)<', text):
            if unescape(words) == label:
                form = Form(text, unescape(re.findall(r'action="([^"]+)"', text)[0]))
                said = re.findall(r'name="([^"]+)" value="([^"]+)"', attributes)
                return sitter.send(form, {name: unescape(value) for name, value in said})
    raise AssertionError(f"no button {label!r}")

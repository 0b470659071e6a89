"""Somebody at the page who knows no game and no API: looks at the page, follows a move, fills its form in, sends it."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from random import Random
from typing import Any

import httpx

Attributes = dict[str, str | None]


class Form(HTMLParser):
    """The forms of a page by their action, with their fields; its links; what it says is wrong."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: dict[str, list[Attributes]] = {}
        self.links: list[str] = []
        self._form: list[Attributes] | None = None
        self._select: Attributes | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "form":
            self._form = self.forms.setdefault(found.get("action") or "", [])
        elif tag == "a" and found.get("href"):
            self.links.append(str(found["href"]))
        elif self._form is not None and tag in ("input", "textarea"):
            self._form.append({"tag": tag, **found})
        elif self._form is not None and tag == "select":
            self._select = {"tag": tag, **found}
            self._form.append(self._select)
        elif self._form is not None and tag == "button" and found.get("class") == "answer" and found.get("name"):
            self._form.append({"tag": tag, **found})
        elif self._select is not None and tag == "option" and "selected" in found:
            self._select["value"] = found.get("value")
        elif self._select is not None and tag == "option":
            self._select["options"] = "\n".join(filter(None, [self._select.get("options"), found.get("value")]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None


def fill(fields: list[Attributes], rng: Random, dice: str = "") -> dict[str, Any]:
    """Something in every field: what is tapped is tapped at random, what is there already stays. `dice`: who rolls."""
    said: dict[str, Any] = {}
    tapped: dict[str, list[str]] = {}
    pressed: dict[str, list[str]] = {}
    for one in fields:
        name, value = one.get("name"), one.get("value") or ""
        if not name:
            continue
        match one["tag"], one.get("type"):
            case "button", _:
                pressed.setdefault(name, []).append(value)
            case "input", "hidden":
                said[name] = value
            case "input", "radio":
                if "checked" in one and value:
                    said[name] = value
                tapped.setdefault(name, []).append(value)
            case "input", "checkbox":
                if "checked" in one or rng.random() < 0.5:
                    said.setdefault(name, []).append(value)
            case "input", "number":
                least, most = int(one.get("min") or 0), one.get("max")
                least = 99 if least < -99 else least  # no limit that people reach
                highest = min(int(most), least + 6) if most else least + 6
                said[name] = value or str(rng.randint(min(least, highest), highest))
            case "select", _:
                said[name] = value or rng.choice((one.get("options") or "").split("\n"))
            case _:
                said[name] = value or "The old ferryman laughs."
    for name, values in tapped.items():
        some = [one for one in values if one != ""] if rng.random() < 0.8 or "" not in values else values
        said.setdefault(name, rng.choice(some or values))
    said |= {name: rng.choice(values) for name, values in pressed.items()}
    if "dice" in said:
        said["dice"] = dice
    return said


class Phone:
    """A browser without script, at one seat. `at`: where that is; `cookies`: of who sits there already."""

    dice = ""
    avoids: tuple[str, ...] = ()  # kinds of declarations

    def __init__(self, address: str, at: str, cookies: dict[str, str], rng: Random) -> None:
        self.client = httpx.Client(base_url=address, timeout=120, headers={"Origin": address}, cookies=cookies)
        self.rng, self.at = rng, at
        self.rulings = 0
        self.refused: list[str] = []

    @classmethod
    def sits_down(cls, address: str, token: str, rng: Random) -> Phone:
        phone = cls(address, "", {}, rng)
        sat = phone.client.post("/join", data={"secret": token})
        assert sat.status_code == 303, sat.text
        phone.at = sat.headers["location"]
        return phone

    def look(self, path: str = "") -> str:
        page = self.client.get(path if path.startswith("/") else self.at + path)
        assert page.status_code == 200, (path, page.status_code, page.text[:2000])
        return page.text

    def tap(self) -> bool:
        """What is asked is answered; else a move is made. Whether anything came of it."""
        text = self.look()
        page = Form(text)
        asked = [action for action in page.forms if "/waiting/" in action]
        if asked:
            return self.send(asked[0], page.forms[asked[0]])
        moves = [
            link for link in page.links if "/declare/" in link and not link.partition("?")[0].endswith(self.avoids)
        ]
        if not moves:
            return False
        buttons = re.findall(r'<form class="tap".*?</form>', text, re.DOTALL)
        buttons = [one for one in buttons if not re.findall(r'action="([^"]+)"', one)[0].endswith(self.avoids)]
        if buttons and self.rng.random() < 0.5:
            return self.press(self.rng.choice(buttons))
        kind = self.rng.choice(sorted({link.partition("?")[0] for link in moves}))  # some kinds have many links
        link = self.rng.choice([link for link in moves if link.partition("?")[0] == kind])
        form = Form(self.look(link))
        action = next((one for one in form.forms if "/declare/" in one), None)
        if action is None:
            return False
        people = [one for one in form.links if "person=" in one]
        if people:
            form = Form(self.look(self.rng.choice(people)))
        return self.send(action, form.forms[action])

    def press(self, form: str) -> bool:
        """One of the buttons of a move that needs no form: what is offered so is never refused."""
        (action,) = re.findall(r'action="([^"]+)"', form)
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
        fields["declare"] = unescape(self.rng.choice(re.findall(r'<button name="declare" value="([^"]+)"', form)))
        answer = self.client.post(action, data=fields)
        assert answer.status_code == 303 or "This cancels " in answer.text, (
            action,
            answer.text[:1500],
        )
        if answer.status_code != 303:
            return False
        where = answer.headers["location"]
        self.rulings += "ruling=" in where
        self.look(where)
        return True

    def send(self, action: str, fields: list[Attributes]) -> bool:
        answer = self.client.post(action, data=fill(fields, self.rng, self.dice))
        assert answer.status_code in (200, 303, 422, 409, 404), (action, answer.status_code, answer.text[:1500])
        if answer.status_code != 303:
            self.refused.append(answer.text)
            return False
        where = answer.headers["location"]
        self.rulings += "ruling=" in where
        self.look(where)
        return True

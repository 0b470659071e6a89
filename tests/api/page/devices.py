"""A phone or a laptop at the table: a browser of somebody's own, and whatever it complains of.

Every message of its console (a violation of the policy is one) and every error of a script is a complaint; a test that
leaves one has failed. Figures and pictures are for people: `LEDGER_PICTURES` names a folder for the latter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Locator, Page, expect

PHONE, LAPTOP = (390, 844), (1280, 800)
#: Where pictures are left to be looked at.
PICTURES = os.environ.get("LEDGER_PICTURES")
PATIENCE = int(os.environ.get("LEDGER_PATIENCE", "60000"))  # milliseconds: a busy machine is slow
#: What axe looks for: the criteria of WCAG 2.2, A and AA, and what is good besides.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
#: What is wider inside than outside, and may not be.
WIDE = """() => [...document.querySelectorAll('body *')]
    .filter(one => one.clientWidth && one.scrollWidth > one.clientWidth + 1
        && !one.closest('.hidden, .skip, [data-scrolls]') && getComputedStyle(one).overflowX !== 'visible')
    .map(one => one.outerHTML.slice(0, 120))"""
#: Bars that stay in sight cover what people scroll below them: axe would call that too small to touch.
AXE = """async options => { const bars = [...document.querySelectorAll('body *')]
    .filter(one => ['sticky', 'fixed'].includes(getComputedStyle(one).position));
    bars.forEach(one => one.style.position = 'static');
    try { return await axe.run(document, options); } finally { bars.forEach(one => one.style.position = ''); } }"""
SIDEWAYS = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
#: What has the focus, and whether one sees that it has it.
FOCUS = """() => { const one = document.activeElement, seen = one.matches('.tile input, .face input')
    ? one.nextElementSibling : one, style = getComputedStyle(seen);
    const name = one.getAttribute('aria-label') || (one.labels && one.labels[0] || one).innerText || '';
    return { text: name.trim(),
        tag: one.tagName, seen: style.outlineStyle !== 'none' && style.outlineWidth !== '0px' }; }"""
expect.set_options(timeout=PATIENCE)


@cache
def _axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


class Device:
    """One browser. `at`: the seat it sits at; `page`: its first tab."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: tuple[int, int],
        scheme: Literal["light", "dark"],
        *,
        script: bool = True,
    ) -> None:
        self.address, self.size, self.at = address, size, ""
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=size == PHONE,
            color_scheme=scheme,
            base_url=address,
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        self.context.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self._allowed: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        """Another one."""
        page = self.context.new_page()
        page.on("console", lambda message: self._complain(message.text))
        page.on("pageerror", lambda error: self._complain(str(error)))
        return page

    def _complain(self, said: str) -> None:
        if not any(re.search(one, said) for one in self._allowed):
            self.complaints.append(said)

    @contextmanager
    def allowing(self, *said: str) -> Iterator[None]:
        """What the console may say meanwhile, by patterns: a browser complains of every answer that is an error."""
        self._allowed += said
        yield
        self.page.evaluate("() => 0")  # what was said until now has arrived
        del self._allowed[-len(said) :]

    # --- where it is ---

    def sits_down(self, said: str) -> None:
        """With a link; or by typing what opens a seat: a code or a token."""
        if "#" in said:
            self.page.goto("about:blank")
            self.page.goto(said)
        else:
            self.page.goto("/join")
            self.sits_down_here(said)
            return
        self._sits()

    def sits_down_here(self, said: str) -> None:
        """In the form that is shown."""
        self.page.locator("#secret").fill(said)
        self.page.keyboard.press("Enter")
        self._sits()

    def _sits(self) -> None:
        self.page.wait_for_url(re.compile(r"/table/\w+/s\d+/$"))
        self.at = self.page.url.rstrip("/")

    def look(self, path: str = "/") -> Page:
        """A view of the seat, by its path below it."""
        self.page.goto(self.at + path)
        return self.page

    # --- how good it is ---

    def picture(self, name: str) -> None:
        """Of the whole page as it is, if anybody wants pictures."""
        if PICTURES:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)

    def fits(self) -> None:
        """Nothing is scrolled sideways, neither the page nor a part of it."""
        self.page.wait_for_load_state()  # a tap before this may still be leading to the page
        assert self.page.evaluate(SIDEWAYS) <= 0, self.page.url
        assert self.page.evaluate(WIDE) == [], self.page.url

    def accessible(self) -> None:
        """axe finds nothing."""
        found = self.faults()
        assert found == [], f"{self.page.url}\n" + "\n".join(found)

    def faults(self) -> list[str]:
        """What axe finds: a line for each, with where it is."""
        self.page.wait_for_load_state()
        self.page.evaluate(_axe())
        options = {"resultTypes": ["violations"], "runOnly": TAGS}
        told: dict[str, Any] = self.page.evaluate(AXE, options)
        return [
            f"{one['id']}: {one['help']}: {node['html'][:160]} {node['any'][:1] and node['any'][0]['message']}"
            for one in told["violations"]
            for node in one["nodes"][:3]
        ]

    # --- by keyboard alone ---

    def focused(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(FOCUS)
        return found

    def tabs_to(self, text: str | re.Pattern[str], most: int = 250) -> None:
        """On to the next thing called so. Whatever has the focus on the way shows it."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            now = self.focused()
            if now["tag"] in ("BODY", "HTML"):
                continue
            assert now["seen"], f"{self.page.url}: {now} has the focus, and nobody sees it"
            if text.search(now["text"]) if isinstance(text, re.Pattern) else text == now["text"]:
                return
        raise AssertionError(f"{self.page.url}: nobody gets to {text!r} by keyboard")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def sends(self, button: Locator) -> None:
        """Presses it, and waits for the page it leads to."""
        with self.page.expect_navigation():
            button.click()

"""The small forms that a game's prompts and sheets have: a tile is tapped, words are written, and a button sends it."""

from __future__ import annotations

import re
from html import unescape

import httpx
from playwright.sync_api import Locator, expect

from tests.api.page.blows import plain
from tests.api.page.devices import Device
from tests.api.page.playing import Hands
from tests.api.page.sitting import Form, Sitter

TILE = re.compile(r'<input type="radio" name="([^"]+)" value="([^"]*)"[^>]*><span>([^<]+)</span>')


def turn(sitter: Sitter) -> str:
    """Return the part of the page that says whose turn it is, with its prompts."""
    page = sitter.page("/")
    return page[page.index('<section id="turn"') : page.index('<div class="columns">')]


def words(sitter: Sitter) -> str:
    return plain(turn(sitter))


def labels(sitter: Sitter) -> list[str]:
    """Return the labels of the buttons, in order."""
    found = re.findall(r'<button class="answer"[^>]*>([^<]+)</button>', turn(sitter))
    return [unescape(label) for label in found]


def tiles(sitter: Sitter, button: str) -> list[str]:
    """Return the labels of what can be chosen in the form with this button."""
    return [unescape(label) for _, _, label in TILE.findall(_find_form(sitter, button))]


def sends(sitter: Sitter, button: str, *chosen: str, text: str = "", own_dice: bool = False) -> httpx.Response:
    """Tap tiles, write, and tap the button. `own_dice`: tick that the player rolls their own dice."""
    html = _find_form(sitter, button)
    form = Form(html, unescape(re.findall(r'action="([^"]+)"', html)[0]))
    said = {name: unescape(value) for name, value, label in TILE.findall(html) if unescape(label) in chosen}
    assert len(said) == len(chosen), (chosen, tiles(sitter, button))
    said |= {name: text for name in re.findall(r'<input type="text" name="([^"]+)"', html) if text}
    pressed = re.findall(rf'<button class="answer"(?: name="(declare)" value="([^"]+)")?>{re.escape(button)}<', html)
    said |= {name: unescape(value) for name, value in pressed if name}
    if own_dice:
        assert '<input type="checkbox" name="dice" value="table">' in html, f"{button} always rolls by the ledger"
        said |= {"dice": "table"}
    return sitter.send(form, said)


def _find_form(sitter: Sitter, button: str) -> str:
    forms = re.findall(r"<form [^>]*>.*?</form>", turn(sitter), re.DOTALL)
    found = [form for form in forms if f">{button}</button>" in unescape(form)]
    assert found, (button, labels(sitter))
    return str(found[0])


# --- on a device ---


def opens_folds(device: Device) -> None:
    """Open all that the prompts fold, the sheet, and its first fold."""
    for summary in device.page.locator("#turn .pick > summary").all():
        summary.click()
    if device.page.locator("#own .strip").is_visible():
        device.page.locator("#own .strip").click()
    device.page.locator("#own .pick > summary").first.click()
    expect(device.page.locator("#own .pick").first).to_be_visible()


# --- checks of Mnemonic ---


def prompts(device: Device) -> Locator:
    return device.page.get_by_role("region", name="Whose turn it is")


def attempts(hands: Hands, device: Device, who: str, text: str) -> None:
    hands.type(prompts(device).get_by_label(f"What does {who} attempt?"), text)
    hands.does(device, "Attempt it")


def chooses(hands: Hands, device: Device, *tiles: str, sends: str) -> None:
    """Tap tiles in the form that has this button, then the button."""
    form = prompts(device).locator("form.choosing", has=device.page.get_by_role("button", name=sends, exact=True))
    for tile in tiles:
        hands.tap(form.locator("label.tile").filter(has_text=re.compile(f"^{re.escape(tile)}$")), leads=False)
    hands.send(form.get_by_role("button", name=sends, exact=True))


def rolled(hands: Hands, device: Device, face: int) -> None:
    """Enter what the own die shows, under the button: as many taps as the button itself."""
    taps = hands.taps + 1
    hands.tap(prompts(device).get_by_text("I rolled these"), leads=False)
    hands.type(prompts(device).get_by_label("Your roll (D12)"), str(face))
    hands.send(prompts(device).get_by_role("button", name="Enter", exact=True))
    hands.taps = taps

"""Somebody who knows no game: taps something in every field of a form that still wants it, and sends it."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from tests.api.page.devices import Device

#: Something in every field of the form in sight: what is tapped is tapped by its number, what is there already stays.
#: How many fields it was.
FILL = """(place) => {
    let taps = 0;
    const form = [...document.querySelectorAll('#asked form, #declare, main form')][0], groups = new Map();
    const seen = one => one.closest('label').getClientRects().length > 0;
    for (const one of form.querySelectorAll('input[type=radio]'))
        if (seen(one)) groups.set(one.name, [...(groups.get(one.name) || []), one]);
    for (const some of groups.values())
        if (!some.some(one => one.checked)) { some[place % some.length].click(); taps++; }
    const boxes = [...form.querySelectorAll('input[type=checkbox]')].filter(seen);
    if (boxes.length && !boxes.some(one => one.checked)) { boxes[place % boxes.length].click(); taps++; }
    for (const one of form.querySelectorAll('select, textarea, input:not([type])'))
        if (!one.value && one.getClientRects().length && !one.closest('details')) {
            one.value = one.tagName === 'SELECT' ? one.options[1 + place % (one.options.length - 1)].value : 'As it is';
            taps++;
        }
    for (const one of form.querySelectorAll('input[type=number]'))
        if (!one.value && one.getClientRects().length) {
            one.value = Math.max(Number(one.min || 0), one.min < -99 ? 99 : -99) + place;
            taps++;
        }
    return taps;
}"""


def fill(page: Page, place: int = 0) -> int:
    """Return how many fields wanted something: each is a tap."""
    return sum(page.evaluate(FILL, place) for _ in range(3))  # what is tapped shows other fields


#: What a field that has the focus wants of a keyboard: the keys, or nothing where it says something already.
WANTS = """() => {
    const one = document.activeElement;
    if (one.matches('input[type=radio]'))
        return [...one.form.elements].some(other => other.name === one.name && other.checked) ? '' : 'Space';
    if (one.matches('select')) return one.value ? '' : 'ArrowDown';
    if (one.matches('input[type=number]')) return one.value ? '' : '3';
    return '';
}"""


def fill_by_keys(device: Device, until: str) -> None:
    """On from field to field to what is called so; what stands empty on the way is filled in."""
    for _ in range(200):
        if keys := device.page.evaluate(WANTS):  # a page can begin in its field
            device.press(keys)
        device.tabs_to(re.compile("."), most=20)
        if device.focused()["text"] == until:
            return
    raise AssertionError(f"nobody gets to {until!r} by keyboard")

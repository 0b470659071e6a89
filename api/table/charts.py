"""Charts as SVG, coloured by classes of the style sheet: a line over time, a histogram, the marks along a campaign.

Every one has a sentence that says what it shows: it is told to whoever does not see it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

WIDE, HIGH, MARGIN = 420, 160, 32
LETTER = 8.5  # as wide as the widest figure
TALL = {"session": (0, 26), "scene": (8, 26), "decision": (28, 38), "settlement": (28, 38)}


def draw_line(points: Sequence[Mapping[str, Any]], write_balance: Callable[[int], str] = str) -> Markup:
    """Return the line chart of a balance: steps, with bands that show how far it went between entries.

    The labels get as much room as they need.
    """
    low = min(0, *(int(point["least"]) for point in points))
    high = max(1, *(int(point["most"]) for point in points))
    left = max(MARGIN, 10 + LETTER * max(len(write_balance(high)), len(write_balance(low))))
    step = (WIDE - left - MARGIN) / max(1, len(points))

    def find_x(index: int) -> float:
        return round(left + index * step, 1)

    def find_y(balance: int) -> float:
        return round(HIGH - MARGIN + 12 - (balance - low) / (high - low) * (HIGH - 2 * MARGIN + 12), 1)

    path, bands = "", []
    for place, point in enumerate(points):
        path += f"{'L' if path else 'M'}{find_x(place)} {find_y(point['balance'])}H{find_x(place + 1)}"
        if point["least"] != point["most"]:
            top, bottom = find_y(point["most"]), find_y(point["least"])
            bands.append(
                f'<rect class="band" x="{find_x(place)}" y="{top}" width="{step:.1f}" height="{bottom - top}"/>'
            )
    first, last = points[0], points[-1]
    span_text = f"From {write_balance(first['balance'])} to {write_balance(last['balance'])}"
    caption = f"{span_text}; at least {write_balance(low)}, at most {write_balance(high)}."
    texts = "".join(
        f'<text x="{x}" y="{y}"{anchor}>{escape(text)}</text>'
        for x, y, anchor, text in (
            (left - 6, find_y(high) + 4, ' class="end"', write_balance(high)),
            (left - 6, find_y(low) + 4, ' class="end"', write_balance(low)),
            (left, HIGH - 2, "", _format_place(first)),
            (WIDE - MARGIN, HIGH - 2, ' class="end"', "now"),
        )
    )
    zero = f'<path class="axis" d="M{left} {find_y(0)}H{WIDE - MARGIN}"/>'
    return _draw("line", WIDE, HIGH, caption, f'{zero}{"".join(bands)}<path class="balance" d="{path}"/>{texts}')


def _format_place(point: Mapping[str, Any]) -> str:
    return f"ruling {point['ruling']}" if point["ruling"] else str(point["at"])[:10]


def draw_histogram(faces: Sequence[int], shares: Sequence[Mapping[str, Any]]) -> Markup:
    """Return a bar for each face with its interval, and a line where fair dice would be."""
    width = max(220, min(WIDE, 26 * len(faces)))
    expected = sum(faces) / len(faces)
    dice, step = sum(faces), (width - 10) / len(faces)
    most = max(expected, 1, *(share["high"] * dice for share in shares))
    floor, room = 96, 80
    bars = []
    for place, count in enumerate(faces):
        height = round(count / most * room, 1)
        x, bar = round(5 + place * step + step * 0.12, 1), round(step * 0.76, 1)
        bars.append(f'<rect class="bar" x="{x}" y="{floor - height}" width="{bar}" height="{height}"/>')
        if len(faces) <= 20:
            middle = round(5 + (place + 0.5) * step, 1)
            bars.append(f'<text class="mid" x="{middle}" y="{floor + 13}">{place + 1}</text>')
            if count and step > 16:
                bars.append(f'<text class="mid count" x="{middle}" y="{floor - 3}">{count}</text>')
    for place, share in enumerate(shares):
        middle = round(5 + (place + 0.5) * step, 1)
        low, high = (round(floor - share[end] * dice / most * room, 1) for end in ("low", "high"))
        bars.append(f'<path class="interval" d="M{middle} {low}V{high}"/>')
    fair = round(floor - expected / most * room, 1)
    face_counts = ", ".join(f"{place + 1}: {count}" for place, count in enumerate(faces)) if len(faces) <= 20 else ""
    caption = (
        f"How often each face fell{f' ({face_counts})' if face_counts else ''}; fair dice: about {expected:.1f} each."
    )
    inner = (
        f'{"".join(bars)}<path class="axis" d="M2 {floor}H{width - 2}"/><path class="fair" d="M2 {fair}H{width - 2}"/>'
    )
    return _draw("histogram", width, 112, caption, inner)


def draw_track(marks: Sequence[Mapping[str, Any]], rulings: int, at: int | None) -> Markup:
    """Return the marks along the slider. The list below it names them, so it has no label of its own."""
    span = max(1, rulings - 1)
    paths = []
    for mark in marks:
        x = round((mark["ruling"] - 1) / span * 1000, 1)
        top, bottom = TALL[mark["what"]]
        title = escape(
            f"{mark['ruling']}: {mark['text']}" + (f" (and {mark['count'] - 1} more)" if mark["count"] > 1 else "")
        )
        paths.append(f'<path class="m-{mark["what"]}" d="M{x} {top}V{bottom}"><title>{title}</title></path>')
    position = round(((at or rulings) - 1) / span * 1000, 1)
    paths.append(f'<path class="here" d="M{position} 0V40"/>')
    return Markup(
        f'<svg class="track" viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">{"".join(paths)}</svg>'
    )


def _draw(kind: str, wide: float, high: float, caption: str, inner: str) -> Markup:
    box = f'viewBox="0 0 {wide:g} {high:g}" role="img" aria-label="{escape(caption)}"'
    return Markup(f'<svg class="chart {kind}" {box}>{inner}</svg>')

"""Draw charts as SVG: a line over time, a histogram, and marks along a campaign. The style sheet colours them.

The line and the histogram have a sentence for screen readers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

WIDE, HIGH, MARGIN = 420, 160, 32
LETTER = 8.5  # the width of the widest digit
TALL = {"session": (0, 26), "scene": (8, 26), "decision": (28, 38), "settlement": (28, 38)}


def draw_line(points: Sequence[Mapping[str, Any]], write_balance: Callable[[int], str] = str) -> Markup:
    """Return the line chart of a balance. If a point sums up several entries, a band shows their range."""
    lowest = min(0, *(int(point["least"]) for point in points))
    highest = max(1, *(int(point["most"]) for point in points))
    left_edge = max(MARGIN, 10 + LETTER * max(len(write_balance(highest)), len(write_balance(lowest))))
    step_width = (WIDE - left_edge - MARGIN) / max(1, len(points))

    def find_x(index: int) -> float:
        return round(left_edge + index * step_width, 1)

    def find_y(balance: int) -> float:
        return round(HIGH - MARGIN + 12 - (balance - lowest) / (highest - lowest) * (HIGH - 2 * MARGIN + 12), 1)

    path, bands = "", []
    for index, point in enumerate(points):
        path += f"{'L' if path else 'M'}{find_x(index)} {find_y(point['balance'])}H{find_x(index + 1)}"
        if point["least"] != point["most"]:
            top, bottom = find_y(point["most"]), find_y(point["least"])
            bands.append(
                f'<rect class="band" x="{find_x(index)}" y="{top}" width="{step_width:.1f}" height="{bottom - top}"/>'
            )
    first_point, last_point = points[0], points[-1]
    span_text = f"From {write_balance(first_point['balance'])} to {write_balance(last_point['balance'])}"
    caption = f"{span_text}; lowest {write_balance(lowest)}, highest {write_balance(highest)}."
    labels = "".join(
        f'<text x="{x}" y="{y}"{anchor}>{escape(text)}</text>'
        for x, y, anchor, text in (
            (left_edge - 6, find_y(highest) + 4, ' class="end"', write_balance(highest)),
            (left_edge - 6, find_y(lowest) + 4, ' class="end"', write_balance(lowest)),
            (left_edge, HIGH - 2, "", _format_point_label(first_point)),
            (WIDE - MARGIN, HIGH - 2, ' class="end"', "now"),
        )
    )
    zero_line = f'<path class="axis" d="M{left_edge} {find_y(0)}H{WIDE - MARGIN}"/>'
    return _wrap_in_svg(
        "line", WIDE, HIGH, caption, f'{zero_line}{"".join(bands)}<path class="balance" d="{path}"/>{labels}'
    )


def _format_point_label(point: Mapping[str, Any]) -> str:
    return f"ruling {point['ruling']}" if point["ruling"] else str(point["at"])[:10]


def draw_histogram(face_counts: Sequence[int], shares: Sequence[Mapping[str, Any]]) -> Markup:
    """Return a bar chart: the count of each face with its interval, and a line at the count expected of fair dice."""
    width = max(220, min(WIDE, 26 * len(face_counts)))
    expected_count = sum(face_counts) / len(face_counts)
    dice_count, step = sum(face_counts), (width - 10) / len(face_counts)
    tallest = max(expected_count, 1, *(share["high"] * dice_count for share in shares))
    floor_y, bar_room = 96, 80
    elements = []
    for index, count in enumerate(face_counts):
        height = round(count / tallest * bar_room, 1)
        x, bar_width = round(5 + index * step + step * 0.12, 1), round(step * 0.76, 1)
        elements.append(f'<rect class="bar" x="{x}" y="{floor_y - height}" width="{bar_width}" height="{height}"/>')
        if len(face_counts) <= 20:
            middle_x = round(5 + (index + 0.5) * step, 1)
            elements.append(f'<text class="mid" x="{middle_x}" y="{floor_y + 13}">{index + 1}</text>')
            if count and step > 16:
                elements.append(f'<text class="mid count" x="{middle_x}" y="{floor_y - 3}">{count}</text>')
    for index, share in enumerate(shares):
        middle_x = round(5 + (index + 0.5) * step, 1)
        low, high = (round(floor_y - share[end] * dice_count / tallest * bar_room, 1) for end in ("low", "high"))
        elements.append(f'<path class="interval" d="M{middle_x} {low}V{high}"/>')
    fair_y = round(floor_y - expected_count / tallest * bar_room, 1)
    listed_counts = (
        ", ".join(f"{index + 1}: {count}" for index, count in enumerate(face_counts)) if len(face_counts) <= 20 else ""
    )
    count_text = f" ({listed_counts})" if listed_counts else ""
    caption = f"How often each face came up{count_text}; fair dice: about {expected_count:.1f} each."
    axes = f'<path class="axis" d="M2 {floor_y}H{width - 2}"/><path class="fair" d="M2 {fair_y}H{width - 2}"/>'
    return _wrap_in_svg("histogram", width, 112, caption, "".join(elements) + axes)


def draw_track(marks: Sequence[Mapping[str, Any]], ruling_count: int, current_number: int | None) -> Markup:
    """Return the marks along the slider. They have no labels, because the list below the slider names them."""
    span = max(1, ruling_count - 1)
    elements = []
    for mark in marks:
        x = round((mark["ruling"] - 1) / span * 1000, 1)
        top, bottom = TALL[mark["what"]]
        title = escape(
            f"{mark['ruling']}: {mark['text']}" + (f" (and {mark['count'] - 1} more)" if mark["count"] > 1 else "")
        )
        elements.append(f'<path class="m-{mark["what"]}" d="M{x} {top}V{bottom}"><title>{title}</title></path>')
    current_x = round(((current_number or ruling_count) - 1) / span * 1000, 1)
    elements.append(f'<path class="here" d="M{current_x} 0V40"/>')
    return Markup(
        '<svg class="track" viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(elements)}</svg>"
    )


def _wrap_in_svg(kind: str, width: float, height: float, caption: str, inner_svg: str) -> Markup:
    box = f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(caption)}"'
    return Markup(f'<svg class="chart {kind}" {box}>{inner_svg}</svg>')

"""How a table can go on after a ruling was overturned: play on from there, correct the ruling with new answers, or let
the later rulings stand.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from ledger.application import ShownDecision, load_history
from projections.documents.findings import select_visible
from projections.documents.shape import Document
from projections.redaction import LiveLens

Way: TypeAlias = Literal["play-on", "ask-again", "let-stand"]


class WayOn(Document):
    """One way to go on. `post`: the path of the request to send, below the campaign; null if there is nothing to send.

    `play-on`: the game goes on from the overturned ruling. A rewind overturns the later rulings, if there are any.
    `ask-again`: the ruling is revised at its place, with new answers. `let-stand`: later rulings stay as they were
    played. `findings`: the findings to resolve in this way.
    """

    way: Way
    text: str
    post: str | None
    findings: list[str]


def list_ways_on(lens: LiveLens, shown_decision: ShownDecision) -> list[WayOn]:
    """Return the ways to go on after this decision. There are none unless the decision overturned a single ruling."""
    ruling, changed = shown_decision.shown_ruling.ruling, shown_decision.changed
    if ruling.stands or changed is None or ruling.rewound_with is not None:
        return []
    next_number = find_next_standing_number(lens, ruling.number)
    findings = [finding.id for finding in select_visible(lens, changed.findings)]
    play_on = (
        f"Play on from here: also overturn ruling {next_number} and every later ruling."
        if next_number is not None
        else "Play on from here."
    )
    ask_again = f"Correct ruling {ruling.number} with new answers."
    return [
        {
            "way": "play-on",
            "text": play_on,
            "post": f"/rulings/{next_number}/rewind" if next_number is not None else None,
            "findings": [],
        },
        {"way": "ask-again", "text": ask_again, "post": f"/rulings/{ruling.number}/revise", "findings": []},
        {"way": "let-stand", "text": "Let the later rulings stand.", "post": None, "findings": findings},
    ]


def find_next_standing_number(lens: LiveLens, number: int) -> int | None:
    """Return the number of the first later ruling that stands and that everybody can see."""
    rulings_by_number = load_history(lens.book).recorded_rulings
    campaign = lens.book.campaign
    later_numbers = range(campaign.bases.get(number, number) + 1, campaign.rulings + 1)
    later_rulings = (
        rulings_by_number[later_number] for later_number in later_numbers if later_number not in campaign.bases
    )
    return next(
        (
            later_ruling.number
            for later_ruling in later_rulings
            if later_ruling.stands and later_ruling.audience is None
        ),
        None,
    )

"""What may differ between two campaigns that are the same to the one who looks: this list, and nothing else.

Never a count, a length, an order or a number that counts anything: those would tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import httpx


@dataclass(frozen=True, slots=True)
class Mask:
    """`reason`: why it differs between any two campaigns, whatever anybody keeps to himself."""

    name: str
    form: re.Pattern[str]
    reason: str


MASKS = (
    Mask(
        "TIME",
        re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|\+00:00)"),
        "When something was recorded: the one campaign is played after the other.",
    ),
    Mask(
        "DATE",
        re.compile(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT"),
        "When an answer was sent.",
    ),
    Mask(
        "CHECKPOINT",
        re.compile(r"(?<=\\n)[A-Za-z0-9+/]{43}=\\n\\n\u2014 [^\"]+?(?=\\n\")"),
        "A seal as a signed note: the root over salted events, and the signature of it, in base 64.",
    ),
    Mask(
        "SIGNATURE",
        re.compile(r"\b[0-9a-f]{128}\b"),
        "A seal's signature, of a root over salted events.",
    ),
    Mask(
        "HASH",
        re.compile(r"\b[0-9a-f]{64}\b"),
        "Roots, leaves and proofs over salted events; commitments to seeds that follow from the campaign's id; and"
        " the ETag of a document that is held against the other's itself, with all of this in it.",
    ),
    Mask(
        "SALT",
        re.compile(r'(?:(?<="salt":")|(?<=\\"salt\\":\\"))[A-Za-z0-9+/]{24}(?=\\?")'),
        "The salt of an event, in an export or (as a text in a text) in a dossier: 144 random bits.",
    ),
)
#: The campaign's own id, which follows from the random key it was opened under.
CAMPAIGN = "CAMPAIGN"
ORIGIN = "ORIGIN"
#: A finding that is not for everybody has an id that follows from the campaign's; whoever may see it sees it masked.


def masked(text: str, campaign: str, origin: str = "") -> str:
    """`origin`: the campaign that it goes on from, if it is a fork."""
    text = text.replace(campaign, CAMPAIGN)
    text = text.replace(origin, ORIGIN) if origin else text
    for mask in MASKS:
        text = mask.form.sub(mask.name, text)
    return text


def told(answer: httpx.Response, campaign: str, origin: str = "") -> str:
    """Everything somebody is told by an answer: the status, every header in order, the body."""
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.multi_items())
    return masked(f"{answer.status_code}\n{headers}\n\n{answer.text}", campaign, origin)

"""What was decided about a ruling, for one viewer."""

from __future__ import annotations

from typing import Any, cast

from ledger.events.records import Code, Decision, Settle
from projections.documents.shape import Document
from projections.documents.stored_rulings import REVISING, StoredRuling
from projections.redaction import Json, Lens, Person
from projections.wording import of_decision


class ConsentWord(Document):
    """A seat consented, or refused."""

    by: Person
    at: str
    agreed: bool
    why: str


class Consented(Document):
    """What a decision waited for: under which id, and what was said to it by those of whom everybody may know.

    `without`: it was gone on with though some had not consented, by whom, and why.
    """

    waited_as: str
    said: list[ConsentWord]
    without: bool
    by: Person | None
    why: str | None


class Decree(Document):
    """A decision about the ruling. `also`: rulings overturned with it. `revision`: the one that stands after it.

    `code`: of a revision, a typo or a wrong judgement. `cause`: the ruling because of which this one was ruled again;
    or recounted: what it decided stays, and what follows from that (levels lost, posted) was worked out anew.
    `consent`: what it waited for, where it did.
    """

    decision: Decision
    by: Person
    at: str
    reason: str
    settle: Settle | None
    also: list[int]
    revision: int | None
    code: Code | None
    cause: int | None
    consent: Consented | None
    text: str


def decrees(lens: Lens, ruling: StoredRuling) -> list[Decree]:
    """Those the viewer may know of, with the revisions numbered as if there were no others."""
    seen: list[Decree] = []
    revision = 0
    for one in filter(lens.sees, ruling["decisions"]):
        revision += one["decision"] in REVISING
        seen.append(
            {
                "decision": one["decision"],
                "by": lens.person(one["by"]),
                "at": one["at"],
                "reason": one["reason"],
                "settle": one["settle"],
                "also": one["also"],
                "revision": None if one["revision"] is None else revision,
                "code": one["code"],
                "cause": one["cause"],
                "consent": _consent(lens, one["consent"]),
                "text": lens.told(
                    of_decision(ruling["number"], one["by"], one["decision"], one["reason"], one["cause"])
                ),
            }
        )
    return seen


def _consent(lens: Lens, stored: Json | None) -> Consented | None:
    if stored is None:
        return None
    found = cast(dict[str, Any], stored)
    return {
        "waited_as": found["waited_as"],
        "said": [
            {"by": lens.person(one["seat"]), "at": one["at"], "agreed": one["agreed"], "why": one["reason"]}
            for one in found["said"]
        ],
        "without": found["without"],
        "by": lens.person(found["by"]) if found["by"] is not None else None,
        "why": found["reason"],
    }

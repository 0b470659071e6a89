"""The decisions about a ruling, for one viewer."""

from __future__ import annotations

from typing import Any, NotRequired, cast

from ledger.events.records import Code, Decision, Settle
from projections.documents.shape import Document
from projections.documents.stored_rulings import REVISING, StoredRuling
from projections.redaction import Json, Lens, Person
from projections.wording import word_decision


class ConsentWord(Document):
    """A seat's consent or refusal."""

    by: Person
    at: str
    agreed: bool
    why: str


class Consented(Document):
    """The consent to a decision. `waited_as`: the id of the decision while it waited. `said`: the answers that
    everybody can see.

    `without`: missing consent was overridden. `by`, `why`: who overrode it, and why.
    """

    waited_as: str
    said: list[ConsentWord]
    without: bool
    by: Person | None
    why: str | None


class Decree(Document):
    """A decision about the ruling. `also`: rulings overturned with it. `revision`: the current revision after it.

    `code`: whether a correction fixes a typing mistake or a wrong ruling. `cause`: the other ruling that caused this
    one to be ruled again or recounted. A recounted ruling keeps its result; its consequences (levels lost, amounts
    moved) are worked out again. `consent`: the consent that the decision needed, if any.

    A rewind (`rewound`) overturns several rulings at once. `through` is the last of them, and `cause` is the first. In
    the first ruling itself, `cause` is null.
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
    through: NotRequired[int]
    text: str


def list_decrees(lens: Lens, ruling: StoredRuling) -> list[Decree]:
    """Return the decisions that the viewer may know of, with revisions numbered as if there were no other decisions."""
    decrees: list[Decree] = []
    revision = 0
    for decision in filter(lens.may_see_stored, ruling["decisions"]):
        revision += decision["decision"] in REVISING
        decree: Decree = {
            "decision": decision["decision"],
            "by": lens.name_person(decision["by"]),
            "at": decision["at"],
            "reason": decision["reason"],
            "settle": decision["settle"],
            "also": decision["also"],
            "revision": None if decision["revision"] is None else revision,
            "code": decision["code"],
            "cause": decision["cause"],
            "consent": _show_consent(lens, decision["consent"]),
            "text": lens.fill_in_names(
                word_decision(
                    ruling["number"], decision["by"], decision["decision"], decision["reason"], decision["cause"]
                )
            ),
        }
        if "through" in decision:
            decree["through"] = decision["through"]
        decrees.append(decree)
    return decrees


def _show_consent(lens: Lens, stored_consent: Json | None) -> Consented | None:
    if stored_consent is None:
        return None
    consent = cast(dict[str, Any], stored_consent)
    return {
        "waited_as": consent["waited_as"],
        "said": [
            {
                "by": lens.name_person(answer["seat"]),
                "at": answer["at"],
                "agreed": answer["agreed"],
                "why": answer["reason"],
            }
            for answer in consent["said"]
        ],
        "without": consent["without"],
        "by": lens.name_person(consent["by"]) if consent["by"] is not None else None,
        "why": consent["reason"],
    }

"""The differences between two points of a campaign, and the rulings that caused them.

They are the differences between the `/state` documents at both points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NotRequired

from typing_extensions import TypedDict

from ledger.rules.kernel.subjects import parse_subject
from projections.documents.doings import Causes
from projections.documents.shape import Document, give_example
from projections.documents.state_comparison import Absent, FieldChange, compare_documents, index_subjects, word_change
from projections.documents.states import describe_state
from projections.documents.subjects import As, Clock
from projections.redaction import Json, LiveLens, Person


class Look(Document, As):
    """A point in play, as known at the time or as corrected. `at`: null means the present."""

    at: int | str | None


_Ends = TypedDict("_Ends", {"from": Look})


class FieldDifference(Document):
    """A difference. `field`: a path in the subject's document; empty for the whole document. `before`, `after`: missing
    if the field doesn't exist at that point. `rulings`: the rulings that changed it, as far as this seat can see them.
    """

    field: str
    before: NotRequired[object]
    after: NotRequired[object]
    rulings: list[int]
    text: str


class Differing(Document):
    """A campaign, character or scene that differs between the two states."""

    subject: str
    name: str
    fields: list[FieldDifference]


class Doer(Document):
    """A ruling that caused part of the difference."""

    number: int
    status: str
    by: Person
    text: str


@give_example(
    subjects=[
        {
            "subject": "character:2",
            "name": "Celia",
            "fields": [
                {
                    "field": "state/harm",
                    "before": 0,
                    "after": 4,
                    "rulings": [7],
                    "text": "Celia: harm changed from 0 to 4.",
                }
            ],
        }
    ],
    rulings=[{"number": 7, "status": "standing", "by": {"seat": "s2", "name": "Ben"}, "text": "Giazza hits Celia."}],
    since=1,
    to={"at": None, "as": "corrected"},
    **{"from": {"at": 6, "as": "corrected"}},
)
class Diff(Document, _Ends):
    """The differences between two points. `subjects` is empty if there are none.

    The two `/state` documents are compared: the campaign, all characters and open scenes, and balances by account.
    Lists of words and numbers are compared as a whole, other lists entry by entry. `rulings`: the rulings named in the
    differences. `since`: the earliest ruling that `rulings` can contain.
    """

    to: Look
    subjects: list[Differing]
    rulings: list[Doer]
    since: int


@dataclass(frozen=True, slots=True)
class Interval:
    """Two points to compare, each on both clocks."""

    start: Clock
    end: Clock

    @property
    def ends(self) -> tuple[Look, Look]:
        first_look, last_look = ({"at": clock.point, "as": clock.basis} for clock in (self.start, self.end))
        return first_look, last_look  # type: ignore[return-value]


def describe_differences(lens: LiveLens, interval: Interval) -> Diff:
    """Return the differences between two points. Raise NotFound for a point that does not exist, or is before the
    campaign was opened.
    """
    documents_before, documents_after = (
        index_subjects(describe_state(lens, clock)) for clock in (interval.start, interval.end)
    )
    changes_by_subject = {
        subject: list(compare_documents(documents_before.get(subject), documents_after.get(subject)))
        for subject in dict.fromkeys([*documents_before, *documents_after])
    }
    changes_by_subject = {
        subject: field_changes for subject, field_changes in changes_by_subject.items() if field_changes
    }
    causes = Causes(lens, (interval.start, interval.end), [parse_subject(subject) for subject in changes_by_subject])
    start, end = interval.ends
    subjects: list[Differing] = [
        {
            "subject": subject,
            "name": lens.find_subject_name(subject),
            "fields": [
                _make_difference(
                    lens,
                    subject,
                    field_change,
                    causes.list_causing_numbers(subject, field_change[0]),
                    (documents_before.get(subject), documents_after.get(subject)),
                )
                for field_change in field_changes
            ],
        }
        for subject, field_changes in changes_by_subject.items()
    ]
    ruling_numbers = {number for subject in subjects for field in subject["fields"] for number in field["rulings"]}
    return {
        "from": start,
        "to": end,
        "subjects": subjects,
        "rulings": [
            {"number": ruling["number"], "status": ruling["status"], "by": ruling["by"], "text": ruling["text"]}
            for ruling in causes.show_rulings(ruling_numbers)
        ],
        "since": causes.since,
    }


def _make_difference(
    lens: LiveLens,
    subject_key: str,
    field_change: FieldChange,
    ruling_numbers: list[int],
    documents: Sequence[Json | None],
) -> FieldDifference:
    path, before, after = field_change
    difference: FieldDifference = {
        "field": path,
        "rulings": ruling_numbers,
        "text": word_change(lens.find_subject_name(subject_key), field_change, documents),
    }
    if not isinstance(before, Absent):
        difference["before"] = before
    if not isinstance(after, Absent):
        difference["after"] = after
    return difference

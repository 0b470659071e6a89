"""What is otherwise between two places of a campaign, field by field, in words, and which rulings did it.

The two are told by what tells `/state`: a difference is one between these two documents, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NotRequired, TypeAlias

from typing_extensions import TypedDict

from ledger.application import Campaign, Moment, ShownRuling, Stretch, facts_of, rulings_then, stretches
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.phrases import listed, words
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.register import CampaignEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, parse_subject
from projections.documents.rulings import seen, stored_for
from projections.documents.shape import Document, like
from projections.documents.states import State, campaign_then, state
from projections.documents.subjects import As, Clock, Then
from projections.redaction import Json, LiveLens, Person

MOST_RULINGS = 200  # between the two places are looked at for what did it, the latest
LONGEST = 60  # characters of a value in a sentence
#: Of a subject: what says where one looked, and not how things stand there.
PLACES = ("at", "as", "version")
#: What an entry of a list is called by.
NAMES = ("name", "title", "id")


class Look(Document, As):
    """A place: how far in play, by which of the two clocks. `at`: null for now."""

    at: int | str | None


_Ends = TypedDict("_Ends", {"from": Look})


class Difference(Document):
    """`field`: a path into what is shown of the subject; empty for all of it. `before`, `after`: left out where there
    is no such field there. `rulings`: those that made it something else, as far as this seat may know them.
    """

    field: str
    before: NotRequired[object]
    after: NotRequired[object]
    rulings: list[int]
    text: str


class Differing(Document):
    """The campaign, a character or a scene that is otherwise there."""

    subject: str
    name: str
    fields: list[Difference]


class Doer(Document):
    """A ruling that did some of it."""

    number: int
    status: str
    by: Person
    text: str


@like(
    subjects=[
        {
            "subject": "character:2",
            "name": "Celia",
            "fields": [
                {"field": "state/harm", "before": 0, "after": 4, "rulings": [7], "text": "Celia: harm was 0, is 4."}
            ],
        }
    ],
    rulings=[{"number": 7, "status": "standing", "by": {"seat": "s2", "name": "Ben"}, "text": "Giazza hits Celia."}],
    since=1,
    to={"at": None, "as": "corrected"},
    **{"from": {"at": 6, "as": "corrected"}},
)
class Diff(Document, _Ends):
    """What is otherwise at the second place: nothing where `subjects` is empty.

    It is the difference of the two `/state`s: of the campaign, everybody, and the scenes that are open; balances by
    account. Lists of words and numbers are told whole, other lists entry by entry. `rulings`: those named in it.
    `since`: of what was changed only before this ruling none is named.
    """

    to: Look
    subjects: list[Differing]
    rulings: list[Doer]
    since: int


class Absent:
    """There is no such field."""


#: Path, and what stands there at the one place and at the other.
Pair: TypeAlias = tuple[str, object, object]


@dataclass(frozen=True, slots=True)
class Places:
    """From one place of the two clocks to another."""

    start: Clock
    end: Clock

    @property
    def ends(self) -> tuple[Look, Look]:
        first, last = ({"at": one.said, "as": one.known} for one in (self.start, self.end))
        return first, last  # type: ignore[return-value]


def diff(lens: LiveLens, places: Places) -> Diff:
    """NotFound for a place there is not, or from before the campaign was opened."""
    one, other = (subjects_of(state(lens, clock)) for clock in (places.start, places.end))
    found = {subject: list(compared(one.get(subject), other.get(subject))) for subject in dict.fromkeys([*one, *other])}
    found = {subject: pairs for subject, pairs in found.items() if pairs}
    causes = _Causes(lens, places, [parse_subject(one) for one in found])
    start, end = places.ends
    subjects: list[Differing] = [
        {
            "subject": subject,
            "name": lens.subject_name(subject),
            "fields": [
                _told(lens, subject, pair, causes.of(subject, pair[0]), (one.get(subject), other.get(subject)))
                for pair in pairs
            ],
        }
        for subject, pairs in found.items()
    ]
    return {
        "from": start,
        "to": end,
        "subjects": subjects,
        "rulings": causes.named(subjects),
        "since": causes.since,
    }


def subjects_of(told: State) -> dict[str, Json]:
    """What `/state` tells of each subject, without where one looked; balances by account."""
    found: dict[str, Json] = {"campaign": {**told["campaign"]}}
    found |= {f"character:{one['id']}": {**one} for one in told["characters"]}
    found |= {f"scene:{one['id']}": {**one} for one in told["scenes"]}
    return {subject: _plain(document) for subject, document in found.items()}


def _plain(document: Json) -> Json:
    balances = {str(one["account"]): one["balance"] for one in document["balances"]}  # type: ignore[attr-defined]
    return {**{name: value for name, value in document.items() if name not in PLACES}, "balances": balances}


def compared(before: object, after: object, path: str = "") -> Iterator[Pair]:
    """Wherever the two are otherwise, as deep as both have it."""
    before, after = (Absent() if one is None and not path else one for one in (before, after))
    if isinstance(before, dict) and isinstance(after, dict):
        names: Iterable[str | int] = dict.fromkeys([*before, *after])
        one: Mapping[str | int, object] = before
        other: Mapping[str | int, object] = after
    elif _records(before) and _records(after):
        assert isinstance(before, list) and isinstance(after, list)
        names = range(max(len(before), len(after)))
        one, other = dict(enumerate(before)), dict(enumerate(after))
    else:
        if type(before) is not type(after) or before != after:
            yield path, before, after
        return
    for name in names:
        part = str(name).replace("~", "~0").replace("/", "~1")
        pair = (one.get(name, _ABSENT), other.get(name, _ABSENT))
        yield from compared(*pair, f"{path}/{part}" if path else part)


_ABSENT = Absent()


def _records(value: object) -> bool:
    """A list of which anything is more than a word or a number."""
    return isinstance(value, list) and any(isinstance(one, dict | list) for one in value)


# --- in words -----------------------------------------------------------------------------------------------------


def _told(lens: LiveLens, subject: str, pair: Pair, rulings: list[int], whole: Sequence[Json | None]) -> Difference:
    field, before, after = pair
    told: Difference = {"field": field, "rulings": rulings, "text": _text(lens.subject_name(subject), pair, whole)}
    if not isinstance(before, Absent):
        told["before"] = before
    if not isinstance(after, Absent):
        told["after"] = after
    return told


def _text(name: str, pair: Pair, whole: Sequence[Json | None]) -> str:
    """`Celia: harm was 0, is 4.` `whole`: all of the subject at both places, to call what stands in lists by name."""
    field, before, after = pair
    if not field:
        return f"{name} is not there any more." if isinstance(after, Absent) else f"{name} is there."
    what = _called(field, whole[0] if isinstance(after, Absent) else whole[1])
    if isinstance(before, Absent):
        return f"{name}: {what} is there now, {_said(after)}."
    if isinstance(after, Absent):
        return f"{name}: {what} is gone, it was {_said(before)}."
    return f"{name}: {what} was {_said(before)}, is {_said(after)}."


def _called(field: str, whole: object) -> str:
    """`state/traits/0/base` is "base (traits: Sly)"; `balances/character:1~1coin` is "coin"."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in field.split("/")]
    if parts[0] == "balances" and len(parts) > 1:
        return unit_of(parts[1])
    called: list[str] = []
    for place, part in enumerate(parts):
        if isinstance(whole, list):
            whole = whole[int(part)]
            called.append(_name_of(whole) or str(int(part) + 1))
        else:
            whole = whole.get(part) if isinstance(whole, dict) else None
            if place or part != "state":
                called.append(words(part))
    *within, last = called or ["state"]
    return f"{last} ({': '.join(within)})" if within else last


def _name_of(record: object) -> str:
    names = (record.get(name) for name in NAMES) if isinstance(record, dict) else ()
    return next((one for one in names if isinstance(one, str) and one), "")


def _said(value: object) -> str:
    """A value in a sentence; of one that is long that it is another."""
    match value:
        case None | "" | [] | {}:
            said = "nothing"
        case bool():
            said = "yes" if value else "no"
        case str():
            said = f"“{value}”"
        case list() if not _records(value):
            said = listed([str(one) for one in value])
        case int() | float():
            said = str(value)
        case _:
            said = f"“{name}”" if (name := _name_of(value)) else "something longer"
    return said if len(said) <= LONGEST else "something longer"


# --- which rulings did it -----------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """On the way from one place to the other: where what was ruled, or (`decided`) decided about a ruling."""

    moment: Moment
    ruling: int
    decided: bool = False


class _Along(Then):
    """One place on the way."""

    def __init__(self, lens: LiveLens, there: Mapping[Subject, Stretch], when: Moment) -> None:
        self.there = there
        super().__init__(lens, Clock(), when)

    def folded(self, wanted: Subject) -> tuple[Folded[object], int]:
        assert self.moment is not None
        return self.there[wanted].at(self.moment)

    @property
    def dials(self) -> object:
        entry = self.campaign.entry
        return entry.dials if isinstance(entry, CampaignEntry) else None

    def document(self, subject: Subject) -> Json | None:
        """As `/state` has it there, where it has."""
        entry = self.campaign.entry
        if not isinstance(entry, CampaignEntry) or (subject.kind == "scene" and subject.id not in entry.scenes):
            return None
        told = campaign_then(self, entry) if subject == CAMPAIGN else self.standing(subject)
        return _plain({**told}) if told is not None else None


class _Causes:
    """The rulings between two places, and what each made something else. Told backwards, the same rulings did it."""

    def __init__(self, lens: LiveLens, places: Places, changed: Sequence[Subject]) -> None:
        self.lens = lens
        one, other = sorted((clock.moment(lens.book) for clock in (places.start, places.end)), key=_in_order)
        begun, steps, self.since = _way(lens.book.campaign, one, other)
        self._found: dict[str, list[tuple[str, int]]] = {}
        self._decided = self._known(step.ruling for step in steps if step.decided)
        if changed and steps:
            self._walk(begun, steps, changed)

    def _known(self, numbers: Iterable[int]) -> dict[int, ShownRuling]:
        """Those of the rulings that the viewer may know."""
        position = self.lens.book.campaign.position
        told = rulings_then(self.lens.book, [(number, position) for number in dict.fromkeys(numbers)])
        return {one.ruling.number: one for one in told if self.lens.knows(one.ruling)}

    def _walk(self, begun: Moment, steps: Sequence[_Step], changed: Sequence[Subject]) -> None:
        book = self.lens.book
        seats = [one for one in book.campaign.subjects if one.kind == "seat"] if CAMPAIGN in changed else []
        most = max(step.moment.ruling for step in steps)
        there = stretches(book, dict.fromkeys([CAMPAIGN, *seats, *changed]), begun, most)
        along = _Along(self.lens, there, begun)
        dials, last = along.dials, {subject: along.document(subject) for subject in changed}
        for step in steps:
            along = _Along(self.lens, there, step.moment)
            otherwise = along.dials is not dials
            dials = along.dials
            for subject in changed:
                if otherwise or step.decided or facts_of(there[subject], step.ruling) or subject.kind == "scene":
                    was, last[subject] = last[subject], along.document(subject)
                    if self._may_name(step, there[CAMPAIGN if otherwise else subject]):
                        found = self._found.setdefault(str(subject), [])
                        found += [(pair[0], step.ruling) for pair in compared(was, last[subject])]

    def _may_name(self, step: _Step, stretch: Stretch) -> bool:
        """Whether the viewer may know that the ruling was about the subject; or that it was decided about."""
        if step.decided:
            shown = self._decided.get(step.ruling)
            made = shown.ruling.decisions if shown is not None else ()
            return any(self.lens.may_see(one.audience) for one in made if one.position == step.moment.position)
        return any(self.lens.may_see(body.audience) for _, body in facts_of(stretch, step.ruling))

    def of(self, subject: str, field: str) -> list[int]:
        found = self._found.get(subject, ())
        return sorted({ruling for path, ruling in found if path == field or (field and _overlap(path, field))})

    def named(self, subjects: Iterable[Differing]) -> list[Doer]:
        """Those that did anything of it."""
        numbers = {number for one in subjects for field in one["fields"] for number in field["rulings"]}
        told = [seen(self.lens, stored_for(self.lens, one)) for one in self._known(sorted(numbers)).values()]
        return [
            {"number": one["number"], "status": one["status"], "by": one["by"], "text": one["text"]} for one in told
        ]


def _in_order(when: Moment) -> tuple[bool, int, int]:
    """As recorded before as corrected; what was played first, first."""
    return not when.recorded, when.ruling, when.position


def _overlap(one: str, other: str) -> bool:
    """Whether one of the paths is within the other."""
    return not one or one.startswith(f"{other}/") or other.startswith(f"{one}/")


def _way(campaign: Campaign, first: Moment, last: Moment) -> tuple[Moment, list[_Step], int]:
    """Where it begins, what was ruled or decided on the way, and the first ruling on it."""
    if first.recorded != last.recorded:  # the same place by both clocks
        decided = [one for one in campaign.decided if one.position > first.position and one.ruling <= first.ruling]
        latest = decided[-MOST_RULINGS:]
        begun = Moment(first.ruling, latest[0].position - 1, recorded=True) if latest else first
        return begun, [_Step(Moment(first.ruling, one.position, True), one.ruling, True) for one in latest], 1
    since = max(first.ruling, last.ruling - MOST_RULINGS) + 1
    begun = first if since == first.ruling + 1 else Moment(since - 1, campaign.ruled[since - 1] - 1, first.recorded)
    steps = [
        _Step(Moment(number, campaign.ruled[number - 1], first.recorded), number)
        for number in range(since, last.ruling + 1)
    ]
    if first.recorded:
        steps += [
            _Step(Moment(one.after, one.position, True), one.ruling, True)
            for one in campaign.decided
            if begun.position < one.position <= last.position
        ]
    return begun, sorted(steps, key=lambda step: step.moment.position), since

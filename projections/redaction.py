"""Redaction: remove what the viewer may not see from everything that leaves the ledger.

Facts, steps, answers, questions and the context of refusals have their own audiences. Other secrets follow from them:
the declaration and derivation of a ruling with no visible fact, and the balance of an account that a hidden fact
changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NotRequired, Protocol, TypeAlias, TypeVar, cast

from typing_extensions import TypedDict

from ledger.application import Book, Pending, Ruling, json_form, may_know
from ledger.events.codec import Codec, encode
from ledger.events.envelope import Body
from ledger.rules.kernel import contract
from ledger.rules.kernel.contract import About
from ledger.rules.kernel.facts import CharacterEnrolled, SceneOpened
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.register import CampaignEntry, SceneEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, Subject, Viewer, parse_subject, seat
from ledger.rules.kernel.table import load_dials
from projections.documents.shape import Document, allow_more_fields, give_example
from projections.wording import Wording, fill_in_names, word_fact

#: An object with any fields: a declaration, a state, the inputs of a step.
Json: TypeAlias = dict[str, object]
ANY_MASTER = "gm"  # stands for any game master who may answer
ANY_MASTERS_NAME = "the game master"
OPERATORS_NAME = "the operator"  # the operator has no seat


class Person(Document):
    """A seat with its name."""

    seat: str
    name: str


_From = TypedDict("_From", {"from": str})
_POSTING = {"from": "bank/coin", "to": "character:1/coin", "unit": "coin", "amount": 5}


@give_example(**_POSTING)
class Posting(Document, _From):
    """An amount that a fact moves."""

    to: str
    unit: str
    amount: int


class MadeFact(Document):
    """A fact about the subject, also as a sentence. A fact of the kind `ledger.leg` repeats an amount that a fact about
    another subject moved to or from this one."""

    subject: str
    kind: str
    version: int
    fact: Json
    postings: list[Posting]
    text: str


class Proposed(MadeFact):
    """A fact that the ruling would record about the subject."""

    step: int


@allow_more_fields
class Question(TypedDict):
    """A question with the data needed to answer it. `asked`: who has to answer. `text`: the question in one sentence.

    `slot`: the question's name within its ruling. When a ruling is made again, a recorded answer is used for the
    question with the same slot, seat asked and sides of the dice. Old rulings have no slots.
    """

    ask: Literal["roll", "draw", "shuffle", "flip", "choice"]
    purpose: str
    slot: NotRequired[str | None]
    text: NotRequired[str]


class Asked(Question):
    asked: Person | None


class Secret(TypedDict):
    """A piece of a stored document. `audience`: missing if the piece is for everybody."""

    audience: NotRequired[list[str]]


class Choosable(TypedDict):
    """A kind of answer, with its fields."""

    kind: str
    fields: list[str]


class StoredQuestion(Question, Secret):
    """A stored question with the fields that say whom it asks. `known`: whether everybody may know the question, even
    if its answer is secret.
    """

    seat: NotRequired[str]
    who: NotRequired[str | None]
    form: NotRequired[str | None]
    known: NotRequired[bool]
    choices: NotRequired[list[Choosable]]


class StoredRow(TypedDict):
    """The fields that every row of the timeline has. `by`: the acting seat; empty if there is none."""

    by: str
    text: str
    subject: NotRequired[str]
    struck: NotRequired[bool]


S = TypeVar("S", bound=Secret)


class Audible(Protocol):
    """Anything with an audience."""

    @property
    def audience(self) -> Audience: ...


def to_text(document: object) -> str:
    """Return a document as it is sent. Equal documents give equal texts."""
    return encode(document).decode()


class Lens(ABC):
    """What one viewer may see, either in the record or in the views."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer

    def may_see(self, audience: Audience) -> bool:
        return self.viewer.may_see(audience)

    def may_see_stored(self, piece: Secret) -> bool:
        """Return whether a piece of a stored document is for this viewer."""
        audience = piece.get("audience")
        return audience is None or self.may_see(tuple(audience))

    def are_all_hidden(self, facts: Sequence[Audible]) -> bool:
        """Return whether there are facts, and the viewer may see none of them."""
        return bool(facts) and not any(self.may_see(fact.audience) for fact in facts)

    def may_see_declaration(self, by: str, facts: Sequence[Audible]) -> bool:
        return by == self.viewer.seat or not self.are_all_hidden(facts)

    def show_declaration(self, declaration: Json, is_visible: bool) -> Json:
        return declaration if is_visible else {"kind": declaration["kind"]}

    def show_question(self, stored_question: Json | None, declarer: str | None = None) -> Asked | None:
        """Return the question with the seat asked, or None if this viewer may not see the question.

        A seat that draws from a hidden deck sees the question without the cards that are left.
        """
        if stored_question is None:
            return None
        question = cast(StoredQuestion, stored_question)
        asked_seat = question.get("seat") or self._find_roller(question) or declarer
        is_visible = self._may_see_question(question)
        if not (is_visible or (question.get("form") and asked_seat == self.viewer.seat)):
            return None
        hidden_fields = ("audience", "known") if is_visible else ("audience", "known", "cards")
        visible_fields = {name: value for name, value in stored_question.items() if name not in hidden_fields}
        return cast(
            Asked,
            {
                **visible_fields,
                "text": self.word_question(stored_question),
                "asked": self.name_asked_seat(asked_seat) if asked_seat else None,
            },
        )

    def _may_see_question(self, question: StoredQuestion) -> bool:
        return bool(question.get("known")) or question.get("seat") == self.viewer.seat or self.may_see_stored(question)

    def _find_roller(self, question: StoredQuestion) -> str | None:
        kind, _, id = (question.get("who") or "").partition(":")
        return id if kind == "seat" else self.find_player(id)

    def name_person(self, id: str) -> Person:
        """Return a seat with its name. An empty id stands for the operator."""
        return {"seat": id, "name": self.find_seat_name(id) if id else OPERATORS_NAME}

    def name_asked_seat(self, id: str) -> Person:
        """Return the person asked: a seat, or any game master."""
        return {"seat": id, "name": ANY_MASTERS_NAME} if id == ANY_MASTER else self.name_person(id)

    def fill_in_names(self, text: str) -> str:
        """Return a sentence with its names filled in."""
        return fill_in_names(text, self.find_subject_name)

    @abstractmethod
    def word_question(self, stored_question: Json) -> str:
        """Return a question in a sentence."""

    @abstractmethod
    def find_player(self, id: str) -> str | None:
        """Return the seat that plays the character now."""

    @abstractmethod
    def find_seat_name(self, id: str) -> str:
        """Return the seat's current name, or an empty text if there was never such a seat."""

    @abstractmethod
    def find_subject_name(self, subject_key: str) -> str:
        """Return the current name of a character (`character:12`), a seat or a scene, or an empty text if it has no
        name.
        """


class ViewLens(Lens):
    """What one viewer may see in the views, with the current names of the seats.

    `roster`: which seat plays which character now. `subject_names`: the names of characters and scenes looked up so
    far.
    """

    def __init__(self, viewer: Viewer, seat_names: Mapping[str, str], roster: Mapping[str, str] | None = None) -> None:
        super().__init__(viewer)
        self.seat_names = seat_names
        self.roster = roster or {}
        self.subject_names: dict[str, str] = {}

    def show_feed_row(self, row: StoredRow, audience: Audience) -> str | None:
        """Return a row of the feed as this viewer may see it, or None if it is hidden from them."""
        if not self.may_see(audience):
            return None
        by = row["by"]
        sentence = self.fill_in_names(row["text"])
        return to_text({**row, "text": sentence, "by": self.name_person(by) if by else None})

    def word_question(self, stored_question: Json) -> str:
        return self.fill_in_names(str(stored_question["text"]))

    def find_player(self, id: str) -> str | None:
        return self.roster.get(id)

    def find_seat_name(self, id: str) -> str:
        return self.seat_names.get(id, "")

    def find_subject_name(self, subject_key: str) -> str:
        kind, _, id = subject_key.partition(":")
        return self.find_seat_name(id) if kind == "seat" else self.subject_names.get(subject_key, "")


class LiveLens(Lens):
    """What one viewer may see in one campaign now. `joining_names`: the names of characters and scenes to be saved."""

    def __init__(self, book: Book, viewer: Viewer, joining_names: Mapping[str, str] | None = None) -> None:
        super().__init__(viewer)
        self.book = book
        self.joining_names = joining_names or {}

    def word_question(self, stored_question: Json) -> str:
        return self.fill_in_names(self.wording.word_question(stored_question))

    def find_player(self, id: str) -> str | None:
        return self.book.entry.roster.get(id)

    # --- audiences ---

    def may_know(self, ruling: Ruling) -> bool:
        return may_know(self.viewer, ruling)

    def may_know_pending(self, pending: Pending) -> bool:
        """Return whether the viewer may know that this declaration is waiting."""
        return pending.seat == self.viewer.seat or self.may_see(pending.audience)

    def show_state(self, folded: Folded[object], campaign: Folded[object] | None = None) -> Json:
        """Return a subject's state as its game shows it to the viewer. `campaign`: the campaign in the same past
        (default: now).
        """
        viewer, show = self.viewer, self.book.ruleset.view
        entry = (campaign or self.book.load_stream(CAMPAIGN).folded).entry
        dials = load_dials(self.book.ruleset.dials, entry) if isinstance(entry, CampaignEntry) else None
        state: Json = json_form.to_json(dict(show(folded.subject, folded.state, replace(viewer, dials=dials))))
        return state

    # --- names ---

    def find_seat_name(self, id: str) -> str:
        return self.name(seat(id))

    def find_subject_name(self, subject_key: str) -> str:
        return self.name(parse_subject(subject_key))

    @property
    def wording(self) -> Wording:
        return Wording(self.book.ruleset)

    def make_view_lens(self) -> ViewLens:
        """Return a lens for the same viewer that works without the campaign."""
        names = {seat.id: self.name(seat) for seat in self.book.seats()}
        return ViewLens(self.viewer, names, self.book.entry.roster)

    def name(self, subject: Subject) -> str:
        """Return the name of a character or seat, or the title of a scene, even if its creation was overturned."""
        folded = self.book.find(subject)
        if folded is None:
            return self.joining_names.get(str(subject), "")
        entry = folded.entry
        if entry is None:
            return self.book.load_stream(subject).name
        return entry.title if isinstance(entry, SceneEntry) else entry.name

    def describe_proposed_facts(self, facts: Sequence[About[object]]) -> list[Proposed]:
        """Return the facts of a verdict that is not recorded, as the viewer may see them."""
        lens = self.add_joining_names((fact.subject, fact.fact) for fact in facts)
        proposed_facts: list[Proposed] = []
        for step, fact in enumerate(facts):
            if self.may_see(fact.audience):
                document = make_fact(self.book.codec, fact.subject, fact.fact, fact.postings)
                proposed_facts.append({"step": step, **document, "text": lens.fill_in_names(document["text"])})
        return proposed_facts

    def add_joining_names(self, facts: Iterable[tuple[Subject | str, object]]) -> LiveLens:
        """Return a lens for the same viewer that also knows the names of the characters and scenes that these facts
        create.
        """
        joining_names = {
            str(subject): fact.name if isinstance(fact, CharacterEnrolled) else fact.title
            for subject, fact in facts
            if isinstance(fact, CharacterEnrolled | SceneOpened)
        }
        return LiveLens(self.book, self.viewer, {**self.joining_names, **joining_names})


def add_audience(piece: S, audience: Audience) -> S:
    """Return a piece of a stored document, with its audience."""
    if audience is not None:
        piece["audience"] = list(audience)
    return piece


def drop_audience(piece: Json) -> Json:
    """Return a stored piece without its audience, ready to send."""
    return piece if "audience" not in piece else {name: value for name, value in piece.items() if name != "audience"}


def make_fact(codec: Codec, subject: Subject | str, fact: object, postings: Iterable[contract.Posting]) -> MadeFact:
    """Return a fact's stored name, its version, its own fields, and its sentence with names left open."""
    kind, version = codec.find_name(type(fact))
    posting_documents: list[Posting] = [
        {"from": posting.source, "to": posting.target, "unit": posting.unit, "amount": posting.amount}
        for posting in postings
    ]
    return {
        "subject": str(subject),
        "kind": kind,
        "version": version,
        "fact": json_form.to_json(fact),
        "postings": posting_documents,
        "text": word_fact(subject, fact),
    }


def make_fact_maker(codec: Codec) -> Callable[[str, Body[Any]], MadeFact]:
    """Return a function like `make_fact` that takes a subject and a recorded event about it."""
    return lambda subject, body: make_fact(codec, subject, body.fact, body.postings)

"""How a value came about: every fact that changed it, with its ruling, rules and dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.application import StandingRevisions, json_form, list_bodies_up_to, load_shown_rulings, parser
from ledger.errors import NotFound
from ledger.events.envelope import Body
from ledger.events.records import MARKS
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.json_types import split_pointer
from ledger.rules.kernel.places import get_fold_key
from ledger.rules.kernel.subjects import Subject
from projections.documents.answers import Given
from projections.documents.decisions import Decree
from projections.documents.rulings import Ruling, Step, make_stored_ruling_for_lens, show_ruling
from projections.documents.shape import Document, give_example
from projections.documents.subjects import As, Clock, Snapshot, flatten, list_hidden_accounts_of, make_not_found_error
from projections.redaction import Json, LiveLens, MadeFact, Person, make_fact

ENTRY = ("name", "seat", "retired", "title", "cast", "open", "session", "dials")
MOST_BRIEF = 20  # the links listed, unless the caller asks for all of them


class RulingBehind(Document):
    """The ruling behind a fact.

    `declared`, `answers` (including dice), `because`, `dials`, `decisions`: null unless you asked for everything.
    """

    number: int
    status: str
    declared: Json | None
    by: Person
    at: str
    session: str | None
    scene: str | None
    answers: list[Given] | None
    because: list[Step] | None
    dials: Json | None
    decisions: list[Decree] | None
    text: str


class Link(Document):
    """A change of the value. `struck`: the change no longer counts. `fact`: null if it is hidden from this seat."""

    before: object
    after: object
    struck: bool
    step: int | None
    fact: MadeFact | None
    by: Person | None
    at: str | None
    ruling: RulingBehind | None


LINK: Link = {
    "before": None,
    "after": "Giazza",
    "struck": False,
    "step": 0,
    "fact": {
        "subject": "character:1",
        "kind": "ledger.character-enrolled",
        "version": 1,
        "fact": {"name": "Giazza", "seat": "s2"},
        "postings": [],
        "text": "Giazza joins, played by Ben.",
    },
    "by": {"seat": "s2", "name": "Ben"},
    "at": "2026-11-21T19:30:00.000000Z",
    "ruling": None,
}


@give_example(
    subject="character:1", field="name", value="Giazza", earlier=0, chain=[LINK], at=None, **{"as": "corrected"}
)
class Derivation(Document, As):
    """A value now or at the given point, with the changes that led to it, in order.

    `earlier`: the number of earlier changes not listed here.
    """

    subject: str
    field: str
    value: object
    earlier: int
    chain: list[Link]
    at: int | str | None


class Absent:
    """Stands for a field that the subject does not have."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A fact that changed the value, or would have changed it if it had not been overturned."""

    body: Body[object]
    before: object
    after: object
    struck: bool


def explain_field(lens: LiveLens, subject: Subject, path: str, clock: Clock, *, full: bool = True) -> Derivation:
    """Return the chain of changes behind a field. `path`: a path in the state (`state/traits/0/base`),
    `balances/<account>`, or a field of the entry.

    `full`: whether to return every link, with dice and derivations, or only the last links, without them. Raise
    NotFound, with the existing fields, if the viewer can see no such field.
    """
    if subject not in lens.book.campaign.subjects:
        raise make_not_found_error(subject)
    moment = clock.find_moment(lens.book)
    bodies = list_bodies_up_to(lens.book, subject, moment)
    snapshot = Snapshot(lens, clock)
    read_field = _FieldReader(lens, subject, path, snapshot)
    value, causes = _make_chain(lens, subject, bodies, read_field)
    if isinstance(value, Absent) and not causes:
        raise _make_no_field_error(path, read_field.list_fields(snapshot.load_folded(subject)[0]))
    latest_causes = causes if full else causes[-MOST_BRIEF:]
    position = moment.position if clock.recorded else lens.book.campaign.position
    rulings_by_number = _index_rulings_behind(
        lens, [cause for cause in latest_causes if lens.may_see(cause.body.audience)], position, full=full
    )
    return {
        "subject": str(subject),
        "field": path,
        "value": _replace_absent(value),
        "earlier": len(causes) - len(latest_causes),
        "chain": [_make_link(lens, subject, cause, rulings_by_number) for cause in latest_causes],
        "at": clock.point,
        "as": clock.basis,
    }


def _make_no_field_error(field_path: str, fields: list[str]) -> NotFound:
    """Return the error for an unknown field. It suggests fields that exist."""
    fields_beside, nearest_field = fields, parser.find_nearest_word(field_path, fields)
    *parts_above, _ = field_path.split("/")
    while parts_above:
        if fields_within := [path for path in fields if path.startswith("/".join(parts_above) + "/")]:
            fields_beside = fields_within
            break
        parts_above.pop()
    listed_fields = fields_beside[: parser.MOST_TOLD]
    suggestion = (
        f"Did you mean {nearest_field!r}?"
        if nearest_field
        else f"Use one of these: {', '.join(listed_fields)}."
        if listed_fields
        else ""
    )
    return NotFound(
        f"There is no field {parser.shorten_sent_value(field_path)!r}. {suggestion}".rstrip(),
        code="field-not-found",
        field=parser.shorten_sent_value(field_path),
        allowed=listed_fields,
        did_you_mean=nearest_field,
    )


class _FieldReader:
    """Reads one field of a subject as the viewer sees it."""

    def __init__(self, lens: LiveLens, subject: Subject, path: str, snapshot: Snapshot) -> None:
        self.lens = lens
        self.campaign = snapshot.campaign
        self.hidden_accounts = list_hidden_accounts_of(lens, subject)
        self.parts = split_pointer(path)
        self.account, self.entry_field = None, None
        first_part, parts_below = self.parts[0], self.parts[1:]
        if first_part == "balances" and parts_below:
            self.account = self._find_account(parts_below, snapshot.load_folded(subject)[0])
        elif (first_part == "card" and len(parts_below) == 1 and parts_below[0] in ENTRY) or (
            first_part in ENTRY and not parts_below
        ):
            self.entry_field = self.parts[-1]
        elif first_part == "state" and parts_below:
            self.parts = parts_below

    def _find_account(self, path: list[str], folded: Folded[object]) -> str:
        """Return the name of an account from a path with its name or its index (`0`, `0/balance`)."""
        visible_accounts = [account for account in folded.purse if account not in self.hidden_accounts]
        accounts_by_place = {str(place): account for place, account in enumerate(visible_accounts)}
        return accounts_by_place.get(path[0], "/".join(path)) if path[1:] in ([], ["balance"]) else "/".join(path)

    def __call__(self, folded: Folded[object]) -> object:
        if self.account is not None:
            is_visible = self.account in folded.purse and self.account not in self.hidden_accounts
            return folded.purse[self.account] if is_visible else Absent()
        if self.entry_field is not None and folded.entry is not None and hasattr(folded.entry, self.entry_field):
            return json_form.to_json(getattr(folded.entry, self.entry_field))
        return self._follow_path(self.lens.show_state(folded, self.campaign)) if folded.entry is not None else Absent()

    def list_fields(self, folded: Folded[object]) -> list[str]:
        """Return the path of every field that the subject has in this state."""
        if folded.entry is None:
            return []
        state_leaves = flatten(self.lens.show_state(folded, self.campaign), "state")
        account_paths = (f"balances/{account}" for account in folded.purse if account not in self.hidden_accounts)
        return [*(name for name in ENTRY if hasattr(folded.entry, name)), *state_leaves, *account_paths]

    def _follow_path(self, value: object) -> object:
        for part in self.parts:
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            else:
                return Absent()
        return value


def _make_chain(
    lens: LiveLens, subject: Subject, bodies: list[Body[object]], read_field: _FieldReader
) -> tuple[object, list[Cause]]:
    """Return the final value, and the facts that changed it, in order. Overturned facts are included."""
    standing, ruling_numbers = StandingRevisions(), dict.fromkeys(body.ruling for body in bodies)
    for body in bodies:
        if isinstance(body.fact, MARKS):
            standing.apply_mark(body.fact, ruling_numbers)
    fact_bodies = [body for body in bodies if not isinstance(body.fact, MARKS)]
    fact_bodies.sort(key=lambda body: (*get_fold_key(body), body.revision))
    folded: Folded[object] = Folded(lens.book.ruleset, subject)
    value: object = read_field(folded)
    causes: list[Cause] = []
    for body in fact_bodies:
        is_standing = standing.revisions.get(body.ruling, 0) == body.revision
        if not is_standing and not lens.may_see(body.audience):
            continue  # the value that it would have led to after later changes was never recorded
        folded_with_fact = folded if is_standing else folded.copy()
        state, entry, has_postings = folded_with_fact.state, folded_with_fact.entry, bool(body.postings)
        folded_with_fact.apply_fact(body)
        if folded_with_fact.state is state and folded_with_fact.entry is entry and not has_postings:
            continue
        value_after = read_field(folded_with_fact)
        if not _is_same(value, value_after):
            causes.append(Cause(body, value, value_after, not is_standing))
        if is_standing:
            value = value_after
    return value, causes


def _is_same(value: object, other_value: object) -> bool:
    if isinstance(value, Absent) or isinstance(other_value, Absent):
        return isinstance(value, Absent) and isinstance(other_value, Absent)
    return bool(value == other_value)


def _replace_absent(value: object) -> object:
    return None if isinstance(value, Absent) else value


def _index_rulings_behind(
    lens: LiveLens, causes: Iterable[Cause], position: int, *, full: bool
) -> dict[int, RulingBehind]:
    """Return the rulings behind the facts, as known at a position of the record."""
    numbers = dict.fromkeys(cause.body.ruling for cause in causes if cause.body.ruling)
    book = lens.book
    shown_rulings = load_shown_rulings(book.recorder, book.codec, book.id, numbers, position)
    documents = [
        show_ruling(lens, make_stored_ruling_for_lens(lens, shown_ruling))
        for shown_ruling in shown_rulings
        if lens.may_know(shown_ruling.ruling)
    ]
    return {document["number"]: _make_ruling_behind(document, full=full) for document in documents}


def _make_ruling_behind(document: Ruling, *, full: bool) -> RulingBehind:
    return {
        "number": document["number"],
        "status": document["status"],
        "declared": document["declared"] if full else None,
        "by": document["by"],
        "at": document["at"],
        "session": document["session"],
        "scene": document["scene"],
        "answers": document["answers"] if full else None,
        "because": document["because"] if full else None,
        "dials": document["dials"] if full else None,
        "decisions": document["decisions"] if full else None,
        "text": document["text"],
    }


def _make_link(lens: LiveLens, subject: Subject, cause: Cause, rulings_by_number: dict[int, RulingBehind]) -> Link:
    """Return a link, without the fact if it is hidden from the viewer."""
    body = cause.body
    link: Link = {
        "before": _replace_absent(cause.before),
        "after": _replace_absent(cause.after),
        "struck": cause.struck,
        "step": None,
        "fact": None,
        "by": None,
        "at": None,
        "ruling": None,
    }
    if lens.may_see(body.audience):
        link["step"] = body.step
        made_fact = make_fact(lens.book.codec, subject, body.fact, body.postings)
        link["fact"] = {**made_fact, "text": lens.fill_in_names(made_fact["text"])}
        link["by"] = lens.name_person(body.by) if body.by else None
        link["at"] = body.at
        link["ruling"] = rulings_by_number.get(body.ruling)
    return link

"""Try a save before it is stored, so that no record makes the game's code raise an error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import compress, repeat
from operator import attrgetter, is_not
from typing import Any

import psycopg
from eventsourcing.persistence import PersistenceError

from ledger.aggregates.subject_stream import MARKS
from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.save import Save
from ledger.errors import GameAtFault, LedgerError
from ledger.events.codec import encode
from ledger.rules.kernel.comparison import Comparison
from ledger.rules.kernel.failures import describe_failure_wordlessly, has_passed_through
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.json_types import cached_by_identity, list_names
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, SUBJECT_KINDS, Subject, Viewer
from ledger.rules.kernel.table import load_dials

#: Errors that are never a game's fault.
NOT_THEIRS = (LedgerError, Refused, PersistenceError, psycopg.Error)
RULES = "ledger.rules"
_MISSING = object()


class BlamingRules:
    """Raises GameAtFault in place of errors that the campaign's rules must not raise.

    `blame_any_failure`: whether to do so even if no code of the rules was running, because a value from the rules can
    cause an error later.
    """

    def __init__(self, book: Book, *, blame_any_failure: bool = False) -> None:
        self._book, self._blame_any_failure = book, blame_any_failure

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if not isinstance(problem, Exception) or isinstance(problem, NOT_THEIRS):
            return
        if self._blame_any_failure or has_passed_through(problem, RULES):
            raise _make_game_error(self._book, describe_failure_wordlessly(problem)) from problem


def _make_game_error(book: Book, failure_text: str) -> GameAtFault:
    detail = f"The rules of {book.ruleset.title} failed on this, so nothing was saved. The log has the details."
    return GameAtFault(detail, failure_text, system=book.ruleset.name)


def try_act(save: Save, act: Act) -> Done:
    """Run the act and return its result. Raise GameAtFault if the game's code raises an error for the act or its
    records.
    """
    with BlamingRules(save.book):
        result = act(save)
    if save.book.campaign.position:
        try_facts(save)
    return result


def try_facts(save: Save) -> None:
    """Fold the facts of the save, and show their subjects as the acting seat and a game master would see them.
    `try_past` shows the subjects that a decision changed.

    Facts folded here are not folded again once they are saved.
    """
    new_facts: dict[Subject, list[Any]] = defaultdict(list)
    subjects_changed_by_decision: set[Subject] = set()
    for event in save.events:
        _, kind, id = event.originator_id.split("/", 2)
        if kind in SUBJECT_KINDS:
            subject = Subject(kind, id)
            if event.body.revision or event.body.after or type(event.body.fact) in MARKS:
                subjects_changed_by_decision.add(subject)
            else:
                new_facts[subject].append(event.body.fact)
    book = save.book
    with BlamingRules(book, blame_any_failure=True):
        viewers = _list_viewers(save) if new_facts else ()
        for subject, facts in new_facts.items():
            if subject not in subjects_changed_by_decision:
                is_recorded = subject in book.campaign.subjects
                folded = book.load_stream(subject).folded if is_recorded else Folded(book.ruleset, subject)
                state_after = folded.look_ahead(facts)
                if state_after is not folded.state or not is_recorded:
                    try_showing(book, subject, state_after, viewers, state_before=folded.state if is_recorded else None)


def try_past(save: Save, comparison: Comparison) -> None:
    """Show the subjects that differ after a decision, as `try_facts` does. Raise GameAtFault if the game's code raises
    an error for them.
    """
    with BlamingRules(save.book, blame_any_failure=True):
        viewers = _list_viewers(save)
        for subject in comparison.list_differing_subjects():
            folded = comparison.then.told(subject)
            known_breakages = {
                (breakage.ruling, breakage.step) for breakage in comparison.now.told(subject).broken_facts
            }
            for new_breakage in folded.broken_facts:
                if (new_breakage.ruling, new_breakage.step) not in known_breakages:
                    raise _make_game_error(save.book, new_breakage.why)
            if folded.entry is not None:
                try_showing(save.book, subject, folded.state, viewers)


def try_showing(
    book: Book, subject: Subject, state: object, viewers: Iterable[Viewer], *, state_before: object = None
) -> None:
    """Encode a state as it is stored in a view. Also encode what documents show these viewers, unless it is a seat's
    state. Raise whatever the game's code raises.

    `state_before`: an earlier state that was already encoded. Parts that it shares with the new state are skipped.
    """
    parts = _list_new_parts(state_before, state, [])
    if subject.kind != "seat":
        parts += [dict(book.ruleset.view(subject, state, viewer)) for viewer in viewers]
    encode(parts)


def _list_new_parts(before: Any, after: Any, parts: list[object]) -> list[object]:
    """Return the parts of a state (its fields, and entries of mappings) that are not the same objects in the earlier
    state.
    """
    value_class = type(after)
    if value_class is dict and type(before) is dict:
        old_values = tuple(map(before.get, after, repeat(_MISSING)))
        entries = zip(after, old_values, after.values(), strict=True)
        for key, old, new in compress(entries, map(is_not, old_values, after.values())):
            if old is _MISSING:
                parts.append({key: new})
            else:
                _list_new_parts(old, new, parts)
    elif value_class is type(before) and (read_values := _make_field_reader(value_class)) is not None:
        old_values, new_values = read_values(before), read_values(after)
        for old, new in compress(zip(old_values, new_values, strict=True), map(is_not, old_values, new_values)):
            _list_new_parts(old, new, parts)
    else:
        parts.append(after)
    return parts


@cached_by_identity
def _make_field_reader(cls: Any) -> Callable[[object], tuple[object, ...]] | None:
    """Return a function that returns the values of a record's fields, in order, or None if the class is not
    a record.
    """
    names = list_names(cls) if hasattr(cls, "__dataclass_fields__") else ()
    read_fields = attrgetter(*names) if names else None
    if read_fields is not None and len(names) == 1:
        return lambda record: (read_fields(record),)
    return read_fields


def _list_viewers(save: Save) -> Iterable[Viewer]:
    book = save.book
    dials = load_dials(book.ruleset.dials, book.entry) if CAMPAIGN in book.campaign.subjects else None
    gm_viewer = Viewer("", "gm", dials=dials)
    if save.viewer is None or save.viewer.role == "gm":
        return (gm_viewer,)
    return (gm_viewer, changed(save.viewer, dials=dials))

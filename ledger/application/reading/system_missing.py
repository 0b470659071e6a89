"""A campaign whose game is not installed: the parts of its record that can be read without the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ledger.application.book import Book
from ledger.errors import Fault
from ledger.events.codec import Codec, load_codec
from ledger.events.recorder import LedgerRecorder
from ledger.rules.kernel.contract import AnyRuleset, Ruleset, Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, SubjectKind, Viewer

NO_EDITION = 0  # the edition of no ruling


@dataclass(frozen=True, slots=True)
class Unknown:
    """Stands for the state of any subject, which cannot be known without the rules."""

    adrift: tuple[object, ...] = ()


def _adjudicate(table: Table[object], do: object) -> Asking[Verdict[object]]:
    yield from ()
    raise Refused("ledger.system", "system-missing")


def _make_blank(kind: SubjectKind) -> Unknown:
    return Unknown()


def _show_nothing(subject: Subject, state: object, viewer: Viewer) -> Mapping[str, object]:
    return {}


def _make_empty_ruleset(name: str) -> AnyRuleset:
    return Ruleset(
        name=name,
        title=name,
        source="",
        edition=NO_EDITION,
        dials=Unknown,
        sheet=Unknown,
        inputs=(),
        choices=(),
        facts=(),
        accounts=(),
        rules={},
        blank=_make_blank,
        adjudicate=_adjudicate,
        apply=lambda state, fact: state,
        view=_show_nothing,
    )


class BookWithoutSystem(Book):
    """A campaign without its rules. The kernel's entries, the balances and the journal are known. States are not, and
    no ruling can be replayed.
    """

    is_installed = False

    def __init__(self, recorder: LedgerRecorder, system: str, campaign: str) -> None:
        self._empty_ruleset = _make_empty_ruleset(system)
        super().__init__(recorder, load_codec(absent_system=system), campaign)

    @property
    def ruleset(self) -> AnyRuleset:
        return self._empty_ruleset


def open_book(recorder: LedgerRecorder, codec: Codec, campaign: str) -> Book:
    """Return the campaign, with nothing read yet. If its game is not installed, return `BookWithoutSystem`."""
    book = Book(recorder, codec, campaign)
    try:
        _ = book.ruleset
    except Fault as problem:
        if problem.code != "system-missing":
            raise
        return BookWithoutSystem(recorder, str(problem.context["system"]), campaign)
    return book

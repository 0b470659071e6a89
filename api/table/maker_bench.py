"""Try out a character without enrolling it: find out whether the rules refuse it, and what its sheet would show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fastapi.concurrency import run_in_threadpool

from api.table.client import Json
from api.table.maker_choices import Sheet, Workshop
from api.table.maker_steps import load_steps
from api.table.pages import Desk
from ledger.application import Book, Call, json_form
from ledger.application.commands.foreseeing import preview_declaration
from ledger.application.reading.veiling import load_campaign_as_known
from ledger.errors import Malformed
from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer, character
from ledger.rules.kernel.table import RulingTable
from ledger.rules.kernel.world import list_recorded
from projections.documents.foreseen import describe_preview
from projections.documents.refusals import describe_refusal
from projections.documents.subjects import list_balances
from projections.redaction import LiveLens

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The outcome of enrolling a character: its document (`character`), a question to answer first (`question`), or the
    reason why the rules refuse it (`why`).
    """

    character: Json | None = None
    question: str = ""
    why: str = ""
    sheet: Mapping[str, Any] = field(default_factory=dict)


class Bench:
    """Tries out characters for the seat `player`. Use a bench only while the book is open."""

    def __init__(self, book: Book, viewer: Viewer, player: str) -> None:
        self._book, self._viewer, self._player = book, viewer, player
        self._lens = LiveLens(book, viewer)
        ruleset = book.ruleset
        assert ruleset.maker is not None
        steps = load_steps(ruleset.name)
        self.workshop = Workshop(steps, ruleset.maker, self._find_problem, self._parse, self._make_table, player)

    def _make_declaration(self, name: str, sheet: Sheet) -> Any:
        document = {"kind": "enrol", "name": name, "seat": self._player, "sheet": sheet}
        return json_form.declaration_from_json(self._book.ruleset, document)

    def _parse(self, sheet: Sheet) -> Any:
        try:
            return self._make_declaration("", sheet).sheet
        except Malformed:
            return None

    def _make_table(self) -> Table[Any]:
        subjects = load_campaign_as_known(self._book, self._viewer) or self._book
        return RulingTable(self._book.ruleset, subjects, self._book.campaign.rulings + 1, self._viewer, None)

    def _find_problem(self, name: str, sheet: Sheet) -> str | None:
        try:
            preview_declaration(self._book, self._viewer, self._make_declaration(name, sheet), None)
        except Malformed as problem:
            return problem.detail
        except Refused as refusal:
            return describe_refusal(self._lens, refusal)["text"]
        return None

    def foresee(self, name: str, sheet: Sheet) -> Foreseen:
        """Return what would happen if the character were enrolled."""
        complete_sheet = self.workshop.complete(sheet)
        try:
            preview = preview_declaration(self._book, self._viewer, self._make_declaration(name, complete_sheet), None)
        except Malformed as problem:
            return Foreseen(why=problem.detail, sheet=complete_sheet)
        except Refused as refusal:
            return Foreseen(why=describe_refusal(self._lens, refusal)["text"], sheet=complete_sheet)
        if not isinstance(preview.outcome, Verdict):
            question = describe_preview(self._lens, preview)["question"]
            return Foreseen(question=str(question["text"]) if question is not None else "", sheet=complete_sheet)
        return Foreseen(self._describe_character(name, preview.outcome), sheet=complete_sheet)

    def _describe_character(self, name: str, verdict: Verdict[Any]) -> Json:
        number = self._book.campaign.rulings + 1
        subject = character(str(number))
        folded: Folded[Any] = Folded(self._book.ruleset, subject)
        for fact_subject, fact in list_recorded(number, 0, verdict):
            if fact_subject == subject:
                folded.apply_fact(fact)
        hidden_accounts = {
            account
            for account, audiences in folded.audiences_by_account.items()
            if not all(map(self._lens.may_see, audiences))
        }
        document = {"id": subject.id, "name": name, "seat": self._player, "retired": False, "adrift": 0}
        return document | {"state": self._lens.show_state(folded), "balances": list_balances(folded, hidden_accounts)}


async def run_with_bench(desk: Desk, player: str, use_bench: Callable[[Bench], T]) -> T:
    """Call `use_bench` with a bench for this campaign, and return its result."""

    def open_bench() -> T:
        with desk.ledger.open_for_seat(Call(desk.session.campaign, desk.session.token)) as (book, viewer):
            return use_bench(Bench(book, viewer, player))

    return await run_in_threadpool(open_bench)

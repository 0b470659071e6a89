"""Check and convert records of other editions of a game's rules."""

from __future__ import annotations

from dataclasses import replace

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.errors import Malformed, Newer
from ledger.rules.kernel.contract import AnyRuleset


def check_edition(ruleset: AnyRuleset, played_edition: int) -> None:
    """Raise Newer if the campaign was played with a later edition than the one installed."""
    if played_edition > ruleset.edition:
        raise Newer(
            f"This campaign was played with edition {played_edition} of {ruleset.title}, but edition {ruleset.edition}"
            f" is installed. Install edition {played_edition}. Nothing was changed.",
            system=ruleset.name,
        )


def upcast_pending(ruleset: AnyRuleset, pending: Pending, edition: int) -> Pending:
    """Return a waiting declaration, converted from `edition` to the form that the installed rules read."""
    try:
        declaration = json_form.declaration_to_json(json_form.declaration_from_json(ruleset, pending.declared, edition))
        answers = json_form.upcast_answers(ruleset, pending.answers, edition)
    except Malformed:
        return replace(pending, of_earlier_edition=True, unreadable=True)
    return replace(pending, of_earlier_edition=True, declared=declaration, answers=answers)

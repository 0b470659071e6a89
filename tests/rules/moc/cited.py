"""The rules of a ruling: the rule and code of a refusal, the results of a rule in a verdict."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from tests.rules.moc.game import Game, answer_to, facts_of

#: The last column of a table if nothing is refused.
FINE = ""


def refusal(game: Game, do: Any, *said: Any, by: str = "gm") -> str:
    """Return the rule and the code of the refusal, with a space between, or FINE. Records nothing."""
    try:
        conversation, _ = game.begin(do, by)
        for one in said:
            conversation.answer(answer_to(conversation.question, one))
    except Refused as no:
        return f"{no.rule} {no.code}"
    return FINE


def steps(verdict: Verdict[Any], rule: str) -> list[Any]:
    """Return the result of each step of the rule."""
    return [one.out for one in verdict.because if one.rule == rule]


def found(verdict: Verdict[Any], kind: str) -> list[Any]:
    return [fact for fact in facts_of(verdict) if type(fact).__name__ == kind]

"""All that leaves the ledger for one seat, as the exit of the read side lets it out, of a game in memory."""

from __future__ import annotations

import json
from typing import Any

from ledger.application import json_form
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.refusals import Refused
from tests.rules.mnemonic.game import Game


def told(game: Game, by: str) -> str:
    """Every ruling, fact, step, refusal in a what-if and view that this seat may see, as one text."""
    viewer = game.viewer(by)
    rulings = []
    for past, verdict in zip(game.history, game.verdicts, strict=True):
        if not viewer.may_see(verdict.audience):
            continue
        seen = [about for about in verdict.facts if viewer.may_see(about.audience)]
        declared = json_form.declaration_to_json(past.declared)
        open_ = past.by.seat == by or bool(seen) or not verdict.facts
        rulings.append(
            {
                "number": past.number,
                "by": past.by.seat,
                "declared": declared if open_ else {"kind": declared["kind"]},
                "answers": [json_form.answer_to_json(one) for one in past.answers] if open_ else [],
                "facts": [
                    {
                        "subject": str(about.subject),
                        "fact": json_form.to_json(about.fact),
                        "postings": json_form.to_json(about.postings),
                    }
                    for about in seen
                ],
                "because": [
                    json_form.to_json(one) for one in verdict.because if open_ and viewer.may_see(one.audience)
                ],
            }
        )
    return json.dumps({"rulings": rulings, "views": game.seen(by)}, sort_keys=True, default=str)


def outcomes(game: Game, by: str, *without: int) -> list[Any]:
    """What a what-if says of each later ruling, as far as this seat may see."""
    viewer = game.viewer(by)
    rows: list[Any] = []
    for row in game.without(*without).rows:
        for one in (row.now, row.then):
            if isinstance(one, Verdict):
                rows.append([json_form.to_json(about.fact) for about in one.facts if viewer.may_see(about.audience)])
            elif isinstance(one, Refused):
                rows.append([one.rule, one.code, one.context if viewer.may_see(one.audience) else {}])
            else:
                assert not isinstance(one, Ask)
    return rows

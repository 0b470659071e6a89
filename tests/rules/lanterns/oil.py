"""Filling a lamp."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.domains import Between
from ledger.rules.kernel.kit import (
    Among,
    CharacterId,
    Move,
    Refusal,
    Refused,
    Seen,
    changed,
    changes,
    character,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
    rule,
)
from tests.rules.lanterns.state import Draft, Lamp

FILL = rule("lanterns.fill", "A lamp holds three measures of oil.", "Oil", step="{char} has {out:measure|measures}.")
TOO_MUCH = Refusal(FILL, "too-much", "{char}'s lamp can't hold that much.")


@fact("oil-filled", says="{char} fills a lamp.", headline=2)
class OilFilled:
    char: CharacterId
    measures: Annotated[int, Between(1, 3)]


@changes
def fill_up(state: Lamp, fact: OilFilled) -> Lamp:
    return changed(state, oil=state.oil + fact.measures)


@declares("fill", either("char"), says="{char} fills the lamp with {measures}.", records=(OilFilled,))
class Fill:
    char: CharacterId
    measures: Annotated[int, Between(1, 3)]


@guards
def may_fill(draft: Draft, char: str, measures: int) -> Refused | None:
    if draft.state(character(char), Lamp).oil + measures > 3:
        return TOO_MUCH(char=char)
    return None


@decides
def fill(draft: Draft, do: Fill) -> None:
    require(may_fill(draft, do.char, do.measures))
    draft.about(do.char, OilFilled(do.char, do.measures), audience=(f"character:{do.char}",))
    draft.by(FILL, do.measures, (f"character:{do.char}",), char=do.char)


@offers
def offer_to_fill(seen: Seen, draft: Draft) -> Iterator[Move]:
    for id in seen.characters:
        yield Move(Fill, {"char": Among((id,)), "measures": Between(1, 3)})

"""What can be accepted in this game and is no move: by kind, which ones, and why; and how moves spell what is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.kernel.table import campaign_entry, dials_in_force
from ledger.rules.kernel.world import Past
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.inputs import AssignAptitude, Card, EnterRoll, RuleCheck, RuleOrder, TakePart, TraitName
from ledger.rules.mnemonic.inputs_of_injuries import RuleInjury, RuleRecoveryCheck
from ledger.rules.mnemonic.moves_of_rolls import RANK_OF
from ledger.rules.mnemonic.tables import RANKS, SUITS
from ledger.rules.mnemonic.terms import collapsed, same_name
from tests.rules.moves import Unoffered


def _odd_suit(do: EnterRoll) -> bool:
    return any(card.suit is not None and card.suit not in SUITS for card in do.cards or ())


def _many_voices(do: EnterRoll) -> bool:
    rounds = do.voices if do.voices is not None else (do.numbers or (),)
    return any(len(spoken) != 2 for spoken in rounds)


UNOFFERED: Unoffered = {
    EnterRoll: (
        lambda do: _odd_suit(do) or (do.cards is None and _many_voices(do)),
        "Suits are the four of a pack. What more than two voices come to depends on what they say.",
    ),
    RuleOrder: (lambda do: len(set(do.order)) < len(do.order), "Nobody acts twice in an order, though it can be said."),
}


# --- as moves spell it --------------------------------------------------------------------------------------------


def plainly(past: Past, do: Any) -> Any:
    """The same, as moves say it: names as they are on record, nothing said twice, nothing that does not matter.

    None where it is about a scene that was closed: moves are of what is open.
    """
    if any(_is_left(past, getattr(do, name, None)) for name in ("check", "cause_check", "action")):
        return None
    match do:
        case TakePart():
            return replace(do, characters=tuple(dict.fromkeys(do.characters)))
        case EnterRoll():
            return _as_rolled(past, do)
        case RuleInjury() if do.cause == "referee":
            do = replace(do, cause_check=None)
    return _named_plainly(past, do)

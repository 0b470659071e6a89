"""Numbers that are for a game master to say: what a player declares of them is a proposal. Heading: Modifiers.

The proposal is asked about before anything else: whoever is asked then knows the numbers, and no dice have fallen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any, TypeAlias

from ledger.rules.kernel.declarations import declared_by
from ledger.rules.kernel.moves import Among, Between, Domain, Either, Shape
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.mongrel.choices import Disallow, Judge
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts import ProposalDeclined
from ledger.rules.mongrel.tables import HOUR
from ledger.rules.mongrel.terms import NUMBER_WORDS, NUMBERS

PROPOSAL = "mongrel.task.proposal"
#: What a field says where nothing is proposed.
UNSAID: dict[str, tuple[object, ...]] = {
    "weapon": (0, None), "armour": (0, None), "difficulty": (0,), "taken_off": (0,), "score": (None,),
    "social": (None,), "minutes": (), "minute": (),
}  # fmt: skip
Rule: TypeAlias = Callable[[Draft, Any], Asking[None] | None]


def with_numbers(rule: Rule, only: Callable[[Draft, Any], bool] | None = None) -> Callable[[Draft, Any], Asking[None]]:
    """Return the rule for a declaration whose numbers a game master has said. `only`: when they are a proposal."""

    def proposed(draft: Draft, do: Any) -> bool:
        return is_proposal(draft, do) and (only is None or only(draft, do))

    def ruled(draft: Draft, do: Any) -> Asking[None]:
        judged = (yield from _judged(draft, do, rule)) if proposed(draft, do) else do
        asking = rule(draft, judged) if judged is not None else None
        if asking is not None:
            yield from asking

    return ruled


def is_proposal(draft: Draft, do: object) -> bool:
    """Whether a game master has to be asked about it."""
    if draft.table.by.role == "gm" or draft.dials.player_numbers == "trusted":
        return False
    return _needs_available(do) or any(True for _ in numbers_of(do))


def numbers_of(do: object) -> Iterator[tuple[str, object]]:
    """The numbers that a declaration proposes, by field."""
    for name in _judged_fields(do):
        if (number := getattr(do, name)) not in UNSAID[name]:
            yield name, number


def _judged_fields(do: Any) -> Iterator[str]:
    """The fields for which a game master can say a number: not those that a possession or a character settles."""
    sells = getattr(do, "possession", None) is not None
    settled = {
        "weapon": sells or getattr(do, "weapon_used", None) is not None,
        "armour": sells or getattr(do, "armour_worn", None) is not None,
        "score": getattr(do, "side", None) != "target" or getattr(do, "target", None) is not None,
        "social": getattr(do, "seller", None) is not None,
    }
    return (name for name in UNSAID if hasattr(do, name) and not settled.get(name, False))


def _needs_available(do: object) -> bool:
    """Whether it is for a game master to say that something can be bought: not of a possession, which is there."""
    return hasattr(do, "available") and getattr(do, "possession", None) is None


def _judged(draft: Draft, do: Any, rule: Rule) -> Asking[Any]:
    """Return the declaration with the numbers of a game master; None where it is not allowed.

    What is refused in any case is refused first. Unfit: numbers that are refused, or not asked for (`not-proposed`).
    """
    _check(draft, do, rule)
    kinds, within = (Judge, Disallow), (Shape(Judge, _shape(draft, do)),)
    said = yield from ask("gm", *kinds, slot=NUMBERS, purpose=_purpose(do), within=within)
    if isinstance(said, Disallow):
        whose = declared_by(do).of
        assert whose is not None, "somebody's declaration"
        who = str(whose(draft.table, do))
        draft.about(who, ProposalDeclined(who, said.reason))
        draft.by(PROPOSAL, "declined", reason=said.reason)
        return None
    changed = {name: number for name in UNSAID if (number := getattr(said, name)) is not None}
    for name in changed:
        if name not in _judged_fields(do):
            raise Unfit(PROPOSAL, "not-proposed", what=name)
    judged = replace(do, **changed)
    try:
        _check(draft, judged, rule)
    except Refused as no:
        raise Unfit(no.rule, no.code, **no.context) from None
    reason = {"reason": said.reason} if said.reason.strip() else {}
    draft.by(PROPOSAL, "changed" if changed else "confirmed", None, **dict(numbers_of(judged)), **reason)
    return judged


def _check(draft: Draft, do: object, rule: Rule) -> None:
    """Refuses whatever the rule refuses before it asks anybody.

    Nothing is kept of the try but what it looked at: a copy of the table notes that with it, and has ids of its own.
    """
    asking = rule(Draft(copy(draft.table)), do)
    if asking is not None:
        next(asking, None)
        asking.close()


def _shape(draft: Draft, do: object) -> dict[str, Domain]:
    cap = draft.dials.weapon_bonus_cap
    most: dict[str, Domain] = {
        "weapon": Between(0, cap), "difficulty": Between(0, 4), "minutes": Between(HOUR),
        "minute": Between(draft.clock()),
    }  # fmt: skip
    return {name: Either((Among((None,)), most.get(name, Between(0)))) for name in _judged_fields(do)}


def _purpose(do: Any) -> str:
    """What the game masters are asked, with all that is proposed."""
    numbers = ", ".join(f"{NUMBER_WORDS[name]} {number}" for name, number in numbers_of(do))
    if _needs_available(do):
        return f"Can {do.item} be bought{f' ({numbers})' if numbers else ''}?"
    return f"Is this right: {numbers}?"

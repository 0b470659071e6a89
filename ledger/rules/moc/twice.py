"""What is kept twice (cards are counted in accounts), and what there is only one of: each card of the deck."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ledger.rules.kernel.contract import Held, Twice
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.subjects import GM_ONLY, Subject
from ledger.rules.moc.state import Campaign, Character, Scene, State, actions_in
from ledger.rules.moc.state_of_actions import Play


def kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    state, cards = places.state(subject), places.balances(subject, "card")
    if isinstance(state, Character):
        yield Twice("hand", len(state.hand), cards.get("hand", 0), account="card")
    if isinstance(state, Scene):
        yield Twice("pool", len(state.pool), cards.get("villains", 0), account="card")


def things(subject: Subject, state: State, session: str | None) -> Iterator[Held]:
    """Cards on the table (those played in the open session), in hands and in the villains' pool."""
    yield from (Held(f"card {play.card}") for play in _played(state) if _lies(play, session))
    if isinstance(state, Character):
        yield from (Held(f"card {card}", state.seen_by) for card in state.hand)
    elif isinstance(state, Scene):
        yield from (Held(f"card {card}", GM_ONLY) for card in state.pool)


def _lies(play: Play, session: str | None) -> bool:
    """Whether the card lies on the table, and did not go back to where it came from."""
    return bool(play.card) and not play.returned and play.session == (session or "")


def _played(state: State) -> Iterator[Play]:
    match state:
        case Character():
            yield from state.laid
            yield from state.healing.plays if state.healing is not None else ()
        case Scene():
            dice = state.initiative
            yield from chain.from_iterable(one.plays for one in actions_in(state))
            yield from chain.from_iterable(one.plays for one in state.damage.values())
            yield from chain.from_iterable((*dice.plays.values(), *dice.waiting.values()))
            yield from chain.from_iterable(one.plays for one in state.story.values())
        case Campaign():
            yield from chain.from_iterable(one.plays for one in state.story.values())

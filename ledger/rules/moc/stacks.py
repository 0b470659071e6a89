"""`moc.trump.stack`: what lies on what, and which plays are effective."""

from __future__ import annotations

from ledger.rules.moc import accounts, facts
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.state import Action, Play


def effective(action: Action, play: Play) -> bool:
    """Going down from the top: a play is effective if the one on it is not."""
    if play.fiat:
        return False
    return not any(one.on == play.id and effective(action, one) for one in action.plays)


def top_of(action: Action, thing: str, place: int) -> Play | None:
    """The top of the stack on a play or on the roll of a part; None for a bare roll."""
    top = next((one for one in action.plays if one.id == thing), None)
    while True:
        under = top.id if top is not None else "roll"
        above = [
            one for one in action.plays
            if one.on == under and not one.fiat and (top is not None or one.part == place)
        ]  # fmt: skip
        if not above:
            return top
        top = above[-1]


def roll_trumped(action: Action, place: int) -> bool:
    return any(one.on == "roll" and one.part == place and effective(action, one) for one in action.plays)


def settle(ruling: Ruling, was: Action) -> None:
    """`moc.trump.effect`: beads of an own Element go back when they are cancelled, and out again when restored."""
    now = ruling.action(was.id)
    for play in now.plays:
        if play.kind != "beads" or play.fiat:
            continue
        stands = effective(now, play)
        if not stands and not play.returned and _kept(ruling, play):
            moved = accounts.move(accounts.SPENT, accounts.bead(play.by, play.element), play.number)
            ruling.about(play.by, facts.EffectModifierReturned(now.id, play.id), moved)
            ruling.here(facts.PlaysReturned(now.id, (play.id,), True))
            ruling.by("moc.trump.effect", play.id, element=play.element)
        elif stands and play.returned:
            ruling.has_beads(play.by, play.element, play.number, "moc.trump.effect")
            moved = accounts.move(accounts.bead(play.by, play.element), accounts.SPENT, play.number)
            ruling.about(play.by, facts.EffectModifierRestored(now.id, play.id), moved)
            ruling.here(facts.PlaysReturned(now.id, (play.id,), False))
            ruling.by("moc.trump.stack", play.id, element=play.element)


def _kept(ruling: Ruling, play: Play) -> bool:
    who = ruling.who(play.by)
    kept = who.primaries
    if ruling.dials.kept_when_trumped == "primary_and_secondary":
        kept = (*kept, *who.secondaries)
    return play.element in kept


def lost_beads(ruling: Ruling, action: Action, place: int) -> None:
    """`moc.trump.effect`: trumped beads that did not go back, where they do not come again in the session."""
    if ruling.dials.trumped_beads_regenerate:
        return
    lost: dict[str, int] = {}
    for play in action.plays:
        gone = play.kind == "beads" and play.part == place and not play.returned and not effective(action, play)
        if gone:
            lost[play.by] = lost.get(play.by, 0) + play.number
    for id, number in lost.items():
        ruling.about(id, facts.BeadsTrumped(number))
        ruling.by("moc.trump.effect", number, character=id)

"""What can be declared about elements: whose they are, and what is agreed about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rules.kernel.moves import OPEN, Among, Besides, Domain, Move
from ledger.rules.scattershot.at_hand import NO, SAID, YES, AtHand
from ledger.rules.scattershot.inputs_of_play import (
    AnswerConsent,
    AskConsent,
    ChangeElement,
    IntroduceElement,
    TransferProprietorship,
)
from ledger.rules.scattershot.state import Element

AGREED = ("explicit", "tacit")


class Things:
    """Everything somebody is Proprietor of: elements by name, and Characters by id. What nobody knows is the
    Gamemaster's."""

    def __init__(self, at: AtHand) -> None:
        boxes = at.draft.campaign().elements.values()
        self.elements: Mapping[str, Element] = {name: one for box in boxes for name, one in box.items()}
        self.gm = at.draft.gm()
        self.owners: dict[str, str] = {
            **{name: one.proprietor or self.gm for name, one in self.elements.items()},
            **{id: at.draft.owner(id) for id in at.known},
        }

    def of(self, seat: str) -> Domain | None:
        """Whatever a seat is Proprietor of, by the word for it; None: nothing."""
        if seat == self.gm:
            return Besides(tuple(name for name, owner in self.owners.items() if owner != seat))
        own = tuple(name for name, owner in self.owners.items() if owner == seat)
        return Among(own) if own else None


def of_elements(at: AtHand) -> Iterator[Move]:
    things = Things(at)
    yield from _introduced(at, things)
    yield Move(AskConsent, {"element": OPEN})
    yield from _handed_over(at, things)
    yield from _answered(at, things)
    yield from _changed(at, things)


def _introduced(at: AtHand, things: Things) -> Iterator[Move]:
    """`proprietor.own`: what is nobody's yet."""
    taken = [name for name, one in things.elements.items() if one.proprietor is not None]
    named = Besides((*taken, *at.known))
    players = (None, *at.group) if at.by in at.group else at.group
    if players:
        fields: dict[str, Domain] = {"element": named, "player": Among(players)}
        yield Move(IntroduceElement, {**fields, "world": YES, "persona": OPEN})
        yield Move(IntroduceElement, {**fields, "world": NO, "persona": Among((None, *at.known))})


def _handed_over(at: AtHand, things: Things) -> Iterator[Move]:
    """`proprietor.transfer`: by its Proprietor, and no Character."""
    own = things.of(at.by)
    if isinstance(own, Besides):
        own = Besides(tuple(dict.fromkeys((*own.values, *at.known))))
    elif isinstance(own, Among):
        there = tuple(name for name in own.values if name not in at.known)
        own = Among(there) if there else None
    if own is not None:
        yield Move(TransferProprietorship, {"element": own, "to": Among(at.players)})


def _answered(at: AtHand, things: Things) -> Iterator[Move]:
    """`proprietor.consent`: by its Proprietor, or by a Gamemaster for them; tacit, where nobody objected."""
    own, said = things.of(at.by), Among(("explicit", "refused"))
    anyhow: dict[str, Domain] = {"claimed": OPEN}
    if own is not None:
        yield Move(AnswerConsent, {"element": own, "consent": said, **anyhow})
    if at.rules:
        yield Move(AnswerConsent, {"element": OPEN, "consent": said, "claimed": YES, "reason": SAID})
    tacit: dict[str, Domain] = {"consent": Among(("tacit",)), **anyhow}
    refused = {name: tuple(_said(one, "refused")) for name, one in things.elements.items()}
    for owner in dict.fromkeys((*things.owners.values(), things.gm)):
        there = at.table.session is not None and at.draft.present(owner)
        theirs = tuple(name for name, whose in things.owners.items() if whose == owner)
        quiet = tuple(name for name in theirs if not refused.get(name))
        if there:
            unknown = Besides(tuple(name for name in things.owners if name not in quiet))
            if owner == things.gm:
                yield Move(AnswerConsent, {"element": unknown, **tacit})
            elif quiet:
                yield Move(AnswerConsent, {"element": Among(quiet), **tacit})
        for name in theirs:
            asked = tuple(_said(things.elements[name], "asked", *AGREED)) if name in things.elements else ()
            if there and refused.get(name):
                yield Move(AnswerConsent, {"element": Among((name,)), "change": Besides(refused[name]), **tacit})
            elif not there and asked:
                yield Move(AnswerConsent, {"element": Among((name,)), "change": Among(asked), **tacit})


def _said(one: Element, *words: str) -> Iterator[str]:
    return (change for change, said in one.consents.items() if said in words)


def _changed(at: AtHand, things: Things) -> Iterator[Move]:
    """`play.solo`: one's own; else what was agreed."""
    own = things.of(at.by)
    if own is not None:
        yield Move(ChangeElement, {"element": own})
    if at.draft.mode() == "solo":
        return
    for name, one in things.elements.items():
        agreed = tuple(_said(one, *AGREED))
        if agreed and things.owners[name] != at.by:
            yield Move(ChangeElement, {"element": Among((name,)), "change": Among(agreed)})

"""What can be declared with Experience Dice: into a MIB, or as a plot device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from ledger.rules.kernel.moves import OPEN, Among, Besides, Domain, Either, Move, Row, Shape, Some
from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.at_hand import FACE, NONE, AtHand
from ledger.rules.scattershot.experience import checked_bid
from ledger.rules.scattershot.inputs_of_deeds import ContributeDie, DeviceDie, PlotDevice
from ledger.rules.scattershot.moves_of_elements import Things
from ledger.rules.scattershot.reckoning import opposers
from ledger.rules.scattershot.state import Resolution
from ledger.rules.scattershot.terms import ACTOR, REACTION

UNSAID: dict[str, Domain] = {"borrower": OPEN, "advantage": OPEN, "expectation": OPEN}


def of_dice(at: AtHand) -> Iterator[Move]:
    """`mib.experience`, `xd.plot-device`: of Players who are there; no dice in Solo Play."""
    if at.scene is None or at.scene.mode == "solo":
        return
    for player, said in at.players_spoken_for(at.group):
        for id, one in at.scene.resolutions.items():
            for target in _targets(one):
                yield from _contributed(at, id, one, target, player, said)
        if at.scene.mode != "mechanical":
            yield from _devices(at, player, said)


def _targets(one: Resolution) -> tuple[str, ...]:
    """The MIBs that are open: in the Decision Phase; of a Reaction until it is answered."""
    if one.phase == "decision":
        return tuple(one.sides)
    if one.phase == "opportunity":
        return tuple(f"{REACTION}{id}" for id, reaction in one.reactions.items() if not reaction.answered)
    return ()


# --- into a MIB ------------------------------------------------------------------------------------------------------


def _contributed(at: AtHand, id: str, one: Resolution, target: str, player: str, said: Domain) -> Iterator[Move]:
    """`xd.contribute`, `xd.against`: each kind of die, as it is added or taken away, against whom."""
    fields: dict[str, Domain] = {
        "resolution": Among((id,)), "target": Among((target,)), "face": FACE, "player": said, **UNSAID
    }  # fmt: skip
    rolling = opposers(one) if target == ACTOR and one.actor is not None else ()
    for kind, own in _kinds(at, one, target, player):
        found: dict[Domain, list[int]] = {}
        for sign in (1, -1):
            named = _against(at, ContributeDie(id, kind, None, sign, target, player=player, **_said(own)), one, rolling)
            if named is not None:
                found.setdefault(named, []).append(sign)
        for named, signs in found.items():
            die: dict[str, Domain] = {"die": Among((kind,)), "sign": Among(tuple(signs)), "against": named}
            yield Move(ContributeDie, {**fields, **die, **own}, of=player)


def _said(own: dict[str, Domain]) -> dict[str, str]:
    """The one thing that each of these fields says."""
    return {name: str(said.values[0]) for name, said in own.items() if isinstance(said, Among) and said != NONE}


def _kinds(at: AtHand, one: Resolution, target: str, player: str) -> Iterator[tuple[str, dict[str, Domain]]]:
    """What a Player may have: own dice, Loaners, those saved, Freebies of the Persona whose roll it is."""
    yield "own", {}
    yield "loaner", {}
    for borrower in at.players:
        if at.balance(accounts.saved(player, borrower)) >= 1:
            yield "saved", {"borrower": Among((borrower,))}
    persona = one.actor if target == ACTOR else target.removeprefix(REACTION)
    if persona is None or persona not in at.known:
        return
    for name in dict.fromkeys(held.name for held in at.draft.who(persona).advantages):
        yield "freebie", {"advantage": Among((name,)), "expectation": NONE}
    for name, listed in at.draft.campaign().expectations.items():
        if listed.kind == "freebie":
            yield "freebie", {"expectation": Among((name,))}


def _against(at: AtHand, do: ContributeDie, one: Resolution, rolling: tuple[str, ...]) -> Domain | None:
    """What `against` can say, where that die can be rolled at all: added to the Actor's MIB a Resistor who rolls, else
    it is not looked at."""
    if do.sign < 0 or do.target != ACTOR or one.actor is None:
        return OPEN if _bids(at, do, None) else None
    found = tuple(name for name in (None, *rolling) if _bids(at, do, name))
    return Among(found) if found else None


def _bids(at: AtHand, do: ContributeDie, named: str | None) -> bool:
    """Nothing is written by looking whether it can be."""
    die = ContributeDie(
        do.resolution, do.die, None, do.sign, do.target, named, do.borrower, do.advantage, do.expectation, do.player
    )
    try:
        checked_bid(at.draft, die)
    except Refused:
        return False
    return True


# --- plot devices ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stake:
    """Dice of a kind, and how many of them; None: without limit."""

    kind: str
    most: int | None
    borrower: str | None = None

    @property
    def die(self) -> Shape:
        borrower: Domain = Among((self.borrower,)) if self.borrower is not None else OPEN
        return Shape(DeviceDie, {"die": Among((self.kind,)), "face": FACE, "borrower": borrower})


def _devices(at: AtHand, player: str, said: Domain) -> Iterator[Move]:
    """`xd.plot-device`: at a Player, or at what is a Player's, with the dice that can be rolled at it.

    Of each kind as many as there are; of two kinds one each.
    """
    things, targets = Things(at), dict[frozenset[tuple[tuple[Stake, ...], tuple[str | None, ...]]], list[str | None]]()
    for target in (None, *at.players):
        owners: dict[tuple[Stake, ...], list[str | None]] = {}
        for owner in (None, *at.players):
            owners.setdefault(_stakes(at, player, target, owner), []).append(owner)
        key = frozenset((stakes, tuple(those)) for stakes, those in owners.items() if stakes)
        targets.setdefault(key, []).append(target)
    for kinds, aims in targets.items():
        for stakes, those in sorted(kinds, key=repr):
            for subject in _subjects(at, things, those):
                aim: dict[str, Domain] = {"target": Among(tuple(aims)), "subject": subject}
                yield Move(PlotDevice, {**aim, "dice": _dice(stakes), "player": said}, of=player)


def _dice(stakes: tuple[Stake, ...]) -> Either:
    alike = [Some(one.die, 1, one.most, repeats=True) for one in stakes]
    mixed = [Row((one.die, other.die)) for one, other in permutations(stakes, 2)]
    return Either((*alike, *mixed))


def _subjects(at: AtHand, things: Things, owners: tuple[str | None, ...]) -> Iterator[Domain]:
    """Whatever is one of these Players'; None: no subject."""
    if set(owners) == {None, *at.players}:
        yield OPEN
        return
    if None in owners:
        yield NONE
    if things.gm in owners:
        yield Besides(tuple(name for name, owner in things.owners.items() if owner not in owners))
    elif names := tuple(name for name, owner in things.owners.items() if owner in owners):
        yield Among(names)


def _stakes(at: AtHand, player: str, target: str | None, owner: str | None) -> tuple[Stake, ...]:
    """The dice a Player can roll at this target, about what is this owner's."""
    aimed = target if target is not None else owner
    against = aimed if aimed != player else None
    found = []
    own, gm = _own(at, player), at.draft.is_gm(player)
    if own is None or own >= 1:
        found.append(Stake("own", own))
    holder = against if against is not None else owner
    more = at.loaners(player)
    lent = holder not in (None, player) or not (gm or at.dials.loaner_unopposed == "refuse")
    if lent and (more is None or more >= 1):
        found.append(Stake("loaner", more))
    for borrower in dict.fromkeys((against, owner)):
        saved = at.balance(accounts.saved(player, borrower)) if borrower is not None else 0
        if saved >= 1:
            found.append(Stake("saved", saved, borrower))
    return tuple(found)


def _own(at: AtHand, player: str) -> int | None:
    """Dice of one's own purse; a Gamemaster's are the stock's, where the table plays so."""
    if not at.draft.is_gm(player):
        return max(0, at.balance(accounts.purse(player)))
    if at.dials.gm_dice != "stock":
        return 0
    return max(0, at.in_stock) if at.in_stock is not None else None

"""What can be declared now. Nothing is secret in this game, so its moves are made with the rules' own functions."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.commands import CloseScene, HandOver
from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Move, Shape, Some
from ledger.rules.kernel.offers import list_kernel_moves
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.scattershot.at_hand import NO, SAID, WHOLE, YES, AtHand, some
from ledger.rules.scattershot.chart import OWN_FACETS, WIDEST
from ledger.rules.scattershot.inputs_of_play import (
    Attend,
    BeginGame,
    ListAbility,
    ListAdvantage,
    ListedDefault,
    ListExpectation,
    ListFreeSkill,
    ListWeapon,
    MakeRuling,
    PassWord,
    ReadChart,
    SeatPlayers,
    SeekConsensus,
    ShiftMode,
)
from ledger.rules.scattershot.moves_of_characters import of_characters
from ledger.rules.scattershot.moves_of_deeds import of_deeds
from ledger.rules.scattershot.moves_of_dice import of_dice
from ledger.rules.scattershot.moves_of_elements import of_elements
from ledger.rules.scattershot.moves_of_fights import of_fights
from ledger.rules.scattershot.moves_of_outcomes import of_outcomes
from ledger.rules.scattershot.moves_of_resolutions import of_resolutions
from ledger.rules.scattershot.moves_of_rewards import of_rewards
from ledger.rules.scattershot.terms import WITHOUT_TURNS


def moves(seen: Seen) -> Iterator[Move]:
    at = AtHand(seen)
    yield from _kernel(at)
    yield from _listings()
    yield from _of_play(at)
    yield from _chart(at)
    yield from of_elements(at)
    yield from of_characters(at)
    yield from of_rewards(at)
    yield from of_deeds(at)
    yield from of_resolutions(at)
    yield from of_dice(at)
    yield from of_outcomes(at)
    yield from of_fights(at)


def _kernel(at: AtHand) -> Iterator[Move]:
    """`resolve.phases`: no scene is closed with dice on its table. `proprietor.transfer`: who plays a Character hands
    it over; a Gamemaster only what nobody plays any more."""
    yield from list_kernel_moves(at.seen, but=(CloseScene, HandOver))
    bare = at.scene is None or not any(one.dice for one in at.scene.resolutions.values())
    if closed := tuple(id for id in at.seen.scenes if bare or at.place is None or id != at.place.id):
        yield Move(CloseScene, {"scene": Among(closed)})
    seats: dict[str, Domain] = {"seat": Among(tuple(at.seen.seats))}
    own = tuple(id for id in at.known if at.draft.owner(id) == at.by)
    if own:
        yield Move(HandOver, {"character": Among(own), **seats})
    left = tuple(id for id in at.known if not at.table.is_open(seat(at.draft.owner(id))))
    if left:
        yield Move(HandOver, {"character": Among(left), **seats})


def _listings() -> Iterator[Move]:
    """What the campaign says, whenever a Gamemaster says it."""
    yield Move(ListExpectation, {"expectation": OPEN, "value": Between(0, 10**9), "scope": OPEN})
    near = Some(Shape(ListedDefault, {"related": OPEN, "modifier": WHOLE}), repeats=True)
    words: dict[str, Domain] = dict.fromkeys(
        ("difficulty", "special", "scope", "power_cost", "may_default", "ability_type", "use", "script"), OPEN
    )
    yield Move(ListAbility, {**words, "defaults": near})
    yield Move(ListFreeSkill, {"level": WHOLE})
    yield Move(ListAdvantage, {"value": OPEN, "modifier": OPEN, "bars": OPEN})
    yield Move(ListWeapon, {"adds": Between(0)})
    yield Move(MakeRuling)


def _of_play(at: AtHand) -> Iterator[Move]:
    """`game.numbers`, `play.general`, `play.lull`"""
    if not at.draft.campaign().begun:
        yield Move(BeginGame)
    yield Move(SeatPlayers, {"clockwise": Some(Among(at.players))})
    yield Move(Attend, {"present": some(at.players)})
    something: dict[str, Domain] = {"subject": SAID, "text": SAID}
    yield Move(SeekConsensus, {**something, "claimed": NO})
    if at.rules:
        yield Move(SeekConsensus, {**something, "claimed": YES, "reason": SAID})
    if at.scene is None:
        return
    yield Move(ShiftMode, {"mode": Among(WITHOUT_TURNS), "claimed": NO})
    if at.rules:
        yield Move(ShiftMode, {"mode": Among(WITHOUT_TURNS), "claimed": YES, "reason": SAID})
    if at.scene.mode != "mechanical":
        yield Move(PassWord, {"to": Among(at.players)})


def _chart(at: AtHand) -> Iterator[Move]:
    """`chart.band`, `chart.quantity`: of ours any quantity; of a campaign's own what its rows have."""
    rows = at.dials.ue_chart
    if rows is None:
        rating = Between(-WIDEST, WIDEST)
        yield Move(ReadChart, {"rating": rating, "facet": Among(OWN_FACETS), "amount": OPEN})
        yield Move(ReadChart, {"rating": rating, "facet": OPEN, "amount": Between()})
        return
    for row in rows:
        if row["facets"]:
            facets = Among(tuple(row["facets"]))
            yield Move(ReadChart, {"rating": Between(row["from"], row["to"]), "facet": facets, "amount": OPEN})

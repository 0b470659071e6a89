"""What an Engaged Persona can oppose with: a Rating it can use, paid for in Mechanical Play. 3.5."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Domain, Shape
from ledger.rules.scattershot.at_hand import Looked
from ledger.rules.scattershot.inputs_of_deeds import Oppose
from ledger.rules.scattershot.means import Way, able, defaulted, fit, free_kinds, in_the_flurry, named, usable
from ledger.rules.scattershot.melee import is_anothers_turn
from ledger.rules.scattershot.state import Resolution
from ledger.rules.scattershot.tables import MOST_FORFEITS


def opposing(at: Looked, id: str, one: Resolution) -> Iterator[Shape]:
    """`engage.player`: each way with the Ratings, then with the Defaults, that it can be done with."""
    for way in _ways(at, id, one):
        ratings = usable(at, id, way.at_once)
        said: dict[str, Domain] = {**named(at, id), "nature": Among(way.natures), **way.fields}
        if ratings:
            yield Shape(Oppose, {**said, "rating": Among(ratings)})
        if defaults := defaulted(at, id, ratings, False):
            yield Shape(Oppose, {**said, "rating": OPEN, "default": defaults})


def _ways(at: Looked, id: str, one: Resolution) -> Iterator[Way]:
    """`mech.forfeit`: an Action of the next Turn, a Free Action, or a step of the Flurry under way."""
    natures = able(at, id)
    if not at.fights:
        yield Way(natures, {"pays": OPEN, "free": OPEN}, True)
        return
    fight = at.fight_of(id)
    if fight is None:
        return
    standing, own_turn = fight.standing[id], fight.turn == id
    forfeits = is_anothers_turn(at.draft, id) and standing.forfeited < MOST_FORFEITS
    if forfeits and (fitting := fit(standing, id, natures, "forfeit")):
        yield Way(fitting, {"pays": Among(("forfeit",)), "free": OPEN}, own_turn)
    kinds, fitting = free_kinds(at, standing), fit(standing, id, natures, "free")
    accepted = tuple(kind for kind in kinds if kind in at.draft.campaign().free_actions)
    if kinds and (others := tuple(nature for nature in fitting if nature != "attack")):
        yield Way(others, {"pays": Among(("free",)), "free": Among(kinds)}, own_turn)
    if accepted and "attack" in fitting:
        yield Way(("attack",), {"pays": Among(("free",)), "free": Among(accepted)}, own_turn)
    if fitting := in_the_flurry(at, id, standing, natures, one):
        yield Way(fitting, {"pays": Among(("flurry",)), "free": OPEN}, True)

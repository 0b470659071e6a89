"""What can be declared to begin a resolution: Actions, with what they are done with and how they are paid for."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Besides, Between, Domain, Either, Move, Some
from ledger.rules.scattershot.at_hand import NONE, AtHand, some
from ledger.rules.scattershot.guards import is_off_guard
from ledger.rules.scattershot.inputs_of_deeds import DeclareAction
from ledger.rules.scattershot.means import Way, able, defaulted, fit, free_kinds, in_the_flurry, named, usable
from ledger.rules.scattershot.state import Standing
from ledger.rules.scattershot.tables import ACTIONS_A_TURN, LAST_DITCH_DODGE


def of_deeds(at: AtHand) -> Iterator[Move]:
    """`resolve.declare`: of a Character that has not left play; no mechanics in General Play."""
    if at.scene is None or at.scene.mode == "general":
        return
    for id in at.mine(at.open):
        for way in ways(at, id):
            yield from _declared(at, id, way)


def _declared(at: AtHand, id: str, way: Way) -> Iterator[Move]:
    others = tuple(other for other in at.open if other != id)
    fields: dict[str, Domain] = {
        "character": Among((id,)), "magnitude": Among(tuple(at.draft.who(id).ratings)), "duration": OPEN,
        "player": Among((None, *at.group)), **named(at, id), **way.fields,
    }  # fmt: skip
    unseen = _unseen(at, id)
    ratings = usable(at, id, way.at_once)
    plain = tuple(name for name in ratings if name != "observation") if unseen is not None else ratings
    gone = tuple(other for other in at.known if other not in at.open)
    for aimed in _aimed(way.natures, others, OPEN, Either((NONE, Besides(gone)))):
        if plain:
            yield Move(DeclareAction, {**fields, **aimed, "rating": Among(plain)})
        if defaults := defaulted(at, id, plain, unseen is not None):
            yield Move(DeclareAction, {**fields, **aimed, "rating": OPEN, "default": defaults})
    if unseen is not None and "observation" in ratings:
        blocked, subject = unseen
        towards = tuple(other for other in others if other not in blocked)
        present: Domain = Either((NONE, Besides((*blocked, *gone))))
        if isinstance(subject, Among):
            present = Among(tuple(name for name in subject.values if name not in gone))
        for aimed in _aimed(way.natures, towards, subject, present):
            yield Move(DeclareAction, {**fields, **aimed, "rating": Among(("observation",))})


def _aimed(
    natures: tuple[str, ...], others: tuple[str, ...], subject: Domain, present: Domain
) -> Iterator[dict[str, Domain]]:
    """`mech.engage`: an attack engages somebody, or its subject is a Character; `present`: no retired Character."""
    if harmless := tuple(nature for nature in natures if nature != "attack"):
        yield {"nature": Among(harmless), "subject": subject, "engages": some(others)}
    if "attack" in natures and others:
        engaging: Domain = Some(Among(others), 1, repeats=True)
        yield {"nature": Among(("attack",)), "subject": present, "engages": engaging}
        yield {"nature": Among(("attack",)), "subject": Among(others), "engages": Among(((),))}


def _unseen(at: AtHand, id: str) -> tuple[tuple[str, ...], Domain] | None:
    """`engage.off-guard`: whom it cannot look at, and what it can; None: anything."""
    who = at.draft.who(id)
    if not who.off_guard and who.off_guard_but is None:
        return None
    deeds = at.scene.resolutions.values() if at.scene is not None else ()
    noticed = {one.actor for one in deeds if one.engaged.get(id) in ("obliged", "opposing")}
    blocked = tuple(one for one in (*at.known, *who.off_guard) if is_off_guard(who, one) and one not in noticed)
    if who.off_guard_but is None:
        return blocked, Either((NONE, Besides(blocked)))
    there = (who.off_guard_but, *(one for one in noticed if one is not None))
    return blocked, Among((None, *dict.fromkeys(one for one in there if one not in blocked)))


# --- how it is paid for ----------------------------------------------------------------------------------------------


def ways(at: AtHand, id: str) -> Iterator[Way]:
    """Outside Mechanical Play it costs nothing; in it Actions of one's Turn, a Free Action, a step of a Flurry."""
    natures = able(at, id)
    if not at.fights:
        yield Way(natures, {"pays": OPEN, "cost": OPEN, "free": OPEN}, True)
        return
    fight = at.fight_of(id)
    if fight is None:
        return
    standing, own_turn = fight.standing[id], fight.turn == id
    left = min(ACTIONS_A_TURN, at.actions_left(id))
    if own_turn and left >= 1 and (fitting := fit(standing, id, natures, "action")):
        yield Way(fitting, {"pays": Among(("action",)), "cost": Between(1, left), "free": OPEN}, True)
    for fitting, kinds in _free(at, id, standing, natures):
        unsaid = ("",) if LAST_DITCH_DODGE in kinds else ()
        yield Way(fitting, {"pays": Among(("free",)), "cost": OPEN, "free": Among((*kinds, *unsaid))}, own_turn)
    if fitting := in_the_flurry(at, id, standing, natures):
        yield Way(fitting, {"pays": Among(("flurry",)), "cost": OPEN, "free": OPEN}, True)


def _free(
    at: AtHand, id: str, standing: Standing, natures: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Natures with the Free Actions that can be these: an attack only what the Group accepted."""
    fitting, kinds = fit(standing, id, natures, "free"), free_kinds(at, standing)
    accepted = tuple(kind for kind in kinds if kind in at.draft.campaign().free_actions)
    others = tuple(nature for nature in fitting if nature != "attack")
    if others and kinds:
        yield others, kinds
    if "attack" in fitting and accepted:
        yield ("attack",), accepted

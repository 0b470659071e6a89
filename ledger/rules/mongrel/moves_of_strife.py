"""What can be declared in a conflict: by whoever is next, to be next, and by a game master."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move, Some
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel.attacks import SLOW, Said, cannot_defend, check_attack
from ledger.rules.mongrel.guards import Strife, takes_part, the_conflict
from ledger.rules.mongrel.inputs import RollTask
from ledger.rules.mongrel.inputs_of_strife import (
    Act,
    Attack,
    CarryOut,
    CloseConflict,
    DeclareAttack,
    JoinConflict,
    LeaveConflict,
    OpenConflict,
    Pass,
    TakeFront,
)
from ledger.rules.mongrel.moves_of_dealings import in_turn
from ledger.rules.mongrel.moves_of_tasks import ROLLED
from ledger.rules.mongrel.sight import NONE, Fields, Sight, expertise_but
from ledger.rules.mongrel.tables import OPTIONS

TURN = "mongrel.conflict.queue"
QUICK = expertise_but(*SLOW)
PLAIN = expertise_but(*SLOW, "burn", "chill", *OPTIONS)
#: What an Expertise can do to who is hit.
HITS: tuple[tuple[tuple[str, ...], tuple[str | None, ...]], ...] = (
    (PLAIN, (None, "physical", "none")),
    (("burn",), (None, "physical")),
    (("chill",), (None, "spiritual")),
)
NOTHING_SHUNTED = Among((None, 0))


def conflicts(sight: Sight) -> Iterator[Move]:
    """`mongrel.conflict.order`, `mongrel.conflict.queue`, `mongrel.conflict.front`"""
    fights = {strife.scene: strife for strife in sight.strife.values()}
    for strife in fights.values():
        if not sight.settled(strife):
            continue
        yield from _turn(sight, strife)
        there = tuple(id for id, its in sight.strife.items() if its.scene == strife.scene)
        living = tuple(id for id in there if not sight.people[id].dead)
        if hurried := tuple(id for id in living if strife.conflict.queue[:1] != (id,) and sight.can_act(id)):
            yield Move(TakeFront, {"character": Among(hurried)})
        if living:
            yield Move(LeaveConflict, {"character": Among(living)})
    yield from _gathering(sight)


def _gathering(sight: Sight) -> Iterator[Move]:
    """Opened, joined, closed, in the scene it is declared in; closed by its name in any.

    Coins said beforehand are no move: which are needed depends on who ties.
    """
    here = sight.here
    conflict = sight.draft.scene(here).conflict if here is not None else None
    if here is not None and conflict is None and sight.free:
        yield Move(OpenConflict, {"participants": Some(Among(sight.free), 1)})
    closable: list[str | None] = []
    for scene in sight.seen.table.subjects("scene"):
        found = sight.draft.scene(scene).conflict
        if found is not None and sight.settled(Strife(scene, found)):
            closable.append(scene.id)
            if scene == here:
                closable.append(None)
                if sight.free:
                    yield Move(JoinConflict, {"character": Among(sight.free)})
    if closable:
        yield Move(CloseConflict, {"scene": Among(tuple(closable))})


# --- a turn ----------------------------------------------------------------------------------------------------------


def _turn(sight: Sight, strife: Strife) -> Iterator[Move]:
    """Whoever is next acts, or goes on with what was declared, or passes."""
    queue = strife.conflict.queue
    head = queue[0] if queue else ""
    if head not in sight.strife or sight.strife[head].scene != strife.scene or sight.people[head].dead:
        return
    goes_on = _carry_out(sight, strife)
    if sight.seen.scene == strife.scene:
        yield from goes_on
    idle: Fields = {} if sight.can_act(head) else {"text": Among(("",))}
    yield Move(Pass, {"character": Among((head,)), **idle}, awaits=TURN if not goes_on else None)
    if strife.conflict.action is None and sight.rolls(head) and sight.can_act(head):
        yield from _act(sight, head)
        yield from _attack(sight, strife, head)
        there = sight.standing(sight.alive, speaks=True)
        sellers = tuple(id for id in there if id != head and takes_part(sight.draft, strife, id))
        yield from in_turn(sight, head, sellers, QUICK)


def _act(sight: Sight, head: str) -> Iterator[Move]:
    """`mongrel.conflict.untargeted`; a task of who is next is the same."""
    for actor, pool in sight.pools((head,), QUICK):
        yield Move(Act, {"actor": actor, **ROLLED, **pool}, awaits=TURN)
        yield Move(RollTask, {"actor": actor, **ROLLED, **pool, "side": Among(("own",)), "score": OPEN})


def _attack(sight: Sight, strife: Strife, head: str) -> Iterator[Move]:
    """`mongrel.conflict.attack`"""
    there = (id for id in sight.people if takes_part(sight.draft, strife, id) and not sight.people[id].dead)
    targets = tuple(id for id in there if id != head)
    if not targets:
        return
    for actor, pool in sight.pools((head,), PLAIN):
        task: Fields = {"actor": actor, **ROLLED, **pool, "side": OPEN, "score": OPEN}
        yield Move(RollTask, {**task, "target": Among(targets)})
    for pool in _violence(sight, head):
        for arms in _arms(sight, head):
            for armour in _armour(sight, targets):
                fields: Fields = {"actor": Among((head,)), **ROLLED, **pool, **arms, **armour, "target_attribute": OPEN}
                yield Move(DeclareAttack, fields, awaits=TURN)
                for said, some in _said_for(sight, armour["target"]):
                    yield Move(Attack, {**fields, "target": some, **said}, awaits=TURN)


def _violence(sight: Sight, head: str) -> Iterator[Fields]:
    """What is rolled, and what its Effect can do."""
    for names, kinds in HITS:
        for _, pool in sight.pools((head,), names):
            if names == PLAIN or pool["expertise"] == Among(names):
                yield {**pool, "hit_kind": Among(kinds)}


def attacks(sight: Sight) -> Iterator[Move]:
    """`mongrel.conflict.attack`: outside a conflict. The target says what it wears when it is asked to defend."""
    for actor in sight.mine:
        targets = tuple(id for id in sight.free if id != actor)
        if not targets or not sight.rolls(actor) or not sight.can_act(actor):
            continue
        by: Fields = {"actor": Among((actor,)), **ROLLED, "armour": OPEN, "target_attribute": OPEN}
        for said, some in _said_for(sight, Among(targets)):
            for pool in _violence(sight, actor):
                for arms in _arms(sight, actor):
                    yield Move(Attack, {**by, **pool, **arms, "target": some, **said})


def _arms(sight: Sight, head: str) -> Iterator[Fields]:
    """`mongrel.item.use`: a number, or a possession."""
    yield {"weapon": sight.weapon()}
    if weapons := sight.weapons(head):
        yield {"weapon_used": Among(weapons)}


def _armour(sight: Sight, targets: tuple[str, ...]) -> Iterator[dict[str, Domain]]:
    yield {"target": Among(targets), "armour": OPEN}
    for id in targets:
        if worn := sight.armours(id):
            yield {"target": Among((id,)), "armour_worn": Among(worn)}


def _said_for(sight: Sight, targets: Domain) -> Iterator[tuple[Fields, Among]]:
    """What is a target's to choose, where who declares may say it: who cannot defend can only let it come."""
    assert isinstance(targets, Among)
    found: dict[tuple[bool, bool], list[object]] = {}
    for id in targets.values:
        says = sight.says_for(str(id))
        found.setdefault((says, says and cannot_defend(sight.draft, str(id)) is None), []).append(id)
    for (says, able), some in found.items():
        yield _said(says, able), Among(tuple(some))


def _said(says: bool, able: bool) -> Fields:
    """No shunt can be said: how much there is to shunt depends on the dice."""
    if not says:
        return {}
    return {"defend": Among((None, True, False) if able else (None, False)), "shunt": NOTHING_SHUNTED}


def _carry_out(sight: Sight, strife: Strife) -> tuple[Move, ...]:
    """The action declared before, as the table stands now, in its scene; here the number of dice is certain."""
    action = strife.conflict.action
    if action is None:
        return ()
    try:
        the_conflict(sight.draft, action.actor, TURN)
        aim = check_attack(sight.draft, strife, action, Said(None, None, None))
        able = cannot_defend(sight.draft, action.target) is None
    except Refused:
        return ()
    says, typed = sight.says_for(action.target), Some(Between(1, 6), aim.pool.dice, aim.pool.dice, repeats=True)
    ways: list[Fields] = [{"faces": Either((NONE, typed)), **_said(says, able)}]
    if not sight.draft.dials.dice_before_defence:
        chosen: Fields = {**_said(says, able), "defend": Among((True, False) if able else (False,))}
        ways = [{"faces": NONE, **_said(says, able)}, *([{"faces": typed, **chosen}] if says else [])]
    return tuple(Move(CarryOut, way, awaits="mongrel.conflict.attack", of=action.actor) for way in ways)

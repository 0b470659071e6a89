"""What can be declared of what an action comes to: opposing it, deciding it without dice, resolving and telling it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Move
from ledger.rules.moc import inputs_of_actions, inputs_of_play
from ledger.rules.moc.offering import AGREED, TOLD_LEVELS, Offering, one, together
from ledger.rules.moc.outcomes import level_as_it_stands
from ledger.rules.moc.state_of_actions import Action, Part, hidden
from ledger.rules.moc.terms import CHIPS, LEVELS

Fields = dict[str, Domain]


def outcomes(now: Offering) -> Iterator[Move]:
    for action, place, part in now.declared():
        yield from _claims(now, action, place, part)
        yield from _taken_off(now, action, place, part)
        yield from _white(now, action, place, part)
        yield from _decided(now, action, place, part)
        yield from _shifted(now, action, place)
    for action in now.open_actions:
        yield from _resolved(now, action)
    yield from _consequences(now)


def _sees(now: Offering, action: Action, place: int) -> bool:
    """Whether who declares sees the dice, and the viewer too."""
    audience = hidden(action, place)
    return now.seen.seat.may_see(audience) and now.seen.viewer.may_see(audience)


# --- opposed ---


def _claims(now: Offering, action: Action, place: int, part: Part) -> Iterator[Move]:
    """moc.opposed.net: what is left of the successes, on anybody."""
    if not _sees(now, action, place) or action.character not in now.alive:
        return
    found = now.outcome(action, place)
    if not (part.rolled or found.sure):
        return
    fields: Fields = {"action": one(action.id), "part": one(place), "target": Among(now.roster)}
    left, beads = max(0, found.left), max(0, found.left_beads)
    if left:
        numbers: Fields = {"number": Between(1, left), "beads": Between(0, beads)}
        yield Move(inputs_of_actions.DeclareSuccesses, {**fields, **numbers}, of=action.character)
    if beads:
        numbers = {"number": one(0), "beads": Between(1, beads)}
        yield Move(inputs_of_actions.DeclareSuccesses, {**fields, **numbers}, of=action.character)


def _unanswered(now: Offering, action: Action, place: int) -> dict[str, bool]:
    """Each target of a part's claims; whether the last one, of which something can be taken off, is unanswered."""
    answered = now.scene.answered if now.scene is not None else ()
    claims = enumerate(action.parts[place].claims)
    return {claim.target: (action.id, place, which) not in answered for which, claim in claims}


def _taken_off(now: Offering, action: Action, place: int, part: Part) -> Iterator[Move]:
    """moc.opposed.net: nothing, or as much as the dice of the target's last action leave."""
    for target, unanswered in _unanswered(now, action, place).items():
        if target not in now.alive:
            continue
        awaits = "moc.opposed.net" if unanswered else None
        fields: Fields = {"action": one(action.id), "part": one(place), "target": one(target)}
        yield Move(inputs_of_actions.TakeOffSuccesses, {**fields, "number": one(0)}, awaits, target)
        own = [one for one in now.actions if one.character == target]
        for where, rolled in enumerate(own[-1].parts if own else ()):
            found = now.outcome(own[-1], where)
            ready = (rolled.rolled or found.sure) and rolled.stage != "pre-empted"
            if ready and _sees(now, own[-1], where) and min(found.left, found.left_beads) >= 0:
                yield Move(inputs_of_actions.TakeOffSuccesses, {
                    **fields, "number": Between(0, found.left), "beads": Between(0, found.left_beads),
                    "defence": one(own[-1].id), "defence_part": one(where),
                }, awaits, target)  # fmt: skip


# --- without dice ---


def _white(now: Offering, action: Action, place: int, part: Part) -> Iterator[Move]:
    """moc.chip.automatic-success: on a roll that is not seen, whatever was rolled."""
    found = now.outcome(action, place)
    known = bool(part.claims) or _sees(now, action, place)
    enough = part.rolled and known and level_as_it_stands(part, found) >= LEVELS["success"]
    if not now.has_chips or (found.free and not found.trumped) or part.white or enough:
        return
    ids = tuple(id for id in now.alive if now.helps(action, id) and "white" in now.chips(id))
    if ids:
        fields: Fields = {"action": one(action.id), "part": one(place), "character": Among(ids)}
        yield Move(inputs_of_play.ClaimSuccess, {**fields, "approved": AGREED})


def _spending(now: Offering, ids: tuple[str, ...], *, several: bool) -> Iterator[Fields]:
    """One EM: beads (of which `several` can be spent), a card or a chip; who has the same together."""
    held = ((id, tuple(now.playable_beads(id).items())) for id in ids)
    for beads, owners in together(held).items():
        for number in {n for _, n in beads} if several else {1} if beads else ():
            of = tuple(element for element, n in beads if n == number or not several)
            fields: Fields = {"character": Among(owners), "element": Among(of)}
            yield {**fields, "number": Between(1, number)} if several else fields
    for id in ids:
        if cards := now.cards(id):
            yield {"character": one(id), "card": Among(cards)}
    if now.has_chips:
        for colour in CHIPS:
            owners = tuple(id for id in ids if colour in now.chips(id))
            if owners:
                yield {"character": Among(owners), "chip": one(colour)}


def _decided(now: Offering, action: Action, place: int, part: Part) -> Iterator[Move]:
    """moc.action.by-em: before any dice; what it comes to, its player tells."""
    if part.rolled or now.outcome(action, place).sure:
        return
    fields: Fields = {
        "action": one(action.id), "part": one(place), "text": OPEN, "level": Among((None, *TOLD_LEVELS)),
        "approved": AGREED,
    }  # fmt: skip
    ids = tuple(id for id in now.alive if now.helps(action, id))
    for em in _spending(now, ids, several=True):
        yield Move(inputs_of_play.DetermineAction, {**fields, **em})


def _shifted(now: Offering, action: Action, place: int) -> Iterator[Move]:
    """moc.level.resolve, step 3: by anybody else."""
    ids = tuple(id for id in now.alive if id != action.character)
    for em in _spending(now, ids, several=False):
        yield Move(inputs_of_play.ShiftFailure, {"action": one(action.id), "part": one(place), **em})


# --- what it comes to ---


def _resolved(now: Offering, action: Action) -> Iterator[Move]:
    """moc.level.resolve, moc.split.pre-empt: in order, but for a defence; it waits for who was not answered yet."""
    waiting = [place for place, part in enumerate(action.parts) if part.stage == "declared"]
    waived = Among((False, True)) if now.is_gm else one(False)
    for place in waiting:
        part = action.parts[place]
        found = now.outcome(action, place)
        ready = part.rolled or found.sure or found.trumped or part.white
        if ready and (place == waiting[0] or part.roll.defence):
            parts = (None, place) if place == waiting[0] else (place,)
            asked = any(waits for target, waits in _unanswered(now, action, place).items() if now.known(target))
            fields: Fields = {"action": one(action.id), "part": Among(parts), "waive": waived}
            awaits = "moc.level.resolve" if place == waiting[0] and not asked else None
            yield Move(inputs_of_actions.Resolve, fields, awaits, action.character)


def _consequences(now: Offering) -> Iterator[Move]:
    """moc.level.meaning: the player's where no dice fell."""
    told = ((one.id, one.character) for one in now.actions if now.is_gm or not any(p.rolled for p in one.parts))
    for id, actions in together(told).items():
        halved = Among((False, True) if id in now.roster else (False,))
        fields: Fields = {"action": Among(actions), "text": OPEN, "approved": AGREED, "half_defence": halved}
        yield Move(inputs_of_actions.TellConsequence, fields, of=id)

"""What can be declared of beads: how a scene's are laid, the session's own, stories told with them, on actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import inputs, inputs_of_modifiers, inputs_of_play
from ledger.rules.moc.actions import check_martial_art
from ledger.rules.moc.allocating import allocation, boxes
from ledger.rules.moc.beads import check_time
from ledger.rules.moc.beads_on_dice import Fallen, fallen_of
from ledger.rules.moc.offering import AGREED, Offering, one, together
from ledger.rules.moc.outcomes import free_marginal
from ledger.rules.moc.piles import standing
from ledger.rules.moc.playing import _bead_use
from ledger.rules.moc.purchases import names_of
from ledger.rules.moc.state_of_actions import Action, Part, Play
from ledger.rules.moc.terms import CASCADE, ELEMENTS, SCOPES

FEW = 12  # beads that buy a die at the latest
MANY = 100  # beads for dice at double the price
Fields = dict[str, Domain]


def beads(now: Offering) -> Iterator[Move]:
    yield from _allocations(now)
    for id in now.alive:
        who = now.who(id)
        if who.used.get("extra-bead:session", 0) < who.counts.get("extra-bead-session", 0):
            fields: Fields = {"character": one(id), "element": Among(ELEMENTS)}
            yield Move(inputs_of_modifiers.UseSessionBead, fields)
    yield from _outside(now)
    yield from _on_dice(now)
    if now.scene is not None:
        held = {id: now.playable_beads(id) for id in now.alive}
        yield from _stories(held)
        for action, place, part in now.declared():
            alike = ((id, _matters(now, action, id, there)) for id, there in held.items() if there)
            for ids in together(alike).values():
                yield from _plays(now, action, place, part, ids, held[ids[0]])


def _matters(now: Offering, action: Action, id: str, held: Mapping[str, int]) -> tuple[object, ...]:
    """What somebody can do with beads on the action rests on this."""
    who = now.who(id)
    talents = tuple(key for key, n in who.counts.items() if n and key.startswith(("superhuman", "martial")))
    own = (who.primaries, who.secondaries, who.archetype)
    return (action.character == id, tuple(held.items()), *own, tuple(who.elements.items()), talents)


# --- laying them ---


def _allocations(now: Offering) -> Iterator[Move]:
    """moc.bead.allocate: in the interval; who said nothing, until the first bead is used."""
    able = tuple(id for id in now.alive if now.allows(lambda draft, id=id: check_time(draft, id)))  # type: ignore[misc]
    for ways, ids in together((id, boxes(now.dials, now.who(id))) for id in able).items():
        if ways:
            laid = Either(tuple(map(allocation, ways)))
            yield Move(inputs_of_modifiers.AllocateBeads, {"character": Among(ids), "beads": laid})
    waiting = tuple(id for id in now.alive if not now.who(id).allocated)
    if now.interval and waiting:
        cast = Among(((), *((id,) for id in waiting)))
        yield Move(inputs_of_modifiers.AnnounceScene, {"cast": cast})


# --- stories ---


def _tiers(held: int) -> tuple[int, ...]:
    """moc.story.tiers: one to three, or all of four and more."""
    return (*range(1, min(held, 3) + 1), *((held,) if held > 3 else ()))


def _stories(held: Mapping[str, Mapping[str, int]]) -> Iterator[Move]:
    tellers = ((id, there.get("storytelling", 0)) for id, there in held.items())
    for n, ids in together(tellers).items():
        for reach in sorted({min(4, tier) for tier in _tiers(n)}):
            beads = Among(tuple(tier for tier in _tiers(n) if min(4, tier) == reach))
            scopes = Among((None, *(scope for tier, scope in SCOPES.items() if tier <= reach)))
            yield Move(inputs_of_play.ChangeStory, {"character": Among(ids), "beads": beads, "scope": scopes})


def _outside(now: Offering) -> Iterator[Move]:
    """moc.bead.use: outside an action, as a game master agrees."""
    for id in now.alive:
        first = next(iter(now.who(id).primaries), "action")
        for element, n in now.playable_beads(id).items():
            said = Among(("", element) if element == first else (element,))
            fields: Fields = {"character": one(id), "element": said, "number": Between(1, n), "approved": AGREED}
            yield Move(inputs.UseBeads, {**fields, "scope": Among(tuple(SCOPES.values()))})


# --- on other dice ---


def _on_dice(now: Offering) -> Iterator[Move]:
    """moc.bead.use: successes on completed rolls that are no action's."""
    for id in now.alive:
        held = now.playable_beads(id)
        for roll, named, fallen in _fallen(now) if held else ():
            fields: Fields = {"character": one(id), "roll": one(roll), **named}
            if roll in ("initiative", "healing"):
                fields["whose"] = Among(("", id) if fallen.whose == id else (fallen.whose,))
            for element, n in held.items():
                own = fallen.element
                said: Fields = {**fields, "element": Among(("", element) if element == own else (element,))}
                if element == own or now.dials.bead_element_gate == "open":
                    yield Move(inputs_of_play.PlayBeadsOnDice, {**said, "number": Between(1, n)})
                if element == "storytelling" and fallen.whose != id:
                    yield Move(inputs_of_play.PlayBeadsOnDice, {**said, "fewer": Among((False, True))})


def _fallen(now: Offering) -> Iterator[tuple[str, Fields, Fallen]]:
    """Rolls that are completed and not settled yet, with what names them."""
    rolls: list[tuple[str, str, str]] = [("healing", "", id) for id in now.roster]
    if now.scene is not None:
        rolls += [(roll, hit, "") for hit in now.scene.hits for roll in ("damage", "resisting")]
        rolls += [("initiative", "", id) for id in now.scene.initiative.faces if now.known(id)]
    for roll, hit, whose in rolls:
        try:
            fallen = fallen_of(now.draft, roll, hit, whose)
        except Refused:
            continue
        yield roll, {"hit": one(hit)}, fallen


# --- on actions ---


def _plays(
    now: Offering, action: Action, place: int, part: Part, ids: tuple[str, ...], held: Mapping[str, int]
) -> Iterator[Move]:
    """moc.bead.use: of people who are alike in this."""
    id = ids[0]
    own: Fields = {"action": one(action.id), "character": Among(ids), "part": one(place)}
    fitting = (part.roll.element,) if now.dials.bead_element_gate == "strict" else ELEMENTS
    gated = {element: n for element, n in held.items() if element in fitting}
    for fields in (
        *_before(now, action, place, part, id, held, gated),
        *_any_time(now, action, place, part, id, held),
        *(_added(action, place, part, gated) if part.rolled else ()),
    ):
        yield Move(inputs_of_play.PlayBeads, {**own, **fields})


def _element(part: Part, element: str) -> Among:
    """Left out, it is the action's."""
    return Among(("", element) if element == part.roll.element else (element,))


def _added(action: Action, place: int, part: Part, gated: Mapping[str, int]) -> Iterator[Fields]:
    """moc.level.resolve, step 4: nothing is added to a bead's Marginal Success."""
    if not free_marginal(action, place):
        for element, n in gated.items():
            yield {"use": one("add_successes"), "number": Between(1, n), "element": _element(part, element)}


def _before(
    now: Offering, action: Action, place: int, part: Part, id: str, held: Mapping[str, int], gated: Mapping[str, int]
) -> Iterator[Fields]:
    if part.rolled:
        return
    who = now.who(id)
    lowered = any(play.use == "reduce_difficulty" and play.part == place for play in standing(action.plays))
    for element, n in gated.items():
        said: Fields = {"element": _element(part, element)}
        if part.roll.element in who.primaries:
            yield {**said, "use": one("reduce_difficulty"), "number": Between(1, n)}
        elif not lowered:
            yield {**said, "use": one("reduce_difficulty")}
        if now.helps(action, id):
            yield {**said, "use": one("free_marginal")}
    for element, n in held.items():
        said = {"element": _element(part, element)}
        if now.helps(action, id):
            for number in _buying(now, action, place, id, "add_dice", element, n):
                yield {**said, "use": one("add_dice"), "number": number}
        if action.character == id:
            for key, own in who.elements.items():
                what, _, name = key.partition(":")
                if what == "superhuman" and own == element:
                    for number in _buying(now, action, place, id, "superhuman", element, n, name):
                        yield {**said, "use": one("superhuman"), "number": number, "characteristic": one(name)}


def _buying(
    now: Offering, action: Action, place: int, id: str, use: str, element: str, held: int, name: str = ""
) -> Iterator[Domain]:
    """How many beads buy dice: what an untrained pool loses eats some up, and at active 0 each costs two."""
    part, who = action.parts[place], now.who(id)
    primary = part.roll.primary if use == "add_dice" else CASCADE[name][0]
    for number in range(1, min(held, FEW) + 1):
        do = inputs_of_play.PlayBeads(action.id, id, use, number, element, place, characteristic=name)
        play = Play("new", id, "beads", use, place, number, element)
        if now.allows(lambda draft: _bead_use(draft, action, part, who, do, play)):  # noqa: B023  (asked at once)
            dear = now.draft.value(action.character, primary) == 0
            yield Among(tuple(range(number, min(held, MANY) + 1, 2))) if dear else Between(number, held)
            return


def _any_time(
    now: Offering, action: Action, place: int, part: Part, id: str, held: Mapping[str, int]
) -> Iterator[Fields]:
    who = now.who(id)
    told = held.get("storytelling", 0)
    for number in _tiers(told):
        fixed = number == 1 and action.character != id and free_marginal(action, place)
        successes = Between(-1, 0 if fixed else 1)
        yield {
            "use": one("storytelling"), "number": one(number), "element": Among(("", "storytelling")),
            "successes": successes,
        }  # fmt: skip
    arts = names_of((key for key, n in who.counts.items() if n), "martial-arts")
    used = any(play.use == "martial_arts" and play.part == place for play in standing(action.plays))
    fitting = (
        ()
        if used
        else tuple(
            art
            for art in arts
            if now.allows(lambda draft, art=art: check_martial_art(draft, action, place, art))  # type: ignore[misc]
        )
    )
    for element, n in held.items():
        said: Fields = {"element": _element(part, element), "number": Between(1, n)}
        yield {**said, "use": one("other"), "effect": OPEN, "approved": AGREED}
        if now.campaign.uses.get(who.archetype):
            yield {**said, "use": one("archetype"), "effect": OPEN, "approved": AGREED}
        if fitting and now.helps(action, id):
            yield {**said, "number": one(1), "use": one("martial_arts"), "characteristic": Among(fitting)}

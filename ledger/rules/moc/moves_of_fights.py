"""What can be declared in a fight: initiative, hits, where they hit, damage, resisting it, harm by its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import Among, Between, Domain, Either, Entries, Move, Some
from ledger.rules.moc import inputs_of_combat
from ledger.rules.moc.combat import is_thrown, net_against
from ledger.rules.moc.laying import NO_DICE, fallen, floating, laid_by
from ledger.rules.moc.offering import LEFT_OUT, Offering, one, together
from ledger.rules.moc.state_of_actions import Action, hidden
from ledger.rules.moc.state_of_combat import Hit
from ledger.rules.moc.tokens import check_token

OUTSTANDING = 4  # a net from which the attacker chooses where it hits
Fields = dict[str, Domain]


def fights(now: Offering) -> Iterator[Move]:
    assert now.scene is not None
    yield from _initiative(now)
    yield from _scored(now)
    yield from _scored_by(now)
    for hit in now.scene.hits.values():
        yield from _followed(now, hit)


def _initiative(now: Offering) -> Iterator[Move]:
    """moc.combat.initiative: dice typed in for some, without a 10; the others' are asked for."""
    assert now.scene is not None
    pools = {id: now.draft.initiative_dice(id) for id in now.scene.cast if id in now.alive}
    if pools:
        typed = Entries({id: fallen(n) for id, n in pools.items()})
        yield Move(inputs_of_combat.RollInitiative, {"faces": typed})
        yield Move(inputs_of_combat.RollInitiative, {"involved": Some(Among(tuple(pools)), 1)})


# --- hits ---


def _weapons(now: Offering) -> tuple[Fields, Fields]:
    """One of the table's; or its numbers."""
    numbers: Fields = {
        "weapon": LEFT_OUT,
        "damage": Between(0),
        "lethality": Between(1),
        "lethal": Among((False, True)),
    }
    return {"weapon": Among(tuple(now.campaign.weapons))}, numbers


def _places(now: Offering, *, chosen: bool) -> Among:
    """moc.combat.location: the game master's, or the attacker's where an Outstanding Success chooses."""
    return Among((None, *now.campaign.locations)) if now.is_gm or chosen else LEFT_OUT


def _scored(now: Offering) -> Iterator[Move]:
    """moc.combat.to-hit: without an attack, by its net: the game master's."""
    if now.alive and now.is_gm:
        yield from _by_net(now, {"attacker": Among(now.alive), "target": Among(now.roster)})


def _by_net(now: Offering, fields: Fields) -> Iterator[Move]:
    """A net that the game master says."""
    for weapon in _weapons(now):
        said: Fields = {"net": Between(1), "location": _places(now, chosen=True)}
        yield Move(inputs_of_combat.ScoreHit, {**fields, **weapon, **said})


def _scored_by(now: Offering) -> Iterator[Move]:
    """moc.combat.to-hit: of an attack, by a net that somebody says; or by what it came to against each."""
    attacks = [action for action in now.actions if action.character in now.alive]
    parts = (
        (action.id, (action.character, n, now.not_hit(action, n)))
        for action in attacks
        for n in range(len(action.parts))
        if now.is_gm and now.not_hit(action, n)
    )
    for (id, place, targets), actions in together(parts).items():
        attack: Fields = {"attacker": one(id), "action": Among(actions), "part": one(place)}
        yield from _by_net(now, {**attack, "target": Among(targets)})
    found = [(action.id, hit) for action in attacks for hit in _came_to(now, action)]
    for (id, place, targets, chosen), actions in together(found).items():
        for weapon in _weapons(now):
            yield Move(inputs_of_combat.ScoreHit, {
                **weapon, "attacker": one(id), "action": Among(actions), "part": one(place), "target": Among(targets),
                "location": _places(now, chosen=chosen),
            })  # fmt: skip


def _came_to(now: Offering, action: Action) -> Iterator[tuple[str, int, tuple[str, ...], bool]]:
    """Attacker, part, and whom it hits: those together where the attacker chooses the place, or does not."""
    for place, part in enumerate(action.parts):
        audience = hidden(action, place)
        sees = now.seen.seat.may_see(audience) and now.seen.viewer.may_see(audience)
        if part.stage == "pre-empted" or not is_thrown(part) or not (part.claims or sees):
            continue
        found = now.outcome(action, place)
        nets = {id: net_against(part, found, id) for id in now.not_hit(action, place)}
        for chosen in (False, True):
            hit = tuple(id for id, net in nets.items() if net >= 1 and (net >= OUTSTANDING) == chosen)
            if hit:
                yield action.character, place, hit, chosen


# --- what a hit does ---


def _followed(now: Offering, hit: Hit) -> Iterator[Move]:
    mine: Fields = {"hit": one(hit.id)}
    if hit.stage == "scored":
        yield from _located(now, hit, mine)
        if hit.location and now.known(hit.attacker):
            yield from _damaged(now, hit, mine)
    if hit.stage == "rolled" and hit.target in now.alive:
        yield from _resisted(now, hit, mine)


def _located(now: Offering, hit: Hit, mine: Fields) -> Iterator[Move]:
    """moc.combat.location: chosen, ruled, or by a die."""
    awaits = None if hit.location else "moc.combat.location"
    if now.is_gm or hit.chooses:
        where = Among(tuple(now.campaign.locations))
        yield Move(inputs_of_combat.SetLocation, {**mine, "location": where}, awaits, hit.attacker)
    if not hit.chooses:
        faces = Either((LEFT_OUT, Between(1, 10)))
        yield Move(inputs_of_combat.SetLocation, {**mine, "face": faces}, awaits, hit.attacker)


def _damaged(now: Offering, hit: Hit, mine: Fields) -> Iterator[Move]:
    """moc.combat.damage-roll"""
    rule, of = "moc.combat.damage-roll", hit.attacker
    dice = floating(now, of) if of in now.alive else NO_DICE
    yield Move(inputs_of_combat.RollDamage, {**mine, "floating": dice}, rule, of)
    cards = laid_by(now, of, hit.element, (hit.dice, hit.raises)) if of in now.alive else None
    if cards is not None:
        yield Move(inputs_of_combat.RollDamage, {**mine, "floating": dice, "cards": cards}, rule, of)
    typed: Fields = {"faces": fallen(hit.dice, hit.sides), "raise_faces": fallen(hit.raises, hit.sides)}
    yield Move(inputs_of_combat.RollDamage, {**mine, **typed}, rule, of)


def _resisted(now: Offering, hit: Hit, mine: Fields) -> Iterator[Move]:
    """moc.combat.resist: with a token T joins; cards before the dice or asked for after them."""
    rule, of = "moc.combat.resist", hit.target
    count = max(0, now.draft.value(of, "body") + now.draft.own_dice(of, "resisting"))
    tokens = (None, "body") if now.allows(lambda draft: check_token(draft, of, "body")) else (None,)
    fields: Fields = {**mine, "pain": Between(0), "fatigue": Between(0)}
    asking: Fields = {
        **fields, "token": Among(tokens), "ask_cards": Among((False, True)),
        "floating": floating(now, of),
    }  # fmt: skip
    yield Move(inputs_of_combat.ResistDamage, asking, rule, of)
    cards = laid_by(now, of, hit.element, (count,))
    if cards is not None:
        yield Move(inputs_of_combat.ResistDamage, {**asking, "cards": cards}, rule, of)
    yield Move(inputs_of_combat.ResistDamage, {**fields, "faces": fallen(count)}, rule, of)

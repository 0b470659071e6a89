"""What can be declared of people: what is negotiated, who dies or inherits, recovering, healing, moving."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Entries, Move
from ledger.rules.moc import accounts, inputs, inputs_of_combat, turns
from ledger.rules.moc.actions import rates
from ledger.rules.moc.laying import NO_DICE, fallen, floating, laid_by
from ledger.rules.moc.offering import LEFT_OUT, Offering, one, together
from ledger.rules.moc.terms import (
    CHIPS,
    ELEMENTS,
    FORCED,
    GONE,
    MOST_DAMAGE,
    POINT,
    POOL_KINDS,
    PRIMARIES,
    SHIFTED_KINDS,
    TRAIT_KINDS,
)
from ledger.rules.moc.tokens import check_token

#: Points, and the fractions people say; any other is the same to the rules.
COSTS = Either((Between(-1000, 1000), Among(("1/2", "3/2", "-1/2", "-3/2"))))
HARM = ("resistible", "unresistible", "conversions", "removals", "pain", "fatigue")


def people(now: Offering) -> Iterator[Move]:
    yield from _traits(now)
    yield from _fates(now)
    yield from _rests(now)
    yield from _heals(now)
    yield from _harm(now)
    yield from _moves(now)


# --- what is negotiated ---


def _traits(now: Offering) -> Iterator[Move]:
    """moc.adv.negotiate"""
    if now.roster:
        proposed: dict[str, Domain] = {"character": Among(now.roster), "cost": COSTS}
        yield Move(inputs.ProposeTrait, {**proposed, "what": Among(TRAIT_KINDS)})
        yield Move(inputs.ProposeTrait, {**proposed, "allows": one("card-trade")})
    for id in now.roster:
        who = now.who(id)
        points = now.table.balance(accounts.point(id))
        waiting = {trait: told for trait, told in who.traits.items() if told.stage in ("proposed", "countered")}
        fields: dict[str, Domain] = {"character": one(id)}
        if waiting:
            yield from _effects(now, {**fields, "trait": Among(tuple(waiting))})
            yield Move(inputs.CounterTrait, {**fields, "trait": Among(tuple(waiting)), "cost": COSTS})
        paid = tuple(trait for trait, told in waiting.items() if Fraction(told.cost) * POINT <= max(0, points))
        if paid:
            yield Move(inputs.ApproveTrait, {**fields, "trait": Among(paid)})
        lost = [key for key in who.counts if key.partition(":")[0] in ("money", "contacts")]
        lost += [trait for trait, told in who.traits.items() if (told.stage, told.what) == ("approved", "background")]
        if lost:
            yield Move(inputs.LoseBackground, {**fields, "background": Among(tuple(lost))})


def _effects(now: Offering, fields: dict[str, Domain]) -> Iterator[Move]:
    """moc.adv.effect"""
    pools = Among((*POOL_KINDS, *now.campaign.skills))
    either = Either((Between(-100, -1), Between(1, 100)))
    shifted = Among(("", *SHIFTED_KINDS, *now.campaign.skills))
    yield Move(inputs.SetTraitEffect, {**fields, "does": one("dice"), "number": either, "of": pools})
    yield Move(inputs.SetTraitEffect, {**fields, "does": one("difficulty"), "number": either, "of": shifted})
    yield Move(inputs.SetTraitEffect, {**fields, "does": one("scene-beads"), "number": either, "of": Among(ELEMENTS)})
    some: dict[str, Domain] = {**fields, "number": Between(1, 100)}
    yield Move(inputs.SetTraitEffect, {**some, "does": Among(("bead-price", "bead-return")), "of": Among(ELEMENTS)})
    yield Move(inputs.SetTraitEffect, {**some, "does": one("forced-discard"), "of": Among(FORCED)})
    yield Move(inputs.SetTraitEffect, {**some, "does": one("card-worth"), "of": Among(("", *ELEMENTS))})


# --- who dies, who inherits ---


def _fates(now: Offering) -> Iterator[Move]:
    if now.roster:
        yield Move(inputs.SetStatus, {"character": Among(now.roster), "status": Among(("active", "down", "dead"))})
        yield Move(inputs.GrantRecovery, {"character": Among(now.roster)})
    if now.alive:
        yield Move(inputs.Sacrifice, {"character": Among(now.alive), "reason": OPEN})
    inherited = {source for id in now.roster for source in now.who(id).heir_of}
    for source in now.roster:
        who = now.who(source)
        if who.status not in GONE:
            continue
        heirs = tuple(id for id in now.alive if id != source and now.seen.owner(id) == now.seen.owner(source))
        if not heirs:
            continue
        bonus: list[Domain] = []
        if now.chips(source) or who.left:
            bonus.append(Entries({colour: one(0) for colour in CHIPS}))
        if who.status == "sacrificed" and source not in inherited:
            bonus.append(Either(tuple(Entries({**_any(), colour: Between(1)}, (colour,)) for colour in CHIPS)))
        if bonus:
            fields: dict[str, Domain] = {"character": Among(heirs), "source": one(source)}
            yield Move(inputs.InheritChips, {**fields, "bonus": Either(tuple(bonus))})


def _any() -> dict[str, Domain]:
    return dict.fromkeys(CHIPS, Between(0))


# --- recovering ---


def _room(now: Offering, id: str) -> tuple[str, ...]:
    """moc.recover.scene: Primaries whose pools are not full."""
    who = now.who(id)
    full = {primary: min(who.ratings[primary], MOST_DAMAGE - who.damage) for primary in PRIMARIES}
    return tuple(one for one in PRIMARIES if now.table.balance(accounts.token(id, one)) < full[one])


def _rests(now: Offering) -> Iterator[Move]:
    """moc.recover.scene, moc.recover.action, moc.combat.dazed"""
    restores = now.dials.action_recovery_also_restores
    any_pool: tuple[str | None, ...] = (None, *PRIMARIES)
    due, completed, dazed, resting = [], [], [], []
    for id in now.roster:
        who, there = now.who(id), now.who(id).status not in GONE
        if there and who.due:
            due.append((id, any_pool if who.fatigue else _room(now, id)))
        if there and who.recovering and turns.is_over(now.draft, id):
            none_needed = not restores or who.fatigue
            completed.append((id, any_pool if none_needed else (None, *_room(now, id))))
        has_action = turns.left(now.draft, id) == turns.FULL
        if there and who.dazed and has_action:
            dazed.append(id)
        elif there and not who.dazed and not who.recovering and has_action:
            resting.append(id)
    for primaries, ids in together(due).items():
        if primaries:
            yield Move(inputs.RecoverScene, {"character": Among(ids), "primary": Among(primaries)})
    for pools, ids in together(completed).items():
        yield Move(inputs.CompleteRecovery, {"character": Among(ids), "primary": Among(pools)})
    if resting:
        yield Move(inputs.DeclareRecovery, {"character": Among(tuple(resting))})
    if dazed:
        yield Move(inputs.LoseAction, {"character": Among(tuple(dazed))})


def _heals(now: Offering) -> Iterator[Move]:
    """moc.recover.damage: once the period of the damage is over; L with a token of the Spirit's."""
    for id in now.alive:
        who = now.who(id)
        if who.damage < 1:
            continue
        token = ("spirit",) if now.allows(lambda draft, id=id: check_token(draft, id, "spirit")) else ()  # type: ignore[misc]
        period = now.campaign.healing.get(str(who.damage), 0)
        count = max(0, now.draft.value(id, "spirit") + now.draft.own_dice(id, "healing"))
        fields: dict[str, Domain] = {
            "character": one(id), "days": Between(max(1, who.healing_days + period)), "token": Among((None, *token)),
            "floating": floating(now, id),
        }  # fmt: skip
        yield Move(inputs.Heal, {**fields, "ask_cards": Among((False, True))})
        cards = laid_by(now, id, "", (count,))
        if cards is not None:
            yield Move(inputs.Heal, {**fields, "ask_cards": Among((False, True)), "cards": cards})
        typed = fallen(count)
        yield Move(inputs.Heal, {**fields, "token": LEFT_OUT, "floating": NO_DICE, "faces": typed})


def _harm(now: Offering) -> Iterator[Move]:
    """moc.combat.apply: at least one of anything."""
    amounts: dict[str, Domain] = dict.fromkeys(HARM, Between(0))
    for name in HARM if now.roster else ():
        yield Move(inputs_of_combat.ApplyHarm, {"character": Among(now.roster), **amounts, name: Between(1)})


def _moves(now: Offering) -> Iterator[Move]:
    """moc.move.rate"""
    moving = tuple(
        id for id in now.alive if not now.who(id).dazed and turns.left(now.draft, id) == turns.FULL
    )  # fmt: skip
    for modes, ids in together((id, tuple(rates(now.draft, id))) for id in moving).items():
        yield Move(inputs.Move, {"character": Among(ids), "mode": Among(modes)})

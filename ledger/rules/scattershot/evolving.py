"""Evolving a Persona: points spent, given up, rolled for. 3.2; development and cashing in of 3.11."""

from __future__ import annotations

from dataclasses import replace

from ledger.rules.kernel.questions import Asking, roll
from ledger.rules.kernel.subjects import seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import agrees, dice_declined, dice_granted
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import (
    CharacteristicCashedIn,
    DevelopmentPointsAllocated,
    DevelopmentRolled,
    ProtectionDeclined,
    RatingRaised,
    ResourceUsed,
    TraitBought,
)
from ledger.rules.scattershot.guards import check_positive, no
from ledger.rules.scattershot.handover import check_limit
from ledger.rules.scattershot.inputs_of_characters import BuyTrait, CashIn, Develop, RaiseRating
from ledger.rules.scattershot.listings import allowed, better_than_listed, beyond
from ledger.rules.scattershot.persona import check_protection, cost_of_pieces, index, rated, valued
from ledger.rules.scattershot.results import note_damages
from ledger.rules.scattershot.rolling import faces_of
from ledger.rules.scattershot.sheet import Rated
from ledger.rules.scattershot.tables import STATISTICS, development, in_fives, statistic_name
from ledger.rules.scattershot.terms import is_natural, is_positive, is_whole


def raise_rating(draft: Draft, do: RaiseRating) -> None:
    """`persona.later-points`: 1 unspent point, +1 to one Rating."""
    draft.must_play(do.character, "persona.later-points")
    who, id = draft.who(do.character), do.character
    name = statistic_name(do.rating)
    points = check_positive(do.points, "persona.later-points")
    new: Rated | None = None
    if name not in who.ratings:
        if do.skill is None:
            raise no("rating.free-skill", "no-such-free-skill", rating=do.rating)
        talent, training = (points, 0) if do.talent else (0, points)
        listed = replace(do.skill, name=name, talent=talent, training=training)
        new = rated(draft, listed, do.special)
        if draft.table.by.role != "gm" and better_than_listed(draft, name, new):
            raise no("listing.ability", "beyond-the-listing", abilities=[name])
        if new.facet is not None and statistic_name(new.magnitude or "") not in who.ratings:
            raise no("rating.special-ability", "unknown-statistic", magnitude=new.magnitude)
    if draft.balance(accounts.unspent(id)) < points:
        raise no(
            "persona.later-points", "not-enough-points", points=points, unspent=draft.balance(accounts.unspent(id))
        )
    moved = accounts.moved(accounts.unspent(id), accounts.invested(id), points)
    draft.about(id, DevelopmentPointsAllocated(name, points), moved)
    fuller = accounts.gained(accounts.resource(id, name), points) if name in who.resources else None
    draft.about(id, RatingRaised(name, points, do.talent, new), fuller)
    if new is not None and new.type == "resource":
        account = accounts.resource(id, name)
        full = accounts.gained(account, new.value - draft.balance(account))
        draft.about(id, ResourceUsed(name, new.value), full)
    _index_anew(draft, id, name)
    draft.by("persona.later-points", draft.who(id).ratings[name].value, rating=name, points=points)


def _index_anew(draft: Draft, id: str, name: str) -> None:
    """What the changed Rating is, or is the Magnitude of, as long as that Magnitude is possessed."""
    now = draft.who(id).ratings
    touched = [
        other
        for other, one in now.items()
        if one.facet is not None and one.magnitude in now and name in (other, one.magnitude)
    ]
    for indexed in index(draft, id, now, touched):
        draft.about(id, indexed)
    for weapon in draft.who(id).damages if name == "strength" else ():
        note_damages(draft, id, int(weapon))


def buy_trait(draft: Draft, do: BuyTrait) -> Asking[None]:
    """`persona.later-points`: an Advantage, a Free Skill, an element, a piece of protection.

    Refuses `which-trait`, what the trait's own check refuses, `not-enough-points`.
    """
    draft.must_play(do.character, "persona.later-points")
    id = do.character
    unspent = draft.balance(accounts.unspent(id))
    bought = _trait(draft, do)
    if bought.points > max(0, unspent):
        raise no("persona.later-points", "not-enough-points", points=bought.points, unspent=unspent)
    draft.about(id, bought, accounts.moved(accounts.unspent(id), accounts.invested(id), bought.points))
    draft.by("persona.later-points", bought.points, trait=bought.name)
    more = do.advantage is not None and bool(beyond(draft, (do.advantage,)))
    more = more or (bought.rated is not None and better_than_listed(draft, bought.name, bought.rated))
    if more and draft.table.by.role != "gm":
        yield from allowed(draft, id, bought.name, f"To buy {bought.name} beyond its listing")
    if do.protection is not None and do.protection.static is not None and draft.mode() != "solo":
        yield from _static_allowed(draft, id, bought.name)


def _static_allowed(draft: Draft, id: str, piece: str) -> Asking[None]:
    """`damage.protection`: outside Solo Play the Gamemaster is asked; declined, nothing else is recorded."""
    rule = "damage.protection"
    if draft.table.by.role == "gm":
        return
    if not (yield from agrees(draft, draft.gm(), rule, "protection", f"Static protection outside Solo Play: {piece}")):
        draft.start_over()
        draft.about(id, ProtectionDeclined(id, piece))
        draft.by(rule, 0, piece=piece)


def _trait(draft: Draft, do: BuyTrait) -> TraitBought:
    who, id = draft.who(do.character), do.character
    named = [one for one in (do.advantage, do.free_skill, do.element, do.protection) if one is not None]
    if len(named) != 1:
        raise no("persona.later-points", "which-trait", given=len(named))
    if do.advantage is not None:
        held = valued(do.advantage, "rating.advantage")
        draft.by("rating.advantage", held.value, advantage=held.name)
        return TraitBought(id, "advantage", held.name, int(held.value), held, None, None)
    if do.free_skill is not None:
        if not is_whole(do.level) or do.free_skill in who.ratings or statistic_name(do.free_skill) in STATISTICS:
            raise no("rating.free-skill", "bad-number", free_skill=do.free_skill)
        points = _one_more(sum(1 for one in who.ratings.values() if one.kind == "free-skill"))
        draft.by("rating.free-skill", points, free_skill=do.free_skill)
        rated = Rated("free-skill", do.level, 0, 0)
        return TraitBought(id, "free-skill", do.free_skill, points, None, rated, None)
    if do.element is not None:
        points = _one_more(len(who.elements))
        draft.by("rating.character", points, element=do.element)
        return TraitBought(id, "element", do.element, points, None, None, None)
    assert do.protection is not None
    check_protection(do.protection, who.ratings)
    points = cost_of_pieces((*who.protection, do.protection)) - cost_of_pieces(who.protection)
    draft.by("damage.protection", points, piece=do.protection.name)
    return TraitBought(id, "protection", do.protection.name, points, None, None, do.protection)


def _one_more(count: int) -> int:
    """What one more costs, of what comes by fives."""
    return in_fives(count + 1) - in_fives(count)


def cash_in(draft: Draft, do: CashIn) -> Asking[None]:
    """`xd.cash-in`: a die for each point given up, where it is granted that Play removed it."""
    owner = draft.must_play(do.character, "xd.cash-in")
    points = check_positive(do.points, "xd.cash-in")
    who, id, name = draft.who(do.character), do.character, statistic_name(do.characteristic)
    left = _invested(draft, id, name) - points
    if left < 0:
        raise no("xd.cash-in", "not-enough-points-invested", rating=name, points=points)
    rating = who.ratings.get(name)
    if rating is not None and rating.kind == "statistic" and left < draft.dials.stat_minimum_points:
        raise no("rating.statistic", "rating-below-minimum", statistic=name)
    draft.check_stock(points, "xd.cash-in")
    if not (yield from dice_granted(draft, "xd.cash-in", "cash-in", _cashing(points, name))):
        dice_declined(draft, "xd.cash-in", owner, "cash-in", name)
        return
    given_up = min(points, draft.balance(accounts.invested(id)))
    after = rating.value - points if rating is not None and (left > 0 or rating.kind == "statistic") else 0
    over = draft.balance(accounts.resource(id, name)) - after if name in who.resources else 0
    draft.about(
        id,
        CharacteristicCashedIn(name, points, left),
        accounts.lost(accounts.invested(id), given_up),
        accounts.moved(accounts.STOCK, draft.purse_of(owner), points),
        accounts.lost(accounts.resource(id, name), over),
    )
    _index_anew(draft, id, name)
    draft.by("xd.cash-in", points, rating=name, left=left)
    draft.by("persona.cash-in", points)


def _cashing(points: int, name: str) -> str:
    dice, given = ("Die", "Point") if points == 1 else ("Dice", "Points")
    return f"{points} Experience {dice} for {points} Development {given} of {name}"


def _invested(draft: Draft, id: str, name: str) -> int:
    """Points in a characteristic. Refuses `disadvantage-cannot-be-cashed-in`, `not-enough-points-invested`."""
    who = draft.who(id)
    if name in who.ratings:
        return who.ratings[name].points
    for one in who.advantages:
        if one.name == name:
            return int(one.value)
    for one in who.disadvantages:
        if one.name == name:
            if not draft.dials.cash_in_disadvantages:
                raise no("xd.cash-in", "disadvantage-cannot-be-cashed-in", disadvantage=name)
            return int(one.value)
    raise no("xd.cash-in", "not-enough-points-invested", rating=name)


def develop(draft: Draft, do: Develop) -> Asking[None]:
    """`xd.develop`: own dice and Loaners together; points by the total."""
    rule, id = "xd.develop", do.character
    player = draft.must_play(id, rule)
    for n in (do.own, do.loaners, do.freebies):
        if not is_natural(n):
            raise no(rule, "bad-number", n=str(n))
    if do.freebies:
        raise no(rule, "freebie-own-action-only")
    count = do.own + do.loaners
    if not is_positive(count) or count > 1000:
        raise no(rule, "bad-number", n=count)
    if do.own and draft.is_gm(player):
        raise no(rule, "gm-holds-no-dice")
    if do.loaners and (draft.is_gm(player) or draft.dials.loaner_unopposed == "refuse"):
        raise no(rule, "loaner-against-nobody")
    if do.own and draft.balance(accounts.purse(player)) < do.own:
        raise no(rule, "not-enough-dice", has=draft.balance(accounts.purse(player)))
    check_limit(draft, player, do.loaners)
    faces = faces_of(do.faces, count, 6, rule, "bad-d6")
    if faces is None:
        faces = yield from roll(
            seat(player), count, 6, slot="development", purpose="Experience Dice for development",
            rule="scattershot.xd.develop", count_code="bad-number", face_code="bad-d6",
        )  # fmt: skip
    total, points = sum(faces), development(sum(faces))
    draft.about(
        id,
        DevelopmentRolled(faces, do.own, do.loaners, total, points),
        accounts.moved(accounts.purse(player), accounts.STOCK, do.own),
        accounts.gained(accounts.saved(draft.gm(), player), do.loaners),
        accounts.gained(accounts.karmic(player), do.loaners),
        accounts.gained(accounts.unspent(id), points),
    )
    draft.by(rule, points, total=total)

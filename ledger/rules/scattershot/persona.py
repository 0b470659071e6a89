"""Creating a Persona: Ratings, what they cost, what limits them. 3.2, 3.3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import all_agree, claimed
from ledger.rules.scattershot.chart import facet
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import (
    EffectIndexed,
    LimitDeclined,
    LimitsShown,
    PersonaCreated,
    PointLimitSet,
    SheetDeviates,
    WordLimitDeclined,
    WordLimitSet,
)
from ledger.rules.scattershot.guards import check_whole, no
from ledger.rules.scattershot.inputs_of_characters import LimitInWords, LimitPoints
from ledger.rules.scattershot.listings import as_listed, better_than_listed, beyond, check_weapon
from ledger.rules.scattershot.results import note_first_damages, weapon_of
from ledger.rules.scattershot.sheet import Advantage, PersonaSheet, Protection, Rated, Sheet, Skill
from ledger.rules.scattershot.tables import (
    IMPLIED_POINTS,
    STATISTIC_BASE,
    STATISTIC_START,
    STATISTICS,
    difficulty_base,
    in_fives,
    statistic_name,
)
from ledger.rules.scattershot.terms import is_natural, is_whole

ABILITIES = ("sheet", "special_abilities")

# --- creating --------------------------------------------------------------------------------------------------------


def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """Every check of 3.3, then what it costs; all its faults are told at once."""
    owner, sheet = do.seat, do.sheet
    id, check = str(draft.table.number), Faults(warns=draft.dials.sheet_faults == "warn")
    ratings = _ratings(draft, check, sheet)
    advantages = _valued(check, sheet.advantages, "advantage")
    disadvantages = _valued(check, sheet.disadvantages, "disadvantage")
    gone = _unusable(sheet, ratings)
    pieces = (piece if piece.bought not in gone else None for piece in sheet.protection)
    check.each(pieces, lambda one: check_protection(one, ratings) if one else None, "sheet", "protection")
    names = (name if name not in gone else None for name in sheet.resources)
    wanted = check.each(names, lambda one: _resource(ratings, one) if one is not None else None, "sheet", "resources")
    drained = [name for name, one in ratings.items() if one.type == "resource"]
    resources = tuple(dict.fromkeys(("hit-points", "power", *filter(None, wanted.values()), *drained)))
    net = net_cost(draft, ratings, sheet, advantages, disadvantages)
    weapons = check.each(sheet.weapons, lambda one: weapon_of(draft, one), "sheet", "weapons")
    found = check.each(sheet.special_abilities, lambda one: _index(draft, id, ratings, one, gone), *ABILITIES)
    if draft.table.by.role != "gm":
        _check_listings(draft, check, ratings, (*advantages, *disadvantages))
        _check_weapons(draft, check, sheet.weapons)
    limit = draft.limit_of(owner) if draft.table.has(seat(owner)) else None
    if limit is not None and net > limit:
        over = no("persona.no-cap", "beyond-the-limit", player=owner, limit=limit, net=net)
        check.note(over, "sheet", playable=True)
    _tell(check)
    made = PersonaSheet(
        sheet.character, ratings, advantages, disadvantages, sheet.elements, sheet.protection, resources,
        sheet.description,
    )  # fmt: skip
    draft.about(
        id,
        PersonaCreated(id, made, net),
        accounts.gained(accounts.invested(id), max(0, net + IMPLIED_POINTS)),
        *(accounts.gained(accounts.resource(id, name), ratings[name].value) for name in resources),
    )
    for one in (indexed for each in found.values() for indexed in each):
        draft.about(id, one)
    note_first_damages(draft, id, ratings["strength"].value, weapons.values())
    if check.deviations:
        draft.about(id, SheetDeviates(id, tuple(check.deviations)))
    words = draft.words_of(owner)
    if limit is not None or words:
        draft.about(id, LimitsShown(id, limit, words))
    if limit is not None:
        draft.by("persona.no-cap", net, limit=limit)
    if words:
        draft.by("persona.limit-in-words", list(words))
    draft.by("rating.total", net, gross=net + IMPLIED_POINTS)


def _tell(check: Faults) -> None:
    """With the first of them, codes and contexts of all: `faults`, `details`."""
    if check.found:
        codes = [one.code for one in check.found]
        details = [{"code": one.code, **one.context} for one in check.found]
        check.found[0].context |= {"faults": codes, "details": details}
    check.tell()


def _valued(check: Faults, traits: tuple[Advantage, ...], kind: str) -> tuple[Advantage, ...]:
    found = check.each(traits, lambda one: valued(one, f"rating.{kind}"), "sheet", f"{kind}s")
    return tuple(found.values())


def _unusable(sheet: Sheet, ratings: Mapping[str, Rated]) -> set[str]:
    """Ratings that have a fault: nothing that is to rest on one of them is looked at."""
    named = {one.name for one in (*sheet.skills, *sheet.special_abilities)} | set(sheet.free_skills)
    return named - set(ratings)


def _index(
    draft: Draft, id: str, ratings: Mapping[str, Rated], ability: Skill, unusable: set[str]
) -> list[EffectIndexed]:
    """Of one that was taken, by a Rating that was."""
    usable = ability.name in ratings and ratings[ability.name].magnitude not in unusable
    return index(draft, id, ratings, (ability.name,)) if usable else []


def _check_listings(draft: Draft, check: Faults, ratings: Mapping[str, Rated], traits: tuple[Advantage, ...]) -> None:
    """`listing.ability`, `listing.advantage`: what is beyond them needs the Gamemaster."""
    unlisted = beyond(draft, traits)
    if unlisted:
        check.note(no("listing.advantage", "beyond-the-listing", advantages=unlisted), "sheet", playable=True)
    better = [name for name, one in ratings.items() if better_than_listed(draft, name, one)]
    if better:
        check.note(no("listing.ability", "beyond-the-listing", abilities=better), "sheet", playable=True)


def _check_weapons(draft: Draft, check: Faults, weapons: Iterable[object]) -> None:
    for one in weapons:
        try:
            check_weapon(draft, one)
        except Refused as fault:
            check.note(fault, "sheet", playable=True)


def _resource(ratings: Mapping[str, Rated], name: str) -> str:
    known = statistic_name(name)
    if known not in ratings:
        raise no("rating.resource", "unknown-statistic", resource=known)
    return known


def _ratings(draft: Draft, check: Faults, sheet: Sheet) -> dict[str, Rated]:
    ratings: dict[str, Rated] = dict.fromkeys(STATISTICS, Rated("statistic", STATISTIC_BASE, 0, 2))
    for name, number in sheet.statistics.items():
        with check.at("sheet", "statistics", name):
            ratings |= dict([_statistic(draft, name, number)])
    draft.by("rating.statistic", sum(ratings[name].points for name in STATISTICS))
    check.each(sheet.skills, lambda one: _add(ratings, one.name, rated(draft, one, special=False)), "sheet", "skills")
    check.each(
        sheet.special_abilities, lambda one: _add(ratings, one.name, rated(draft, one, special=True)), *ABILITIES
    )
    for name, level in sheet.free_skills.items():
        with check.at("sheet", "free_skills", name):
            _free_skill(ratings, name, level)
    for name, raised in sheet.raises.items():
        with check.at("sheet", "raises", name):
            _raise(ratings, sheet, name, raised)
    return ratings


def _statistic(draft: Draft, name: str, number: object) -> tuple[str, Rated]:
    known = statistic_name(name)
    if known not in STATISTICS:
        raise no("rating.statistic", "unknown-statistic", statistic=name)
    if not is_whole(number) or number > 10**6:
        raise no("rating.statistic", "bad-number", statistic=name)
    if number - STATISTIC_BASE < draft.dials.stat_minimum_points:
        raise no("rating.statistic", "rating-below-minimum", statistic=name, rating=number)
    return known, Rated("statistic", STATISTIC_BASE, 0, number - STATISTIC_BASE)


def _free_skill(ratings: dict[str, Rated], name: str, level: object) -> None:
    if not is_whole(level):
        raise no("rating.free-skill", "bad-number", free_skill=name)
    _add(ratings, name, Rated("free-skill", level, 0, 0))


def _raise(ratings: dict[str, Rated], sheet: Sheet, name: str, raised: object) -> None:
    if name in _unusable(sheet, ratings):
        return
    if name not in sheet.free_skills:
        raise no("rating.free-skill", "no-such-free-skill", free_skill=name)
    if not is_natural(raised):
        raise no("rating.free-skill", "bad-number", free_skill=name)
    ratings[name] = Rated("free-skill", ratings[name].base, 0, raised)


def _add(ratings: dict[str, Rated], name: str, one: Rated) -> None:
    if name in ratings or statistic_name(name) in STATISTICS:
        raise no("rating.minimum", "bad-number", rating=name)
    ratings[name] = one


def rated(draft: Draft, skill: Skill, special: bool) -> Rated:
    """`rating.skill`, `rating.special-ability`: base of the difficulty, talent, training; a point at least."""
    rule = "rating.special-ability" if special else "rating.skill"
    skill = as_listed(draft, skill)
    base = difficulty_base(skill.difficulty)
    if base is None:
        raise no(rule, "unknown-difficulty", difficulty=skill.difficulty)
    if not is_natural(skill.talent) or not is_natural(skill.training) or not is_natural(skill.power_cost):
        raise no(rule, "bad-number", skill=skill.name)
    if skill.talent + skill.training < 1:
        raise no("rating.minimum", "rating-below-minimum", skill=skill.name)
    draft.by(rule, base + skill.talent + skill.training, skill=skill.name, base=base)
    magnitude = statistic_name(skill.magnitude) if special else None
    draft.by("rating.minimum", skill.talent + skill.training, skill=skill.name)
    return Rated(
        "special-ability" if special else "skill", base, skill.talent, skill.training, skill.scope or "individual",
        skill.use, skill.script, magnitude, skill.facet if special else None, skill.difficulty, skill.ability_type,
        skill.duration or "immediate", skill.opportunity, skill.power_cost,
    )  # fmt: skip


def valued(one: Advantage, rule: str) -> Advantage:
    if not is_whole(one.value) or not is_whole(one.modifier) or one.value < 0:
        raise no(rule, "bad-number", name=one.name)
    if one.value < 1:
        raise no("rating.minimum", "rating-below-minimum", name=one.name)
    return one


def check_protection(piece: Protection, ratings: Mapping[str, Rated]) -> None:
    """`damage.protection`: a static Rating, or one bought with an ability that has points in it.

    Refuses `protection-is-static-or-bought`, `bad-number`, `protection-belongs-to-no-ability`.
    """
    rule = "damage.protection"
    if (piece.static is None) == (piece.bought is None):
        raise no(rule, "protection-is-static-or-bought", piece=piece.name)
    if piece.static is not None and not is_natural(piece.static):
        raise no(rule, "bad-number", piece=piece.name)
    paid = ratings.get(piece.bought) if isinstance(piece.bought, str) else None
    if piece.bought is not None and (paid is None or paid.kind not in ("skill", "special-ability")):
        raise no(rule, "protection-belongs-to-no-ability", piece=piece.name, ability=str(piece.bought))


def cost_of_pieces(pieces: Iterable[Protection]) -> int:
    """`damage.protection`: the first piece of an ability is paid for with it; each further one costs a point."""
    bought = [piece.bought for piece in pieces if piece.bought is not None]
    return len(bought) - len(set(bought))


def net_cost(
    draft: Draft, ratings: Mapping[str, Rated], sheet: Sheet, advantages: tuple[Advantage, ...],
    disadvantages: tuple[Advantage, ...],
) -> int:  # fmt: skip
    """`rating.total`: Development Points beside the 12 implied ones."""
    statistics = sum(ratings[name].value - STATISTIC_START for name in STATISTICS)
    skills = sum(one.points for one in ratings.values() if one.kind in ("skill", "special-ability"))
    raises = sum(one.points for one in ratings.values() if one.kind == "free-skill")
    free, elements = in_fives(len(sheet.free_skills)), in_fives(len(sheet.elements))
    valued = sum(int(one.value) for one in advantages)
    refunded = sum(int(one.value) for one in disadvantages) if draft.dials.disadvantage_accounting == "refund" else 0
    pieces = cost_of_pieces(piece for piece in sheet.protection if isinstance(piece.bought, str))
    if pieces:
        draft.by("damage.protection", pieces)
    if sheet.free_skills:
        draft.by("rating.free-skill", free + raises, skills=len(sheet.free_skills), raises=raises)
    if sheet.elements:
        draft.by("rating.character", elements, elements=len(sheet.elements))
    if advantages:
        draft.by("rating.advantage", valued)
    if disadvantages:
        draft.by("rating.disadvantage", refunded)
    return statistics + skills + free + raises + elements + valued + pieces - refunded


def index(draft: Draft, id: str, ratings: Mapping[str, Rated], abilities: Iterable[str]) -> list[EffectIndexed]:
    """`rating.special-ability`: how much these do, read from the chart when the Persona is made or changed."""
    found = []
    for name in abilities:
        ability = ratings[name]
        magnitude = ratings.get(ability.magnitude or "")
        if magnitude is None:
            raise no("rating.special-ability", "unknown-statistic", magnitude=ability.magnitude)
        if ability.facet is not None:
            read = facet(draft.dials, magnitude.value, ability.facet)
            found.append(EffectIndexed(id, name, ability.facet, magnitude.value, read.numerator, read.denominator))
    return found


def limit_points(draft: Draft, do: LimitPoints) -> Asking[None]:
    """`persona.no-cap`: a Player on themself, the Group on who agrees; the Gamemaster on Regular Characters only."""
    rule = "persona.no-cap"
    limit = check_whole(do.limit, rule)
    reason, agreeing = yield from _bound(draft, do, f"At most {limit} Development Points for your new Personae")
    for player, agrees in agreeing.items():
        if agrees:
            draft.of(player, PointLimitSet(player, limit, do.agreed, reason))
        else:
            draft.of(player, LimitDeclined(player, limit))
        draft.by(rule, limit if agrees else None, player=player)


def limit_in_words(draft: Draft, do: LimitInWords) -> Asking[None]:
    """`persona.limit-in-words`: as `persona.no-cap`, of a theme or a genre. Refuses `which-limit`."""
    rule, words = "persona.limit-in-words", do.words.strip()
    if not words:
        raise no(rule, "which-limit")
    reason, agreeing = yield from _bound(draft, do, f"A limit on your new Personae: {words}")
    for player, agrees in agreeing.items():
        if agrees:
            draft.of(player, WordLimitSet(player, words, do.agreed, reason))
        else:
            draft.of(player, WordLimitDeclined(player, words))
        draft.by(rule, words if agrees else None, player=player)


def _bound(draft: Draft, do: LimitPoints | LimitInWords, purpose: str) -> Asking[tuple[str, dict[str, bool]]]:
    """Return why a Gamemaster spoke for them, if one did, and for each Player it is to bind whether they agree.

    Refuses `not-at-the-table`, `gm-may-not-cap`, `not-proprietor`.
    """
    rule, by = "persona.no-cap", draft.table.by
    player = do.player if do.player is not None else by.seat
    if player not in draft.players():
        raise no(rule, "not-at-the-table", player=player)
    if player != by.seat and not do.agreed:
        code = "gm-may-not-cap" if by.role == "gm" else "not-proprietor"
        raise no(rule, code, player=player)
    bound = draft.players() if do.agreed and do.player is None else (player,)
    reason = do.reason.strip() if claimed(draft, rule, do) else ""
    agreeing = {}
    for each in bound:
        agreeing[each] = bool(reason) or (yield from all_agree(draft, (each,), rule, "limit", purpose))
    return reason, agreeing

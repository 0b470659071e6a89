"""Creating and evolving a Persona, Ratings and what they cost: 3.2, 3.3; development and cashing in of 3.11."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.rules.contract import Asking, seat
from ledger.rules.dice import roll
from ledger.rules.scattershot import accounts, facts, inputs
from ledger.rules.scattershot.chart import facet
from ledger.rules.scattershot.facts import Rated
from ledger.rules.scattershot.ground import Ruling, check_positive, no
from ledger.rules.scattershot.rolling import faces_of
from ledger.rules.scattershot.sheet import Advantage, Protection, Sheet, Skill
from ledger.rules.scattershot.tables import (
    IMPLIED_POINTS,
    STATISTIC_BASE,
    STATISTIC_START,
    STATISTICS,
    development,
    difficulty_base,
    in_fives,
    statistic_name,
)
from ledger.rules.scattershot.terms import is_natural, is_positive, is_whole

# --- creating --------------------------------------------------------------------------------------------------------


def create(ruling: Ruling, sheet: Sheet) -> None:
    """Every check of 3.3, then what it costs."""
    id = str(ruling.table.number)
    ratings = _ratings(ruling, sheet)
    advantages = tuple(_valued(one, "rating.advantage") for one in sheet.advantages)
    disadvantages = tuple(_valued(one, "rating.disadvantage") for one in sheet.disadvantages)
    for piece in sheet.protection:
        check_protection(piece)
    wanted = [statistic_name(name) for name in sheet.resources]
    for name in wanted:
        if name not in ratings:
            raise no("rating.resource", "unknown-statistic", resource=name)
    resources = tuple(dict.fromkeys(("hit-points", "power", *wanted)))
    net = net_cost(ruling, ratings, sheet, advantages, disadvantages)
    indexed = _indexed(ruling, id, ratings, [one.name for one in sheet.special_abilities])
    made = facts.PersonaSheet(
        sheet.character, ratings, advantages, disadvantages, sheet.elements, sheet.protection, resources
    )
    created = facts.PersonaCreated(id, made, net)
    ruling.about(
        id,
        created,
        accounts.gained(accounts.invested(id), max(0, net + IMPLIED_POINTS)),
        *(accounts.gained(accounts.resource(id, name), ratings[name].value) for name in resources),
    )
    for one in indexed:
        ruling.about(id, one)
    ruling.by("rating.total", net, gross=net + IMPLIED_POINTS)


def _ratings(ruling: Ruling, sheet: Sheet) -> dict[str, Rated]:
    ratings: dict[str, Rated] = dict.fromkeys(STATISTICS, Rated("statistic", STATISTIC_BASE, 0, 2))
    for name, number in sheet.statistics.items():
        known = statistic_name(name)
        if known not in STATISTICS:
            raise no("rating.statistic", "unknown-statistic", statistic=name)
        if not is_whole(number) or number > 10**6:
            raise no("rating.statistic", "bad-number", statistic=name)
        if number - STATISTIC_BASE < ruling.dials.stat_minimum_points:
            raise no("rating.statistic", "rating-below-minimum", statistic=name, rating=number)
        ratings[known] = Rated("statistic", STATISTIC_BASE, 0, number - STATISTIC_BASE)
    ruling.by("rating.statistic", sum(ratings[name].points for name in STATISTICS))
    for one in sheet.skills:
        _add(ratings, one.name, rated(ruling, one, special=False))
    for one in sheet.special_abilities:
        _add(ratings, one.name, rated(ruling, one, special=True))
    for name, level in sheet.free_skills.items():
        if not is_whole(level):
            raise no("rating.free-skill", "bad-number", free_skill=name)
        _add(ratings, name, Rated("free-skill", level, 0, 0))
    for name, raised in sheet.raises.items():
        if name not in sheet.free_skills:
            raise no("rating.free-skill", "no-such-free-skill", free_skill=name)
        if not is_natural(raised):
            raise no("rating.free-skill", "bad-number", free_skill=name)
        ratings[name] = Rated("free-skill", ratings[name].base, 0, raised)
    return ratings


def _add(ratings: dict[str, Rated], name: str, one: Rated) -> None:
    if name in ratings or statistic_name(name) in STATISTICS:
        raise no("rating.minimum", "bad-number", rating=name)
    ratings[name] = one


def rated(ruling: Ruling, skill: Skill, special: bool) -> Rated:
    """`rating.skill`, `rating.special-ability`: base of the difficulty, talent, training; a point at least."""
    rule = "rating.special-ability" if special else "rating.skill"
    base = difficulty_base(skill.difficulty)
    if base is None:
        raise no(rule, "unknown-difficulty", difficulty=skill.difficulty)
    if not is_natural(skill.talent) or not is_natural(skill.training) or not is_natural(skill.power_cost):
        raise no(rule, "bad-number", skill=skill.name)
    if skill.talent + skill.training < 1:
        raise no("rating.minimum", "rating-below-minimum", skill=skill.name)
    ruling.by(rule, base + skill.talent + skill.training, skill=skill.name, base=base)
    magnitude = statistic_name(skill.magnitude) if special else None
    ruling.by("rating.minimum", skill.talent + skill.training, skill=skill.name)
    return Rated(
        "special-ability" if special else "skill", base, skill.talent, skill.training, skill.scope, skill.use,
        skill.script, magnitude, skill.facet if special else None,
    )  # fmt: skip


def _valued(one: Advantage, rule: str) -> Advantage:
    if not is_whole(one.value) or not is_whole(one.modifier) or one.value < 0:
        raise no(rule, "bad-number", name=one.name)
    if one.value < 1:
        raise no("rating.minimum", "rating-below-minimum", name=one.name)
    return one


def check_protection(piece: Protection) -> None:
    """`damage.protection`: a static Rating, or a bought one."""
    if (piece.static is None) == (piece.bought is None):
        raise no("damage.protection", "protection-is-static-or-bought", piece=piece.name)
    for number in (piece.static, piece.bought):
        if number is not None and not is_natural(number):
            raise no("damage.protection", "bad-number", piece=piece.name)


def net_cost(
    ruling: Ruling, ratings: Mapping[str, Rated], sheet: Sheet, advantages: tuple[Advantage, ...],
    disadvantages: tuple[Advantage, ...],
) -> int:  # fmt: skip
    """`rating.total`: Development Points beside the 12 implied ones."""
    statistics = sum(ratings[name].value - STATISTIC_START for name in STATISTICS)
    skills = sum(one.points for one in ratings.values() if one.kind in ("skill", "special-ability"))
    raises = sum(one.points for one in ratings.values() if one.kind == "free-skill")
    free, elements = in_fives(len(sheet.free_skills)), in_fives(len(sheet.elements))
    valued = sum(int(one.value) for one in advantages)
    refunded = sum(int(one.value) for one in disadvantages) if ruling.dials.disadvantage_accounting == "refund" else 0
    if sheet.free_skills:
        ruling.by("rating.free-skill", free + raises, skills=len(sheet.free_skills), raises=raises)
    if sheet.elements:
        ruling.by("rating.character", elements, elements=len(sheet.elements))
    if advantages:
        ruling.by("rating.advantage", valued)
    if disadvantages:
        ruling.by("rating.disadvantage", refunded)
    return statistics + skills + free + raises + elements + valued - refunded


def _indexed(
    ruling: Ruling, id: str, ratings: Mapping[str, Rated], abilities: Iterable[str]
) -> list[facts.EffectIndexed]:
    """`rating.special-ability`: how much these do, read from the chart when the Persona is made or changed."""
    found = []
    for name in abilities:
        ability = ratings[name]
        magnitude = ratings.get(ability.magnitude or "")
        if magnitude is None:
            raise no("rating.special-ability", "unknown-statistic", magnitude=ability.magnitude)
        if ability.facet is not None:
            read = facet(ruling.dials, magnitude.value, ability.facet)
            found.append(
                facts.EffectIndexed(id, name, ability.facet, magnitude.value, read.numerator, read.denominator)
            )
    return found


# --- evolving --------------------------------------------------------------------------------------------------------


def raise_rating(ruling: Ruling, do: inputs.RaiseRating) -> None:
    """`persona.later-points`: 1 unspent point, +1 to one Rating."""
    ruling.must_play(do.character, "persona.later-points")
    who, id = ruling.who(do.character), do.character
    name = statistic_name(do.rating)
    points = check_positive(do.points, "persona.later-points")
    new: Rated | None = None
    if name not in who.ratings:
        if do.skill is None:
            raise no("rating.free-skill", "no-such-free-skill", rating=do.rating)
        talent, training = (points, 0) if do.talent else (0, points)
        listed = Skill(
            name, do.skill.difficulty, talent, training, do.skill.ability_type, do.skill.use, do.skill.scope,
            do.skill.duration, do.skill.opportunity, do.skill.script, do.skill.facet, do.skill.magnitude,
        )  # fmt: skip
        new = rated(ruling, listed, do.special)
        if new.facet is not None and statistic_name(new.magnitude or "") not in who.ratings:
            raise no("rating.special-ability", "unknown-statistic", magnitude=new.magnitude)
    if ruling.balance(accounts.unspent(id)) < points:
        raise no("persona.later-points", "bad-number", points=points, unspent=ruling.balance(accounts.unspent(id)))
    moved = accounts.moved(accounts.unspent(id), accounts.invested(id), points)
    ruling.about(id, facts.DevelopmentPointsAllocated(name, points), moved)
    fuller = accounts.gained(accounts.resource(id, name), points) if name in who.resources else None
    ruling.about(id, facts.RatingRaised(name, points, do.talent, new), fuller)
    _index_anew(ruling, id, name)
    ruling.by("persona.later-points", ruling.who(id).ratings[name].value, rating=name, points=points)


def _index_anew(ruling: Ruling, id: str, name: str) -> None:
    """What the changed Rating is, or is the Magnitude of, as long as that Magnitude is possessed."""
    now = ruling.who(id).ratings
    touched = [
        other
        for other, one in now.items()
        if one.facet is not None and one.magnitude in now and name in (other, one.magnitude)
    ]
    for indexed in _indexed(ruling, id, now, touched):
        ruling.about(id, indexed)


def cash_in(ruling: Ruling, do: inputs.CashIn) -> None:
    """`xd.cash-in`: a die for each point given up."""
    owner = ruling.must_play(do.character, "xd.cash-in")
    points = check_positive(do.points, "xd.cash-in")
    who, id, name = ruling.who(do.character), do.character, statistic_name(do.characteristic)
    left = _invested(ruling, id, name) - points
    if left < 0:
        raise no("xd.cash-in", "not-enough-points-invested", rating=name, points=points)
    rating = who.ratings.get(name)
    if rating is not None and rating.kind == "statistic" and left < ruling.dials.stat_minimum_points:
        raise no("rating.statistic", "rating-below-minimum", rating=name)
    ruling.check_stock(points, "xd.cash-in")
    given_up = min(points, ruling.balance(accounts.invested(id)))
    after = rating.value - points if rating is not None and (left > 0 or rating.kind == "statistic") else 0
    over = ruling.balance(accounts.resource(id, name)) - after if name in who.resources else 0
    ruling.about(
        id,
        facts.CharacteristicCashedIn(name, points, left),
        accounts.lost(accounts.invested(id), given_up),
        accounts.moved(accounts.STOCK, ruling.purse_of(owner), points),
        accounts.lost(accounts.resource(id, name), over),
    )
    _index_anew(ruling, id, name)
    ruling.by("xd.cash-in", points, rating=name, left=left)
    ruling.by("persona.cash-in", points)


def _invested(ruling: Ruling, id: str, name: str) -> int:
    """Points in a characteristic. Refuses `disadvantage-cannot-be-cashed-in`, `not-enough-points-invested`."""
    who = ruling.who(id)
    if name in who.ratings:
        return who.ratings[name].points
    for one in who.advantages:
        if one.name == name:
            return int(one.value)
    for one in who.disadvantages:
        if one.name == name:
            if not ruling.dials.cash_in_disadvantages:
                raise no("xd.cash-in", "disadvantage-cannot-be-cashed-in", disadvantage=name)
            return int(one.value)
    raise no("xd.cash-in", "not-enough-points-invested", rating=name)


def develop(ruling: Ruling, do: inputs.Develop) -> Asking[None]:
    """`xd.develop`: own dice and Loaners together; points by the total."""
    rule, id = "xd.develop", do.character
    player = ruling.must_play(id, rule)
    for n in (do.own, do.loaners, do.freebies):
        if not is_natural(n):
            raise no(rule, "bad-number", n=str(n))
    if do.freebies:
        raise no(rule, "freebie-own-action-only")
    count = do.own + do.loaners
    if not is_positive(count) or count > 1000:
        raise no(rule, "bad-number", n=count)
    if do.own and ruling.is_gm(player):
        raise no(rule, "gm-holds-no-dice")
    if do.loaners and (ruling.is_gm(player) or ruling.dials.loaner_unopposed == "refuse"):
        raise no(rule, "loaner-against-nobody")
    if ruling.balance(accounts.purse(player)) < do.own:
        raise no(rule, "not-enough-dice", has=ruling.balance(accounts.purse(player)))
    check_limit(ruling, player, do.loaners)
    faces = faces_of(do.faces, count, 6, rule, "bad-d6")
    if faces is None:
        faces = yield from roll(
            seat(player), count, 6, purpose="Experience Dice for development",
            rule="scattershot.xd.develop", count_code="bad-number", face_code="bad-d6",
        )  # fmt: skip
    total, points = sum(faces), development(sum(faces))
    ruling.about(
        id,
        facts.DevelopmentRolled(faces, do.own, do.loaners, total, points),
        accounts.moved(accounts.purse(player), accounts.STOCK, do.own),
        accounts.gained(accounts.saved(ruling.gm(), player), do.loaners),
        accounts.gained(accounts.karmic(player), do.loaners),
        accounts.gained(accounts.unspent(id), points),
    )
    ruling.by(rule, points, total=total)


def check_limit(ruling: Ruling, player: str, more: int) -> None:
    """Refuses `loaner-limit`: no more Loaners out at once than the table allows."""
    limit = ruling.dials.loaner_limit
    if more and limit is not None and ruling.balance(accounts.karmic(player)) + more > limit:
        raise no("xd.loaner", "loaner-limit", limit=limit)

"""Lasting consequences of a Telling Blow or Catastrophic Failure: how its Points and its excess points are divided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    Besides,
    Between,
    Domain,
    Either,
    Move,
    Names,
    Question,
    Refused,
    Row,
    SeatId,
    Seen,
    Shape,
    SharedRefusal,
    Some,
    Story,
    Title,
    Unfit,
    ask,
    changed,
    changes,
    choice,
    decides,
    declares,
    fact,
    listed,
    offers,
    require,
    seat,
)
from ledger.rules.scattershot import accounts, advantage, conditions, outcomes, sheet_in_play
from ledger.rules.scattershot.draft import PHASES, Draft
from ledger.rules.scattershot.scene import Juncture, Resolution, Scene, in_its_resolution, remove_resolution
from ledger.rules.scattershot.state import ResidualPlaced
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    EARLY_ENDS,
    NOT_IN_MELEE,
    NOT_PROPRIETOR,
    WRONG_PHASE,
    Ending,
    Natural,
    Positive,
    ResolutionId,
    Situation,
    is_natural,
    is_positive,
    quote,
    say_how_long,
)


@dataclass(frozen=True, slots=True)
class Gained:
    """A Disadvantage that the Persona gets.

    `value`: how many points the Disadvantage is worth.
    """

    name: Title
    value: Positive = 1


@dataclass(frozen=True, slots=True)
class Residual:
    """A lasting penalty, called a Residual Challenge, which is paid for with excess points.

    `scope`: the situations in which the penalty counts. `amount`: how large the penalty is. Each -1 costs 1 excess
    point.
    """

    scope: Situation
    amount: Positive = 1


def _say_consequences(do: Consequences) -> str:
    phrases = [
        f"{disadvantage.name} ({disadvantage.value} {'point' if disadvantage.value == 1 else 'points'})"
        for disadvantage in do.disadvantages
    ]
    phrases += [f"a Residual Challenge of {residual.amount} {residual.scope}".rstrip() for residual in do.residuals]
    phrases += [f"{do.advantages} Combat Advantage for the other side"] if do.advantages else []
    return listed(phrases) if phrases else ""


def say_lasts(do: Consequences, names: Names) -> str:
    """Put into words an answer that names consequences."""
    clauses = [clause for clause in (_say_consequences(do), say_how_long(do.until)) if clause]
    return f"{', '.join(clauses)}{quote(do.text)}"


@choice("consequences", says=say_lasts)
class Consequences:
    """Name lasting consequences. Excess points are points of the MIB or RMIB beyond the Critical Juncture.

    `text`: what happens. `disadvantages`: new Disadvantages of the affected Persona, paid for with Points, usually
    given. `residuals`: Residual Challenges of the affected Persona, paid for with excess points, usually given.
    `advantages`: how much Combat Advantage the other side gets, paid for with excess points. `benefits`: how many
    Benefits the other side gets, paid for with excess points, usually given. `other`: how many excess points are spent
    on anything else, usually given. `until`: how long the consequences last: until the end of the Session, or longer.
    """

    text: Story
    disadvantages: tuple[Gained, ...] = ()
    residuals: tuple[Residual, ...] = ()
    advantages: Natural = 0
    benefits: Natural = 0
    other: Natural = 0
    until: Ending = "session"


#: The text that the page sends if the author does not describe the consequences.
IN_THE_STORY = "Played out in the story."


def say_consequence(fact: JunctureConsequenceNamed, names: Names) -> str:
    author_name = names.name(seat(fact.author))
    if fact.text == IN_THE_STORY:
        return f"{author_name} leaves what follows to the story."
    return f"{author_name} names lasting consequences, {say_how_long(fact.until)}{quote(fact.text)}"


@fact("juncture-consequence-named", says=say_consequence, headline=8, kw_only=True)
class JunctureConsequenceNamed:
    """Lasting consequences were named. `juncture`: the number of the Telling Blow or Catastrophic Failure in this
    resolution, where 0 is the first. `excess_split`: how the excess points were spent.
    """

    resolution: ResolutionId
    juncture: int
    author: SeatId
    text: Story
    points: int
    excess_split: Mapping[Title, int]
    until: Ending


@changes
def name_consequence(state: Scene, fact: JunctureConsequenceNamed) -> Scene | None:
    after = _mark_named(state, fact)
    resolution = after.resolutions[fact.resolution] if after is not None else None
    if (
        after is None
        or resolution is None
        or resolution.phase != "closed"
        or any(not juncture.named for juncture in resolution.junctures)
    ):
        return after
    return remove_resolution(after, fact.resolution)


@in_its_resolution
def _mark_named(resolution: Resolution, fact: JunctureConsequenceNamed) -> Resolution | None:
    if not 0 <= fact.juncture < len(resolution.junctures):
        return None
    juncture_index = fact.juncture
    named_juncture = changed(resolution.junctures[juncture_index], named=True)
    return changed(
        resolution,
        junctures=(*resolution.junctures[:juncture_index], named_juncture, *resolution.junctures[juncture_index + 1 :]),
    )


def say_consequences(do: Consequences, names: Names) -> str:
    if do.text == IN_THE_STORY:
        return "Lasting consequences."
    gained_clause = f", with {_say_consequences(do)}" if _say_consequences(do) else ""
    return f"Lasting consequences{gained_clause}, {say_how_long(do.until)}{quote(do.text)}"


def say_names_consequences(do: NameConsequences, names: Names) -> str:
    if do.consequences is None:
        return "What are the lasting consequences?"
    return say_consequences(do.consequences, names)


@declares(
    "name-consequences",
    ANYONE,
    says=say_names_consequences,
    records=(JunctureConsequenceNamed, sheet_in_play.DisadvantageGained, ResidualPlaced, advantage.AdvantageConverted),
)
class NameConsequences:
    """Name the consequences of a Telling Blow or a Catastrophic Failure. If you leave out `consequences`, the Player
    who must invent them is asked.

    `juncture`: which Telling Blow or Catastrophic Failure of the resolution has these consequences, counting from 0.
    """

    resolution: ResolutionId
    juncture: Natural = 0
    consequences: Consequences | None = None


EXCESS_OVERSPENT = SharedRefusal(
    "excess-overspent",
    "These consequences cost too many points. The total value of Disadvantages is limited by the Points from the"
    " UE Chart. Everything else is paid for with the excess points. Only a Character can have Disadvantages and"
    " Residual Challenges.",
)
ASK_CONSEQUENCES = Question("consequences", "{purpose}: what are they?")


@decides
def name_consequences(draft: Draft, do: NameConsequences) -> Asking[None]:
    """Record the consequences that their author declares or, if asked, gives as an answer."""
    resolution = draft.require_resolution(do.resolution)
    if resolution.phase not in ("results", "closed"):
        raise WRONG_PHASE.under(PHASES, phase=resolution.phase)
    if not is_natural(do.juncture) or do.juncture >= len(resolution.junctures):
        raise WRONG_PHASE.under(outcomes.TELLING_BLOW, juncture=str(do.juncture))
    juncture = resolution.junctures[do.juncture]
    if juncture.named:
        raise WRONG_PHASE.under(outcomes.TELLING_BLOW, juncture=do.juncture)
    consequences = do.consequences
    if consequences is not None:
        if not draft.is_by_gm and draft.me != juncture.author:
            raise NOT_PROPRIETOR.under(outcomes.RULES_BY_JUNCTURE[juncture.kind], author=juncture.author)
        require(may_follow(draft, juncture, consequences))
    else:
        purpose = f"Lasting consequences of a {juncture.kind.replace('-', ' ').title()}"
        shapes = list_divisions(draft.aside(), juncture)
        consequences = yield from ask(
            juncture.author, Consequences, slot=ASK_CONSEQUENCES(), purpose=purpose, within=shapes
        )
        if (refused := may_follow(draft, juncture, consequences)) is not None:
            raise Unfit(refused.rule, refused.code)
    _record_consequences(draft, do, juncture, consequences)


def may_follow(draft: Draft, juncture: Juncture, consequences: Consequences) -> Refused | None:
    """Refuse consequences that cost more than the Points and the excess points, end too soon, affect no Character, or
    give Combat Advantage that the pair cannot have.
    """
    excess_counts = [consequences.advantages, consequences.benefits, consequences.other]
    if not all(is_natural(n) for n in excess_counts):
        return BAD_NUMBER.under(outcomes.EXCESS)
    if not all(is_positive(disadvantage.value) for disadvantage in consequences.disadvantages):
        return BAD_NUMBER.under(outcomes.JUNCTURE_POINTS)
    if not all(is_positive(residual.amount) for residual in consequences.residuals):
        return BAD_NUMBER.under(outcomes.EXCESS)
    if consequences.until.strip().lower() in EARLY_ENDS:
        return conditions.ENDS_TOO_SOON()
    if sum(disadvantage.value for disadvantage in consequences.disadvantages) > juncture.points:
        return EXCESS_OVERSPENT.under(outcomes.JUNCTURE_POINTS)
    if sum(excess_counts) + sum(residual.amount for residual in consequences.residuals) > juncture.excess:
        return EXCESS_OVERSPENT.under(outcomes.EXCESS)
    if (consequences.disadvantages or consequences.residuals) and juncture.sufferer is None:
        return EXCESS_OVERSPENT.under(outcomes.JUNCTURE_POINTS)
    if consequences.advantages:
        fight = draft.find_fight(juncture.gainer)
        pair_ids = (juncture.gainer, juncture.sufferer)
        if fight is None or not fight.melee or any(char_id not in fight.standing for char_id in pair_ids):
            return NOT_IN_MELEE.under(advantage.CONVERT)
        if advantage.count_advantage_room(draft, pair_ids[0] or "", pair_ids[1] or "") < consequences.advantages:
            return advantage.ADVANTAGE_CAP()
    return None


def _record_consequences(draft: Draft, do: NameConsequences, juncture: Juncture, consequences: Consequences) -> None:
    excess_by_use = {
        "residuals": sum(residual.amount for residual in consequences.residuals),
        "advantages": consequences.advantages,
        "benefits": consequences.benefits,
        "other": consequences.other,
    }
    points = sum(disadvantage.value for disadvantage in consequences.disadvantages)
    draft.here(
        JunctureConsequenceNamed(
            resolution=do.resolution,
            juncture=do.juncture,
            author=juncture.author,
            text=consequences.text,
            points=points,
            excess_split={use: n for use, n in excess_by_use.items() if n},
            until=consequences.until,
        )
    )
    draft.by(conditions.LASTING, consequences.until)
    draft.by(outcomes.EXCESS, sum(excess_by_use.values()), excess=juncture.excess)
    sufferer = juncture.sufferer
    if sufferer is not None:
        for disadvantage in consequences.disadvantages:
            draft.about(sufferer, sheet_in_play.DisadvantageGained(sufferer, disadvantage.name, disadvantage.value))
        for residual in consequences.residuals:
            residual_placed = ResidualPlaced(
                residual=draft.table.new_id(),
                character=sufferer,
                amount=-residual.amount,
                scope=residual.scope,
                source=juncture.kind,
                until=consequences.until,
            )
            draft.about(sufferer, residual_placed)
        if consequences.advantages and juncture.gainer is not None:
            account = accounts.name_advantage(draft.place().id, juncture.gainer, sufferer)
            draft.here(
                advantage.AdvantageConverted(juncture.gainer, sufferer, consequences.advantages),
                accounts.make_gain(account, consequences.advantages),
            )
            draft.by(advantage.CONVERT, consequences.advantages, holder=juncture.gainer, foe=sufferer)


FEW = 3


def list_divisions(draft: Draft, juncture: Juncture) -> tuple[Shape, ...]:
    """Return the ways to divide the Points among Disadvantages, and the excess points among their uses."""
    has_sufferer = juncture.sufferer is not None
    disadvantages_domain = _make_divisions_domain(Gained, "value", juncture.points if has_sufferer else 0)
    fields: dict[str, Domain] = {"disadvantages": disadvantages_domain, "until": Besides(EARLY_ENDS)}
    excess, room = juncture.excess, _count_advantage_room(draft, juncture)
    shapes = []
    few_points = min(excess, FEW)
    for residual_points, advantage_points, benefit_points in product(range(few_points + 1), repeat=3):
        points_left = few_points - residual_points - advantage_points - benefit_points
        if points_left < 0 or advantage_points > room or (residual_points and not has_sufferer):
            continue
        residuals_domain = _make_exact_divisions_domain(Residual, "amount", residual_points)
        rest_domain = Between(0, excess if not (residual_points or advantage_points or benefit_points) else points_left)
        excess_fields: dict[str, Domain] = {
            "advantages": Among((advantage_points,)),
            "benefits": Among((benefit_points,)),
            "other": rest_domain,
        }
        shapes.append(Shape(Consequences, {**fields, **excess_fields, "residuals": residuals_domain}))
    if excess > FEW:
        shapes += _list_of_one_kind(fields, excess, min(excess, room), has_sufferer)
    return tuple(shapes)


def _make_divisions_domain(part_class: type, field: str, points: int) -> Domain:
    """Return the domain of divisions of at most this many points.

    For a few points, the domain has every division. For more, it has only divisions of a few points, a single part, or
    parts of 1 point each.
    """
    small_divisions = [_make_exact_divisions_domain(part_class, field, n) for n in range(min(points, FEW) + 1)]
    if points <= FEW:
        return Either(tuple(small_divisions))
    one_part = Row((Shape(part_class, {field: Between(1, points)}),))
    return Either((*small_divisions, one_part, Some(Shape(part_class, {field: Among((1,))}), 0, points, repeats=True)))


def _count_advantage_room(draft: Draft, juncture: Juncture) -> int:
    """Return how many more points of Combat Advantage the cap allows. Return 0 unless both
    Characters are in a Melee.
    """
    fight = draft.find_fight(juncture.gainer) if juncture.gainer is not None else None
    if fight is None or not fight.melee or juncture.gainer is None or juncture.sufferer not in fight.standing:
        return 0
    return advantage.count_advantage_room(draft, juncture.gainer, juncture.sufferer or "")


def _make_exact_divisions_domain(part_class: type, field: str, points: int) -> Domain:
    """Return the domain of every division of exactly this many points."""
    if not points:
        return Among(((),))
    return Either(
        tuple(Row(tuple(Shape(part_class, {field: Among((n,))}) for n in parts)) for parts in _list_sums(points))
    )


def _list_of_one_kind(
    fields: dict[str, Domain], excess: int, advantage_count: int, has_sufferer: bool
) -> Iterator[Shape]:
    """Yield shapes that spend many excess points on one use."""
    yield Shape(Consequences, {**fields, "benefits": Between(FEW + 1, excess)})
    if advantage_count > FEW:
        yield Shape(Consequences, {**fields, "advantages": Between(FEW + 1, advantage_count)})
    if has_sufferer:
        yield Shape(Consequences, {**fields, "residuals": _make_divisions_domain(Residual, "amount", excess)})


def _list_sums(points: int) -> Iterator[tuple[int, ...]]:
    """Yield the ordered sums of a number. For 3: 3; 1, 2; 2, 1; 1, 1, 1."""
    if not points:
        yield ()
    for first_summand in range(1, points + 1):
        yield from ((first_summand, *rest_of_sum) for rest_of_sum in _list_sums(points - first_summand))


@offers
def offer_consequences(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield the move that asks the author for the consequences and, for seats that may speak for the author, moves that
    name them.
    """
    for resolution_id, resolution in draft.read_resolutions().items():
        if resolution.phase not in ("results", "closed"):
            continue
        resolution_fields: dict[str, Domain] = {"resolution": Among((resolution_id,))}
        for juncture_index, juncture in enumerate(resolution.junctures):
            if juncture.named:
                continue
            fields: dict[str, Domain] = {**resolution_fields, "juncture": Among((juncture_index,))}
            yield Move(NameConsequences, fields, outcomes.RULES_BY_JUNCTURE[juncture.kind], juncture.sufferer)
            if draft.me in (juncture.author, *draft.gm_seats):
                consequences = Either(list_divisions(draft, juncture))
                yield Move(NameConsequences, {**fields, "consequences": consequences}, of=juncture.sufferer)

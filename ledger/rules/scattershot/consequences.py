"""Lasting consequences of a Critical Juncture: its Points and its excess, divided by who invents them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from ledger.rules.kernel.chapters import (
    Question,
    SharedRefusal,
    changes,
    choice,
    decides,
    declares,
    fact,
    offers,
    require,
)
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import SeatId, Story, Title
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Besides, Between, Domain, Either, Move, Row, Shape, Some
from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.scattershot import accounts, advantage, conditions, outcomes, sheet_in_play
from ledger.rules.scattershot.advantage import CONVERT
from ledger.rules.scattershot.draft import PHASES, Draft
from ledger.rules.scattershot.scene import Juncture, Resolution, Scene, in_its_resolution, without_resolution
from ledger.rules.scattershot.state import ResidualPlaced
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    NOT_IN_MELEE,
    NOT_PROPRIETOR,
    TOO_SOON,
    WRONG_PHASE,
    Ending,
    Natural,
    Positive,
    ResolutionId,
    Situation,
    is_natural,
    is_positive,
    lasting,
    quoted,
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
    """A penalty that lasts, called a Residual Challenge. It is paid for with excess points.

    `scope`: the situations in which the penalty counts. `amount`: how large the penalty is. Each -1 costs 1 excess
    point.
    """

    scope: Situation
    amount: Positive = 1


def _gained(do: Consequences) -> str:
    gained = [f"{one.name} ({one.value} {'point' if one.value == 1 else 'points'})" for one in do.disadvantages]
    gained += [f"a Residual Challenge of {one.amount} {one.scope}".rstrip() for one in do.residuals]
    gained += [f"{do.advantages} Combat Advantage for the other side"] if do.advantages else []
    return listed(gained) if gained else ""


def say_lasts(do: Consequences, names: Names) -> str:
    """Return the same, as an answer."""
    parts = [one for one in (_gained(do), lasting(do.until)) if one]
    return f"{', '.join(parts)}{quoted(do.text)}"


@choice("consequences", says=say_lasts)
class Consequences:
    """Name lasting consequences. Excess points are points of the MIB or RMIB beyond the Critical Juncture.

    `text`: what happens. `disadvantages`: new Disadvantages of the affected Persona, paid for with Points, usually
    given. `residuals`: Residual Challenges of the affected Persona, paid for with excess points, usually given.
    `advantages`: how much Combat Advantage the other side gets, paid for with excess points. `benefits`: how many
    Benefits the other side gets, paid for with excess points, usually given. `other`: how many excess points are spent
    on something else, usually given. `until`: how long the consequences last: until the end of the Session, or longer.
    """

    text: Story
    disadvantages: tuple[Gained, ...] = ()
    residuals: tuple[Residual, ...] = ()
    advantages: Natural = 0
    benefits: Natural = 0
    other: Natural = 0
    until: Ending = "session"


def say_consequence(done: JunctureConsequenceNamed, names: Names) -> str:
    who = names.name(seat(done.author))
    return f"{who} names lasting consequences, {lasting(done.until)}{quoted(done.text)}"


@fact("juncture-consequence-named", says=say_consequence, headline=8, kw_only=True)
class JunctureConsequenceNamed:
    """Lasting consequences were invented. `juncture`: the number of the Telling Blow or Catastrophic Failure in this
    resolution, where 0 is the first. `excess_split`: what the excess points were spent on.
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
    after = _named(state, fact)
    one = after.resolutions[fact.resolution] if after is not None else None
    if after is None or one is None or one.phase != "closed" or any(not juncture.named for juncture in one.junctures):
        return after
    return without_resolution(after, fact.resolution)


@in_its_resolution
def _named(one: Resolution, fact: JunctureConsequenceNamed) -> Resolution | None:
    if not 0 <= fact.juncture < len(one.junctures):
        return None
    place = fact.juncture
    named = changed(one.junctures[place], named=True)
    return changed(one, junctures=(*one.junctures[:place], named, *one.junctures[place + 1 :]))


def say_consequences(do: Consequences, names: Names) -> str:
    more = f", with {_gained(do)}" if _gained(do) else ""
    return f"Lasting consequences{more}, {lasting(do.until)}{quoted(do.text)}"


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
ASK_CONSEQUENCES = Question("consequences", "{purpose}: which ones do you invent?")


@decides
def name_consequences(draft: Draft, do: NameConsequences) -> Asking[None]:
    """By who must invent them: asked, unless it says them itself."""
    one = draft.resolution(do.resolution)
    if one.phase not in ("results", "closed"):
        raise WRONG_PHASE.under(PHASES, phase=one.phase)
    if not is_natural(do.juncture) or do.juncture >= len(one.junctures):
        raise WRONG_PHASE.under(outcomes.TELLING_BLOW, juncture=str(do.juncture))
    juncture = one.junctures[do.juncture]
    if juncture.named:
        raise WRONG_PHASE.under(outcomes.TELLING_BLOW, juncture=do.juncture)
    said = do.consequences
    if said is not None:
        if not draft.by_gm and draft.me != juncture.author:
            raise NOT_PROPRIETOR.under(outcomes.JUNCTURES[juncture.kind], author=juncture.author)
        require(may_follow(draft, juncture, said))
    else:
        purpose = f"Lasting consequences of a {juncture.kind.replace('-', ' ').title()}"
        within = divided(draft.aside(), juncture)
        said = yield from ask(juncture.author, Consequences, slot=ASK_CONSEQUENCES(), purpose=purpose, within=within)
        if (refused := may_follow(draft, juncture, said)) is not None:
            raise Unfit(refused.rule, refused.code)
    _record(draft, do, juncture, said)


def may_follow(draft: Draft, juncture: Juncture, said: Consequences) -> Refused | None:
    """No more than its Points and its excess pay for, for long enough, and suffered by somebody."""
    numbers = [said.advantages, said.benefits, said.other]
    if not all(is_natural(n) for n in numbers):
        return BAD_NUMBER.under(outcomes.EXCESS)
    if not all(is_positive(one.value) for one in said.disadvantages):
        return BAD_NUMBER.under(outcomes.JUNCTURE_POINTS)
    if not all(is_positive(one.amount) for one in said.residuals):
        return BAD_NUMBER.under(outcomes.EXCESS)
    if said.until.strip().lower() in TOO_SOON:
        return conditions.ENDS_TOO_SOON()
    if sum(one.value for one in said.disadvantages) > juncture.points:
        return EXCESS_OVERSPENT.under(outcomes.JUNCTURE_POINTS)
    if sum(numbers) + sum(one.amount for one in said.residuals) > juncture.excess:
        return EXCESS_OVERSPENT.under(outcomes.EXCESS)
    if (said.disadvantages or said.residuals) and juncture.sufferer is None:
        return EXCESS_OVERSPENT.under(outcomes.JUNCTURE_POINTS)
    if said.advantages:
        fight = draft.fight(juncture.gainer)
        pair = (juncture.gainer, juncture.sufferer)
        if fight is None or not fight.melee or any(id not in fight.standing for id in pair):
            return NOT_IN_MELEE.under(CONVERT)
        if advantage.room_for(draft, pair[0] or "", pair[1] or "") < said.advantages:
            return advantage.ADVANTAGE_CAP()
    return None


def _record(draft: Draft, do: NameConsequences, juncture: Juncture, said: Consequences) -> None:
    split = {
        "residuals": sum(one.amount for one in said.residuals),
        "advantages": said.advantages,
        "benefits": said.benefits,
        "other": said.other,
    }
    points = sum(one.value for one in said.disadvantages)
    draft.here(
        JunctureConsequenceNamed(
            resolution=do.resolution,
            juncture=do.juncture,
            author=juncture.author,
            text=said.text,
            points=points,
            excess_split={use: n for use, n in split.items() if n},
            until=said.until,
        )
    )
    draft.by(conditions.LASTING, said.until)
    draft.by(outcomes.EXCESS, sum(split.values()), excess=juncture.excess)
    sufferer = juncture.sufferer
    if sufferer is not None:
        for gained in said.disadvantages:
            draft.about(sufferer, sheet_in_play.DisadvantageGained(sufferer, gained.name, gained.value))
        for one in said.residuals:
            placed = ResidualPlaced(
                residual=draft.table.new_id(),
                character=sufferer,
                amount=-one.amount,
                scope=one.scope,
                source=juncture.kind,
                until=said.until,
            )
            draft.about(sufferer, placed)
        if said.advantages and juncture.gainer is not None:
            account = accounts.advantage(draft.place().id, juncture.gainer, sufferer)
            draft.here(
                advantage.AdvantageConverted(juncture.gainer, sufferer, said.advantages),
                accounts.gained(account, said.advantages),
            )
            draft.by(CONVERT, said.advantages, holder=juncture.gainer, foe=sufferer)


FEW = 3


def divided(draft: Draft, juncture: Juncture) -> tuple[Shape, ...]:
    """The Points into disadvantages; the excess into Residuals, Combat Advantage, Benefits and what else there is."""
    suffers = juncture.sufferer is not None
    gained = _lists(Gained, "value", juncture.points if suffers else 0)
    also: dict[str, Domain] = {"disadvantages": gained, "until": Besides(TOO_SOON)}
    excess, room = juncture.excess, _room(draft, juncture)
    shapes = []
    few = min(excess, FEW)
    for residual, advantages, benefits in product(range(few + 1), repeat=3):
        left = few - residual - advantages - benefits
        if left < 0 or advantages > room or (residual and not suffers):
            continue
        placed = _exactly(Residual, "amount", residual)
        rest = Between(0, excess if not (residual or advantages or benefits) else left)
        parts: dict[str, Domain] = {"advantages": Among((advantages,)), "benefits": Among((benefits,)), "other": rest}
        shapes.append(Shape(Consequences, {**also, **parts, "residuals": placed}))
    if excess > FEW:
        shapes += _of_one_kind(also, excess, min(excess, room), suffers)
    return tuple(shapes)


def _lists(do: type, field: str, points: int) -> Domain:
    """Divisions of up to so many points: of a few all of them; of more one part, or parts of one point."""
    few = [_exactly(do, field, n) for n in range(min(points, FEW) + 1)]
    if points <= FEW:
        return Either(tuple(few))
    one = Row((Shape(do, {field: Between(1, points)}),))
    return Either((*few, one, Some(Shape(do, {field: Among((1,))}), 0, points, repeats=True)))


def _room(draft: Draft, juncture: Juncture) -> int:
    """In a Melee in which both stand, up to the cap."""
    fight = draft.fight(juncture.gainer) if juncture.gainer is not None else None
    if fight is None or not fight.melee or juncture.gainer is None or juncture.sufferer not in fight.standing:
        return 0
    return advantage.room_for(draft, juncture.gainer, juncture.sufferer or "")


def _exactly(do: type, field: str, points: int) -> Domain:
    """Every way to divide a few points."""
    if not points:
        return Among(((),))
    return Either(tuple(Row(tuple(Shape(do, {field: Among((n,))}) for n in those)) for those in _sums(points)))


def _of_one_kind(also: dict[str, Domain], excess: int, advantages: int, suffers: bool) -> Iterator[Shape]:
    """Of many points: all to one use."""
    yield Shape(Consequences, {**also, "benefits": Between(FEW + 1, excess)})
    if advantages > FEW:
        yield Shape(Consequences, {**also, "advantages": Between(FEW + 1, advantages)})
    if suffers:
        yield Shape(Consequences, {**also, "residuals": _lists(Residual, "amount", excess)})


def _sums(points: int) -> Iterator[tuple[int, ...]]:
    """Of 3: 3; 1, 2; 2, 1; 1, 1, 1."""
    if not points:
        yield ()
    for first in range(1, points + 1):
        yield from ((first, *rest) for rest in _sums(points - first))


@offers
def offer_consequences(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Its author is asked, or says them."""
    for id, one in draft.resolutions().items():
        if one.phase not in ("results", "closed"):
            continue
        resolution: dict[str, Domain] = {"resolution": Among((id,))}
        for place, juncture in enumerate(one.junctures):
            if juncture.named:
                continue
            fields: dict[str, Domain] = {**resolution, "juncture": Among((place,))}
            yield Move(NameConsequences, fields, outcomes.JUNCTURES[juncture.kind], juncture.sufferer)
            if draft.me in (juncture.author, *draft.masters):
                said = Either(divided(draft, juncture))
                yield Move(NameConsequences, {**fields, "consequences": said}, of=juncture.sufferer)

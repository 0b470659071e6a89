"""How an Engaged Persona responds: it opposes the Action, or stays passive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ledger.rules.kernel.chapters import Question, changes, choice, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId, SeatId, Story
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import OPEN, Among, Domain, Move, Shape, never
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot import (
    actions,
    conditions,
    flurries,
    listings,
    mechanical_play,
    power,
    resources,
)
from ledger.rules.scattershot.draft import (
    ENGAGE,
    PHASES,
    SCOPE,
    YES,
    Draft,
    is_off_guard,
    may_go_on,
    standing_of,
)
from ledger.rules.scattershot.proprietorship import OWN_PERSONA
from ledger.rules.scattershot.ratings import (
    Default,
    Modifier,
    ModifierApplied,
    as_listed,
    modifiers_of,
    name_modifiers,
    offer_defaults,
    rating_for,
    rolled_rating,
    say_with_what,
)
from ledger.rules.scattershot.scene import Resolution, Scene, Side, in_its_resolution
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    LAST_DITCH_DODGE,
    LAST_DITCH_PENALTY,
    RESISTOR_HAS_NOT_ANSWERED,
    WRONG_PHASE,
    FreeAction,
    Nature,
    Payment,
    PaymentWord,
    Rating,
    ResidualId,
    ResolutionId,
    Stance,
    TraitName,
    called,
    quoted,
    say,
)

SIMULTANEOUS = rule(
    "scattershot.contest.simultaneous",
    "If a Persona opposes an Action, it is a Resistor, and there is a contest. Both Players state their"
    " Actions first. Then both roll, in any order.",
    "Contested rolls",
    outcome="character",
)


def say_opposing(do: Oppose, names: Names) -> str:
    """Return the answer of the Player asked, without a name."""
    return f"Opposed with {say_with_what(do)}{quoted(do.text)}"


@choice("oppose", says=say_opposing)
class Oppose:
    """Oppose the Action with an Action and a Rating of your own Persona.

    `text`: what your Persona does. `rating`: the ability. `default`: what your Persona rolls if it lacks the ability.
    `modifiers`: what makes the Action easier or harder. `advantages`: Advantages and Disadvantages that apply.
    `residuals`: Residual modifiers that apply. `nature`: what kind of Action it is. `pays`: how the Action is paid for
    in Mechanical Play. `free`: the kind of Free Action, if it is one.
    """

    text: Story
    rating: Rating
    default: Default | None = None
    modifiers: tuple[Modifier, ...] = ()
    advantages: tuple[TraitName, ...] = ()
    residuals: tuple[ResidualId, ...] = ()
    nature: Nature = "defense"
    pays: PaymentWord = "forfeit"
    free: FreeAction = "last-ditch-dodge"


@choice("stay-passive", says="No opposition.")
class StayPassive:
    """Do not oppose the Action."""


def say_answered(done: ResistorAnswered, names: Names) -> str:
    who = names.name(character(done.character))
    if not done.opposes:
        return f"{who} does not oppose the Action."
    costs = {
        "forfeit": ", at the cost of an Action of the next Turn",
        "free": ", as a Free Action",
        "flurry": ", as a step of the Flurry",
    }
    paid = costs.get(done.paid, "")
    return f"{who} opposes the Action with {called(done.ability)} ({done.rating} or less){paid}{quoted(done.action)}"


@fact("resistor-answered", says=say_answered, headline=31, kw_only=True)
class ResistorAnswered:
    """The Player of an Engaged Persona decided how it responds. `paid`: in Mechanical Play, how the response was paid
    for.
    """

    resolution: ResolutionId
    character: CharacterId
    opposes: bool
    player: SeatId
    action: Story
    ability: Rating
    rating: int
    nature: Nature
    paid: Payment


@changes
def answer_of_resistor(state: Scene, fact: ResistorAnswered) -> Scene | None:
    after = _answered(state, fact)
    if after is None or fact.paid != "flurry":
        return after
    return flurries.played_out(after, fact.character, fact.nature)


@in_its_resolution
def _answered(one: Resolution, fact: ResistorAnswered) -> Resolution:
    stance: Stance = "opposing" if fact.opposes else "passive"
    engaged = {**one.engaged, fact.character: stance}
    if fact.character in one.reactions:
        over = changed(one.reactions[fact.character], answered=True)
        one = changed(one, reactions={**one.reactions, fact.character: over})
    if not fact.opposes:
        return changed(one, engaged=engaged)
    side = Side(fact.player, fact.rating, nature=fact.nature)
    return changed(one, engaged=engaged, sides={**one.sides, fact.character: side})


def say_oppose(do: Oppose, names: Names) -> str:
    return f"opposes the Action with {say_with_what(do)}{quoted(do.text)}"


def say_answer(do: AnswerEngagement, names: Names) -> str:
    if do.oppose is not None:
        return f"{names.name(character(do.character))} {say_oppose(do.oppose, names)}"
    return say("{character} does not oppose the Action." if do.passive else "{character} must respond.", do, names)


@declares(
    "answer-engagement",
    ANYONE,
    says=say_answer,
    records=(
        ResistorAnswered,
        actions.ActionForfeited,
        actions.FreeActionTaken,
        flurries.FlurryStepped,
        mechanical_play.FlurryEnded,
        ModifierApplied,
        power.PowerSpent,
        resources.PenaltyDeferred,
        resources.PenaltyTookEffect,
        listings.ListingUpheld,
    ),
)
class AnswerEngagement:
    """Say how an Engaged Persona responds. If you leave out both `oppose` and `passive`, its Player is asked. In
    Mechanical Play, opposing costs a forfeited Action, a Free Action or a step of a Flurry.

    `character`: the Engaged Persona. `oppose`: how the Persona opposes the Action. `passive`: whether the Persona stays
    passive.
    """

    resolution: ResolutionId
    character: CharacterId
    oppose: Oppose | None = None
    passive: bool = False


ASK_RESPONSE = Question("response", "{purpose}")


def may_answer(one: Resolution, id: str) -> Refused | None:
    """Who is Engaged, or Off-Guard, and has not responded."""
    stance = one.engaged.get(id)
    if stance is None:
        return actions.NOT_ENGAGED_ON_ANOTHERS_TURN(character=id)
    return WRONG_PHASE.under(PHASES, character=id) if stance in ("opposing", "passive") else None


def may_stay_passive(draft: Draft, one: Resolution, id: str) -> Refused | None:
    """Not whom a Reaction roll obliges to respond, and who can."""
    if one.engaged[id] == "obliged" and can_pay(draft, id):
        return RESISTOR_HAS_NOT_ANSWERED.under(conditions.REACT, character=id)
    return None


def may_oppose(draft: Draft, one: Resolution, id: str) -> Refused | None:
    """Not who is Off-Guard, and has noticed nothing."""
    stance = one.engaged.get(id)
    unaware = stance == "off-guard" or (stance == "passive" and is_off_guard(draft.who(id), one.actor or ""))
    return conditions.STILL_OFF_GUARD(character=id) if unaware else None


@decides
def answer(draft: Draft, do: AnswerEngagement) -> Asking[None]:
    """That Persona's Player answers, and pays for it in Mechanical Play."""
    one, id = draft.resolution(do.resolution), do.character
    require(may_go_on(one, "opportunity"))
    draft.who(id)
    if do.oppose is not None and one.engaged.get(id) == "passive":
        require(may_oppose(draft, one, id))
    require(may_answer(one, id))
    said = yield from _hear(draft, do, one)
    if isinstance(said, StayPassive):
        require(may_stay_passive(draft, one, id))
        _stay_passive(draft, do)
        return
    require(may_oppose(draft, one, id))
    said = replace(said, default=as_listed(draft, draft.who(id), said.default))
    _oppose(draft, do, said, draft.owner(id))
    yield from listings.default_granted(draft, id, said.default, do.oppose is not None and draft.by_gm)


def _hear(draft: Draft, do: AnswerEngagement, one: Resolution) -> Asking[Oppose | StayPassive]:
    """Return the answer: as it is declared; else who is Off-Guard does nothing, and everybody else is asked."""
    id = do.character
    if do.oppose is not None or do.passive:
        draft.must_play(id, ENGAGE)
        return do.oppose if do.oppose is not None else StayPassive()
    if one.engaged[id] == "off-guard":
        return StayPassive()
    within = _responses(draft, id, one)
    purpose = f"{_what(draft, id, one)} How do you respond?"
    return (yield from ask(draft.owner(id), Oppose, StayPassive, slot=ASK_RESPONSE(), purpose=purpose, within=within))


def _stay_passive(draft: Draft, do: AnswerEngagement) -> None:
    draft.here(
        ResistorAnswered(
            resolution=do.resolution,
            character=do.character,
            opposes=False,
            player=draft.owner(do.character),
            action="",
            ability="",
            rating=0,
            nature="other",
            paid="none",
        )
    )
    draft.by(ENGAGE, "passive", character=do.character)


def _responses(draft: Draft, id: str, one: Resolution) -> Iterator[Shape]:
    """Who can oppose is not passive, where it must."""
    draft = draft.looking()
    some = list(opposing(draft, id, one))
    yield from some or (never(Oppose),)
    if may_stay_passive(draft, one, id) is not None:
        yield never(StayPassive)


def _what(draft: Draft, id: str, one: Resolution) -> str:
    """What there is to respond to."""
    names = [draft.table.name(character(who)) for who in (one.actor, id) if who is not None]
    said = f": “{one.deed.text.rstrip('.')}”" if one.deed.text else ""
    return f"{' acts against '.join(names)}{said}."


def _oppose(draft: Draft, do: AnswerEngagement, said: Oppose, owner: str) -> None:
    who, id = draft.who(do.character), do.character
    ability, rating = rating_for(draft, who, said.rating, said.default)
    named = modifiers_of(draft, who, said.modifiers, said.advantages, said.residuals)
    require(power.may_fight(draft, id, said.nature))
    paid: Payment = "none"
    if draft.fights():
        require(actions.may_do(standing_of(draft, id, SCOPE), id, said.nature, said.pays))
        paid = _pay_for_opposing(draft, do, said)
    power.charge(draft, id, rolled_rating(said))
    answered = ResistorAnswered(
        resolution=do.resolution,
        character=id,
        opposes=True,
        player=owner,
        action=said.text,
        ability=ability,
        rating=rating,
        nature=said.nature,
        paid=paid,
    )
    draft.here(answered)
    draft.by(ENGAGE, rating, character=id, rating=ability)
    draft.by(SIMULTANEOUS, id)
    draft.by(OWN_PERSONA, owner, character=id)
    if paid == "free" and said.free == LAST_DITCH_DODGE:
        named.append((LAST_DITCH_PENALTY, "last-ditch dodge"))
    for amount, why in named:
        draft.here(ModifierApplied(do.resolution, id, amount, why))


def _pay_for_opposing(draft: Draft, do: AnswerEngagement, said: Oppose) -> Payment:
    actions.use_now(draft, do.character, rolled_rating(said), said.pays)
    match said.pays:
        case "free":
            actions.take_free(draft, do.character, said.free, said.nature)
            return "free"
        case "flurry":
            flurries.use_flurry(draft, do.character, said.nature, draft.resolution(do.resolution))
            return "flurry"
        case "forfeit":
            actions.forfeit(draft, do.character, do.resolution)
            return "forfeit"
        case _:
            raise BAD_NUMBER.under(actions.FORFEIT, pays=said.pays)


def can_pay(draft: Draft, id: str) -> bool:
    """Whether it has anything left to pay a Reactive Action with; outside Mechanical Play it costs nothing."""
    if not draft.fights():
        return True
    fight = draft.fight(id)
    if fight is None or actions.may_do(fight.standing[id], id, "defense") is not None:
        return False
    standing = fight.standing[id]
    dodges = actions.may_take_free(draft, id, standing, LAST_DITCH_DODGE) is None
    return flurries.flows(draft, id) or dodges or actions.may_forfeit(draft, id, standing) is None


def opposing(draft: Draft, id: str, one: Resolution) -> Iterator[Shape]:
    """Each way with the Ratings, then with the Defaults, that it can be done with."""
    for way in _ways(draft, id, one):
        ratings = actions.list_usable_ratings(draft, id, way.pays)
        said: dict[str, Domain] = {**name_modifiers(draft, id), "nature": Among(way.natures), **way.fields}
        if ratings:
            yield Shape(Oppose, {**said, "rating": Among(ratings)})
        if defaults := offer_defaults(draft, id, ratings, False):
            yield Shape(Oppose, {**said, "rating": OPEN, "default": defaults})


def _ways(draft: Draft, id: str, one: Resolution) -> Iterator[actions.Way]:
    """An Action of the next Turn, a Free Action, or a step of the Flurry under way."""
    natures = actions.list_possible_natures(draft, id)
    if not draft.fights():
        yield actions.Way(natures, {"pays": OPEN, "free": OPEN}, "none")
        return
    fight = draft.fight(id)
    if fight is None:
        return
    standing = fight.standing[id]
    if actions.may_forfeit(draft, id, standing) is None and (
        fitting := actions.list_natures_allowed(standing, id, natures, "forfeit")
    ):
        yield actions.Way(fitting, {"pays": Among(("forfeit",)), "free": OPEN}, "forfeit")
    for fitting, kinds in actions.list_free_ways(draft, id, standing, natures):
        yield actions.Way(fitting, {"pays": Among(("free",)), "free": Among(kinds)}, "free")
    if fitting := flurries.in_the_flurry(draft, id, standing, natures, one):
        yield actions.Way(fitting, {"pays": Among(("flurry",)), "free": OPEN}, "flurry")


@offers
def offer_answers(seen: Seen, draft: Draft) -> Iterator[Move]:
    for id, one in draft.resolutions().items():
        for who in one.engaged if may_go_on(one, "opportunity") is None else ():
            if who in draft.known and may_answer(one, who) is None:
                fields: dict[str, Domain] = {"resolution": Among((id,)), "character": Among((who,))}
                yield from _list_answers(draft, one, who, fields)


def _list_answers(draft: Draft, one: Resolution, id: str, fields: dict[str, Domain]) -> Iterator[Move]:
    aware = may_oppose(draft, one, id) is None
    yield Move(AnswerEngagement, fields, ENGAGE if aware else None, id)
    if draft.mine((id,)):
        if may_stay_passive(draft, one, id) is None:
            yield Move(AnswerEngagement, {**fields, "passive": YES}, of=id)
        for said in opposing(draft, id, one) if aware else ():
            yield Move(AnswerEngagement, {**fields, "passive": OPEN, "oppose": said}, ENGAGE, id)

"""How an Engaged Persona responds: it opposes the Action, or stays passive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    Refused,
    SeatId,
    Seen,
    Shape,
    Story,
    ask,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    fact,
    never,
    offers,
    require,
    rule,
)
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
    find_standing,
    is_off_guard,
    may_go_on,
)
from ledger.rules.scattershot.proprietorship import OWN_PERSONA
from ledger.rules.scattershot.ratings import (
    Default,
    Modifier,
    ModifierApplied,
    choose_rating,
    fill_in_default,
    find_rolled_rating,
    list_modifiers,
    name_modifiers,
    offer_defaults,
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
    name_rating,
    quote,
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
    return f"Opposed with {say_with_what(do)}{quote(do.text)}"


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


def say_answered(fact: ResistorAnswered, names: Names) -> str:
    who = names.name(character(fact.character))
    if not fact.opposes:
        return f"{who} does not oppose the Action."
    costs = {
        "forfeit": ", at the cost of an Action of the next Turn",
        "free": ", as a Free Action",
        "flurry": ", as a step of the Flurry",
    }
    paid = costs.get(fact.paid, "")
    return (
        f"{who} opposes the Action with {name_rating(fact.ability)} ({fact.rating} or less){paid}{quote(fact.action)}"
    )


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
    after = _put_answer(state, fact)
    if after is None or fact.paid != "flurry":
        return after
    return flurries.play_out_step(after, fact.character, fact.nature)


@in_its_resolution
def _put_answer(resolution: Resolution, fact: ResistorAnswered) -> Resolution:
    stance: Stance = "opposing" if fact.opposes else "passive"
    engaged = {**resolution.engaged, fact.character: stance}
    if fact.character in resolution.reactions:
        over = changed(resolution.reactions[fact.character], answered=True)
        resolution = changed(resolution, reactions={**resolution.reactions, fact.character: over})
    if not fact.opposes:
        return changed(resolution, engaged=engaged)
    side = Side(fact.player, fact.rating, nature=fact.nature)
    return changed(resolution, engaged=engaged, sides={**resolution.sides, fact.character: side})


def say_oppose(do: Oppose, names: Names) -> str:
    return f"opposes the Action with {say_with_what(do)}{quote(do.text)}"


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


def may_answer(resolution: Resolution, id: str) -> Refused | None:
    """Refuse a Persona that is not Engaged or Off-Guard, or that has already responded."""
    stance = resolution.engaged.get(id)
    if stance is None:
        return actions.NOT_ENGAGED_ON_ANOTHERS_TURN(character=id)
    return WRONG_PHASE.under(PHASES, character=id) if stance in ("opposing", "passive") else None


def may_stay_passive(draft: Draft, resolution: Resolution, id: str) -> Refused | None:
    """Refuse a Persona that a Reaction roll obliges to respond, and that can pay for it."""
    if resolution.engaged[id] == "obliged" and can_pay(draft, id):
        return RESISTOR_HAS_NOT_ANSWERED.under(conditions.REACT, character=id)
    return None


def may_oppose(draft: Draft, resolution: Resolution, id: str) -> Refused | None:
    """Refuse a Persona that is Off-Guard and has noticed nothing."""
    stance = resolution.engaged.get(id)
    unaware = stance == "off-guard" or (stance == "passive" and is_off_guard(draft.who(id), resolution.actor or ""))
    return conditions.STILL_OFF_GUARD(character=id) if unaware else None


@decides
def answer(draft: Draft, do: AnswerEngagement) -> Asking[None]:
    """Record how the Engaged Persona responds, and pay for it in Mechanical Play."""
    resolution, id = draft.resolution(do.resolution), do.character
    require(may_go_on(resolution, "opportunity"))
    draft.who(id)
    if do.oppose is not None and resolution.engaged.get(id) == "passive":
        require(may_oppose(draft, resolution, id))
    require(may_answer(resolution, id))
    response = yield from _hear(draft, do, resolution)
    if isinstance(response, StayPassive):
        require(may_stay_passive(draft, resolution, id))
        _stay_passive(draft, do)
        return
    require(may_oppose(draft, resolution, id))
    response = replace(response, default=fill_in_default(draft, draft.who(id), response.default))
    _oppose(draft, do, response, draft.owner(id))
    yield from listings.ask_for_default(draft, id, response.default, do.oppose is not None and draft.by_gm)


def _hear(draft: Draft, do: AnswerEngagement, resolution: Resolution) -> Asking[Oppose | StayPassive]:
    """Return the declared response. Otherwise ask the Player; a Persona that is Off-Guard does nothing."""
    id = do.character
    if do.oppose is not None or do.passive:
        draft.check_plays(id, ENGAGE)
        return do.oppose if do.oppose is not None else StayPassive()
    if resolution.engaged[id] == "off-guard":
        return StayPassive()
    within = _list_responses(draft, id, resolution)
    purpose = f"{_say_what(draft, id, resolution)} How do you respond?"
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


def _list_responses(draft: Draft, id: str, resolution: Resolution) -> Iterator[Shape]:
    """Yield the responses that the Player can choose. A Persona that is obliged to oppose cannot stay passive."""
    draft = draft.copy_for_looking()
    shapes = list(list_opposing(draft, id, resolution))
    yield from shapes or (never(Oppose),)
    if may_stay_passive(draft, resolution, id) is not None:
        yield never(StayPassive)


def _say_what(draft: Draft, id: str, resolution: Resolution) -> str:
    """Return what the Persona responds to, as a sentence."""
    names = [draft.table.name(character(who)) for who in (resolution.actor, id) if who is not None]
    words = f": “{resolution.deed.text.rstrip('.')}”" if resolution.deed.text else ""
    return f"{' acts against '.join(names)}{words}."


def _oppose(draft: Draft, do: AnswerEngagement, response: Oppose, owner: str) -> None:
    who, id = draft.who(do.character), do.character
    ability, rating = choose_rating(draft, who, response.rating, response.default)
    named = list_modifiers(draft, who, response.modifiers, response.advantages, response.residuals)
    require(power.may_fight(draft, id, response.nature))
    paid: Payment = "none"
    if draft.fights():
        require(conditions.may_do(find_standing(draft, id, SCOPE), id, response.nature, response.pays))
        paid = _pay_for_opposing(draft, do, response)
    power.charge(draft, id, find_rolled_rating(response))
    answered = ResistorAnswered(
        resolution=do.resolution,
        character=id,
        opposes=True,
        player=owner,
        action=response.text,
        ability=ability,
        rating=rating,
        nature=response.nature,
        paid=paid,
    )
    draft.here(answered)
    draft.by(ENGAGE, rating, character=id, rating=ability)
    draft.by(SIMULTANEOUS, id)
    draft.by(OWN_PERSONA, owner, character=id)
    if paid == "free" and response.free == LAST_DITCH_DODGE:
        named.append((LAST_DITCH_PENALTY, "last-ditch dodge"))
    for amount, why in named:
        draft.here(ModifierApplied(do.resolution, id, amount, why))


def _pay_for_opposing(draft: Draft, do: AnswerEngagement, response: Oppose) -> Payment:
    actions.use_now(draft, do.character, find_rolled_rating(response), response.pays)
    match response.pays:
        case "free":
            actions.take_free(draft, do.character, response.free, response.nature)
            return "free"
        case "flurry":
            flurries.use_flurry(draft, do.character, response.nature, draft.resolution(do.resolution))
            return "flurry"
        case "forfeit":
            actions.forfeit(draft, do.character, do.resolution)
            return "forfeit"
        case _:
            raise BAD_NUMBER.under(actions.FORFEIT, pays=response.pays)


def can_pay(draft: Draft, id: str) -> bool:
    """Return whether the Persona can pay for a Reactive Action. Outside Mechanical Play it costs nothing."""
    if not draft.fights():
        return True
    fight = draft.fight(id)
    if fight is None or conditions.may_do(fight.standing[id], id, "defense") is not None:
        return False
    standing = fight.standing[id]
    dodges = actions.may_take_free(draft, id, standing, LAST_DITCH_DODGE) is None
    return flurries.is_in_flurry(draft, id) or dodges or actions.may_forfeit(draft, id, standing) is None


def list_opposing(draft: Draft, id: str, resolution: Resolution) -> Iterator[Shape]:
    """Yield the ways to oppose, with the Ratings and then the Defaults that can be used."""
    for way in _list_ways(draft, id, resolution):
        ratings = actions.list_usable_ratings(draft, id, way.pays)
        fields: dict[str, Domain] = {**name_modifiers(draft, id), "nature": Among(way.natures), **way.fields}
        if ratings:
            yield Shape(Oppose, {**fields, "rating": Among(ratings)})
        if defaults := offer_defaults(draft, id, ratings, False):
            yield Shape(Oppose, {**fields, "rating": OPEN, "default": defaults})


def _list_ways(draft: Draft, id: str, resolution: Resolution) -> Iterator[actions.Way]:
    """Yield the ways to pay: an Action of the next Turn, a Free Action, or a step of the Flurry under way."""
    natures = actions.list_possible_natures(draft, id)
    if not draft.fights():
        yield actions.Way(natures, {"pays": OPEN, "free": OPEN}, "none")
        return
    fight = draft.fight(id)
    if fight is None:
        return
    standing = fight.standing[id]
    if actions.may_forfeit(draft, id, standing) is None and (
        fitting := conditions.list_natures_allowed(standing, id, natures, "forfeit")
    ):
        yield actions.Way(fitting, {"pays": Among(("forfeit",)), "free": OPEN}, "forfeit")
    for fitting, kinds in actions.list_free_ways(draft, id, standing, natures):
        yield actions.Way(fitting, {"pays": Among(("free",)), "free": Among(kinds)}, "free")
    if fitting := flurries.list_natures_of_flurry(draft, id, standing, natures, resolution):
        yield actions.Way(fitting, {"pays": Among(("flurry",)), "free": OPEN}, "flurry")


@offers
def offer_answers(seen: Seen, draft: Draft) -> Iterator[Move]:
    for id, resolution in draft.resolutions().items():
        for who in resolution.engaged if may_go_on(resolution, "opportunity") is None else ():
            if who in draft.known and may_answer(resolution, who) is None:
                fields: dict[str, Domain] = {"resolution": Among((id,)), "character": Among((who,))}
                yield from _list_answers(draft, resolution, who, fields)


def _list_answers(draft: Draft, resolution: Resolution, id: str, fields: dict[str, Domain]) -> Iterator[Move]:
    aware = may_oppose(draft, resolution, id) is None
    yield Move(AnswerEngagement, fields, ENGAGE if aware else None, id)
    if draft.filter_mine((id,)):
        if may_stay_passive(draft, resolution, id) is None:
            yield Move(AnswerEngagement, {**fields, "passive": YES}, of=id)
        for shape in list_opposing(draft, id, resolution) if aware else ():
            yield Move(AnswerEngagement, {**fields, "passive": OPEN, "oppose": shape}, ENGAGE, id)

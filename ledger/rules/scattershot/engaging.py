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
    is_off_guard,
    may_act_in,
    require_standing,
)
from ledger.rules.scattershot.proprietorship import OWN_PERSONA
from ledger.rules.scattershot.ratings import (
    Default,
    Modifier,
    ModifierApplied,
    fill_in_default,
    find_rolled_name,
    list_modifiers,
    make_default_domain,
    make_modifier_fields,
    read_ability_and_rating,
    say_rating_used,
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
    """Put the Player's answer into words, without a name."""
    return f"The Action is opposed with {say_rating_used(do)}{quote(do.text)}"


@choice("oppose", says=say_opposing)
class Oppose:
    """Oppose the Action with an Action and a Rating of your own Persona.

    `text`: what your Persona does. `rating`: the ability. `default`: the Default that your Persona rolls if it lacks
    the ability. `modifiers`: the circumstances that make the Action easier or harder. `advantages`: Advantages and
    Disadvantages that apply. `residuals`: Residual modifiers that apply. `nature`: what kind of Action it is. `pays`:
    how the Action is paid for in Mechanical Play. `free`: the kind of Free Action, if it is one.
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
    name = names.name(character(fact.character))
    if not fact.opposes:
        return f"{name} does not oppose the Action."
    phrases_by_payment = {
        "forfeit": ", at the cost of an Action of the next Turn",
        "free": ", as a Free Action",
        "flurry": ", as a step of the Flurry",
    }
    payment_phrase = phrases_by_payment.get(fact.paid, "")
    rating_phrase = f"{name_rating(fact.ability)} ({fact.rating} or less)"
    return f"{name} opposes the Action with {rating_phrase}{payment_phrase}{quote(fact.action)}"


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
def record_answer(state: Scene, fact: ResistorAnswered) -> Scene | None:
    after = _put_answer(state, fact)
    if after is None or fact.paid != "flurry":
        return after
    return flurries.play_out_step(after, fact.character, fact.nature)


@in_its_resolution
def _put_answer(resolution: Resolution, fact: ResistorAnswered) -> Resolution:
    stance: Stance = "opposing" if fact.opposes else "passive"
    engaged = {**resolution.engaged, fact.character: stance}
    if fact.character in resolution.reactions:
        answered_reaction = changed(resolution.reactions[fact.character], answered=True)
        resolution = changed(resolution, reactions={**resolution.reactions, fact.character: answered_reaction})
    if not fact.opposes:
        return changed(resolution, engaged=engaged)
    side = Side(fact.player, fact.rating, nature=fact.nature)
    return changed(resolution, engaged=engaged, sides={**resolution.sides, fact.character: side})


def say_oppose(do: Oppose, names: Names) -> str:
    return f"opposes the Action with {say_rating_used(do)}{quote(do.text)}"


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
    """Decide how an Engaged Persona responds. If you leave out both `oppose` and `passive`, its Player is asked. In
    Mechanical Play, opposing costs a forfeited Action, a Free Action or a step of a Flurry.

    `character`: the Engaged Persona. `oppose`: how the Persona opposes the Action. `passive`: whether the Persona stays
    passive.
    """

    resolution: ResolutionId
    character: CharacterId
    oppose: Oppose | None = None
    passive: bool = False


ASK_RESPONSE = Question("response", "{purpose}")


def may_answer(resolution: Resolution, char_id: str) -> Refused | None:
    """Refuse a Persona that is not Engaged or Off-Guard, or that has already responded."""
    stance = resolution.engaged.get(char_id)
    if stance is None:
        return actions.NOT_ENGAGED_ON_ANOTHERS_TURN(character=char_id)
    return WRONG_PHASE.under(PHASES, character=char_id) if stance in ("opposing", "passive") else None


def may_stay_passive(draft: Draft, resolution: Resolution, char_id: str) -> Refused | None:
    """Refuse to let a Persona stay passive if a Reaction roll obliges it to respond and it can pay for a response."""
    if resolution.engaged[char_id] == "obliged" and can_pay_for_reaction(draft, char_id):
        return RESISTOR_HAS_NOT_ANSWERED.under(conditions.REACT, character=char_id)
    return None


def may_oppose(draft: Draft, resolution: Resolution, char_id: str) -> Refused | None:
    """Refuse opposition by a Persona that is Off-Guard and has not noticed the Action."""
    stance = resolution.engaged.get(char_id)
    is_unaware = stance == "off-guard" or (
        stance == "passive" and is_off_guard(draft.read_character(char_id), resolution.actor or "")
    )
    return conditions.STILL_OFF_GUARD(character=char_id) if is_unaware else None


@decides
def answer_engagement(draft: Draft, do: AnswerEngagement) -> Asking[None]:
    """Record how the Engaged Persona responds, and pay for it in Mechanical Play."""
    resolution, char_id = draft.require_resolution(do.resolution), do.character
    require(may_act_in(resolution, "opportunity"))
    draft.read_character(char_id)
    if do.oppose is not None and resolution.engaged.get(char_id) == "passive":
        require(may_oppose(draft, resolution, char_id))
    require(may_answer(resolution, char_id))
    response = yield from _hear_response(draft, do, resolution)
    if isinstance(response, StayPassive):
        require(may_stay_passive(draft, resolution, char_id))
        _stay_passive(draft, do)
        return
    require(may_oppose(draft, resolution, char_id))
    response = replace(response, default=fill_in_default(draft, draft.read_character(char_id), response.default))
    _oppose(draft, do, response, draft.find_owner(char_id))
    yield from listings.ask_for_default(draft, char_id, response.default, do.oppose is not None and draft.is_by_gm)


def _hear_response(draft: Draft, do: AnswerEngagement, resolution: Resolution) -> Asking[Oppose | StayPassive]:
    """Return the declared response or, if none was declared, the Player's answer. A Persona that is Off-Guard stays
    passive.
    """
    char_id = do.character
    if do.oppose is not None or do.passive:
        draft.check_plays(char_id, ENGAGE)
        return do.oppose if do.oppose is not None else StayPassive()
    if resolution.engaged[char_id] == "off-guard":
        return StayPassive()
    shapes = _list_responses(draft, char_id, resolution)
    purpose = f"{_say_engaging_action(draft, char_id, resolution)} How do you respond?"
    return (
        yield from ask(
            draft.find_owner(char_id), Oppose, StayPassive, slot=ASK_RESPONSE(), purpose=purpose, within=shapes
        )
    )


def _stay_passive(draft: Draft, do: AnswerEngagement) -> None:
    draft.here(
        ResistorAnswered(
            resolution=do.resolution,
            character=do.character,
            opposes=False,
            player=draft.find_owner(do.character),
            action="",
            ability="",
            rating=0,
            nature="other",
            paid="none",
        )
    )
    draft.by(ENGAGE, "passive", character=do.character)


def _list_responses(draft: Draft, char_id: str, resolution: Resolution) -> Iterator[Shape]:
    """Yield the responses that the Player can choose. A Persona that is obliged to oppose cannot stay passive."""
    draft = draft.copy_for_looking()
    oppose_shapes = list(list_opposing(draft, char_id, resolution))
    yield from oppose_shapes or (never(Oppose),)
    if may_stay_passive(draft, resolution, char_id) is not None:
        yield never(StayPassive)


def _say_engaging_action(draft: Draft, char_id: str, resolution: Resolution) -> str:
    """Put into words the Action that the Persona responds to."""
    names = [
        draft.table.name(character(actor_or_resistor))
        for actor_or_resistor in (resolution.actor, char_id)
        if actor_or_resistor is not None
    ]
    quoted_text = f": “{resolution.deed.text.rstrip('.')}”" if resolution.deed.text else ""
    return f"{' acts against '.join(names)}{quoted_text}."


def _oppose(draft: Draft, do: AnswerEngagement, response: Oppose, owner: str) -> None:
    char_state, char_id = draft.read_character(do.character), do.character
    ability, rating = read_ability_and_rating(draft, char_state, response.rating, response.default)
    modifiers = list_modifiers(draft, char_state, response.modifiers, response.advantages, response.residuals)
    require(power.may_fight(draft, char_id, response.nature))
    payment: Payment = "none"
    if draft.read_fights():
        require(
            conditions.may_act_in_mode(require_standing(draft, char_id, SCOPE), char_id, response.nature, response.pays)
        )
        payment = _pay_for_opposing(draft, do, response)
    power.charge_power(draft, char_id, find_rolled_name(response))
    fact = ResistorAnswered(
        resolution=do.resolution,
        character=char_id,
        opposes=True,
        player=owner,
        action=response.text,
        ability=ability,
        rating=rating,
        nature=response.nature,
        paid=payment,
    )
    draft.here(fact)
    draft.by(ENGAGE, rating, character=char_id, rating=ability)
    draft.by(SIMULTANEOUS, char_id)
    draft.by(OWN_PERSONA, owner, character=char_id)
    if payment == "free" and response.free == LAST_DITCH_DODGE:
        modifiers.append((LAST_DITCH_PENALTY, "last-ditch dodge"))
    for amount, reason in modifiers:
        draft.here(ModifierApplied(do.resolution, char_id, amount, reason))


def _pay_for_opposing(draft: Draft, do: AnswerEngagement, response: Oppose) -> Payment:
    actions.use_now(draft, do.character, find_rolled_name(response), response.pays)
    match response.pays:
        case "free":
            actions.record_free_action(draft, do.character, response.free, response.nature)
            return "free"
        case "flurry":
            flurries.use_flurry(draft, do.character, response.nature, draft.require_resolution(do.resolution))
            return "flurry"
        case "forfeit":
            actions.forfeit_one_action(draft, do.character, do.resolution)
            return "forfeit"
        case _:
            raise BAD_NUMBER.under(actions.FORFEIT, pays=response.pays)


def can_pay_for_reaction(draft: Draft, char_id: str) -> bool:
    """Return whether the Persona can pay for a Reactive Action. Outside Mechanical Play, a Reactive Action costs
    nothing.
    """
    if not draft.read_fights():
        return True
    fight = draft.find_fight(char_id)
    if fight is None or conditions.may_act_in_mode(fight.standing[char_id], char_id, "defense") is not None:
        return False
    standing = fight.standing[char_id]
    can_dodge = actions.may_take_free_action(draft, char_id, standing, LAST_DITCH_DODGE) is None
    return flurries.is_in_flurry(draft, char_id) or can_dodge or actions.may_forfeit(draft, char_id, standing) is None


def list_opposing(draft: Draft, char_id: str, resolution: Resolution) -> Iterator[Shape]:
    """Yield the ways to oppose, with the Ratings and then the Defaults that can be used."""
    for way in _list_ways_to_pay(draft, char_id, resolution):
        ratings = actions.list_usable_ratings(draft, char_id, way.pays)
        fields: dict[str, Domain] = {**make_modifier_fields(draft, char_id), "nature": Among(way.natures), **way.fields}
        if ratings:
            yield Shape(Oppose, {**fields, "rating": Among(ratings)})
        default_domain = make_default_domain(draft, char_id, ratings, False)
        yield Shape(Oppose, {**fields, "rating": OPEN, "default": default_domain})


def _list_ways_to_pay(draft: Draft, char_id: str, resolution: Resolution) -> Iterator[actions.Way]:
    """Yield the ways to pay: an Action of the next Turn, a Free Action, or a step of the Flurry under way."""
    natures = actions.list_possible_natures(draft, char_id)
    if not draft.read_fights():
        yield actions.Way(natures, {"pays": OPEN, "free": OPEN}, "none")
        return
    fight = draft.find_fight(char_id)
    if fight is None:
        return
    standing = fight.standing[char_id]
    if actions.may_forfeit(draft, char_id, standing) is None and (
        paid_natures := conditions.list_natures_allowed(standing, char_id, natures, "forfeit")
    ):
        yield actions.Way(paid_natures, {"pays": Among(("forfeit",)), "free": OPEN}, "forfeit")
    for paid_natures, kinds in actions.list_free_ways(draft, char_id, standing, natures):
        yield actions.Way(paid_natures, {"pays": Among(("free",)), "free": Among(kinds)}, "free")
    if paid_natures := flurries.list_natures_of_flurry(draft, char_id, standing, natures, resolution):
        yield actions.Way(paid_natures, {"pays": Among(("flurry",)), "free": OPEN}, "flurry")


@offers
def offer_answers(seen: Seen, draft: Draft) -> Iterator[Move]:
    for resolution_id, resolution in draft.read_resolutions().items():
        for engaged_id in resolution.engaged if may_act_in(resolution, "opportunity") is None else ():
            if engaged_id in draft.roster and may_answer(resolution, engaged_id) is None:
                fields: dict[str, Domain] = {"resolution": Among((resolution_id,)), "character": Among((engaged_id,))}
                yield from _list_answers(draft, resolution, engaged_id, fields)


def _list_answers(draft: Draft, resolution: Resolution, char_id: str, fields: dict[str, Domain]) -> Iterator[Move]:
    is_aware = may_oppose(draft, resolution, char_id) is None
    yield Move(AnswerEngagement, fields, ENGAGE if is_aware else None, char_id)
    if draft.filter_mine((char_id,)):
        if may_stay_passive(draft, resolution, char_id) is None:
            yield Move(AnswerEngagement, {**fields, "passive": YES}, of=char_id)
        for shape in list_opposing(draft, char_id, resolution) if is_aware else ():
            yield Move(AnswerEngagement, {**fields, "passive": OPEN, "oppose": shape}, ENGAGE, char_id)

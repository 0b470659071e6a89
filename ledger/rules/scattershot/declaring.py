"""How an Action is declared: its Rating, the Characters that it affects, and its payment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    Asking,
    Besides,
    Between,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    SeatId,
    Seen,
    Some,
    Story,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot import (
    actions,
    advantage,
    conditions,
    flurries,
    game,
    listings,
    mechanical_play,
    power,
    resources,
)
from ledger.rules.scattershot.agreement import ask_to_agree
from ledger.rules.scattershot.draft import ENGAGE, NONE, Draft, find_rating, is_off_guard, make_any_of, require_standing
from ledger.rules.scattershot.ratings import (
    DECLARE,
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
from ledger.rules.scattershot.scene import Deed, Resolution, Scene, Side, keep_resolution
from ledger.rules.scattershot.state import AbilityListed, Character, Rated
from ledger.rules.scattershot.words import (
    ACTIONS_A_TURN,
    ACTOR,
    BAD_NUMBER,
    LAST_DITCH_DODGE,
    LAST_DITCH_PENALTY,
    NOT_IN_THIS_SCENE,
    UNKNOWN_STATISTIC,
    Affected,
    Cost,
    Duration,
    FreeAction,
    Nature,
    OwnRating,
    OwnResidual,
    OwnTrait,
    PaymentWord,
    Rating,
    ResolutionId,
    Stance,
    name_people,
    name_rating,
    name_thing,
    quote,
    read_statistic,
    say_reason,
)

ENGAGE_BY_ATTACK = rule(
    "scattershot.mech.engage",
    "An attack must engage at least one Character. The Character it is aimed at is always Engaged.",
    "'Rules of Engagement'",
    outcome="character",
)
NOBODY_ENGAGED = Refusal(
    ENGAGE_BY_ATTACK,
    "nobody-engaged",
    "This attack by {character} engages nobody. Name a Character that it targets or engages.",
)


def say_acted(fact: ActionDeclared, names: Names) -> str:
    """Put into words the Action, with the number to roll against."""
    aim_names = (
        name_people(fact.engaged, names) if fact.engaged else name_thing(fact.subject, names) if fact.subject else ""
    )
    aim_phrase = f" against {aim_names}" if aim_names else ""
    opportunity_phrase = say_reason(fact.opportunity)
    actor_name = names.name(character(fact.actor))
    rating_phrase = f"{name_rating(fact.ability)} ({fact.rating} or less)"
    return f"{actor_name} uses {rating_phrase}{aim_phrase}{opportunity_phrase}{quote(fact.text)}"


@fact("action-declared", says=say_acted, headline=32, kw_only=True)
class ActionDeclared:
    """An Action was declared. `rating`: the number to roll against. `ability`: the name of the Rating. `engaged`: the
    Personae that the Action affects, each of which is either asked to react or Off-Guard.
    """

    resolution: ResolutionId
    actor: CharacterId
    player: SeatId
    text: Story
    subject: Affected | None
    ability: Rating
    rating: int
    magnitude: Rating
    duration: Duration
    nature: Nature
    flurry: bool
    engaged: Mapping[CharacterId, Stance]
    #: The limits on when the ability can be used, according to its listing.
    opportunity: Reason = ""


@changes
def begin_resolution(state: Scene, fact: ActionDeclared) -> Scene:
    deed = Deed(fact.actor, fact.player, fact.subject, fact.magnitude, fact.nature, None, fact.flurry, fact.text)
    sides = {ACTOR: Side(fact.player, fact.rating)}
    after = keep_resolution(state, fact.resolution, Resolution(deed, "opportunity", fact.engaged, sides))
    return flurries.play_out_step(after, fact.actor, fact.nature) if fact.flurry else after


@fact("part-declined", says="{player} does not agree to play {character} in this Action.", headline=1, changes=None)
class PartDeclined:
    """The seat did not agree to play this Character in another Player's Action."""

    character: CharacterId
    player: SeatId


def say_action(do: DeclareAction, names: Names) -> str:
    """Put into words the Action of a Character, with its Rating and its subject."""
    aim_names = name_people(do.engages, names) if do.engages else name_thing(do.subject, names) if do.subject else ""
    aim_phrase = f" against {aim_names}" if aim_names else ""
    actor_name = names.name(character(do.character))
    player_phrase = f", played by {names.name(seat(do.player))}" if do.player is not None else ""
    return f"{actor_name} uses {say_rating_used(do)}{aim_phrase}{player_phrase}{quote(do.text)}"


@declares(
    "declare-action",
    ANYONE,
    says=say_action,
    records=(
        ActionDeclared,
        actions.ActionExpended,
        actions.FreeActionTaken,
        ModifierApplied,
        flurries.FlurryStepped,
        mechanical_play.FlurryEnded,
        advantage.FoeChanged,
        advantage.AdvantageErased,
        power.PowerSpent,
        resources.PenaltyDeferred,
        resources.PenaltyTookEffect,
        listings.ListingUpheld,
        PartDeclined,
    ),
)
class DeclareAction:
    """Declare an Action, which the Character then begins. If a Default or a Duration differs from the listing, the
    Gamemaster is asked.

    `text`: what the Character does. `subject`: the Character or element that the Action is aimed at. `engages`: the
    Personae that the Action affects, usually given. An attack engages at least one. You need not repeat the subject
    here.

    `rating`: the ability, nearly always given. `default`: the Default that the Character rolls if it lacks the ability.
    `modifiers`: the circumstances that make this Action easier or harder. `advantages`: Advantages and Disadvantages
    that apply. `residuals`: Residual modifiers that apply. `magnitude`: the Rating that decides how strong the effect
    is. `duration`: how long the Action takes; leave it out to use the listed one. `nature`: what kind of Action it is.
    `pays`: how the Action is paid for in Mechanical Play. `cost`: how many of the Turn's Actions this Action costs.
    `free`: the kind of Free Action, if it is one. `player`: the Player who plays the Character in this Action, if not
    its own Player. The Player whom you name is asked.
    """

    character: CharacterId
    text: Story
    rating: OwnRating = "agility"
    subject: Affected | None = None
    engages: tuple[CharacterId, ...] = ()
    default: Default | None = None
    modifiers: tuple[Modifier, ...] = ()
    advantages: tuple[OwnTrait, ...] = ()
    residuals: tuple[OwnResidual, ...] = ()
    magnitude: Rating = "strength"
    duration: Duration | None = None
    nature: Nature = "other"
    pays: PaymentWord = "action"
    cost: Cost = 1
    free: FreeAction = ""
    player: SeatId | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A declared Action, with the values that the rules worked out for it.

    `named`: its modifiers, with their reasons. `duration`, `opportunity`: the listed values.
    """

    id: str
    do: DeclareAction
    player: str
    ability: str
    rating: int
    modifiers: list[tuple[int, str]]
    affected: tuple[str, ...]
    engaged: dict[str, Stance]
    duration: str
    opportunity: str

    @property
    def subject(self) -> str | None:
        """The named subject, or the only affected Persona if no subject is named."""
        return self.affected[0] if self.do.subject is None and len(self.affected) == 1 else self.do.subject


@decides
def declare(draft: Draft, do: DeclareAction) -> Asking[None]:
    """Declare an Action, which begins it. Every Engaged Persona must then respond."""
    owner = draft.check_plays(do.character, DECLARE)
    draft.read_scene()
    affected_ids = _require_affected(draft, do)
    _check_present(draft, (do.character, *affected_ids))
    require(game.may_use_mechanics(draft))
    player = draft.require_player(do.player) if do.player is not None else owner
    action = _work_out_action(draft, do, player, affected_ids)
    _pay_for_action(draft, action.do)
    _begin_action(draft, action)
    _apply_modifiers(draft, action)
    if do.nature == "attack":
        aimed_ids = (action.subject,) if action.subject is not None and action.subject in affected_ids else ()
        advantage.turn_to_foe(draft, do.character, *aimed_ids, *affected_ids)
    yield from _ask_for_permission(draft, action)


def _check_present(draft: Draft, ids: Iterable[str]) -> None:
    """Check that these Characters are in play. Refuses `unknown-character`, and `not-in-this-scene` for a retired
    Character.
    """
    for char_id in ids:
        draft.read_character(char_id)
        if not draft.is_open_character(char_id):
            raise NOT_IN_THIS_SCENE.under(DECLARE, character=char_id)


def _work_out_action(draft: Draft, do: DeclareAction, player: str, affected_ids: tuple[str, ...]) -> Action:
    """Return the Action with every value that the rules work out for it. Refuses an Action that is not allowed."""
    char_state = draft.read_character(do.character)
    do = replace(do, default=fill_in_default(draft, char_state, do.default))
    ability, rating = read_ability_and_rating(draft, char_state, do.rating, do.default)
    modifiers = list_modifiers(draft, char_state, do.modifiers, do.advantages, do.residuals)
    if find_rating(char_state, do.magnitude) is None:
        raise UNKNOWN_STATISTIC.under(DECLARE, magnitude=do.magnitude)
    require(power.may_fight(draft, do.character, do.nature))
    stances = _work_out_stances(draft, do, affected_ids)
    _check_looking(draft, do)
    duration_and_opportunity = _find_duration_and_opportunity(draft, char_state, do)
    return Action(
        draft.table.new_id(), do, player, ability, rating, modifiers, affected_ids, stances, *duration_and_opportunity
    )


def _begin_action(draft: Draft, action: Action) -> None:
    do = action.do
    draft.here(
        ActionDeclared(
            resolution=action.id,
            actor=do.character,
            player=action.player,
            text=do.text,
            subject=action.subject,
            ability=action.ability,
            rating=action.rating,
            magnitude=do.magnitude,
            duration=do.duration or action.duration,
            nature=do.nature,
            flurry=do.pays == "flurry",
            engaged=action.engaged,
            opportunity=action.opportunity,
        )
    )
    draft.by(DECLARE, action.rating, rating=action.ability)


def _apply_modifiers(draft: Draft, action: Action) -> None:
    for amount, reason in action.modifiers:
        draft.here(ModifierApplied(action.id, ACTOR, amount, reason))
    if action.do.pays == "free" and action.do.free == LAST_DITCH_DODGE and draft.read_fights():
        draft.here(ModifierApplied(action.id, ACTOR, LAST_DITCH_PENALTY, "last-ditch dodge"))


def _ask_for_permission(draft: Draft, action: Action) -> Asking[None]:
    """Ask the Gamemaster about anything beyond a listing, and then the Player who would play another Player's
    Character.
    """
    do = action.do
    is_granted = yield from listings.ask_for_default(draft, do.character, do.default, draft.is_by_gm)
    if is_granted and do.duration is not None and do.duration != action.duration:
        is_granted = yield from listings.ask_for_duration(draft, do.character, action.ability, do.duration)
    if is_granted:
        yield from _ask_to_take_the_part(draft, do.character, action.player)


def _require_affected(draft: Draft, do: DeclareAction) -> tuple[str, ...]:
    """Return the Personae that the Action affects.

    An attack also affects its subject, if that is a Character (`mech.engage`).

    Refuses an attack that affects no Character: `nobody-engaged`.
    """
    if do.nature != "attack":
        return do.engages
    subject = do.subject
    is_aimed = subject is not None and subject != do.character and draft.table.has(character(subject))
    affected_ids = tuple(dict.fromkeys((*do.engages, subject))) if is_aimed and subject is not None else do.engages
    if not affected_ids:
        raise NOBODY_ENGAGED(character=do.character)
    draft.by(ENGAGE_BY_ATTACK, list(affected_ids), character=do.character)
    return affected_ids


def _work_out_stances(draft: Draft, do: DeclareAction, affected_ids: tuple[str, ...]) -> dict[str, Stance]:
    """Return the stance of each affected Persona.

    A Persona that is Off-Guard towards the Actor is not Engaged (`engage.off-guard`).
    """
    stances: dict[str, Stance] = {}
    for char_id in affected_ids:
        if char_id == do.character:
            raise NOT_IN_THIS_SCENE.under(ENGAGE, character=char_id)
        is_unaware = is_off_guard(draft.read_character(char_id), do.character)
        stances[char_id] = "off-guard" if is_unaware else "asked"
        draft.by(conditions.REACT if is_unaware else ENGAGE, stances[char_id], character=char_id)
    return stances


def may_look_at(draft: Draft, char_id: str, other_id: str) -> Refused | None:
    """Refuse an ordinary sensory roll against a Character towards which this one is Off-Guard and which it has not
    noticed.
    """
    if not is_off_guard(draft.read_character(char_id), other_id):
        return None
    others_resolutions = (
        resolution for resolution in draft.read_resolutions().values() if resolution.actor == other_id
    )
    has_noticed = any(resolution.engaged.get(char_id) in ("obliged", "opposing") for resolution in others_resolutions)
    return conditions.STILL_OFF_GUARD(character=char_id, looked_at=other_id) if not has_noticed else None


def _check_looking(draft: Draft, do: DeclareAction) -> None:
    """Check an Observation roll against the subject and all Personae that the declaration engages."""
    if read_statistic(find_rolled_name(do)) == "observation":
        for char_id in dict.fromkeys((*do.engages, *((do.subject,) if do.subject is not None else ()))):
            require(may_look_at(draft, do.character, char_id))


def _find_duration_and_opportunity(draft: Draft, char_state: Character, do: DeclareAction) -> tuple[str, str]:
    """Return the Duration and Opportunity of the ability: the Persona's own or, for a Default, the listed ones."""
    listing = draft.read_campaign().abilities.get(do.default.ability) if do.default is not None else None
    source: Rated | AbilityListed | None = (
        listing if listing is not None else char_state.ratings.get(find_rolled_name(do))
    )
    return (source.duration, source.opportunity) if source is not None else ("immediate", "")


ASK_PART = Question("part", "{purpose}. Do you agree?")


def _ask_to_take_the_part(draft: Draft, char_id: str, player: str) -> Asking[None]:
    """Ask the Player who would play another Player's Character. If that Player declines, record only the refusal.

    A Gamemaster can give a Character to another Player without asking.
    """
    purpose = f"You play {draft.table.name(character(char_id))} in this Action"
    if draft.is_by_gm or player == draft.me or (yield from ask_to_agree(draft, player, DECLARE, ASK_PART(), purpose)):
        return
    draft.start_over()
    draft.here(PartDeclined(char_id, player))
    draft.by(DECLARE, player, character=char_id)


def _pay_for_action(draft: Draft, do: DeclareAction) -> None:
    """Pay with Power and, in Mechanical Play, with Actions of the Turn, a Free Action or a step of a Flurry."""
    char_id = do.character
    if draft.read_fights():
        require(conditions.may_act_in_mode(require_standing(draft, char_id), char_id, do.nature, do.pays))
        actions.use_now(draft, char_id, find_rolled_name(do), do.pays)
        match do.pays:
            case "free":
                actions.record_free_action(draft, char_id, do.free or LAST_DITCH_DODGE, do.nature)
            case "flurry":
                flurries.use_flurry(draft, char_id, do.nature)
            case "action":
                actions.expend_actions(draft, char_id, do.cost, do.text, do.nature)
            case _:
                raise BAD_NUMBER.under(mechanical_play.ACTIONS, pays=do.pays)
    power.charge_power(draft, char_id, find_rolled_name(do))


@offers
def offer_to_declare(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield Actions of Characters that have not retired. In General Play there are none."""
    if draft.open_scene is None or game.may_use_mechanics(draft) is not None:
        return
    for char_id in draft.filter_mine(draft.active_roster):
        for way in list_ways_to_pay(draft, char_id):
            yield from _list_declarations(draft, char_id, way)


def _list_declarations(draft: Draft, char_id: str, way: actions.Way) -> Iterator[Move]:
    other_ids = tuple(other_id for other_id in draft.active_roster if other_id != char_id)
    fields: dict[str, Domain] = {
        "character": Among((char_id,)),
        "magnitude": Among(tuple(draft.read_character(char_id).ratings)),
        "duration": OPEN,
        "player": Among((None, *draft.list_group())),
        **make_modifier_fields(draft, char_id),
        **way.fields,
    }
    sight_limits = _find_sight_limits(draft, char_id)
    ratings = actions.list_usable_ratings(draft, char_id, way.pays)
    plain_ratings = tuple(name for name in ratings if name != "observation") if sight_limits is not None else ratings
    retired_ids = tuple(other_id for other_id in draft.roster if other_id not in draft.active_roster)
    for aim_fields in _list_aims(way.natures, other_ids, OPEN, Either((NONE, Besides(retired_ids)))):
        if plain_ratings:
            yield Move(DeclareAction, {**fields, **aim_fields, "rating": Among(plain_ratings)})
        default_domain = make_default_domain(draft, char_id, plain_ratings, sight_limits is not None)
        yield Move(DeclareAction, {**fields, **aim_fields, "rating": OPEN, "default": default_domain})
    if sight_limits is not None and "observation" in ratings:
        unseen_ids, subject_domain = sight_limits
        visible_ids = tuple(other_id for other_id in other_ids if other_id not in unseen_ids)
        present_domain: Domain = Either((NONE, Besides((*unseen_ids, *retired_ids))))
        if isinstance(subject_domain, Among):
            present_domain = Among(tuple(name for name in subject_domain.values if name not in retired_ids))
        for aim_fields in _list_aims(way.natures, visible_ids, subject_domain, present_domain):
            yield Move(DeclareAction, {**fields, **aim_fields, "rating": Among(("observation",))})


def _list_aims(
    natures: tuple[str, ...], other_ids: tuple[str, ...], subject_domain: Domain, present_domain: Domain
) -> Iterator[dict[str, Domain]]:
    """Yield subjects together with the Personae that can be engaged. `present_domain`: all subjects except retired
    Characters.

    An attack engages at least one Persona, or its subject is a Character.
    """
    if peaceful_natures := tuple(nature for nature in natures if nature != "attack"):
        yield {"nature": Among(peaceful_natures), "subject": subject_domain, "engages": make_any_of(other_ids)}
    if "attack" in natures and other_ids:
        some_engaged: Domain = Some(Among(other_ids), 1, repeats=True)
        yield {"nature": Among(("attack",)), "subject": present_domain, "engages": some_engaged}
        yield {"nature": Among(("attack",)), "subject": Among(other_ids), "engages": Among(((),))}


def _find_sight_limits(draft: Draft, char_id: str) -> tuple[tuple[str, ...], Domain] | None:
    """Return the Characters that this one cannot look at, and the subjects that it can look at, or None if it can look
    at everything.
    """
    char_state = draft.read_character(char_id)
    if not char_state.off_guard and char_state.off_guard_but is None:
        return None
    unseen_ids = tuple(
        other_id
        for other_id in (*draft.roster, *char_state.off_guard)
        if may_look_at(draft, char_id, other_id) is not None
    )
    if char_state.off_guard_but is None:
        return unseen_ids, Either((NONE, Besides(unseen_ids)))
    actor_ids = (resolution.actor for resolution in draft.read_resolutions().values() if resolution.actor is not None)
    visible_ids = (char_state.off_guard_but, *(actor for actor in actor_ids if is_off_guard(char_state, actor)))
    return unseen_ids, Among((None, *dict.fromkeys(other_id for other_id in visible_ids if other_id not in unseen_ids)))


def list_ways_to_pay(draft: Draft, char_id: str) -> Iterator[actions.Way]:
    """Yield the ways to pay for an Action. Outside Mechanical Play an Action costs nothing."""
    natures = actions.list_possible_natures(draft, char_id)
    if not draft.read_fights():
        yield actions.Way(natures, {"pays": OPEN, "cost": OPEN, "free": OPEN}, "none")
        return
    fight = draft.find_fight(char_id)
    if fight is None:
        return
    if paid_natures := tuple(
        nature for nature in natures if actions.may_expend(draft, fight, char_id, 1, nature) is None
    ):
        cost_domain = Between(1, min(ACTIONS_A_TURN, draft.count_actions_left(char_id)))
        yield actions.Way(paid_natures, {"pays": Among(("action",)), "cost": cost_domain, "free": OPEN}, "action")
    for paid_natures, kinds in actions.list_free_ways(draft, char_id, fight.standing[char_id], natures):
        kind_domain = Among((*kinds, "") if LAST_DITCH_DODGE in kinds else kinds)
        yield actions.Way(paid_natures, {"pays": Among(("free",)), "cost": OPEN, "free": kind_domain}, "free")
    if paid_natures := flurries.list_natures_of_flurry(draft, char_id, fight.standing[char_id], natures):
        yield actions.Way(paid_natures, {"pays": Among(("flurry",)), "cost": OPEN, "free": OPEN}, "flurry")

"""How an Action is declared: with which Rating, against whom, and how it is paid for."""

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
from ledger.rules.scattershot.draft import ENGAGE, NONE, Draft, allow_any, find_rating, find_standing, is_off_guard
from ledger.rules.scattershot.ratings import (
    DECLARE,
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
    """Return the Action with the number to roll."""
    aimed = (
        name_people(fact.engaged, names) if fact.engaged else name_thing(fact.subject, names) if fact.subject else ""
    )
    against = f" against {aimed}" if aimed else ""
    limited = say_reason(fact.opportunity)
    who = names.name(character(fact.actor))
    return f"{who} uses {name_rating(fact.ability)} ({fact.rating} or less){against}{limited}{quote(fact.text)}"


@fact("action-declared", says=say_acted, headline=32, kw_only=True)
class ActionDeclared:
    """An Action was declared. `rating`: the number to roll. `ability`: the name of the Rating. `engaged`: the Personae
    it affects, each of which is asked to react or is Off-Guard.
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
    #: When the listing allows the ability.
    opportunity: Reason = ""


@changes
def begin_resolution(state: Scene, fact: ActionDeclared) -> Scene:
    deed = Deed(fact.actor, fact.player, fact.subject, fact.magnitude, fact.nature, None, fact.flurry, fact.text)
    mine = {ACTOR: Side(fact.player, fact.rating)}
    after = keep_resolution(state, fact.resolution, Resolution(deed, "opportunity", fact.engaged, mine))
    return flurries.play_out_step(after, fact.actor, fact.nature) if fact.flurry else after


@fact("part-declined", says="{player} does not agree to play {character} in this Action.", headline=1, changes=None)
class PartDeclined:
    """The seat did not agree to play this Character in another Player's Action."""

    character: CharacterId
    player: SeatId


def say_action(do: DeclareAction, names: Names) -> str:
    """Return what a Character does, with which Rating, and to whom."""
    aimed = name_people(do.engages, names) if do.engages else name_thing(do.subject, names) if do.subject else ""
    against = f" against {aimed}" if aimed else ""
    who = names.name(character(do.character))
    played = f", played by {names.name(seat(do.player))}" if do.player is not None else ""
    return f"{who} uses {say_with_what(do)}{against}{played}{quote(do.text)}"


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

    `rating`: the ability, nearly always given. `default`: what the Character rolls if it lacks the ability.
    `modifiers`: what makes this Action easier or harder. `advantages`: Advantages and Disadvantages that apply.
    `residuals`: Residual modifiers that apply. `magnitude`: the Rating that decides how strong the effect is.
    `duration`: how long the Action takes; leave it out to use what is listed. `nature`: what kind of Action it is.
    `pays`: how the Action is paid for in Mechanical Play. `cost`: how many of the Turn's Actions this Action costs.
    `free`: the kind of Free Action, if it is one. `player`: who plays the Character in this Action, if not its own
    Player. Whoever you name is asked.
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
    """A declared Action with what the rules worked out for it.

    `named`: its modifiers, with their reasons. `duration`, `opportunity`: as listed.
    """

    id: str
    do: DeclareAction
    player: str
    ability: str
    rating: int
    named: list[tuple[int, str]]
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
    """Begin an Action. Every Engaged Persona must then respond."""
    owner = draft.check_plays(do.character, DECLARE)
    draft.scene()
    affected = _find_affected(draft, do)
    _check_there(draft, (do.character, *affected))
    require(game.may_use_mechanics(draft))
    player = draft.player(do.player) if do.player is not None else owner
    action = _look_at(draft, do, player, affected)
    _pay(draft, action.do)
    _begin(draft, action)
    _apply_modifiers(draft, action)
    if do.nature == "attack":
        aimed = (action.subject,) if action.subject is not None and action.subject in affected else ()
        advantage.turn_to(draft, do.character, *aimed, *affected)
    yield from _ask_for_leave(draft, action)


def _check_there(draft: Draft, ids: Iterable[str]) -> None:
    """Refuses `unknown-character`, and `not-in-this-scene` for a retired Character."""
    for id in ids:
        draft.who(id)
        if not draft.is_open_character(id):
            raise NOT_IN_THIS_SCENE.under(DECLARE, character=id)


def _look_at(draft: Draft, do: DeclareAction, player: str, affected: tuple[str, ...]) -> Action:
    """Return the Action with everything that the rules work out for it. Refuses what is not allowed."""
    who = draft.who(do.character)
    do = replace(do, default=fill_in_default(draft, who, do.default))
    ability, rating = choose_rating(draft, who, do.rating, do.default)
    named = list_modifiers(draft, who, do.modifiers, do.advantages, do.residuals)
    if find_rating(who, do.magnitude) is None:
        raise UNKNOWN_STATISTIC.under(DECLARE, magnitude=do.magnitude)
    require(power.may_fight(draft, do.character, do.nature))
    engaged = _engage(draft, do, affected)
    _check_looking(draft, do)
    duration, opportunity = _find_usual(draft, who, do)
    return Action(draft.table.new_id(), do, player, ability, rating, named, affected, engaged, duration, opportunity)


def _begin(draft: Draft, action: Action) -> None:
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
    for amount, why in action.named:
        draft.here(ModifierApplied(action.id, ACTOR, amount, why))
    if action.do.pays == "free" and action.do.free == LAST_DITCH_DODGE and draft.fights():
        draft.here(ModifierApplied(action.id, ACTOR, LAST_DITCH_PENALTY, "last-ditch dodge"))


def _ask_for_leave(draft: Draft, action: Action) -> Asking[None]:
    """Ask the Gamemaster about what goes beyond a listing, then the Player who is to play somebody else's Character."""
    do = action.do
    granted = yield from listings.ask_for_default(draft, do.character, do.default, draft.by_gm)
    if granted and do.duration is not None and do.duration != action.duration:
        granted = yield from listings.ask_for_duration(draft, do.character, action.ability, do.duration)
    if granted:
        yield from _ask_to_take_the_part(draft, do.character, action.player)


def _find_affected(draft: Draft, do: DeclareAction) -> tuple[str, ...]:
    """Return the Personae that the Action affects.

    `mech.engage`: an attack affects its subject too, if that is a Character.

    Refuses `nobody-engaged`: an attack that affects no Character.
    """
    if do.nature != "attack":
        return do.engages
    subject = do.subject
    aimed = subject is not None and subject != do.character and draft.table.has(character(subject))
    affected = tuple(dict.fromkeys((*do.engages, subject))) if aimed and subject is not None else do.engages
    if not affected:
        raise NOBODY_ENGAGED(character=do.character)
    draft.by(ENGAGE_BY_ATTACK, list(affected), character=do.character)
    return affected


def _engage(draft: Draft, do: DeclareAction, affected: tuple[str, ...]) -> dict[str, Stance]:
    """Return the stance of each affected Persona.

    `engage.off-guard`: a Persona Off-Guard towards the Actor is not Engaged.
    """
    engaged: dict[str, Stance] = {}
    for id in affected:
        if id == do.character:
            raise NOT_IN_THIS_SCENE.under(ENGAGE, character=id)
        off_guard = is_off_guard(draft.who(id), do.character)
        engaged[id] = "off-guard" if off_guard else "asked"
        draft.by(conditions.REACT if off_guard else ENGAGE, engaged[id], character=id)
    return engaged


def may_look_at(draft: Draft, id: str, other: str) -> Refused | None:
    """Refuse an ordinary sensory roll at somebody the Character is Off-Guard towards and has not noticed."""
    if not is_off_guard(draft.who(id), other):
        return None
    theirs = (resolution for resolution in draft.resolutions().values() if resolution.actor == other)
    noticed = any(resolution.engaged.get(id) in ("obliged", "opposing") for resolution in theirs)
    return conditions.STILL_OFF_GUARD(character=id, looked_at=other) if not noticed else None


def _check_looking(draft: Draft, do: DeclareAction) -> None:
    """Check Observation against the subject and everybody the declaration engages."""
    if read_statistic(find_rolled_rating(do)) == "observation":
        for id in dict.fromkeys((*do.engages, *((do.subject,) if do.subject is not None else ()))):
            require(may_look_at(draft, do.character, id))


def _find_usual(draft: Draft, who: Character, do: DeclareAction) -> tuple[str, str]:
    """Return the Duration and Opportunity of the ability: the Persona's own, or as the listing of a Default says."""
    listed = draft.campaign().abilities.get(do.default.ability) if do.default is not None else None
    used: Rated | AbilityListed | None = listed if listed is not None else who.ratings.get(find_rolled_rating(do))
    return (used.duration, used.opportunity) if used is not None else ("immediate", "")


ASK_PART = Question("part", "{purpose}. Do you agree?")


def _ask_to_take_the_part(draft: Draft, id: str, player: str) -> Asking[None]:
    """Ask the Player who is to play somebody else's Character. If that Player declines, record only that.

    A Gamemaster can lend a Character without asking.
    """
    purpose = f"To play {draft.table.name(character(id))} in this Action"
    if draft.by_gm or player == draft.me or (yield from ask_to_agree(draft, player, DECLARE, ASK_PART(), purpose)):
        return
    draft.start_over()
    draft.here(PartDeclined(id, player))
    draft.by(DECLARE, player, character=id)


def _pay(draft: Draft, do: DeclareAction) -> None:
    """Pay with Power and, in Mechanical Play, with Actions of the Turn, a Free Action or a step of a Flurry."""
    id = do.character
    if draft.fights():
        require(conditions.may_do(find_standing(draft, id), id, do.nature, do.pays))
        actions.use_now(draft, id, find_rolled_rating(do), do.pays)
        match do.pays:
            case "free":
                actions.take_free(draft, id, do.free or LAST_DITCH_DODGE, do.nature)
            case "flurry":
                flurries.use_flurry(draft, id, do.nature)
            case "action":
                actions.expend(draft, id, do.cost, do.text, do.nature)
            case _:
                raise BAD_NUMBER.under(mechanical_play.ACTIONS, pays=do.pays)
    power.charge(draft, id, find_rolled_rating(do))


@offers
def offer_to_declare(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield Actions of Characters that have not retired. There are none in General Play."""
    if draft.open_scene is None or game.may_use_mechanics(draft) is not None:
        return
    for id in draft.filter_mine(draft.open):
        for way in list_ways(draft, id):
            yield from _list_declarations(draft, id, way)


def _list_declarations(draft: Draft, id: str, way: actions.Way) -> Iterator[Move]:
    others = tuple(other for other in draft.open if other != id)
    fields: dict[str, Domain] = {
        "character": Among((id,)),
        "magnitude": Among(tuple(draft.who(id).ratings)),
        "duration": OPEN,
        "player": Among((None, *draft.group())),
        **name_modifiers(draft, id),
        **way.fields,
    }
    unseen = _find_unseen(draft, id)
    ratings = actions.list_usable_ratings(draft, id, way.pays)
    plain = tuple(name for name in ratings if name != "observation") if unseen is not None else ratings
    gone = tuple(other for other in draft.known if other not in draft.open)
    for aimed in _list_aims(way.natures, others, OPEN, Either((NONE, Besides(gone)))):
        if plain:
            yield Move(DeclareAction, {**fields, **aimed, "rating": Among(plain)})
        if defaults := offer_defaults(draft, id, plain, unseen is not None):
            yield Move(DeclareAction, {**fields, **aimed, "rating": OPEN, "default": defaults})
    if unseen is not None and "observation" in ratings:
        blocked, subject = unseen
        towards = tuple(other for other in others if other not in blocked)
        present: Domain = Either((NONE, Besides((*blocked, *gone))))
        if isinstance(subject, Among):
            present = Among(tuple(name for name in subject.values if name not in gone))
        for aimed in _list_aims(way.natures, towards, subject, present):
            yield Move(DeclareAction, {**fields, **aimed, "rating": Among(("observation",))})


def _list_aims(
    natures: tuple[str, ...], others: tuple[str, ...], subject: Domain, present: Domain
) -> Iterator[dict[str, Domain]]:
    """Yield subjects and engaged Personae that go together. `present`: subjects that are no retired Characters.

    An attack engages somebody, or its subject is a Character.
    """
    if harmless := tuple(nature for nature in natures if nature != "attack"):
        yield {"nature": Among(harmless), "subject": subject, "engages": allow_any(others)}
    if "attack" in natures and others:
        engaging: Domain = Some(Among(others), 1, repeats=True)
        yield {"nature": Among(("attack",)), "subject": present, "engages": engaging}
        yield {"nature": Among(("attack",)), "subject": Among(others), "engages": Among(((),))}


def _find_unseen(draft: Draft, id: str) -> tuple[tuple[str, ...], Domain] | None:
    """Return whom the Character cannot look at, and what it can. None: it can look at anything."""
    who = draft.who(id)
    if not who.off_guard and who.off_guard_but is None:
        return None
    blocked = tuple(other for other in (*draft.known, *who.off_guard) if may_look_at(draft, id, other) is not None)
    if who.off_guard_but is None:
        return blocked, Either((NONE, Besides(blocked)))
    noticed = (resolution.actor for resolution in draft.resolutions().values() if resolution.actor is not None)
    looked_at = (who.off_guard_but, *(actor for actor in noticed if is_off_guard(who, actor)))
    return blocked, Among((None, *dict.fromkeys(other for other in looked_at if other not in blocked)))


def list_ways(draft: Draft, id: str) -> Iterator[actions.Way]:
    """Yield the ways to pay for an Action. Outside Mechanical Play an Action costs nothing."""
    natures = actions.list_possible_natures(draft, id)
    if not draft.fights():
        yield actions.Way(natures, {"pays": OPEN, "cost": OPEN, "free": OPEN}, "none")
        return
    fight = draft.fight(id)
    if fight is None:
        return
    if fitting := tuple(nature for nature in natures if actions.may_expend(draft, fight, id, 1, nature) is None):
        cost = Between(1, min(ACTIONS_A_TURN, draft.count_actions_left(id)))
        yield actions.Way(fitting, {"pays": Among(("action",)), "cost": cost, "free": OPEN}, "action")
    for fitting, kinds in actions.list_free_ways(draft, id, fight.standing[id], natures):
        unsaid = ("",) if LAST_DITCH_DODGE in kinds else ()
        yield actions.Way(fitting, {"pays": Among(("free",)), "cost": OPEN, "free": Among((*kinds, *unsaid))}, "free")
    if fitting := flurries.list_natures_of_flurry(draft, id, fight.standing[id], natures):
        yield actions.Way(fitting, {"pays": Among(("flurry",)), "cost": OPEN, "free": OPEN}, "flurry")

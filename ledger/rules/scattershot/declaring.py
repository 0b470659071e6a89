"""Declaring an Action: with which Rating, at whom, and how it is paid for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ledger.rules.kernel.chapters import Question, Refusal, changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Story
from ledger.rules.kernel.moves import OPEN, Among, Besides, Between, Domain, Either, Move, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character, seat
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
from ledger.rules.scattershot.agreement import agrees
from ledger.rules.scattershot.draft import ENGAGE, NONE, Draft, is_off_guard, rating_of, some, standing_of
from ledger.rules.scattershot.ratings import (
    DECLARE,
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
    because,
    called,
    name_people,
    name_thing,
    quoted,
    statistic_name,
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


def say_acted(done: ActionDeclared, names: Names) -> str:
    """Return the same, with the number to roll."""
    aimed = (
        name_people(done.engaged, names) if done.engaged else name_thing(done.subject, names) if done.subject else ""
    )
    against = f" against {aimed}" if aimed else ""
    limited = because(done.opportunity)
    who = names.name(character(done.actor))
    return f"{who} uses {called(done.ability)} ({done.rating} or less){against}{limited}{quoted(done.text)}"


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
    #: What its listing limits the ability to.
    opportunity: Reason = ""


@changes
def begin_resolution(state: Scene, fact: ActionDeclared) -> Scene:
    deed = Deed(fact.actor, fact.player, fact.subject, fact.magnitude, fact.nature, None, fact.flurry, fact.text)
    mine = {ACTOR: Side(fact.player, fact.rating)}
    after = keep_resolution(state, fact.resolution, Resolution(deed, "opportunity", fact.engaged, mine))
    return flurries.played_out(after, fact.actor, fact.nature) if fact.flurry else after


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
    return f"{who} uses {say_with_what(do)}{against}{played}{quoted(do.text)}"


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
    """What is declared, looked at. `named`: its modifiers, with their reasons. `duration`, `opportunity`: as listed."""

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
        """The only one it affects, where nothing else is named."""
        return self.affected[0] if self.do.subject is None and len(self.affected) == 1 else self.do.subject


@decides
def declare(draft: Draft, do: DeclareAction) -> Asking[None]:
    """It has begun; every Engaged Persona is to answer."""
    owner = draft.must_play(do.character, DECLARE)
    draft.scene()
    affected = _affected(draft, do)
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
    yield from _get_leave(draft, action)


def _check_there(draft: Draft, ids: Iterable[str]) -> None:
    """Refuses who is unknown, or retired."""
    for id in ids:
        draft.who(id)
        if not draft.is_open_character(id):
            raise NOT_IN_THIS_SCENE.under(DECLARE, character=id)


def _look_at(draft: Draft, do: DeclareAction, player: str, affected: tuple[str, ...]) -> Action:
    """Return the Action with everything that it is done with. Refuses what cannot be done."""
    who = draft.who(do.character)
    do = replace(do, default=as_listed(draft, who, do.default))
    ability, rating = rating_for(draft, who, do.rating, do.default)
    named = modifiers_of(draft, who, do.modifiers, do.advantages, do.residuals)
    if rating_of(who, do.magnitude) is None:
        raise UNKNOWN_STATISTIC.under(DECLARE, magnitude=do.magnitude)
    require(power.may_fight(draft, do.character, do.nature))
    engaged = _engaged(draft, do, affected)
    _check_looking(draft, do)
    duration, opportunity = _usual(draft, who, do)
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


def _get_leave(draft: Draft, action: Action) -> Asking[None]:
    """The Gamemaster's for what goes beyond a listing; then that of who is to play somebody else's Character."""
    do = action.do
    granted = yield from listings.default_granted(draft, do.character, do.default, draft.by_gm)
    if granted and do.duration is not None and do.duration != action.duration:
        granted = yield from listings.duration_granted(draft, do.character, action.ability, do.duration)
    if granted:
        yield from _takes_the_part(draft, do.character, action.player)


def _affected(draft: Draft, do: DeclareAction) -> tuple[str, ...]:
    """Return the Personae the Action affects. `mech.engage`: an attack affects its subject too, if that is a Character.

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


def _engaged(draft: Draft, do: DeclareAction, affected: tuple[str, ...]) -> dict[str, Stance]:
    """Return how each affected Persona stands. `engage.off-guard`: one Off-Guard towards the Actor is not Engaged."""
    engaged: dict[str, Stance] = {}
    for id in affected:
        if id == do.character:
            raise NOT_IN_THIS_SCENE.under(ENGAGE, character=id)
        off_guard = is_off_guard(draft.who(id), do.character)
        engaged[id] = "off-guard" if off_guard else "asked"
        draft.by(conditions.REACT if off_guard else ENGAGE, engaged[id], character=id)
    return engaged


def may_look_at(draft: Draft, id: str, other: str) -> Refused | None:
    """No ordinary sensory roll towards whom one is Off-Guard against, and has not noticed."""
    if not is_off_guard(draft.who(id), other):
        return None
    noticed = any(
        one.engaged.get(id) in ("obliged", "opposing") for one in draft.resolutions().values() if one.actor == other
    )
    return conditions.STILL_OFF_GUARD(character=id, looked_at=other) if not noticed else None


def _check_looking(draft: Draft, do: DeclareAction) -> None:
    """Whether the other is named or only engaged."""
    if statistic_name(rolled_rating(do)) == "observation":
        for id in dict.fromkeys((*do.engages, *((do.subject,) if do.subject is not None else ()))):
            require(may_look_at(draft, do.character, id))


def _usual(draft: Draft, who: Character, do: DeclareAction) -> tuple[str, str]:
    """Return the Duration and the Opportunity of the ability: as the Persona has it, or as a Default's is listed."""
    listed = draft.campaign().abilities.get(do.default.ability) if do.default is not None else None
    used: Rated | AbilityListed | None = listed if listed is not None else who.ratings.get(rolled_rating(do))
    return (used.duration, used.opportunity) if used is not None else ("immediate", "")


ASK_PART = Question("part", "{purpose}. Do you agree?")


def _takes_the_part(draft: Draft, id: str, player: str) -> Asking[None]:
    """Who is to play somebody else's Character is asked; a Gamemaster lends its own to whom it says.

    Declined, only that is told.
    """
    purpose = f"To play {draft.table.name(character(id))} in this Action"
    if draft.by_gm or player == draft.me or (yield from agrees(draft, player, DECLARE, ASK_PART(), purpose)):
        return
    draft.start_over()
    draft.here(PartDeclined(id, player))
    draft.by(DECLARE, player, character=id)


def _pay(draft: Draft, do: DeclareAction) -> None:
    """In Mechanical Play with Actions of one's Turn, a Free Action, or a step of a Flurry; and with Power."""
    id = do.character
    if draft.fights():
        require(actions.may_do(standing_of(draft, id), id, do.nature, do.pays))
        actions.use_now(draft, id, rolled_rating(do), do.pays)
        match do.pays:
            case "free":
                actions.take_free(draft, id, do.free or LAST_DITCH_DODGE, do.nature)
            case "flurry":
                flurries.use_flurry(draft, id, do.nature)
            case "action":
                actions.expend(draft, id, do.cost, do.text, do.nature)
            case _:
                raise BAD_NUMBER.under(mechanical_play.ACTIONS, pays=do.pays)
    power.charge(draft, id, rolled_rating(do))


@offers
def offer_to_declare(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Of a Character that has not left play; no mechanics in General Play."""
    if draft.open_scene is None or game.may_use_mechanics(draft) is not None:
        return
    for id in draft.mine(draft.open):
        for way in ways(draft, id):
            yield from _declared(draft, id, way)


def _declared(draft: Draft, id: str, way: actions.Way) -> Iterator[Move]:
    others = tuple(other for other in draft.open if other != id)
    fields: dict[str, Domain] = {
        "character": Among((id,)),
        "magnitude": Among(tuple(draft.who(id).ratings)),
        "duration": OPEN,
        "player": Among((None, *draft.group())),
        **name_modifiers(draft, id),
        **way.fields,
    }
    unseen = _unseen(draft, id)
    ratings = actions.list_usable_ratings(draft, id, way.pays)
    plain = tuple(name for name in ratings if name != "observation") if unseen is not None else ratings
    gone = tuple(other for other in draft.known if other not in draft.open)
    for aimed in _aimed(way.natures, others, OPEN, Either((NONE, Besides(gone)))):
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
        for aimed in _aimed(way.natures, towards, subject, present):
            yield Move(DeclareAction, {**fields, **aimed, "rating": Among(("observation",))})


def _aimed(
    natures: tuple[str, ...], others: tuple[str, ...], subject: Domain, present: Domain
) -> Iterator[dict[str, Domain]]:
    """An attack engages somebody, or its subject is a Character; `present`: no retired Character."""
    if harmless := tuple(nature for nature in natures if nature != "attack"):
        yield {"nature": Among(harmless), "subject": subject, "engages": some(others)}
    if "attack" in natures and others:
        engaging: Domain = Some(Among(others), 1, repeats=True)
        yield {"nature": Among(("attack",)), "subject": present, "engages": engaging}
        yield {"nature": Among(("attack",)), "subject": Among(others), "engages": Among(((),))}


def _unseen(draft: Draft, id: str) -> tuple[tuple[str, ...], Domain] | None:
    """Whom it cannot look at, and what it can; None: anything."""
    who = draft.who(id)
    if not who.off_guard and who.off_guard_but is None:
        return None
    blocked = tuple(one for one in (*draft.known, *who.off_guard) if may_look_at(draft, id, one) is not None)
    if who.off_guard_but is None:
        return blocked, Either((NONE, Besides(blocked)))
    noticed = (one.actor for one in draft.resolutions().values() if one.actor is not None)
    there = (who.off_guard_but, *(one for one in noticed if is_off_guard(who, one)))
    return blocked, Among((None, *dict.fromkeys(one for one in there if one not in blocked)))


def ways(draft: Draft, id: str) -> Iterator[actions.Way]:
    """Outside Mechanical Play it costs nothing; in it Actions of one's Turn, a Free Action, a step of a Flurry."""
    natures = actions.list_possible_natures(draft, id)
    if not draft.fights():
        yield actions.Way(natures, {"pays": OPEN, "cost": OPEN, "free": OPEN}, "none")
        return
    fight = draft.fight(id)
    if fight is None:
        return
    if fitting := tuple(nature for nature in natures if actions.may_expend(draft, fight, id, 1, nature) is None):
        cost = Between(1, min(ACTIONS_A_TURN, draft.actions_left(id)))
        yield actions.Way(fitting, {"pays": Among(("action",)), "cost": cost, "free": OPEN}, "action")
    for fitting, kinds in actions.list_free_ways(draft, id, fight.standing[id], natures):
        unsaid = ("",) if LAST_DITCH_DODGE in kinds else ()
        yield actions.Way(fitting, {"pays": Among(("free",)), "cost": OPEN, "free": Among((*kinds, *unsaid))}, "free")
    if fitting := flurries.in_the_flurry(draft, id, fight.standing[id], natures):
        yield actions.Way(fitting, {"pays": Among(("flurry",)), "cost": OPEN, "free": OPEN}, "flurry")

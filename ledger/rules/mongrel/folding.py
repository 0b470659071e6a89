"""The fold: a subject's state after a fact. Total: a fact that finds no ground goes adrift.

Tables say what each fact does to a character, a scene, the campaign: tables, and not one long `match`, because the fold
runs over every fact of a campaign. Facts that only move something countable, or are testimony, change no state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.subjects import SubjectKind
from ledger.rules.mongrel import facts, strife
from ledger.rules.mongrel.facts import Fact
from ledger.rules.mongrel.state import (
    Campaign,
    Character,
    Conflict,
    Possession,
    Scene,
    Seat,
    State,
    Used,
    Vow,
)
from ledger.rules.mongrel.tables import HOUR

#: Sessions of which used features are kept, and awards: no older one is ever asked for.
KEPT_SESSIONS, KEPT_AWARDS = 2, 4


def blank(kind: SubjectKind) -> State:
    match kind:
        case "character":
            return Character()
        case "scene":
            return Scene()
        case "campaign":
            return Campaign()
        case "seat":
            return Seat()
        case _:
            assert_never(kind)


def apply(state: State, done: Fact) -> State:
    """The state after the fact; the fact in `adrift` when it finds no ground there."""
    after: State | None
    match state:
        case Character():
            after = _character(state, done)
        case Scene():
            after = _scene(state, done)
        case Campaign():
            after = _campaign(state, done)
        case Seat():
            after = None
        case _:
            assert_never(state)
    return after if after is not None else changed(state, adrift=(*state.adrift, done))


# --- a character -----------------------------------------------------------------------------------------------------


def _character(was: Character, done: Fact) -> Character | None:
    change = TO_A_CHARACTER.get(type(done))
    if change is None or (was.house is None and type(done) is not facts.CharacterCreated):
        return None
    return change(was, done)


def _unchanged(was: Any, done: Any) -> Any:
    """The fact moves something countable, or is testimony; the state is as it was."""
    return was


def _created(was: Character, done: facts.CharacterCreated) -> Character:
    return changed(
        was,
        house=done.house,
        sex=done.sex,
        age=done.age,
        npc=done.npc,
        identity=done.identity,
        primary=done.primary,
        body=done.body,
        unnatural=done.unnatural,
        chosen=done.chosen,
        lowered=done.attributes,
        attributes=done.attributes,
        expertise=done.expertise,
        picks=(*done.plus_three, *done.plus_two, *done.plus_one),
        power=done.power,
        status=done.status,
        deviations=done.deviations,
    )


def _vowed(was: Character, done: facts.VowMade) -> Character:
    return changed(was, vows=(*was.vows, Vow(done.object, done.about)))


def _vow_ended(was: Character, done: facts.VowEnded) -> Character | None:
    """The oldest of that object that is still kept."""
    kept = [place for place, vow in enumerate(was.vows) if vow.object == done.object and vow.ended is None]
    if not kept:
        return None
    ended = changed(was.vows[kept[0]], ended=done.outcome, session=done.session)
    return changed(was, vows=(*was.vows[: kept[0]], ended, *was.vows[kept[0] + 1 :]))


def _described(was: Character, done: facts.Described) -> Character:
    return changed(was, description=done.text)


def _acquired(was: Character, done: facts.ItemAcquired) -> Character:
    item = Possession(done.item, done.credit, done.house, done.weapon, done.armour)
    return changed(was, possessions={**was.possessions, done.possession: item})


def _parted(was: Character, done: facts.ItemPartedWith) -> Character | None:
    if done.possession not in was.possessions:
        return None
    return changed(was, possessions={id: item for id, item in was.possessions.items() if id != done.possession})


def _played(was: Character, done: facts.SessionPlayed) -> Character:
    if done.session in was.played:
        return was
    return changed(was, played=tuple(sorted((*was.played, done.session))[-KEPT_SESSIONS:]))


def _status_set(was: Character, done: facts.StatusSet) -> Character:
    return changed(was, status=done.status)


def _used(was: Character, done: facts.FeaturesUsed) -> Character:
    """The latest sessions are kept; which features are marked does not depend on the order of the marks."""
    earlier = next((one.features for one in was.used if one.session == done.session), ())
    if done.features and all(name in earlier for name in done.features):
        return was
    features = tuple(sorted({*earlier, *done.features}))
    others = [one for one in was.used if one.session != done.session]
    marked = sorted([*others, Used(done.session, features)], key=lambda one: one.session)
    return changed(was, used=tuple(marked[-KEPT_SESSIONS:]))


def _counted(was: Character, done: strife.DamageCounted) -> Character:
    return changed(was, damage=was.damage + done.kept) if done.kept else was


def _physique_reduced(was: Character, done: strife.PhysiqueReduced) -> Character:
    return changed(was, physique_loss=was.physique_loss + done.amount)


def _shunted(was: Character, done: strife.DamageShunted) -> Character:
    scarred = _more(was.attributes, "beauty", -done.permanent)
    return changed(was, attributes=scarred, beauty_temp=was.beauty_temp + done.temporary)


def _collapsed(was: Character, done: strife.CharacterCollapsed) -> Character:
    return changed(was, collapsed=True, recovering=False)


def _stood_up(was: Character, done: strife.CharacterStoodUp) -> Character | None:
    return changed(was, collapsed=False) if was.collapsed else None


def _terminal(was: Character, done: strife.TerminalDamageTaken) -> Character:
    return changed(was, terminal=True, dying=was.dying or done.decision)


def _died(was: Character, done: strife.CharacterDied) -> Character:
    return changed(was, dead=True, dying=False)


def _healed(was: Character, done: strife.WoundsHealed) -> Character:
    """What is not there (its hit was struck) does not heal, or the next hit would land on less than nothing.

    Where anything of it finds no ground the fact goes adrift as well, for somebody to settle.
    """
    healed = [
        (was.damage, done.damage), (was.physique_loss, done.physique), (was.beauty_temp, done.beauty),
    ]  # fmt: skip
    damage, physique_loss, beauty_temp = (had - max(0, min(had, healing)) for had, healing in healed)
    short = any(healing > max(0, had) for had, healing in healed)
    return changed(
        was,
        damage=damage,
        physique_loss=physique_loss,
        beauty_temp=beauty_temp,
        terminal=was.terminal and not done.terminal_ended,
        adrift=(*was.adrift, done) if short else was.adrift,
    )


def _resolve_spent(was: Character, done: strife.InfernalResolveSpent) -> Character | None:
    if done.purpose != "avoid death":
        return was
    return changed(was, dying=False) if was.dying else None


def _imposed(was: Character, done: strife.ActionPointMaximumImposed) -> Character:
    return changed(was, ap_imposed=True)


def _lifted(was: Character, done: strife.ActionPointMaximumLifted) -> Character | None:
    return changed(was, ap_imposed=False) if was.ap_imposed else None


def _recovered(was: Character, done: strife.ActionPointsRecovered) -> Character:
    refreshes = was.refreshes
    if done.counted and done.minute is not None:
        latest = max([done.minute, *refreshes])
        refreshes = tuple(sorted(minute for minute in (*refreshes, done.minute) if minute > latest - HOUR))
    return changed(was, recovering=was.recovering or done.by == "recover", refreshes=refreshes)


def _recovery_ended(was: Character, done: strife.RecoveryEnded) -> Character | None:
    return changed(was, recovering=False) if was.recovering else None


def _exhausted(was: Character, done: strife.CharacterExhausted) -> Character:
    return changed(was, exhausted=True)


def _fatigue_cleared(was: Character, done: strife.FatigueCleared) -> Character:
    return changed(was, exhausted=False, refreshes=())


def _social_changed(was: Character, done: facts.SocialChanged) -> Character:
    if done.cause == "improvement":
        return was
    return changed(was, attributes=_more(was.attributes, "social", done.change))


def _awarded(was: Character, done: facts.CharacterPointsAwarded) -> Character:
    return changed(was, awarded=(*was.awarded, (done.reason, done.session))[-KEPT_AWARDS:])


def _expertise_raised(was: Character, done: facts.ExpertiseRaised) -> Character:
    return changed(was, expertise=_more(was.expertise, done.expertise, 1))


def _identity_raised(was: Character, done: facts.IdentityRaised) -> Character:
    return changed(was, identity=_more(was.identity, done.identity, 1))


def _identity_reduced(was: Character, done: facts.IdentityReduced) -> Character | None:
    if was.identity.get(done.identity, 0) < 1:
        return None
    return changed(was, identity=_more(was.identity, done.identity, -1))


def _attribute_raised(was: Character, done: facts.AttributeRaised) -> Character:
    return changed(was, attributes=_more(was.attributes, done.attribute, 1))


def _power_allocated(was: Character, done: facts.PowerAllocated) -> Character:
    return changed(was, power=_more(was.power, done.option, done.points))


def _more(scores: Mapping[str, int], name: str, by: int) -> dict[str, int]:
    return {**scores, name: scores.get(name, 0) + by}


TO_A_CHARACTER: Mapping[type, Callable[[Character, Any], Character | None]] = {
    facts.CharacterCreated: _created,
    facts.VowMade: _vowed,
    facts.VowEnded: _vow_ended,
    facts.Described: _described,
    facts.ItemAcquired: _acquired,
    facts.ItemPartedWith: _parted,
    facts.SessionPlayed: _played,
    facts.StatusSet: _status_set,
    facts.FeaturesUsed: _used,
    strife.DamageCounted: _counted,
    strife.PhysiqueReduced: _physique_reduced,
    strife.DamageShunted: _shunted,
    strife.CharacterCollapsed: _collapsed,
    strife.CharacterStoodUp: _stood_up,
    strife.TerminalDamageTaken: _terminal,
    strife.CharacterDied: _died,
    strife.WoundsHealed: _healed,
    strife.InfernalResolveSpent: _resolve_spent,
    strife.ActionPointMaximumImposed: _imposed,
    strife.ActionPointMaximumLifted: _lifted,
    strife.ActionPointsRecovered: _recovered,
    strife.RecoveryEnded: _recovery_ended,
    strife.CharacterExhausted: _exhausted,
    strife.FatigueCleared: _fatigue_cleared,
    facts.SocialChanged: _social_changed,
    facts.CharacterPointsAwarded: _awarded,
    facts.ExpertiseRaised: _expertise_raised,
    facts.IdentityRaised: _identity_raised,
    facts.IdentityReduced: _identity_reduced,
    facts.AttributeRaised: _attribute_raised,
    facts.PowerAllocated: _power_allocated,
    **dict.fromkeys(
        (
            facts.CreditAccountsOpened, facts.TaskDeclared, facts.DiceRolled, facts.TaskResolved, facts.EffectAdjusted,
            strife.ActionPointsSpent, strife.ActionPointsLost, strife.ActionPointsGained, strife.Rested,
            strife.DamageRolled, strife.ResolveDamaged, strife.InfernalResolveRefreshed, strife.RitualTimed,
            strife.OccultResisted, facts.PurchaseRolled, facts.SaleDeclined, facts.CreditSacrificed, facts.Revealed,
            facts.CreditTransferred, facts.CreditFollowedSocial, facts.CreditAdjusted, facts.Bartered,
            facts.CharacterPointsSpent,
        ),
        _unchanged,
    ),
}  # fmt: skip

# --- a scene ---------------------------------------------------------------------------------------------------------


def _scene(was: Scene, done: Fact) -> Scene | None:
    if isinstance(done, strife.ConflictOpened):
        queue = tuple(dict.fromkeys(done.queue))
        return changed(was, conflict=Conflict(queue, queue))
    if was.conflict is None:
        return None
    if isinstance(done, strife.ConflictClosed):
        return changed(was, conflict=None)
    change = TO_A_CONFLICT.get(type(done))
    after = change(was.conflict, done) if change is not None else None
    return changed(was, conflict=after) if after is not None else None


def _joined(was: Conflict, done: strife.ParticipantJoined) -> Conflict | None:
    if done.character in was.queue:
        return None
    others = _without(was.participants, done.character)
    return changed(was, participants=(*others, done.character), queue=(*was.queue, done.character))


def _left(was: Conflict, done: strife.ParticipantLeft) -> Conflict | None:
    return changed(was, queue=_without(was.queue, done.character)) if done.character in was.queue else None


def _front_taken(was: Conflict, done: strife.FrontTaken) -> Conflict | None:
    if done.character not in was.queue:
        return None
    return changed(was, queue=(done.character, *_without(was.queue, done.character)))


def _declared(was: Conflict, done: strife.ActionDeclared) -> Conflict | None:
    return changed(was, action=done) if done.actor in was.queue else None


def _lapsed(was: Conflict, done: strife.DeclarationLapsed) -> Conflict | None:
    return changed(was, action=None) if was.action is not None and was.action.actor == done.actor else None


def _defence_chosen(was: Conflict, done: strife.DefenceChosen) -> Conflict | None:
    return was if was.action is not None and was.action.target == done.target else None


def _turn_ended(was: Conflict, done: strife.TurnEnded) -> Conflict | None:
    """Whose turn ended may be dead by then, and no longer in the queue: the action is over all the same."""
    if done.character in was.queue:
        return changed(was, queue=(*_without(was.queue, done.character), done.character), action=None)
    return changed(was, action=None) if was.action is not None else None


def _without(queue: tuple[str, ...], id: str) -> tuple[str, ...]:
    return tuple(other for other in queue if other != id)


TO_A_CONFLICT: Mapping[type, Callable[[Conflict, Any], Conflict | None]] = {
    strife.CoinFlipped: _unchanged,
    strife.ParticipantJoined: _joined,
    strife.ParticipantLeft: _left,
    strife.FrontTaken: _front_taken,
    strife.ActionDeclared: _declared,
    strife.DeclarationLapsed: _lapsed,
    strife.DefenceChosen: _defence_chosen,
    strife.TurnPassed: _unchanged,
    strife.TurnEnded: _turn_ended,
}

# --- the campaign ----------------------------------------------------------------------------------------------------


def _campaign(was: Campaign, done: Fact) -> Campaign | None:
    if isinstance(done, facts.SessionNumbered):
        return changed(was, closed=was.closed + 1, last_session=done.session)
    if isinstance(done, facts.SessionAwarded):
        others = tuple(award for award in was.awards if award[0] != done.session)
        return changed(was, awards=(*others, (done.session, done.points))[-KEPT_SESSIONS:])
    return None

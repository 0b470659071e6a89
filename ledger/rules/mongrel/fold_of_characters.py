"""What each fact changes of a character. Nothing befalls one that was never created."""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps

from ledger.rules.kernel.fold import Change
from ledger.rules.kernel.frozen import changed
from ledger.rules.mongrel import facts
from ledger.rules.mongrel import facts_of_dealings as dealings
from ledger.rules.mongrel import facts_of_strife as strife
from ledger.rules.mongrel.state import Character, Possession, Used, Vow
from ledger.rules.mongrel.tables import HOUR

#: Sessions of which used features are kept, and awards: no older one is ever asked for.
KEPT_SESSIONS, KEPT_AWARDS = 2, 4


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


def _acquired(was: Character, done: dealings.ItemAcquired) -> Character:
    item = Possession(done.item, done.credit, done.house, done.weapon, done.armour)
    return changed(was, possessions={**was.possessions, done.possession: item})


def _parted(was: Character, done: dealings.ItemPartedWith) -> Character | None:
    if done.possession not in was.possessions:
        return None
    return changed(was, possessions={id: item for id, item in was.possessions.items() if id != done.possession})


def _played(was: Character, done: dealings.SessionPlayed) -> Character:
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

    Where anything of it is not there the fact goes adrift as well, for somebody to settle.
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
        refreshes = tuple(sorted(minute for minute in (*refreshes, done.minute) if minute > done.minute - HOUR))
    minute = done.minute if done.minute is not None else was.minute
    recovering = was.recovering or done.by == "recover"
    return changed(was, recovering=recovering, refreshes=refreshes, minute=minute)


def _recovery_ended(was: Character, done: strife.RecoveryEnded) -> Character | None:
    return changed(was, recovering=False) if was.recovering else None


def _exhausted(was: Character, done: strife.CharacterExhausted) -> Character:
    return changed(was, exhausted=True)


def _fatigue_cleared(was: Character, done: strife.FatigueCleared) -> Character:
    return changed(was, exhausted=False, refreshes=())


def _social_changed(was: Character, done: dealings.SocialChanged) -> Character:
    if done.cause == "improvement":
        return was
    return changed(was, attributes=_more(was.attributes, "social", done.change))


def _awarded(was: Character, done: dealings.CharacterPointsAwarded) -> Character:
    return changed(was, awarded=(*was.awarded, (done.reason, done.session))[-KEPT_AWARDS:])


def _expertise_raised(was: Character, done: dealings.ExpertiseRaised) -> Character:
    return changed(was, expertise=_more(was.expertise, done.expertise, 1))


def _identity_raised(was: Character, done: dealings.IdentityRaised) -> Character:
    return changed(was, identity=_more(was.identity, done.identity, 1))


def _identity_reduced(was: Character, done: dealings.IdentityReduced) -> Character | None:
    if was.identity.get(done.identity, 0) < 1:
        return None
    return changed(was, identity=_more(was.identity, done.identity, -1))


def _attribute_raised(was: Character, done: dealings.AttributeRaised) -> Character:
    return changed(was, attributes=_more(was.attributes, done.attribute, 1))


def _power_allocated(was: Character, done: dealings.PowerAllocated) -> Character:
    return changed(was, power=_more(was.power, done.option, done.points))


def _more(scores: Mapping[str, int], name: str, by: int) -> dict[str, int]:
    return {**scores, name: scores.get(name, 0) + by}


def _testimony(was: Character, done: object) -> Character:
    """The fact moves something countable, or is testimony; the state is as it was."""
    return was


def _once_created(change: Change) -> Change:
    @wraps(change)
    def of_somebody(was: Character, done: object) -> Character | None:
        after: Character | None = change(was, done) if was.house is not None else None
        return after

    return of_somebody


CHANGES: Mapping[type, Change] = {
    facts.VowMade: _vowed,
    facts.VowEnded: _vow_ended,
    facts.Described: _described,
    dealings.ItemAcquired: _acquired,
    dealings.ItemPartedWith: _parted,
    dealings.SessionPlayed: _played,
    facts.StatusSet: _status_set,
    facts.FeaturesUsed: _used,
    facts.TargetsAdded: _testimony,
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
    dealings.SocialChanged: _social_changed,
    dealings.CharacterPointsAwarded: _awarded,
    dealings.ExpertiseRaised: _expertise_raised,
    dealings.IdentityRaised: _identity_raised,
    dealings.IdentityReduced: _identity_reduced,
    dealings.AttributeRaised: _attribute_raised,
    dealings.PowerAllocated: _power_allocated,
    **dict.fromkeys(
        (
            facts.CreditAccountsOpened, facts.TaskDeclared, facts.DiceRolled, facts.TaskResolved, facts.EffectAdjusted,
            strife.ActionPointsSpent, strife.ActionPointsLost, strife.ActionPointsGained, strife.Rested,
            strife.DamageRolled, strife.ResolveDamaged, strife.InfernalResolveRefreshed, strife.RitualTimed,
            strife.TaskHit, strife.OccultResisted, strife.ActionDeclared, strife.TargetAttributeNamed,
            strife.DefenceChosen,
            dealings.PurchaseResisted, dealings.ItemSold, dealings.SaleCalledOff,
            dealings.PurchaseRolled, dealings.SaleDeclined, dealings.CreditSacrificed,
            facts.Revealed, facts.ProposalDeclined,
            dealings.CreditTransferred, dealings.CreditFollowedSocial, dealings.CreditAdjusted,
            dealings.Bartered, dealings.CharacterPointsSpent,
        ),
        _testimony,
    ),
}  # fmt: skip
TO_A_CHARACTER: Mapping[type, Change] = {
    facts.CharacterCreated: _created,
    **{done: _once_created(change) for done, change in CHANGES.items()},
}

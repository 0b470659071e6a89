"""Listings: what the campaign says of abilities and Advantages, and who may go beyond it. 3.3, 3.4."""

from __future__ import annotations

from dataclasses import replace

from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot.agreement import agrees
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_play import (
    AbilityListed,
    AbilityUseListed,
    AdvantageListed,
    FreeSkillListed,
    ListedDefault,
    ListingUpheld,
    WeaponListed,
)
from ledger.rules.scattershot.guards import check_whole, no
from ledger.rules.scattershot.inputs_of_deeds import Default
from ledger.rules.scattershot.inputs_of_play import ListAbility, ListAdvantage, ListFreeSkill, ListWeapon
from ledger.rules.scattershot.ratings import scope_level
from ledger.rules.scattershot.sheet import Advantage, Rated, Skill
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.tables import difficulty_base
from ledger.rules.scattershot.terms import is_natural, is_whole


def list_ability(draft: Draft, do: ListAbility) -> None:
    """Refuses `unknown-difficulty`, `bad-number`."""
    rule = "listing.ability"
    if difficulty_base(do.difficulty) is None:
        raise no(rule, "unknown-difficulty", difficulty=do.difficulty)
    if not is_natural(do.power_cost):
        raise no(rule, "bad-number", power_cost=str(do.power_cost))
    scope_level(do.scope)
    near = tuple(ListedDefault(one.related, check_whole(one.modifier, rule)) for one in do.defaults)
    draft.campaign_wide(
        AbilityListed(
            do.name,
            do.difficulty,
            do.special,
            do.scope,
            do.duration,
            do.opportunity,
            do.power_cost,
            near,
            do.may_default,
        )
    )
    use = AbilityUseListed(do.name, do.ability_type, do.use, do.script)
    if do.name in draft.campaign().uses or use != AbilityUseListed(do.name, "invoked", "", ()):
        draft.campaign_wide(use)
    draft.by(rule, do.name, difficulty=do.difficulty)


def list_free_skill(draft: Draft, do: ListFreeSkill) -> None:
    """Refuses `bad-number`."""
    rule = "rating.free-skill"
    draft.campaign_wide(FreeSkillListed(do.name, check_whole(do.level, rule)))
    draft.by(rule, do.level, free_skill=do.name)


def list_weapon(draft: Draft, do: ListWeapon) -> None:
    """Refuses `bad-number`."""
    rule = "listing.weapon"
    if not is_natural(do.adds):
        raise no(rule, "bad-number", weapon=do.name)
    draft.campaign_wide(WeaponListed(do.name, do.adds))
    draft.by(rule, do.adds, weapon=do.name)


def check_weapon(draft: Draft, weapon: object) -> None:
    """Where only named weapons count, a Player's number is refused: `beyond-the-listing`."""
    free = draft.dials.weapon_numbers == "free" or draft.table.by.role == "gm"
    if not free and not isinstance(weapon, str) and weapon != 0:
        raise no("listing.weapon", "beyond-the-listing", weapon=str(weapon))


def check_script(draft: Draft, who: Character, name: str, script: tuple[str, ...]) -> None:
    """Of a script that is listed, a Player says no other. Refuses `beyond-the-listing`."""
    listed = use_of(draft, name)
    if not listed.script or not script or draft.table.by.role == "gm":
        return
    own = who.ratings.get(name)
    if own is None or own.script != script:
        raise no("listing.ability", "beyond-the-listing", abilities=[name])


def use_of(draft: Draft, name: str) -> AbilityUseListed:
    """Return how the ability is listed to be used: nothing in particular, where nothing was said."""
    return draft.campaign().uses.get(name) or AbilityUseListed(name, "invoked", "", ())


def as_listed(draft: Draft, skill: Skill) -> Skill:
    """Return the ability with what its listing says and the sheet leaves out."""
    listed = draft.campaign().abilities.get(skill.name)
    if listed is None:
        return skill
    use = use_of(draft, skill.name)
    cost = skill.power_cost if skill.power_cost != 0 else listed.power_cost
    return replace(
        skill,
        scope=skill.scope if skill.scope is not None else listed.scope,
        duration=skill.duration if skill.duration is not None else listed.duration,
        opportunity=skill.opportunity or listed.opportunity,
        power_cost=cost,
        ability_type=skill.ability_type if skill.ability_type != "invoked" else use.ability_type,
        use=skill.use or use.use,
        script=skill.script or use.script,
    )


def better_than_listed(draft: Draft, name: str, one: Rated) -> bool:
    """Whether an ability is easier, or cheaper in Power, than its listing, or another kind, Scope or Duration, or has
    another Type, Application or script where these are listed; a Free Skill that starts higher than its list says, or
    is on none. What is no Free Skill need not be listed."""
    if one.kind == "free-skill":
        level = draft.campaign().free_skills.get(name)
        return level is None or one.base > level
    listed = draft.campaign().abilities.get(name)
    if listed is None:
        return False
    if (one.scope, one.duration) != (listed.scope, listed.duration):
        return True
    use = use_of(draft, name)
    if use.ability_type not in ("invoked", one.type) or use.use not in ("", one.use):
        return True
    if use.script not in ((), one.script):
        return True
    special = one.kind == "special-ability"
    base = difficulty_base(listed.difficulty)
    return special != listed.special or one.power_cost < listed.power_cost or (base is not None and one.base > base)


def list_advantage(draft: Draft, do: ListAdvantage) -> None:
    """Refuses `bad-number`, `rating-below-minimum`."""
    rule = "listing.advantage"
    if not is_natural(do.value) or not is_whole(do.modifier):
        raise no(rule, "bad-number", advantage=do.name)
    if do.value < 1:
        raise no("rating.minimum", "rating-below-minimum", advantage=do.name)
    draft.campaign_wide(AdvantageListed(do.name, do.value, do.modifier, do.scope, do.bars))
    draft.by(rule, do.value, advantage=do.name)


def default_is_listed(draft: Draft, who: Character, default: Default) -> bool:
    """Whether everything in it is as the ability's listing says. `default`: with what was left out filled in."""
    listed = draft.campaign().abilities.get(default.ability)
    if listed is None or default.scope != listed.scope:
        return False
    if (default.special and not listed.special) or (default.allowed and not listed.may_default):
        return False
    if default.difficulty is not None and difficulty_base(default.difficulty) != difficulty_base(listed.difficulty):
        return False
    if default.related is None:
        return True
    near = [one.modifier for one in listed.defaults if one.related == default.related]
    known = who.ratings.get(default.related)
    own_scope = default.related_scope in (None, known.scope if known is not None else "individual")
    return bool(near) and own_scope and default.modifier == near[0]


def beyond(draft: Draft, traits: tuple[Advantage, ...]) -> list[str]:
    """Advantages and Disadvantages with a modifier, or another value, that no listing gives them."""
    listed = draft.campaign().advantages
    found = []
    for one in traits:
        known = listed.get(one.name)
        other = known is not None and one.value != known.value
        if other or int(one.modifier) > (known.modifier if known is not None else 0):
            found.append(one.name)
    return found


def default_granted(draft: Draft, id: str, default: Default | None, said_by_gm: bool) -> Asking[bool]:
    """Beyond the listing it takes the Gamemaster's word; without it nothing else is told but that."""
    if default is None or said_by_gm or default_is_listed(draft, draft.who(id), default):
        return True
    purpose = f"A Default for {default.ability} that goes beyond its listing"
    return (yield from allowed(draft, id, default.ability, purpose))


def duration_granted(draft: Draft, id: str, ability: str, duration: str) -> Asking[bool]:
    """Of a listed ability another Duration takes the Gamemaster's word."""
    if draft.table.by.role == "gm" or ability not in draft.campaign().abilities:
        return True
    return (
        yield from allowed(draft, id, ability, f"A Duration for {ability} that differs from its listing: {duration}")
    )


def allowed(draft: Draft, id: str, name: str, purpose: str) -> Asking[bool]:
    if (yield from agrees(draft, draft.gm(), "listing.ability", "listing", purpose)):
        return True
    draft.start_over()
    draft.about(id, ListingUpheld(id, name))
    draft.by("listing.ability", name, character=id)
    return False

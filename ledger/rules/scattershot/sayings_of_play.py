"""Sentences of the game, its listings and its Characters that depend on their fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.rules.kernel.phrases import About, Names, listed, words
from ledger.rules.kernel.subjects import Subject, character, seat
from ledger.rules.scattershot import facts_of_characters as fc
from ledger.rules.scattershot import facts_of_play as fp
from ledger.rules.scattershot import inputs_of_characters as ic
from ledger.rules.scattershot import inputs_of_play as ip
from ledger.rules.scattershot.sayings import (
    A_SEAT,
    AN_ID,
    because,
    called,
    dice,
    lasting,
    people,
    quoted,
    say,
    seats,
    signed,
    thing,
)

BOUGHT = {
    "advantage": "the Advantage {}",
    "free-skill": "the Free Skill {}",
    "element": "an element of 'Character' ({})",
    "protection": "protection by {}",
}

STRUCK: Mapping[object, str] = {
    "advantage": "{character} loses an Advantage: {name}[ ({reason})].",
    "disadvantage": "{character} loses a Disadvantage: {name}[ ({reason})].",
    "element": "{character} loses an element of 'Character': {name}[ ({reason})].",
    "protection": "{character} loses a piece of protection: {name}[ ({reason})].",
    "wound": "{character} recovers from a wound: {name}[ ({reason})].",
}

# --- listings --------------------------------------------------------------------------------------------------------


def expectation(done: ip.ListExpectation | fp.GenreExpectationListed, names: Names) -> str:
    """Return what the Expectation gives, and to whom."""
    kind = done.expectation if isinstance(done, ip.ListExpectation) else done.kind
    dice = f"a {kind.title()} of {done.value} {'die' if done.value == 1 else 'dice'}"
    gives = f"a Payback of at least {done.value} {'die' if done.value == 1 else 'dice'}" if kind == "payback" else dice
    return f"A Genre Expectation for {_for(done.scope, names)}: {done.name}, worth {gives}."


def _for(scope: str, names: Names) -> str:
    if scope == "global":
        return "everybody"
    if AN_ID.fullmatch(scope):
        return names.name(character(scope))
    return names.name(seat(scope)) if A_SEAT.fullmatch(scope) else scope.strip()


def ability(done: ip.ListAbility | fp.AbilityListed, names: Names) -> str:
    kind = "Special Ability" if done.special else "Skill"
    near = [f"{called(default.related)} at {signed(default.modifier)}" for default in done.defaults]
    defaults = f", with a Default from {listed(near)}" if near else ""
    costs = f", costing {done.power_cost} Power" if done.power_cost else ""
    level = words(done.difficulty).title()
    return f"Listed {kind}: {done.name}, {level}{costs}{defaults}{because(done.opportunity)}."


def ability_use(done: fp.AbilityUseListed, names: Names) -> str:
    kind = f"its Type is {done.ability_type.title()}"
    use = f", its Application is {done.use.title()}" if done.use else ""
    flurry = f", and its Flurry has these steps: {listed(done.script)}" if done.script else ""
    return f"Listed use of {done.name}: {kind}{use}{flurry}."


def advantage(done: ip.ListAdvantage | fp.AdvantageListed, names: Names) -> str:
    adds = f", with a modifier of {signed(done.modifier)}" if done.modifier else ""
    where = because(done.scope)
    bars = f", which prevents the use of {called(done.bars)} by Default" if done.bars else ""
    points = "1 point" if done.value == 1 else f"{done.value} points"
    return f"Listed trait: {done.name}, worth {points}{adds}{where}{bars}."


def chart(done: fp.ChartRead, names: Names) -> str:
    exactly = f" (exactly {done.numerator}/{done.denominator})" if done.denominator != 1 else ""
    return f"A Rating of {done.rating} on the UE Chart: {words(done.facet).title()} {done.rounded}{exactly}."


# --- the table -------------------------------------------------------------------------------------------------------


def present(done: ip.Attend | fp.AttendanceNoted, names: Names) -> str:
    there = seats(done.present, names) if done.present else "Nobody"
    return f"{there} {'are' if len(done.present) > 1 else 'is'} present in the Session."


def ruling(done: ip.MakeRuling | fp.RulingMade, names: Names) -> str:
    about = "" if AN_ID.fullmatch(done.subject) or not done.subject.strip() else f" on {done.subject.strip()}"
    return f"A ruling{about}{quoted(done.text)}"


def seeks_consensus(do: ip.SeekConsensus, names: Names) -> str:
    return f"The Group is asked to agree on {do.subject.strip() or 'something'}{quoted(do.text)}"


def consensus(done: fp.ConsensusReached, names: Names) -> str:
    return f"The Group agrees on {done.subject.strip()}{because(done.reason)}{quoted(done.text)}"


def no_consensus(done: fp.ConsensusFailed, names: Names) -> str:
    against = names.name(seat(done.against))
    return f"The Group does not agree on {done.subject.strip()}, because {against} declines{quoted(done.text)}"


def introduces(do: ip.IntroduceElement, names: Names) -> str:
    if do.world:
        return f"Introduced as part of the world: {do.element}."
    if do.persona is not None:
        return f"Introduced along with {names.name(character(do.persona))}: {do.element}."
    who = names.name(seat(do.player)) if do.player is not None else ""
    return f"{who} introduces this: {do.element}." if who else f"Introduced: {do.element}."


def consents(do: ip.AnswerConsent, names: Names) -> str:
    said = {
        "explicit": f"The Proprietor of {thing(do.element, names)} consents",
        "refused": f"The Proprietor of {thing(do.element, names)} does not consent",
        "tacit": f"Nobody objects to this change of {thing(do.element, names)}",
    }.get(do.consent, f"An answer about {thing(do.element, names)}")
    return f"{said}{because(do.reason)}{quoted(do.change)}"


def consented(done: fp.ConsentGiven, names: Names) -> str:
    how = "with the Proprietor's consent" if done.consent == "explicit" else "as nobody objects"
    return f"{thing(done.element, names)}, {how}{quoted(done.change)}"


# --- Characters ------------------------------------------------------------------------------------------------------


def _limited(do: ic.LimitPoints | ic.LimitInWords, names: Names) -> str:
    return (
        names.name(seat(do.player))
        if do.player is not None
        else ("everybody" if do.agreed else "the Player who declares it")
    )


def limits_in_words(do: ic.LimitInWords, names: Names) -> str:
    return f"A limit on new Personae, for {_limited(do, names)}: {do.words}{because(do.reason)}."


def limited_in_words(fact: fc.WordLimitSet, names: Names) -> str:
    return f"New limit on {names.name(seat(fact.seat))}'s Personae: {fact.words}{because(fact.reason)}."


def shown(fact: fc.LimitsShown, names: Names) -> str:
    points = () if fact.limit is None else (f"at most {fact.limit} Development Point{'' if fact.limit == 1 else 's'}",)
    return f"{names.name(character(fact.character))} was made under these limits: {'; '.join((*points, *fact.words))}."


def limits(do: ic.LimitPoints, names: Names) -> str:
    who = _limited(do, names)
    return f"A limit of {do.limit} on the Development Points of new Personae, for {who}{because(do.reason)}."


def raises(do: ic.RaiseRating, names: Names) -> str:
    points = "1 point" if do.points == 1 else f"{do.points} points"
    kind = "a new Special Ability, " if do.special else "a new Skill, "
    into = f"{kind if do.skill is not None else ''}{called(do.rating)}"
    return f"{names.name(character(do.character))} puts {points} into {into}."


def buys(do: ic.BuyTrait, names: Names) -> str:
    bought = [
        *([_bought("advantage", do.advantage.name)] if do.advantage is not None else ()),
        *([_bought("free-skill", do.free_skill)] if do.free_skill is not None else ()),
        *([_bought("element", do.element)] if do.element is not None else ()),
        *([_bought("protection", do.protection.name)] if do.protection is not None else ()),
    ]
    return f"{names.name(character(do.character))} buys {listed(bought) if bought else 'nothing'}."


def bought(done: fc.TraitBought, names: Names) -> str:
    points = "1 point" if done.points == 1 else f"{done.points} points"
    paid = f" for {points}" if done.points else ""
    return f"{names.name(character(done.character))} buys {_bought(done.trait, done.name)}{paid}."


def _bought(trait: str, name: str) -> str:
    return BOUGHT[trait].format(name.strip())


def takes_disadvantage(do: ic.TakeDisadvantage, names: Names) -> str:
    worth = f", worth {_points(do.value)}" if do.value is not None else ""
    return f"{names.name(character(do.character))} takes a Disadvantage: {do.name}{worth}{because(do.reason)}."


def disadvantaged(done: fc.DisadvantageTaken, names: Names) -> str:
    taken, who = done.disadvantage, names.name(character(done.character))
    return f"{who} takes a Disadvantage: {taken.name}, worth {_points(taken.value)}{because(done.reason)}."


def _points(n: object) -> str:
    return "1 point" if n == 1 else f"{n} points"


def ready(done: fc.PersonaCreated, names: Names) -> str:
    points = "1 Development Point" if abs(done.net) == 1 else f"{abs(done.net) or 'no'} Development Points"
    spent = f"with {points} {'to spare' if done.net < 0 else 'spent'}"
    return f"{names.name(character(done.character))} is ready to play, {spent}."


def guards(do: ic.SetOffGuard, names: Names) -> str:
    return _guard(character(do.character), do.towards, do.all_but, names)


def guarded(done: fc.OffGuardSet, names: Names) -> str:
    about = names.subject if isinstance(names, About) else character("")
    return _guard(about, done.towards, done.but, names)


def _guard(who: Subject, towards: Iterable[str], but: str | None, names: Names) -> str:
    against = [f"towards {people(towards, names)}"] if towards else []
    against += [f"towards everybody but {names.name(character(but))}"] if but is not None else []
    return f"{names.name(who)} is {f'Off-Guard {listed(against)}' if against else 'on guard again'}."


def develops(do: ic.Develop, names: Names) -> str:
    rolled = (dice(do.own, "Experience Die", "Experience Dice"), dice(do.loaners, "Loaner", "Loaners"))
    return f"{names.name(character(do.character))} develops with {listed(one for one in rolled if one)}."


def developed(done: fc.DevelopmentRolled, names: Names) -> str:
    faces = listed(str(face) for face in done.faces)
    points = "1 Development Point" if done.points == 1 else f"{done.points or 'no'} Development Points"
    shown = f"the dice show {faces}, a total of {done.total}" if len(done.faces) > 1 else f"the die shows {faces}"
    return say(f"{{subject}} gains {points}: {shown}.", done, names)


def lists_damage(do: ic.ListDamage, names: Names) -> str:
    return f"Noted on the Persona Sheet: {_damage(do.character, do.weapon, names)}."


def listed_damage(done: fc.DamageListed, names: Names) -> str:
    damages = ", ".join(map(str, done.damages))
    return f"{_damage(done.character, done.weapon, names)} for an RMIB of 0 and up: {damages}."


def _damage(id: str, weapon: object, names: Names) -> str:
    if weapon in (0, "fists"):
        return f"{names.name(character(id))}'s bare-handed damage"
    armed = f"with a {words(weapon)}" if isinstance(weapon, str) else f"with a weapon of {signed(weapon)}"
    return f"{names.name(character(id))}'s damage {armed}"


def spends_power(do: ic.SpendPower, names: Names) -> str:
    if do.missed_by is not None:
        return say(f"{{character}}'s spell fails by {str(do.missed_by).removeprefix('-')}[: {{why}}].", do, names)
    return say("{character} spends {amount} Power[: {why}].", do, names)


def deviates(done: fc.SheetDeviates, names: Names) -> str:
    faults = listed(words(one) for one in done.faults)
    return (
        f"{names.name(character(done.character))} is accepted, although the Persona Sheet has these faults: {faults}."
    )


def indexed(done: fc.EffectIndexed, names: Names) -> str:
    amount = f"{done.numerator}/{done.denominator}" if done.denominator != 1 else str(done.numerator)
    facet = words(done.facet).title()
    who = names.name(character(done.character))
    return f"{who}'s {called(done.ability)} has a {facet} of {amount}, for a Rating of {done.rating}."


def places(do: ic.PlaceResidual, names: Names) -> str:
    return f"{names.name(character(do.character))} {_carries(do.amount, do.scope, do.until)}{because(do.source)}."


def placed(done: fc.ResidualPlaced, names: Names) -> str:
    return f"{names.name(character(done.character))} {_carries(done.amount, done.scope, done.until)}."


def _carries(amount: object, scope: str, until: str) -> str:
    where = f" {scope.strip()}" if scope.strip() else ""
    return f"has a Residual modifier of {signed(amount)}{where}, {lasting(until)}"


def reduced(done: fc.ResourceReduced, names: Names) -> str:
    what = "losses" if done.losses else called(done.resource)
    what = what.removesuffix("s") if what == "Hit Points" and done.loss == 1 else what
    lost = f"takes losses of {done.loss}" if done.losses else f"loses {done.loss or 'no'} {what}"
    left = f" and has {done.after or 'none'} left" if done.loss else f" and still has {done.after or 'none'}"
    return f"{names.name(character(done.character))} {lost}{left}{because(done.wound)}."


def penalty(done: fc.PenaltyTookEffect, names: Names) -> str:
    who = names.name(character(done.character))
    if done.amount < 0:
        return f"{who}'s penalty falls by {-done.amount}."
    return f"{who} has a penalty of {done.amount} on all rolls from now on."


def deferred(done: fc.PenaltyDeferred, names: Names) -> str:
    who = names.name(character(done.character))
    if done.amount < 0:
        return f"{who}'s penalty from the next lull on falls by {-done.amount}."
    return f"{who} will have a penalty of {done.amount} on all rolls from the next lull on."


def shifts(do: ip.ShiftMode, names: Names) -> str:
    return f"{do.mode.title()} Play from now on{because(do.reason)}."


def shifted(done: fp.PlayModeShifted, names: Names) -> str:
    before = f" follows {done.from_.title()} Play" if done.from_ != done.to else " continues"
    return f"{done.to.title()} Play{before}{because(done.reason)}."


def spent_power(done: fc.PowerSpent, names: Names) -> str:
    return f"{names.name(character(done.character))} spends {done.amount} Power{because(called(done.why))}."

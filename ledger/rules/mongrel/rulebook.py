"""Every rule by its id: one sentence of our own, and the heading of the source where it stands.

Where the source is silent, the statement says that a gap is filled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.rules.kernel.contract import RuleText
from ledger.rules.kernel.refusals import RuleId
from ledger.rules.mongrel.tables import (
    AREAS,
    BEAST_FORMS,
    CREEDS,
    FORMS,
    OPINIONS,
    OPTIONS,
    STEREOTYPES,
    WORLDS,
)
from ledger.rules.mongrel.terms import House, called


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _creed(house: House) -> str:
    """What the House believes, where its opinions rest on that."""
    creed = CREEDS.get(house)
    return f", believing that {creed}" if creed is not None else ""


_HOUSES: Mapping[str, str] = {
    "house.membership": "Everybody belongs to one of seven Houses, which open or close no choice in making a character;"
    " a table may keep a status within them, changed by ruling.",
    "house.reference": "Each House has its reputation and its region, which two thirds of its members live up to: "
    + "; ".join(f"{house}: {kind} ({region})" for house, (kind, region) in STEREOTYPES.items())
    + ".",
    "house.worlds": "There are three worlds: "
    + "; ".join(f"{called(world)}, {homes}" for world, homes in WORLDS.items())
    + ".",
    **{
        f"house.opinion.{house}": f"What {house} thinks of the others{_creed(house)}: "
        + "; ".join(f"{other}: {opinion}" for other, opinion in opinions.items())
        + "."
        for house, opinions in OPINIONS.items()
    },
}
_VOW: Mapping[str, str] = {
    "vow.make": "A Vow has one object, be it somebody, a House or something to achieve (filling a gap: one may have"
    " several).",
    "vow.end": "A Vow ends when it is fulfilled, or as a game master rules; what it gave stays (filling a gap).",
}
_IDENTITY: Mapping[str, str] = {
    "identity.split": "Six points lie on Man, Beast and Demon, with a 0 on one of them at the most.",
    "identity.primary": "The highest Identity is the primary one; the player picks among equals.",
    "identity.body": "The primary Identity gives the body its plan, a primary Demon taking the plan of the higher of"
    " the other two and something visibly unnatural.",
    "identity.forms": f"A primary Man is {_listed(FORMS['man'])}, a primary Beast one of: {_listed(BEAST_FORMS)}.",
    "identity.use": "Identity adds to Effect, decides who acts earlier, bounds attributes and opens one Power.",
}
_ATTRIBUTES: Mapping[str, str] = {
    "attr.range": "Chosen attributes run from 1 to 7 (filling a gap), or to 6 where that is the most of anything.",
    "attr.size-spirit": "Size and Spirit share 8: evenly for Man, more Size for Beast, more Spirit for Demon.",
    "attr.physique-beauty": "Physique and Beauty share 8, men having more of the first and women of the second; who"
    " ignores that stays at Social 4 or less.",
    "attr.speed-social": "Speed and Social share 8, the young having more Speed and the old more Social.",
    "attr.ignored-and-old": "Old, and against the guideline of the sexes: Social is 4, and Speed 3 at the most.",
    "attr.lowering": "Chosen attributes may then be lowered for nothing (filling a gap: not below 1).",
}
_EXPERTISE: Mapping[str, str] = {
    "expertise.step1": "Each Expertise of the primary Identity begins at 1, its Power too.",
    "expertise.step2": "Two Expertises rise by 3, and every other one in their Areas by 1.",
    "expertise.step3": "Two more rise by 2.",
    "expertise.step4": "And yet two more by 1.",
    **{f"expertise.area.{area}": f"{area.capitalize()} are: {_listed(names)}." for area, names in AREAS.items()},
    "expertise.stack": "What different steps give adds up, to 4 at the most; the Powers of other Identities stay shut.",
}
_DERIVED: Mapping[str, str] = {
    "derived.ap": "The most Action Points one can recover is Speed; one starts with as many.",
    "derived.resolve": "Infernal Resolve is at most Spirit and starts there.",
    "derived.wound": "The Wound Threshold are the bounds of the Size row, of the clear and of the gray zone (filling a"
    " gap: the source names it and leaves it).",
}
_POWERS: Mapping[str, str] = {
    "power.allocate": "The level of the Power is spread over its options as one likes (filling a gap: or not yet).",
    **{
        f"power.options.{power.removesuffix('_power')}": f"Points of {power} go to: {_listed(options)}."
        for power, options in OPTIONS.items()
    },
    "power.augment": "Options that fit add their points to the dice of another Expertise.",
    "power.alone": "Once in a while a fitting option is rolled by itself, if there is a point in it.",
}
_WEALTH: Mapping[str, str] = {
    "credit.start": "An account with one's own House starts at Social, the six others at 1.",
    "credit.purchase": "One roll buys what is to be had: over the seller's Social, and not over one's Credit. What a"
    " character has is to be had only if its player says so (filling a gap).",
    "credit.sacrifice": "Where Credit would do but Social does not, Credit given to the seller may still get it, as"
    " much as both agree on. The seller is asked once the amount is known.",
    "item.had": "A character has what they bought, found or were given until they part with it (filling a gap)."
    " The dead and the collapsed part with nothing; a game master may move what is theirs.",
    "credit.sell": "A character can sell what they have to a buyer whom no player plays, for Credit that a game master"
    " agrees to (filling a gap).",
    "credit.transfer": "Between accounts with two Houses, two points of Credit make one.",
    "credit.social": "Credit with one's own House goes up and down with Social, the other accounts do not.",
    "credit.cash": "Cash is barter by another name, noted in words.",
    "credit.adjust": "Deals and obligations change Credit as the table rules, never below 0.",
}
_BASICS: Mapping[str, str] = {
    "task.pool": "As many dice are rolled as Expertise and fitting Power come to.",
    "task.tn": "One attribute is the target number: one's own to stay within, or a target's to reach.",
    "task.count": "Each die that meets the number is a success, and one will do, special cases apart.",
    "task.ones-fail": "Where no face could miss a target's number, ones on half the dice or more fail.",
    "task.sixes-fail": "Where no face could exceed one's own number, sixes on half the dice or more fail.",
    "task.sevens-succeed": "Where no face could reach a target's number, sixes on half the dice or more succeed, with"
    " an Effect of 1.",
    "task.low-impossible": "Below 1 one's own number cannot be met (filling a gap: at some tables ones are a long"
    " shot).",
    "task.zero-expertise": "Without any Expertise one die is rolled twice and must succeed twice, for an Effect of 1.",
    "effect.base": "Effect is the successes and the score of the Identity behind the Expertise.",
}
_MODIFIERS: Mapping[str, str] = {
    "task.modifier": "Difficulty from 1 to 4 moves the target number against the roller.",
    "task.proposal": "Difficulty, weapon, armour, Effect taken off, a score, minutes, hours and whether something can"
    " be bought are a game master's decision. What a player declares of them is a proposal (filling a gap).",
}
_EFFECT: Mapping[str, str] = {
    "effect.change": "Further Resolve put into Occult adds to Effect, what a target is like takes off it.",
    "effect.grade": "1 is barely enough, 4 and more is remarkable.",
}
_DAMAGE: Mapping[str, str] = {
    "damage.net": "Weapons add to the Effect of a hit and armour lowers it.",
    "item.use": "A weapon or armour that one has counts with its own value (filling a gap).",
    "damage.shunt": "Of what is left, Beauty may take any part; one point of that never comes back.",
    "damage.zones": "Damage fills the row of Size, then the column of Physique: clear, gray, terminal.",
    "damage.hit": "Reaching Size costs an Action Point, the clear zone a point of Physique, the gray one consciousness"
    " of all else; a hit on the collapsed is terminal.",
    "damage.collapse": "A collapsed character has no Action Points, no defence and no action, in a conflict or outside,"
    " until they recover an Action Point.",
    "damage.terminal": "Terminal damage kills unless Infernal Resolve is there to be spent.",
    "damage.resist-death": "A point of Infernal Resolve averts death and may restore all Action Points.",
    "damage.terminal-stage": "In the terminal stage death waits for Infernal Resolve to run out.",
    "damage.healing": "Healing is as the table rules it (filling a gap), up to what was lost.",
    "damage.dead": "The dead take no part any more (filling a gap).",
}
_SORCERY: Mapping[str, str] = {
    "resolve.spiritual": "Chill and Occult attacks take their Effect off Infernal Resolve.",
    "resolve.zero": "At no Infernal Resolve a character collapses and can hold one Action Point at the most.",
    "resolve.collapsed-hit": "A spiritual hit on somebody collapsed is not terminal (filling a gap).",
    "resolve.refresh-quiet": "A quiet hour brings all Infernal Resolve back.",
    "resolve.refresh-vow": "So does a turn of events against one's Vow.",
    "sorcery.burn": "Burn is quick and does physical damage.",
    "sorcery.chill": "Chill is quick, saps Infernal Resolve, and may carry a command.",
    "sorcery.occult": "Occult does what any other Expertise does, an hour for each die, and never but for Infernal"
    " Resolve paid before the roll.",
    "sorcery.resist": "Resist answers Occult, as slowly, and reduces its Effect (filling a gap). A purchase needs an"
    " Effect of 1. If it is resisted to 0, it fails.",
    "sorcery.know": "Know tells what there is to learn about Occult and the demonic in others.",
}
_CONFLICT: Mapping[str, str] = {
    "conflict.order": "The order goes by Beast, then Man, then Demon, a coin deciding between equals; until it is over,"
    " or a game master takes one out of it, nobody in it acts but in it, nor does what takes minutes or hours.",
    "conflict.queue": "Whoever is next acts or passes and goes to the end of the line (filling a gap).",
    "conflict.front": "An Action Point makes one next, at any time and any number of times.",
    "conflict.act": "To act one needs an Action Point and must not have collapsed.",
    "conflict.dealings": "Barter, Credit transfers, selling and handing things over are not actions and need no turn"
    " (filling a gap). At some tables they are actions in the order.",
    "conflict.attack": "A target that defends pays an Action Point and makes the attacker pay one; a miss costs the"
    " attacker another. Outside a conflict an attack is the same, without an order.",
    "conflict.may-defend": "The collapsed, those without Action Points and those recovering cannot defend.",
    "conflict.untargeted": "An action on nobody is rolled within one's own attribute, and failing is free.",
    "conflict.immediate": "What happens has happened before the next action begins.",
    "conflict.label": "With one Action Point a character is rushed, with none discombobulated; words, no more.",
    "ap.no-automatic": "Action Points do not come back by themselves.",
    "ap.recover": "Recovering is an action: one point from none, all of them from any. Without an Action Point it is"
    " the only action.",
    "resolve.for-ap": "Infernal Resolve can become Action Points, one for one.",
    "ap.over-max": "At some tables a refresh goes beyond the maximum, from anywhere but exactly there.",
}
_FATIGUE: Mapping[str, str] = {
    "fatigue.limit": "As many refreshes in an hour as Physique, and each further one yields a single point.",
    "time.clock": "The campaign has one fictional clock. Rituals, rest, quiet hours and recovering in a later minute"
    " move it on; only a game master moves it back, with a reason (filling a gap).",
    "fatigue.rest": "Exhaustion ends with a rest of one to six hours, as the GM says.",
}
_POINTS: Mapping[str, str] = {
    "cp.session": "One or two points, the same and once, go to everyone who played the session. Play between two"
    " sessions counts for neither, unless a game master says for which.",
    "cp.vow": "A risk taken in keeping with a Vow is worth one more.",
    "cp.used-only": "Points improve only what was used in the session before.",
    "cp.expertise": "The next level of Expertise costs five times the level it has.",
    "cp.identity": "Identity costs five times its level, or twice if another Identity falls for it.",
    "cp.attribute": "An attribute costs five times its level, within what Identity, sex and age allow.",
    "cp.consequences": "Maxima rise with Speed and Spirit, Credit with Social.",
}


def _chapter(heading: str, statements: Mapping[str, str]) -> dict[RuleId, RuleText]:
    return {f"mongrel.{id}": RuleText(statement, heading) for id, statement in statements.items()}


RULES: Mapping[RuleId, RuleText] = {
    **_chapter("The Seven Houses", _HOUSES),
    **_chapter("The Vow", _VOW),
    **_chapter("Identity", _IDENTITY),
    **_chapter("Attributes", _ATTRIBUTES),
    **_chapter("Expertise", _EXPERTISE),
    **_chapter("Derived scores", _DERIVED),
    **_chapter("Powers", _POWERS),
    **_chapter("Character wealth and social status", _WEALTH),
    **_chapter("Basics", _BASICS),
    **_chapter("Modifiers", _MODIFIERS),
    **_chapter("Effect", _EFFECT),
    **_chapter("Physical damage", _DAMAGE),
    **_chapter("Sorcery Expertise and spiritual damage", _SORCERY),
    **_chapter("Complex task resolution", _CONFLICT),
    **_chapter("Fatigue", _FATIGUE),
    **_chapter("Character points", _POINTS),
}

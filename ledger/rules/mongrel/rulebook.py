"""Every rule by its id: a statement in our own words, and the heading of the source where it stands.

Where the source is silent or unclear, the statement says "our reading".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.rules.kernel.contract import RuleText
from ledger.rules.kernel.phrases import words
from ledger.rules.kernel.refusals import RuleId
from ledger.rules.mongrel.tables import (
    AREAS,
    BEAST_FORMS,
    CATEGORIES,
    CATEGORY_NAMES,
    CREEDS,
    FORMS,
    OPINIONS,
    OPTIONS,
    POWERS,
    STEREOTYPES,
    WORLDS,
)
from ledger.rules.mongrel.terms import House, called


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _creed(house: House) -> str:
    """What the House believes, if its opinions follow from that."""
    creed = CREEDS.get(house)
    return f", who believe that {creed}," if creed is not None else ""


_HOUSES: Mapping[str, str] = {
    "house.membership": "Every character belongs to one of the seven Houses. The House does not limit how a character"
    " is created. A table may keep a status within the House, changed only by ruling.",
    "house.reference": "Each House has a reputation, which about two thirds of its members fit, and a region: "
    + "; ".join(f"{called(house)}, {kind} ({region})" for house, (kind, region) in STEREOTYPES.items())
    + ".",
    "house.worlds": "There are three worlds: "
    + "; ".join(f"{called(world)}, {homes}" for world, homes in WORLDS.items())
    + ".",
    **{
        f"house.opinion.{house}": f"What the {called(house)}{_creed(house)} think of the other Houses: "
        + "; ".join(f"the {called(other)} {opinion}" for other, opinion in opinions.items())
        + "."
        for house, opinions in OPINIONS.items()
    },
}
_VOW: Mapping[str, str] = {
    "vow.make": "A Vow has one object: a person, a House or a goal. A character may have several Vows (our reading).",
    "vow.end": "A Vow ends when it is fulfilled or when a game master ends it. The character keeps what it gave (our"
    " reading).",
}
_IDENTITY: Mapping[str, str] = {
    "identity.split": "Man, Beast and Demon add up to 6. At most one of them is 0.",
    "identity.primary": "The primary Identity is the highest one. If several are tied for highest, the player chooses.",
    "identity.body": "The primary Identity decides the form of the body. A primary Demon has the form of Man or Beast,"
    " whichever is higher (either, if they are tied), and something visibly unnatural. The other Identities show as"
    " details unless they are 0.",
    "identity.forms": f"With primary Man the body is {_listed(FORMS['man'])}. With primary Beast it is one of these:"
    f" {_listed(map(words, BEAST_FORMS))}.",
    "identity.use": "Identity adds to Effect, decides the order in conflicts, limits attributes and opens one Power.",
}
_ATTRIBUTES: Mapping[str, str] = {
    "attr.range": "Chosen attributes go from 1 to 7 (our reading), or to 6 if that is the table's maximum for all"
    " scores.",
    "attr.size-spirit": "Size and Spirit add up to 8. With primary Man both are 4, with primary Beast Size is higher,"
    " with primary Demon Spirit is higher.",
    "attr.physique-beauty": "Physique and Beauty add up to 8. As a guideline, men have more Physique and women more"
    " Beauty. A character who ignores the guideline has Social 4 or less.",
    "attr.speed-social": "Speed and Social add up to 8. Young characters have more Speed, old ones more Social. Adults"
    " choose freely.",
    "attr.ignored-and-old": "An old character who ignores the guideline for their sex has a Social of exactly 4, and a"
    " Speed of 3 or less."
    " Here Speed and Social need not add up to 8.",
    "attr.lowering": "Any attribute may then be lowered, and nothing is gained for it. The minimum is 1 (our reading).",
}
_EXPERTISE: Mapping[str, str] = {
    "expertise.step1": "Each Expertise of the primary Identity starts at 1, including its Power.",
    "expertise.step2": "Two Expertises rise by 3. Every other Expertise in their Areas rises by 1, once. A Power has no"
    " Area.",
    "expertise.step3": "Two other Expertises rise by 2.",
    "expertise.step4": "Two more Expertises, not picked before, rise by 1.",
    **{
        f"expertise.identity.{identity}": f"{called(identity)} governs the Expertises of"
        f" {CATEGORY_NAMES[identity]}: {_listed(called(name) for name in names if name != POWERS[identity])}. It also"
        f" governs {called(POWERS[identity])}."
        for identity, names in CATEGORIES.items()
    },
    **{
        f"expertise.area.{area}": f"The Area {area.capitalize()} has these Expertises: {_listed(map(called, names))}."
        for area, names in AREAS.items()
    },
    "expertise.stack": "Rises from different steps add up, to 4 at most. The Powers of other Identities cannot be"
    " picked.",
}
_DERIVED: Mapping[str, str] = {
    "derived.ap": "The Action Point maximum is Speed, plus a bonus at some tables. A character starts at the maximum.",
    "derived.resolve": "The maximum of Infernal Resolve is Spirit. A character starts at the maximum.",
    "derived.wound": "The Wound Threshold is three numbers: Size, Size plus Physique, and Size plus twice Physique (our"
    " reading: the source names it but never uses it). Physique lost to wounds lowers the last two.",
}
_POWERS: Mapping[str, str] = {
    "power.allocate": "The level of the Power is divided freely among its options. Points may stay unallocated (our"
    " reading).",
    **{
        f"power.options.{power.removesuffix('_power')}": f"The options of {called(power)}:"
        f" {_listed(map(words, options))}."
        for power, options in OPTIONS.items()
    },
    "power.augment": "Options that fit the task add their points to the dice of another Expertise.",
    "power.alone": "Rarely, a fitting option is rolled by itself. It needs at least 1 point.",
}
_WEALTH: Mapping[str, str] = {
    "credit.start": "The account with the character's own House starts at Social, the other six at 1.",
    "credit.purchase": "An available item is bought with one roll. A die is good if it is at least the seller's Social"
    " and at most the buyer's Credit. One good die is enough. A character's possession is available only if its player"
    " agrees (our reading).",
    "credit.sacrifice": "If the dice meet the buyer's Credit but not the seller's Social, the buyer may still get the"
    " item by giving up Credit to the seller, as much as both agree on. The seller is asked once the amount is known.",
    "item.had": "A character has what they bought, found or were given until they part with it (our reading). The dead"
    " and the collapsed cannot part with anything. A game master may move their possessions.",
    "credit.sell": "A character can sell a possession to a buyer without a player, for Credit that a game master agrees"
    " to (our reading).",
    "credit.transfer": "Between accounts with two Houses, 2 points of Credit become 1.",
    "credit.social": "When Social changes, Credit with the character's own House changes by the same amount, but not"
    " below 0. The other accounts do not change.",
    "credit.cash": "Cash is barter by another name, recorded in words.",
    "credit.adjust": "Deals and obligations change Credit as a game master rules, but never below 0.",
}
_BASICS: Mapping[str, str] = {
    "task.pool": "The number of dice is the Expertise plus the points of fitting Power options.",
    "task.tn": "The target number is one attribute. Against the roller's own, a die succeeds if it is equal to it or"
    " lower. Against a target's, a die succeeds if it is equal to it or higher.",
    "task.count": "Each die that meets the target number is a success. One success is enough, except in special cases.",
    "task.ones-fail": "If every face would succeed against a target's number, the roll fails if half or more of the"
    " dice show 1.",
    "task.sixes-fail": "If every face would succeed against the roller's own number, the roll fails if half or more of"
    " the dice show 6.",
    "task.sevens-succeed": "If no face would succeed against a target's number, the roll succeeds only if half or more"
    " of the dice show 6, with an Effect of 1.",
    "task.low-impossible": "If the roller's own number is below 1, the roll cannot succeed (our reading). At some"
    " tables it succeeds if half or more of the dice show 1, with an Effect of 1.",
    "task.zero-expertise": "With an Expertise of 0, one die is rolled twice and must succeed twice. The Effect is 1.",
    "effect.base": "Effect is the number of successes plus the score of the Identity that governs the Expertise.",
}
_MODIFIERS: Mapping[str, str] = {
    "task.modifier": "Difficulty, from 1 to 4, moves the target number against the roller: down if it is the roller's"
    " own, up if it is a target's.",
    "task.proposal": "A game master decides difficulty, weapon, armour, Effect taken off, scores of things, minutes,"
    " hours and whether an item can be bought. When a player declares them, they are a proposal (our reading).",
}
_EFFECT: Mapping[str, str] = {
    "effect.change": "Extra Infernal Resolve spent on Occult adds to its Effect. Features of the target lower an"
    " Effect, but not below 0.",
    "effect.grade": "An Effect of 1 is minimal, 2 or 3 solid (our word), 4 or more notable.",
}
_DAMAGE: Mapping[str, str] = {
    "damage.net": "A weapon adds to the Effect of a physical hit, and armour lowers it. At 0, nothing further happens.",
    "item.use": "A weapon or armour among a character's possessions has its recorded value (our reading).",
    "damage.shunt": "The target may move any part of the damage to Beauty, up to current Beauty. One of these points is"
    " lost permanently.",
    "damage.zones": "Damage fills the Size row first, then the Physique column: clear up to Physique, gray up to twice"
    " Physique, then terminal.",
    "damage.hit": "A hit that reaches Size costs 1 Action Point. In the clear zone it costs 1 point of Physique, in the"
    " gray zone the character collapses, and beyond that the damage is terminal. A hit on a collapsed character is"
    " terminal.",
    "damage.collapse": "A collapsed character has no Action Points and can neither defend nor act, in a conflict or"
    " outside, until they recover an Action Point.",
    "damage.terminal": "Terminal damage collapses a character and kills them unless they spend Infernal Resolve.",
    "damage.resist-death": "Spending 1 point of Infernal Resolve prevents death, unless it is the last one (our"
    " reading). The character may then recover all Action Points.",
    "damage.terminal-stage": "In the terminal stage every further physical hit is terminal (our reading), and a"
    " character whose Infernal Resolve runs out dies.",
    "damage.healing": "A game master decides what heals, up to what was lost (our reading: the source has no rule).",
    "damage.dead": "The dead take no further part (our reading).",
}
_SORCERY: Mapping[str, str] = {
    "resolve.spiritual": "Chill and Occult attacks lower Infernal Resolve by their Effect. Weapons, armour and shunting"
    " do not count. At some tables an Occult attack hits what the imitated Expertise would.",
    "resolve.zero": "When Infernal Resolve reaches 0, the character collapses, and the Action Point maximum is 1 while"
    " it stays at 0. In the terminal stage, the character dies.",
    "resolve.collapsed-hit": "A spiritual hit on a collapsed character is not terminal (our reading).",
    "resolve.refresh-quiet": "An hour of meditation, simple tasks or calm company restores all Infernal Resolve.",
    "resolve.refresh-vow": "Events that directly oppose a character's Vow restore all Infernal Resolve at once.",
    "sorcery.burn": "Burn is a quick attack that does physical damage.",
    "sorcery.chill": "Chill is a quick attack on Infernal Resolve. It may carry a command.",
    "sorcery.occult": "Occult can stand in for any other Expertise. It costs at least 1 point of Infernal Resolve,"
    " spent before the roll, and takes an hour for each die. A caster who dies of spending it does not roll.",
    "sorcery.resist": "Resist answers Occult, just as slowly, and lowers its Effect (our reading). A purchase needs an"
    " Effect of 1. If it is resisted to 0, it fails.",
    "sorcery.know": "Know recognises and analyses Occult: who is doing it and what it does, and how much Demon others"
    " have.",
}
_CONFLICT: Mapping[str, str] = {
    "conflict.order": "Participants act in the order of Beast, then Man, then Demon, the highest first. A coin decides"
    " complete ties. Until the conflict ends, or a game master takes them out of it, they act only in this order and"
    " do nothing that takes minutes or hours.",
    "conflict.queue": "The next participant acts or passes, then goes to the end of the order (our reading).",
    "conflict.front": "A participant who has not collapsed may pay 1 Action Point to be next, at any time and any"
    " number of times, unless the defence or dice of a declared action are already known.",
    "conflict.act": "To act, a character needs an Action Point and must not have collapsed.",
    "conflict.dealings": "Barter, Credit transfers, selling and handing things over are not actions and need no turn"
    " (our reading). At some tables they are actions in the order.",
    "conflict.attack": "A target who defends pays 1 Action Point and makes the attacker pay 1. A miss costs the"
    " attacker 1 more. Outside a conflict an attack works the same way, without an order.",
    "conflict.may-defend": "Characters who have collapsed, have no Action Points or are recovering cannot defend.",
    "conflict.untargeted": "An action on nobody, or on a thing, is rolled against the actor's own attribute. Failing"
    " is free.",
    "conflict.immediate": "Everything takes effect before the next action begins. Nothing is simultaneous.",
    "conflict.label": "With 1 Action Point a character is rushed, with 0 discombobulated. These words have no effect.",
    "ap.no-automatic": "Action Points never return by themselves.",
    "ap.recover": "Recovering is an action. With 0 Action Points it gives 1, and it is the only action possible. With 1"
    " or more it restores the maximum. A collapsed character always gets up by recovering, even at the maximum."
    " Recovering lasts until the character's next turn. Outside a conflict it lasts until their next roll, until the"
    " clock moves on or until a conflict closes (our reading).",
    "resolve.for-ap": "Infernal Resolve can be turned into Action Points at any time, one for one.",
    "ap.over-max": "At some tables a refresh can go beyond the maximum, but not from exactly the maximum.",
}
_FATIGUE: Mapping[str, str] = {
    "fatigue.limit": "When a character's refreshes within one hour reach their Physique, they are exhausted: each later"
    " refresh gives only 1 Action Point.",
    "time.clock": "The campaign has one fictional clock. Rituals, rest, quiet hours and recovering at a later minute"
    " move it forward. Only a game master can move it back, with a reason (our reading).",
    "fatigue.rest": "A rest of 1 to 6 hours, as the game master decides, ends exhaustion.",
}
_POINTS: Mapping[str, str] = {
    "cp.session": "Everyone who played the session gets the same 1 or 2 points, once. Play between two sessions counts"
    " for neither session unless a game master says which.",
    "cp.vow": "A character who took a risk that conforms to a Vow gets 1 more point, once per session.",
    "cp.used-only": "Character points raise only features that were used in the previous session.",
    "cp.expertise": "The next level of an Expertise costs five times its present level. Level 0 counts as 1 (our"
    " reading).",
    "cp.identity": "The next level of an Identity costs five times its present level, or two times if another Identity"
    " falls by 1. Level 0 counts as 1 (our reading).",
    "cp.attribute": "The next level of an attribute costs five times its present level, within the limits of Identity,"
    " sex and age.",
    "cp.consequences": "Speed raises the Action Point maximum, Spirit raises the Infernal Resolve maximum, and Social"
    " raises the Credit with the character's own House.",
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

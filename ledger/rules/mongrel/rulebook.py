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
    " is created. At some tables, each character also has a status within their House, which only a game master can"
    " change.",
    "house.reference": "Each House has a reputation, which fits about two thirds of its members, and a region: "
    + "; ".join(f"the {called(house)} are {kind} ({region})" for house, (kind, region) in STEREOTYPES.items())
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
    "vow.end": "A Vow ends when it is fulfilled, or when a game master ends it. The character keeps whatever the Vow"
    " has already given them (our reading).",
}
_IDENTITY: Mapping[str, str] = {
    "identity.split": "Man, Beast and Demon add up to 6. At most one of them is 0.",
    "identity.primary": "The primary Identity is the highest one. If several are tied for highest, the player chooses.",
    "identity.body": "The primary Identity decides the form of the body. If it is Demon, the body takes its form from"
    " Man or Beast, whichever score is higher (the player chooses if they are tied), and something about it is"
    " visibly unnatural. Each of the other two Identities shows in details, unless its score is 0.",
    "identity.forms": f"If the primary Identity is Man, the body is {_listed(FORMS['man'])}. If it is Beast, the body"
    f" is one of these: {_listed(map(words, BEAST_FORMS))}.",
    "identity.use": "Identity scores add to the Effect of tasks, decide the order of actions in conflicts and limit"
    " attributes. The primary Identity also decides which Power a character can have.",
}
_ATTRIBUTES: Mapping[str, str] = {
    "attr.range": "Each attribute is a number from 1 to 7 (our reading). At some tables, no score can be higher than"
    " 6.",
    "attr.size-spirit": "Size and Spirit add up to 8. If the primary Identity is Man, both are 4. If it is Beast,"
    " Size is higher than Spirit. If it is Demon, Spirit is higher than Size.",
    "attr.physique-beauty": "Physique and Beauty add up to 8. As a guideline, male characters have more Physique than"
    " Beauty, and female characters have more Beauty than Physique. A character who does not follow this guideline"
    " cannot have a Social above 4.",
    "attr.speed-social": "Speed and Social add up to 8. A young character has more Speed than Social. An old"
    " character has more Social than Speed. An adult can divide the 8 points freely.",
    "attr.ignored-and-old": "An old character whose Physique and Beauty do not follow the guideline for their sex has"
    " Social 4 and Speed 3 or less. For such a character, Speed and Social need not add up to 8.",
    "attr.lowering": "After the attributes are chosen, the player may lower any of them, but not below 1 (our"
    " reading). The player gains nothing for this.",
}
_EXPERTISE: Mapping[str, str] = {
    "expertise.step1": "Expertise is chosen in four steps. In step 1, each Expertise of the primary Identity,"
    " including its Power, starts at 1.",
    "expertise.step2": "In step 2, the player picks two Expertises. Each of them rises by 3. Every other Expertise in"
    " the Area or Areas of those two rises by 1, but only once. A Power belongs to no Area.",
    "expertise.step3": "In step 3, the player picks two Expertises that were not picked in step 2. Each of them rises"
    " by 2.",
    "expertise.step4": "In step 4, the player picks two Expertises that were not picked in steps 2 and 3. Each of"
    " them rises by 1.",
    **{
        f"expertise.identity.{identity}": f"{called(identity)} governs the {CATEGORY_NAMES[identity]} Expertises:"
        f" {_listed(called(name) for name in names if name != POWERS[identity])}. It also governs"
        f" {called(POWERS[identity])}."
        for identity, names in CATEGORIES.items()
    },
    **{
        f"expertise.area.{area}": f"The Area {area.capitalize()} contains these Expertises:"
        f" {_listed(map(called, names))}."
        for area, names in AREAS.items()
    },
    "expertise.stack": "Rises from different steps add up, so an Expertise can reach 4. The only Power that can be"
    " picked is that of the primary Identity.",
}
_DERIVED: Mapping[str, str] = {
    "derived.ap": "A character's Action Point maximum is their Speed. Some tables add a bonus to it. A character"
    " starts at the maximum.",
    "derived.resolve": "A character's maximum Infernal Resolve is their Spirit. A character starts at the maximum.",
    "derived.wound": "The Wound Threshold is three numbers: Size, Size plus Physique, and Size plus twice Physique"
    " (our reading: the source names the Wound Threshold but never uses it). Physique lost to wounds lowers the"
    " second and third numbers.",
}
_POWERS: Mapping[str, str] = {
    "power.allocate": "A character has as many Power points as the level of their Power. The player divides them"
    " among the options of that Power, and may leave some of them unassigned (our reading).",
    **{
        f"power.options.{power.removesuffix('_power')}": f"{called(power)} has these options:"
        f" {_listed(map(words, options))}."
        for power, options in OPTIONS.items()
    },
    "power.augment": "When another Expertise is rolled, each Power option that fits the task adds its points to the"
    " number of dice.",
    "power.alone": "In rare cases, fitting Power options are rolled by themselves, without another Expertise."
    " Together, they must have at least 1 point.",
}
_WEALTH: Mapping[str, str] = {
    "credit.start": "A character's Credit with their own House starts equal to their Social. Their Credit with each"
    " of the other six Houses starts at 1.",
    "credit.purchase": "It takes one roll to buy an item that is available. The buyer chooses the House whose Credit"
    " counts. A die is good if it shows at least the seller's Social and at most the buyer's Credit with that House."
    " One good die is enough. A possession of another character is for sale only if that character's player agrees. "
    "If that character has no player, a game master must agree (our reading).",
    "credit.sacrifice": "If the roll succeeds against the buyer's Credit but does not win the item, the buyer may"
    " still get it by giving the seller an amount of Credit that both agree on. The seller is asked to agree once the"
    " amount is known.",
    "item.had": "Characters keep whatever they bought, found or were given until they part with it (our reading)."
    " Dead or collapsed characters cannot part with anything, but a game master may move any possession.",
    "credit.sell": "A character can sell a possession for Credit to a buyer who has no player. A game master must"
    " agree to the price (our reading).",
    "credit.transfer": "A character can move Credit between their accounts with two Houses. One account loses 2"
    " points for each point that the other gains.",
    "credit.social": "When a character's Social changes, their Credit with their own House changes by the same"
    " amount, but it cannot fall below 0. Their other accounts do not change.",
    "credit.cash": "Paying in cash is a kind of barter. There are no accounts for cash: the trade is recorded in"
    " words.",
    "credit.adjust": "A game master may change a character's Credit because of deals and obligations, but Credit"
    " cannot fall below 0.",
}
_BASICS: Mapping[str, str] = {
    "task.pool": "The number of dice rolled is the level of the Expertise plus the points of the Power options that"
    " fit.",
    "task.tn": "The target number is the score of one attribute. If the attribute is the roller's own, a die succeeds"
    " by showing that number or less. If it is a target's, a die succeeds by showing that number or more.",
    "task.count": "Each die that meets the target number is a success. One success is enough for the task to succeed,"
    " except in a few special cases.",
    "task.ones-fail": "If the target number is a target's score and is 1 or less, every face would succeed. The roll"
    " then fails when half or more of the dice show 1.",
    "task.sixes-fail": "If the target number is the roller's own score and is 6 or more, every face would succeed. The"
    " roll then fails when half or more of the dice show 6.",
    "task.sevens-succeed": "If the target number is a target's score and is 7 or more, no face would succeed. The roll"
    " then succeeds only when half or more of the dice show 6. The Effect is 1, and the score of the Identity is not"
    " added.",
    "task.low-impossible": "If the target number is the roller's own score and is below 1, the roll fails (our"
    " reading). At some tables, the roll succeeds with an Effect of 1 when half or more of the dice show 1.",
    "task.zero-expertise": "If neither the Expertise nor a Power option that fits gives any dice, one die is rolled"
    " twice and must succeed both times. The Effect is then 1, and the score of the Identity is not added.",
    "effect.base": "The Effect of a success is the number of successful dice plus the score of the Identity that"
    " governs the Expertise.",
}
_MODIFIERS: Mapping[str, str] = {
    "task.modifier": "Difficulty is a number from 0 (none) to 4 and makes the roll harder. If the target number is the"
    " roller's own score, difficulty lowers it. If it is the target's score, difficulty raises it.",
    "task.proposal": "A game master decides the difficulty, the values of weapons and armour, how much Effect is"
    " taken off, the scores of things, how many minutes pass, and whether an item can be bought. If a player declares"
    " one of these, it is only a proposal. If a player leaves out a score, a game master gives it (our reading). At"
    " some tables, a game master also decides the side (whose attribute counts), the attributes and the Power options"
    " of a player's task.",
}
_EFFECT: Mapping[str, str] = {
    "effect.change": "When Occult is used, each point of Infernal Resolve spent after the first adds 1 to the Effect"
    " (our reading). Features of the target can lower the Effect of a success, but not below 0.",
    "effect.grade": "An Effect of 1 is minimal, 2 or 3 is solid (our word), and 4 or more is notable.",
}
_DAMAGE: Mapping[str, str] = {
    "damage.net": "A weapon adds to the Effect of a physical hit, and armour lowers it. If nothing is left, the hit"
    " does no damage.",
    "item.use": "If a possession is used as a weapon or as armour, the value recorded for it counts (our reading).",
    "damage.shunt": "The target may shunt (move) any part of the damage to Beauty, up to their current Beauty. Beauty"
    " then falls by that amount. One of these points is lost permanently, the others temporarily.",
    "damage.zones": "Damage is counted on a table. It first fills the Size row, with as many points as the"
    " character's Size. The rest goes down the Physique column: up to Physique it is in the clear zone, up to twice"
    " Physique it is in the gray zone, and beyond that it is terminal.",
    "damage.hit": "The hit that fills the Size row costs the character 1 Action Point. A hit that ends in the clear"
    " zone costs 1 point of Physique. A hit that ends in the gray zone makes the character collapse, and a hit that"
    " goes beyond it is terminal. Every physical hit on a collapsed character is terminal.",
    "damage.collapse": "A collapsed character has no Action Points. Until they recover one, they can neither defend"
    " nor act, inside or outside a conflict.",
    "damage.terminal": "Terminal damage makes a character collapse, and kills them unless they spend Infernal Resolve.",
    "damage.resist-death": "A character with terminal damage who spends 1 point of Infernal Resolve does not die,"
    " unless it is their last point (our reading). A character who survives in this way may also recover all Action"
    " Points.",
    "damage.terminal-stage": "A character who survives terminal damage is in the terminal stage. In this stage, every"
    " further physical hit is terminal (our reading), and the character dies when they have no Infernal Resolve left.",
    "damage.healing": "A game master decides how much a character heals, up to what they have lost (our reading: the"
    " source has no rule for healing).",
    "damage.dead": "Dead characters take no further part in play (our reading).",
}
_SORCERY: Mapping[str, str] = {
    "resolve.spiritual": "Chill and Occult attacks lower Infernal Resolve by their Effect. Weapons, armour and"
    " shunting make no difference. At some tables, an Occult attack hits whatever the Expertise that it imitates"
    " would hit.",
    "resolve.zero": "A character whose Infernal Resolve reaches 0 collapses. While it stays at 0, their Action Point"
    " maximum is 1. If they are in the terminal stage, they die.",
    "resolve.collapsed-hit": "A spiritual hit (by Chill or Occult) on a collapsed character is not terminal (our"
    " reading).",
    "resolve.refresh-quiet": "An hour of meditation, simple tasks or calm company restores all Infernal Resolve.",
    "resolve.refresh-vow": "Events that directly oppose a character's Vow restore all Infernal Resolve at once.",
    "sorcery.burn": "Burn is a quick attack that does physical damage.",
    "sorcery.chill": "Chill is a quick attack on Infernal Resolve. It may carry a command to the target.",
    "sorcery.occult": "Occult can stand in for any other Expertise. It costs at least 1 point of Infernal Resolve,"
    " spent before the roll, and takes an hour for each die. It can have several targets, and the same Effect applies"
    " to each of them (our reading). If the spending kills the caster, there is no roll.",
    "sorcery.resist": "When an Occult roll succeeds, each target may answer with a roll of Resist, which also takes"
    " an hour for each die. If Resist succeeds, its Effect lowers the Effect of the Occult on that target (our"
    " reading). A purchase by Occult fails if its Effect is lowered to 0.",
    "sorcery.know": "Know recognises and analyses Occult: who uses it, what it does, and how high another character's"
    " Demon score is. A game master gives the answer in words.",
}
_CONFLICT: Mapping[str, str] = {
    "conflict.order": "The participants in a conflict act in order of their Beast scores, highest first. Ties are"
    " decided by Man, then by Demon, then by a coin. Until the conflict ends or a game master takes them out of it,"
    " participants act only in this order, and cannot do anything that takes minutes or hours.",
    "conflict.queue": "The participant who is next in the order acts or passes, and then goes to the end of the order"
    " (our reading).",
    "conflict.front": "A participant who has not collapsed may pay 1 Action Point to move to the front of the order,"
    " at any time and any number of times. They then act before an action that was already declared, unless its"
    " defence or its dice are known.",
    "conflict.act": "To act in a conflict, a character must have at least 1 Action Point and must not have collapsed.",
    "conflict.dealings": "Barter, Credit transfers, selling and handing things over are not actions and need no turn"
    " (our reading). At some tables they are actions, and take a turn.",
    "conflict.attack": "An attack is rolled against the attacker's own attribute, or against the target's if the"
    " target defends. A target who defends pays 1 Action Point and makes the attacker pay 1. With or without a"
    " defence, an attacker who misses loses 1 Action Point. Outside a conflict an attack works the same way, but"
    " there are no turns.",
    "conflict.may-defend": "A character cannot defend if they have collapsed, have no Action Points or are recovering.",
    "conflict.untargeted": "An action that has no target, or whose target is a thing, is rolled against the actor's"
    " own attribute. If it fails, no Action Point is lost.",
    "conflict.immediate": "Everything takes effect before the next action begins. Nothing is simultaneous.",
    "conflict.label": "A character with 1 Action Point is rushed, and one with 0 is discombobulated. These words do"
    " not change any roll.",
    "ap.no-automatic": "Action Points never return by themselves.",
    "ap.recover": "Recovering is an action. A character with 0 Action Points recovers 1 and can take no other action."
    " A character with 1 or more recovers up to the maximum. A collapsed character who recovers gets up, even if"
    " their Action Points are already at the maximum. In a conflict, a character counts as recovering until their"
    " next turn. Outside a conflict, they count as recovering until their next roll, until the clock moves on, or"
    " until a conflict that they are in begins or ends (our reading).",
    "resolve.for-ap": "At any time, a character can turn points of Infernal Resolve into the same number of Action"
    " Points.",
    "ap.over-max": "At some tables, recovering with 1 or more Action Points adds an amount that can take the"
    " character above the maximum. A character who is exactly at the maximum cannot do this.",
}
_FATIGUE: Mapping[str, str] = {
    "fatigue.limit": "Recovering with 1 or more Action Points is called a refresh. Once a character has refreshed as"
    " many times within one hour as their Physique score, they are exhausted: each later refresh gives only 1 Action"
    " Point.",
    "time.clock": "The campaign has one fictional clock, which counts minutes. Rituals, rest, quiet hours and"
    " recovering at a later minute move it forward. If several characters spend the same hours, those hours count"
    " only once, as long as each declaration says when they began. Only a game master can move the clock back, and"
    " must give a reason (our reading).",
    "fatigue.rest": "Exhaustion ends after a rest of 1 to 6 hours. The game master decides how many hours are needed.",
}
_POINTS: Mapping[str, str] = {
    "cp.session": "Everyone who played in a session gets the same award once: 1 or 2 character points. Play between"
    " two sessions counts for neither of them, unless a game master says which one it counts for.",
    "cp.vow": "A character who took a risk to conform to a Vow gets 1 extra character point, at most once per session.",
    "cp.used-only": "Character points can raise only those Identities, attributes and Expertises that were used in"
    " the previous session.",
    "cp.expertise": "To raise an Expertise by one level, a character pays five times its present level in character"
    " points. Level 0 counts as 1 (our reading).",
    "cp.identity": "To raise an Identity by one level, a character pays five times its present level in character"
    " points, or twice its present level if another Identity falls by 1. Level 0 counts as 1 (our reading).",
    "cp.attribute": "To raise an attribute by one level, a character pays five times its present level in character"
    " points. The limits of Identity, sex and age still apply.",
    "cp.consequences": "Raising Speed also raises the Action Point maximum. Raising Spirit raises the maximum of"
    " Infernal Resolve. Raising Social raises the Credit with the character's own House.",
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

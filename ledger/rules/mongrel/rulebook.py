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
    " is created. A table may give each character a status within their House, which only a game master changes.",
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
    "vow.end": "A Vow ends when it is fulfilled, or when a game master ends it. The character keeps whatever the Vow"
    " has already given them (our reading).",
}
_IDENTITY: Mapping[str, str] = {
    "identity.split": "Man, Beast and Demon add up to 6. At most one of them is 0.",
    "identity.primary": "The primary Identity is the highest one. If several are tied for highest, the player chooses.",
    "identity.body": "The primary Identity decides the form of the body. With primary Demon, the body has the form of"
    " Man or of Beast, whichever score is higher (the player chooses if they are tied), and something visibly"
    " unnatural. Each of the other two Identities shows in details, unless its score is 0.",
    "identity.forms": f"With primary Man the body is {_listed(FORMS['man'])}. With primary Beast it is one of these:"
    f" {_listed(map(words, BEAST_FORMS))}.",
    "identity.use": "The Identities add to Effect, decide the order in conflicts and limit attributes. The primary"
    " Identity decides which Power a character can have.",
}
_ATTRIBUTES: Mapping[str, str] = {
    "attr.range": "Each attribute is chosen from 1 to 7 (our reading), or from 1 to 6 at a table where no score can be"
    " higher than 6.",
    "attr.size-spirit": "Size and Spirit add up to 8. With primary Man both are 4. With primary Beast, Size is higher"
    " than Spirit. With primary Demon, Spirit is higher than Size.",
    "attr.physique-beauty": "Physique and Beauty add up to 8. As a guideline, a man has more Physique than Beauty, and"
    " a woman more Beauty than Physique. A character who ignores the guideline has a Social of 4 or less.",
    "attr.speed-social": "Speed and Social add up to 8. A young character has more Speed than Social, an old one more"
    " Social than Speed. An adult divides the 8 points freely.",
    "attr.ignored-and-old": "An old character who ignores the guideline for their sex has a Social of exactly 4 and a"
    " Speed of 3 or less. For this character Speed and Social need not add up to 8.",
    "attr.lowering": "After the attributes are chosen, any of them may be lowered, to no less than 1 (our reading)."
    " Nothing is gained for it.",
}
_EXPERTISE: Mapping[str, str] = {
    "expertise.step1": "In step 1, each Expertise of the primary Identity starts at 1, including its Power.",
    "expertise.step2": "In step 2, the player picks two Expertises, which rise by 3. Every other Expertise in the Area"
    " or Areas of those two rises by 1, once. A Power belongs to no Area.",
    "expertise.step3": "In step 3, the player picks two Expertises that were not picked in step 2. They rise by 2.",
    "expertise.step4": "In step 4, the player picks two Expertises that were not picked in steps 2 and 3. They rise by"
    " 1.",
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
    "expertise.stack": "Rises from different steps add up, so an Expertise can reach 4. The Power of an Identity"
    " than the primary one cannot be picked.",
}
_DERIVED: Mapping[str, str] = {
    "derived.ap": "The Action Point maximum is Speed, to which some tables add a bonus. A character starts at the"
    " maximum.",
    "derived.resolve": "The maximum of Infernal Resolve is Spirit. A character starts at the maximum.",
    "derived.wound": "The Wound Threshold is three numbers: Size, Size plus Physique, and Size plus twice Physique (our"
    " reading: the source names it but never uses it). Physique lost to wounds lowers the last two.",
}
_POWERS: Mapping[str, str] = {
    "power.allocate": "The level of a character's Power is the number of points to divide among the options of that"
    " Power. Points may stay undivided (our reading).",
    **{
        f"power.options.{power.removesuffix('_power')}": f"The options of {called(power)}:"
        f" {_listed(map(words, options))}."
        for power, options in OPTIONS.items()
    },
    "power.augment": "For a task, each Power option that fits adds its points to the number of dice of another"
    " Expertise.",
    "power.alone": "Rarely, fitting Power options are rolled by themselves, without another Expertise. They need at"
    " least 1 point together.",
}
_WEALTH: Mapping[str, str] = {
    "credit.start": "A character's Credit with their own House starts at their Social, and their Credit with each of"
    " the other six Houses at 1.",
    "credit.purchase": "An item that is available is bought with one roll. A die is good if it is at least the"
    " seller's Social and at most the buyer's Credit with one House. One good die is enough. A character's possession"
    " is for sale only if their player agrees, or if they have no player, a game master (our reading).",
    "credit.sacrifice": "If the roll succeeds against the buyer's Credit but does not win the item, the buyer may"
    " still get it by giving up Credit to the seller, as much as both agree on. The seller is asked once the amount is"
    " known.",
    "item.had": "A character has whatever they bought, found or were given, until they part with it (our reading). The"
    " dead and the collapsed cannot part with anything. A game master may move any possession.",
    "credit.sell": "A character can sell a possession for Credit to a buyer without a player. A game master must agree"
    " to the price (our reading).",
    "credit.transfer": "A character can move Credit between their accounts with two Houses. One account loses 2"
    " points for each point that the other gains.",
    "credit.social": "When Social changes, Credit with the character's own House changes by the same amount, but not"
    " below 0. The other accounts do not change.",
    "credit.cash": "Cash is a kind of barter. It has no account: a trade with it is recorded in words.",
    "credit.adjust": "A game master changes Credit for deals and obligations, but never to less than 0.",
}
_BASICS: Mapping[str, str] = {
    "task.pool": "The number of dice is the level of the Expertise plus the points of the Power options that fit.",
    "task.tn": "The target number is the score of one attribute. If the attribute is the roller's own, a die succeeds"
    " by showing that number or less. If it is a target's, a die succeeds by showing that number or more.",
    "task.count": "Each die that meets the target number is a success. One success is enough for the task, except in"
    " the special cases.",
    "task.ones-fail": "If every face of a die would succeed against a target's number (1 or less), the roll fails when"
    " half or more of the dice show 1.",
    "task.sixes-fail": "If every face of a die would succeed against the roller's own number (6 or more), the roll"
    " fails when half or more of the dice show 6.",
    "task.sevens-succeed": "If no face of a die would succeed against a target's number (7 or more), the roll succeeds"
    " only when half or more of the dice show 6. The Effect is then 1, and the Identity is not added.",
    "task.low-impossible": "If the roller's own number is below 1, the roll fails (our reading). At some tables it"
    " succeeds when half or more of the dice show 1, with an Effect of 1.",
    "task.zero-expertise": "If the Expertise and the Power options that fit give no dice, one die is rolled twice and"
    " must succeed both times. The Effect is then 1, and the Identity is not added.",
    "effect.base": "The Effect of a success is the number of successful dice plus the score of the Identity that"
    " governs the Expertise.",
}
_MODIFIERS: Mapping[str, str] = {
    "task.modifier": "Difficulty goes from 0 (none) to 4. It moves the target number against the roller: down if the"
    " number is the roller's own, up if it is a target's.",
    "task.proposal": "A game master decides difficulty, weapon, armour, Effect taken off, scores of things, minutes,"
    " and whether an item can be bought. A player who declares one of these only proposes it, and a game master gives"
    " a score that a player leaves out (our reading). At some tables the side, the attributes and the Power options of"
    " a player's task are proposals, too.",
}
_EFFECT: Mapping[str, str] = {
    "effect.change": "Each point of Infernal Resolve after the first that is spent on Occult adds 1 to the Effect (our"
    " reading). Features of the target lower the Effect of a success, but not below 0.",
    "effect.grade": "An Effect of 1 is minimal, 2 or 3 solid (our word), 4 or more notable.",
}
_DAMAGE: Mapping[str, str] = {
    "damage.net": "A weapon adds to the Effect of a physical hit, and armour lowers it. If nothing is left, the hit"
    " does no damage.",
    "item.use": "A weapon or armour among a character's possessions has the value recorded for it (our reading).",
    "damage.shunt": "The target may shunt any part of the damage to Beauty, up to their current Beauty. They lose 1 of"
    " these points of Beauty permanently and the others temporarily.",
    "damage.zones": "Damage first fills the Size row, up to Size. What is left goes down the Physique column: it is in"
    " the clear zone up to Physique, in the gray zone up to twice Physique, and terminal beyond that.",
    "damage.hit": "The hit that fills the Size row costs 1 Action Point. A hit that ends in the clear zone costs 1"
    " point of Physique. A hit that ends in the gray zone makes the character collapse, and beyond that the damage is"
    " terminal. Every hit on a collapsed character is terminal.",
    "damage.collapse": "A collapsed character has no Action Points. Until they recover one, they can neither defend"
    " nor act, in a conflict or outside.",
    "damage.terminal": "Terminal damage makes a character collapse, and kills them unless they spend Infernal Resolve.",
    "damage.resist-death": "A character with terminal damage who spends 1 point of Infernal Resolve does not die,"
    " unless it is their last point (our reading). They may then recover all Action Points.",
    "damage.terminal-stage": "A character who survives terminal damage is in the terminal stage. There, every further"
    " physical hit is terminal (our reading), and they die when they have no Infernal Resolve left.",
    "damage.healing": "A game master decides what heals, up to what was lost (our reading: the source has no rule for"
    " it).",
    "damage.dead": "Dead characters take no further part in play (our reading).",
}
_SORCERY: Mapping[str, str] = {
    "resolve.spiritual": "Chill and Occult attacks lower Infernal Resolve by their Effect. Weapons, armour and"
    " shunting make no difference. At some tables an Occult attack hits whatever the imitated Expertise would hit.",
    "resolve.zero": "A character whose Infernal Resolve reaches 0 collapses. While it stays at 0, their Action Point"
    " maximum is 1. In the terminal stage they die.",
    "resolve.collapsed-hit": "A spiritual hit (by Chill or Occult) on a collapsed character is not terminal (our"
    " reading).",
    "resolve.refresh-quiet": "An hour of meditation, simple tasks or calm company restores all Infernal Resolve.",
    "resolve.refresh-vow": "Events that directly oppose a character's Vow restore all Infernal Resolve at once.",
    "sorcery.burn": "Burn is a quick attack that does physical damage.",
    "sorcery.chill": "Chill is a quick attack on Infernal Resolve. It may carry a command to the target.",
    "sorcery.occult": "Occult can stand in for any other Expertise. It costs at least 1 point of Infernal Resolve,"
    " spent before the roll, and takes an hour for each die. It can have several targets, and the same"
    " Effect applies to each of them (our reading). A caster whom the spending kills does not roll.",
    "sorcery.resist": "Each target of a successful Occult may answer it with a roll of Resist, which is just as slow"
    " and lowers its Effect (our reading). A purchase by Occult needs an Effect of 1: if it is resisted to 0, it"
    " fails.",
    "sorcery.know": "Know recognises and analyses Occult: who uses it, what it does, and how much Demon another"
    " character has. A game master answers in words.",
}
_CONFLICT: Mapping[str, str] = {
    "conflict.order": "The participants of a conflict act in the order of their Beast scores, then Man, then Demon,"
    " the highest first. A coin decides complete ties. Until the conflict ends or a game master takes a participant"
    " out of it, the participant acts only in this order and does nothing that takes minutes or hours.",
    "conflict.queue": "The participant who is next in the order acts or passes, and then goes to the end of the order"
    " (our reading).",
    "conflict.front": "A participant who has not collapsed may pay 1 Action Point to move to the front of the order,"
    " at any time and any number of times. A declared action can no longer be forestalled this way once its defence or"
    " its dice are known.",
    "conflict.act": "To act in a conflict, a character must have an Action Point and must not have collapsed.",
    "conflict.dealings": "Barter, Credit transfers, selling and handing things over are not actions and need no turn"
    " (our reading). At some tables they are actions in the order.",
    "conflict.attack": "An attack is rolled against the attacker's own attribute, or against the target's if the"
    " target defends. A target who defends pays 1 Action Point and makes the attacker pay 1. A miss costs the attacker"
    " 1 more. Outside a conflict an attack works the same way, without an order.",
    "conflict.may-defend": "A character cannot defend if they have collapsed, have no Action Points or are recovering.",
    "conflict.untargeted": "An action that has no target, or whose target is a thing, is rolled against the actor's"
    " own attribute. If it fails, no Action Point is lost.",
    "conflict.immediate": "Everything takes effect before the next action begins. Nothing is simultaneous.",
    "conflict.label": "A character with 1 Action Point is rushed, and one with 0 is discombobulated. These words do"
    " not change any roll.",
    "ap.no-automatic": "Action Points never return by themselves.",
    "ap.recover": "Recovering is an action. With 0 Action Points it gives 1, and it is the only possible action. With"
    " 1 or more it restores the maximum. A collapsed character always gets up by recovering, even at the maximum. In a"
    " conflict, a character is recovering until their next turn. Outside, they are recovering until their next roll,"
    " until the clock moves on or until a conflict closes (our reading).",
    "resolve.for-ap": "At any time, a character can turn points of Infernal Resolve into the same number of Action"
    " Points.",
    "ap.over-max": "At some tables a refresh of Action Points adds an amount that can go beyond the maximum. A"
    " character with exactly the maximum cannot refresh.",
}
_FATIGUE: Mapping[str, str] = {
    "fatigue.limit": "Recovering with 1 or more Action Points is called a refresh. Once a character's refreshes within"
    " one hour are as many as their Physique, the character is exhausted: each later refresh gives only 1 Action"
    " Point.",
    "time.clock": "The campaign has one fictional clock, in minutes. Rituals, rest, quiet hours and recovering at a"
    " later minute move it forward. Hours that several characters spend at the same time count once if it is declared"
    " when they began. Only a game master can move the clock back, with a reason (our reading).",
    "fatigue.rest": "A rest of 1 to 6 hours, as the game master decides, ends exhaustion.",
}
_POINTS: Mapping[str, str] = {
    "cp.session": "Everyone who played a session gets the same award of 1 or 2 character points, once. Play between"
    " two sessions counts for neither, unless a game master says for which.",
    "cp.vow": "A character who took a risk to conform to a Vow gets 1 more character point, at most once per session.",
    "cp.used-only": "Character points raise only features that were used in the previous session.",
    "cp.expertise": "The next level of an Expertise costs five times its present level. Level 0 counts as 1 (our"
    " reading).",
    "cp.identity": "The next level of an Identity costs five times its present level, or two times if another Identity"
    " falls by 1. Level 0 counts as 1 (our reading).",
    "cp.attribute": "The next level of an attribute costs five times its present level, within the limits of Identity,"
    " sex and age.",
    "cp.consequences": "A raised Speed raises the Action Point maximum, a raised Spirit the maximum of Infernal"
    " Resolve, and a raised Social the Credit with the character's own House.",
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

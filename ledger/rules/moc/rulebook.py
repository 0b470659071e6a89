"""Every rule of the game: what it says, in our words, and the heading of the source where it stands."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.contract import RuleText

_DICE = "Dice affecting Advantages/Disadvantages"
_RULES: tuple[tuple[str, str, str], ...] = (
    ("dice.faces", "Only six-sided dice (d6) and ten-sided dice (d10) are used. A roll uses d10 unless a rule asks "
     "for d6.", "Generating Numbers"),
    ("dice.open-ended", "Each 10 that a d10 shows when it is rolled adds a bonus d10, and a 10 on a bonus die adds "
     "another. A 1 on a bonus die counts as a 2.", "Dice Rolling"),
    ("dice.effect-number", "A number on the dice is worth itself, plus 1 for each further die that rolled the same "
     "number. The Effect Number (EN) of a roll is the highest of these values.", "Generating Numbers"),
    ("dice.successes", "The kind of roll decides how its successes are counted: as the EN minus the target number "
     "(TN), plus 1, or as the number of dice that reach the TN.", "Levels of success"),
    ("level.resolve", "The number of successes is the level: 0 is a Failure, 1 a Near Success, 2 a Marginal Success, "
     "3 a Success and 4 or more an Outstanding Success. A Failure without a success on the dice is a Spectacular "
     "Failure if a die shows a 1 or an opponent spends a bead, card or chip on it.", "Levels of success"),
    ("level.required", "An action passes if it reaches the level that was required when it was declared. Unless "
     "another level was named, a Near Success is required.", "Levels of success"),
    ("action.by-em", "If the game master approves, a player can decide an action with an Effect Modifier (EM), that "
     "is, a bead, card or chip, instead of dice. The player then describes what happens.", "Dice Rolling"),
    ("level.meaning", "The game master says what each level means for an action. If an EM decided the action, its "
     "player may say so instead, with the game master's approval.", "Dice Rolling"),
    ("tn", "The game master sets the target number (TN): 7 is standard, 9 difficult, 11 or more very difficult. No "
     "TN goes below the campaign's minimum.", "Levels of success"),
    ("skill.entry", "A skill has an Element (never Storytelling), a Primary Characteristic (Primary), one or more "
     "characteristics below that Primary, and a difficulty from 0 to 2.", "Skills"),
    ("skill.target-number", "If the character is untrained, the skill's difficulty is added to the target number.",
     "Skill Thresholds"),
    ("skill.pool", "The dice pool of an action is the sum of the Primary, the skill level, the characteristics that "
     "tokens add, and bonus dice. An untrained character loses dice equal to the skill's difficulty, but rolls at "
     "least 1.", "Skill Thresholds"),
    ("skill.tokens", "A player can spend a token of a Primary to add a characteristic below that Primary to a dice "
     "pool. Each characteristic can be added once per action.", "Skill Thresholds"),
    ("skill.extended", "A character who spends 3, 7 or 15 times the base time on an action gets 1, 2 or 3 bonus "
     "dice, and so on.", "Extended Actions"),
    ("skill.gm-dice", "The game master may add dice to a pool for something that serves the story, or take dice away.",
     "Dice Pools"),
    ("opposed.net", "In an opposed action, both sides roll in secret. The active character declares successes and "
     "the resisting character takes some of them off. The net is the number that is left.", "Opposed Actions"),
    ("split.divide", "A player can split a dice pool between several actions. The pool loses 1 die for each action "
     "after the first, and at least 1 die. A defence does not count as an action here.", "Splitting Dice Pools"),
    ("split.one-pool", "The parts of a split pool (sub-pools) are still one dice pool: the points of a single card "
     "can be spread across them.", "Splitting Dice Pools"),
    ("split.pre-empt", "In a split, the first action that does not pass ends the later ones, unless the game master "
     "waives this. The later actions are then pre-empted: they were never attempted.", "Splitting Dice Pools"),
    ("card.hand", "Each session, a player draws 2 cards for a character and keeps both. For a Wildcard, the player "
     "draws 4 and keeps 3. Some Advantages add cards.", "Cards"),
    ("card.once", "A used card does not come back during the session.", "Cards as Beads"),
    ("card.secret", "Only the player of a character sees the character's hand and plays from it. A card becomes "
     "public when it is played.", "Cards"),
    ("card.value", "Cards from 2 to 10 count their number, a jack 11, a queen 12, a king 13 and an ace 14.",
     "Cards and Dice"),
    ("card.class", "A card of the action's Element is suited, and a card of the related Element is related. Any "
     "other card is off suit. Action and Plot are related, and so are Storytelling and Drama.", "Cards and Dice"),
    ("card.to-beads", "A player can exchange a card for 1 to 5 beads of its Element, depending on its value. Before "
     "a scene, the card gives two more.", "Cards as Beads"),
    ("card.shift", "Before a scene, a player can use a card to move beads from one Element to another: as many as "
     "half the card's value, rounded up.", "Cards as Beads"),
    ("card.dice", "A suited card adds its value in points to the dice of a pool, any other card half its value, "
     "rounded up. The player can spread the points over several dice.", "Cards and Dice"),
    ("card.other", "A card can be used in any other way that the game master approves.", "Cards"),
    ("card.trade", "A character with an approved Advantage for it can trade cards, if the other player agrees.",
     "Card affecting Advantages/Disadvantages"),
    ("trump.order", "To trump is to cancel what was played. A better card or a chip trumps a card, and any card "
     "trumps beads. The better card has the higher class (suited, then related, then off suit) or, in the same "
     "class, the higher value.", "Trump (Advanced)"),
    ("trump.stack", "A trump can be trumped, too. Only the top one of such a stack counts, and trumping a trump "
     "restores what it cancelled.", "Trump (Advanced)"),
    ("trump.effect", "What is trumped has no effect and is used up. Only beads of a primary Element of the player's "
     "character go back to the player.", "Trump (Advanced)"),
    ("trump.fiat", "Without playing a card, the game master may cancel a play, an action or a roll. Whatever was "
     "played goes back to its player, who should get a chip.", "Chips (Advanced)"),
    ("chip.value", "A white chip is worth 1, a red chip 3 and a blue chip 5.", "Chips (Advanced)"),
    ("chip.trade-up", "After a scene, a player can trade lower chips for a higher one. Together they must be worth "
     "exactly 1 more than the higher chip.", "Chips (Advanced)"),
    ("chip.trade-down", "After a scene, a player can trade a chip for lower chips of exactly the same total value.",
     "Chips (Advanced)"),
    ("chip.limit", "No player begins a scene with more than four chips. The chips of all of the player's characters "
     "count.", "Chips (Advanced)"),
    ("chip.exchange", "A player can exchange a chip for as many cards as its value, or for twice as many beads.",
     "Chips (Advanced)"),
    ("chip.automatic-success", "If the game master approves, a white chip makes an action a Success. If the roll was "
     "hidden from the player and did not need the chip, the chip comes back.", "Chips (Advanced)"),
    ("chip.character-point", "At the end of an arc, a blue chip can become one character point.", "Chips (Advanced)"),
    ("fate.penalty", "The game master may take chips for acts that harm the story, but no more chips than the "
     "character has.", "Fate"),
    ("fate.purse", "At the start of an arc, the game master sets the arc's purse: how many experience points (XP) "
     "can be awarded as chips.", "Fate"),
    ("fate.nominate", "After each session, players secretly nominate other players' characters. A character whom "
     "enough players nominated gets one chip.", "Fate"),
    ("fate.inherit", "A character who is dead, retired or sacrificed can neither act nor play. The character's chips "
     "go to the player's next character.", "Fate"),
    ("bead.allowance", "In each scene, a character gets beads for each point of Body, Mind and Spirit: 1 in standard "
     "games, 1 1/2 in heroic games, 2 or more in superheroic games. The total is rounded up.", "Allocating Beads"),
    ("bead.allocate", "A character's beads are in the primary Element unless the player moves them. Up to a third "
     "can move to secondary Elements for free. Each further bead there costs 2 beads, and each bead of any other "
     "Element costs 3.", "Allocating Beads"),
    ("bead.regenerate", "A character's beads end with the scene. The next scene brings a complete new set.", "Beads"),
    ("bead.use", "Before a roll, beads add dice, lower the target number or give a free Marginal Success. After any "
     "roll, each bead adds a success.", "What Beads can do"),
    ("story.tiers", "The number of Storytelling beads decides how far a change of the story reaches: with 1 bead "
     "this turn, with 2 this scene, with 3 this session, with 4 or more beyond the session.", "Storytelling"),
    ("tell", "Anybody may narrate without beads. The game master may veto or amend what was told.",
     "A Shift of Perspective"),
    ("story.action-beads", "If an action is never attempted, everything played on it goes back to its player.",
     "Splitting Dice Pools"),
    ("char.budget", "The power level sets the points for building a character: 100 (standard), 125 (heroic), 200 or "
     "more (superheroic).", "Character Generation"),
    ("char.cost", "Levels are bought in order. A level costs its number times 5 (Primary), 3 (other characteristic) "
     "or 1 (skill). Level 1 of each characteristic is free.", "Character Generation"),
    ("char.raise", "Raising a level later costs the difference.", "Character Generation"),
    ("char.tokens", "A character has as many tokens of a Primary as its rating. Spending the last one causes 1 "
     "fatigue.", ""),
    ("char.active", "Damage, this turn's pain and fatigue reduce the dice that a Primary gives.", "Damage"),
    ("char.derived", "A character can take 6 damage, and as much pain as twice Body plus Toughness plus Luck. A "
     "character who takes more pain in one hit than Body plus Toughness is dazed.", "Damage"),
    ("adv.dice", "An Advantage that affects dice costs 1 1/2 to 2 times as much as a skill of the same level.", _DICE),
    ("adv.period-dice", "Action Hero, Weapons Master and floating dice can be added to a roll when the player "
     "wishes. Used dice come back at the end of the scene, the session or the arc, depending on how they were bought.",
     _DICE),
    ("adv.weapons-master", "Weapons Master dice are only for the few related skills that were named when the dice "
     "were bought.", _DICE),
    ("adv.superhuman", "A Superhuman Characteristic has a level. Its owner can play beads on an action that uses the "
     "characteristic: each bead adds as many dice as the level.", "Bead affecting Advantages/Disadvantages"),
    ("adv.bits", "Three Bits cost one point. Each Bit counts as three dots of one narrow skill and is for occasional "
     "use.", "Bits"),
    ("adv.contacts", "Contacts cost more the more they are worth, compared with the character's points, and the more "
     "loyal they are.", "Backgrounds"),
    ("adv.negotiate", "For any other trait, the player proposes an effect and a cost. The game master approves the "
     "proposal or makes a counter-offer.", "Putting It All Together"),
    ("combat.initiative", "Each character involved rolls Body and Speed. The character with more successes acts "
     "first. If successes are equal, the higher dice total goes first. Characters equal in both act at the same time.",
     "Initiative"),
    ("combat.to-hit", "An attack hits if at least one success is left after the defence.", "To Hit"),
    ("combat.location", "With an Outstanding Success, the attacker chooses the hit location. Otherwise the game "
     "master names it, or one d10 decides.", "Success Levels and Damage"),
    ("combat.damage-pool", "The weapon's damage is a number of dice. With 1 net success, roll one d6 fewer; with 2, "
     "that many d6; with 3 or more, that many d10. Each net success after the first is a raise and adds one die.",
     "Success Levels and Damage"),
    ("combat.damage-roll", "Each damage die that reaches the weapon's lethality, minus the severity of the hit "
     "location, scores one point. Points from the dice that raises add cannot be resisted.", "Damage"),
    ("combat.resist", "The character who was hit rolls Body dice. Each success turns a point of damage into pain. A "
     "10 may remove a point instead.", "Resisting Damage"),
    ("combat.apply", "The points that were resisted become pain and the others damage, up to the character's limits. "
     "At 6 damage, the character goes down.", "Damage"),
    ("combat.dazed", "A dazed character cannot play beads and loses the next action.", "Damage"),
    ("combat.fatigue", "Damage, pain and some actions can cause fatigue. The game master says how much.", "Damage"),
    ("recover.scene", "At the end of a scene, a character loses 1 fatigue. A character without fatigue gets a token "
     "back instead.", "Recovery"),
    ("recover.action", "A full action of rest removes as much pain as the character's Toughness, unless something "
     "interrupts it before the character's next action.", "Recovery"),
    ("recover.damage", "When the healing period of the highest point of damage is over, the character rolls Spirit, "
     "plus Luck if a token is spent. One success heals the point.", "Recovering Damage"),
    ("move.rate", "Each turn, a character can move twice Speed plus Body in metres. In a secondary way of moving, "
     "the distance is Speed plus Body.", "Movement"),
    ("move.half-action", "A half-action move that nobody opposes succeeds unless it is a Spectacular Failure (a "
     "fumble).", "Movement"),
    ("move.fumble", "After a fumbled move, one of the successes that the character takes off each attack does not "
     "count, until the turn ends.", "Movement"),
    ("adv.martial-arts", "In an attack in the area of their Martial Arts, a character uses the Martial Arts "
     "level as the skill level. One bead per roll adds a number of damage dice equal to that level.", _DICE),
    ("adv.effect", "Once a trait is approved, it does what the game master set for it in numbers.",
     "Putting It All Together"),
    ("adv.pool", "Dice bought for a pool are added to every roll of that pool. Dice given up by agreement are "
     "subtracted.", _DICE),
)  # fmt: skip
RULES: Mapping[str, RuleText] = {f"moc.{id}": RuleText(statement, heading) for id, statement, heading in _RULES}

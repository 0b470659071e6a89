"""Every rule of the game: what it says, in our words, and the heading of the source where it stands."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.contract import RuleText

_DICE = "Dice affecting Advantages/Disadvantages"
_RULES: tuple[tuple[str, str, str], ...] = (
    ("dice.faces", "Only six-sided dice (d6) and ten-sided dice (d10) are used. A roll uses d10 unless a rule asks "
     "for d6.", "Generating Numbers"),
    ("dice.open-ended", "Each 10 rolled on a d10 adds a bonus d10, and a 10 on a bonus die adds another. A 1 on a "
                        "bonus die counts as a 2.", "Dice Rolling"),
    ("dice.effect-number", "A number on the dice is worth itself, plus 1 for each further die that rolled the same "
     "number. The Effect Number (EN) of a roll is the highest of these values.", "Generating Numbers"),
    ("dice.successes", "The kind of roll decides how its successes are counted: as the EN minus the target number "
     "(TN), plus 1, or as the number of dice that reach the TN.", "Levels of success"),
    ("level.resolve", "The number of successes is the level: 0 is a Failure, 1 a Near Success, 2 a Marginal "
                      "Success, 3 a Success and 4 or more an Outstanding Success. If no die scored a success, a "
                      "Failure becomes a Spectacular Failure when a die shows a 1, or when an opponent spends a "
                      "bead, card or chip to make it one.", "Levels of success"),
    ("level.required", "An action passes if it reaches the level that was required when it was declared. Unless "
     "another level was named, a Near Success is required.", "Levels of success"),
    ("action.by-em", "An Effect Modifier (EM) is a bead, card or chip. If the game master approves, a player can "
                     "decide an action with an EM instead of dice, and then describes what happens.",
                     "Dice Rolling"),
    ("level.meaning", "The game master says what each level means for an action. If an EM decided the action, the "
                      "player can do this instead, with the game master's approval.",
                      "Dice Rolling"),
    ("tn", "The game master sets the target number (TN): 7 is standard, 9 difficult, 11 or more very difficult. A "
           "TN is never below the campaign's minimum.", "Levels of success"),
    ("skill.entry", "A skill has an Element (never Storytelling), a difficulty from 0 to 2, a Primary "
                    "Characteristic (a Primary, for short: Body, Mind or Spirit), and one or more characteristics "
                    "that belong to that Primary.", "Skills"),
    ("skill.target-number", "If the character is untrained, the skill's difficulty is added to the target number.",
     "Skill Thresholds"),
    ("skill.pool", "The dice pool of an action is the sum of the Primary, the skill level, the characteristics that "
                   "tokens add, and extra dice. An untrained character loses dice equal to the skill's difficulty, "
                   "but rolls at least 1.", "Skill Thresholds"),
    ("skill.tokens", "A player can spend a token of a Primary to add a characteristic that belongs to that Primary "
                     "to a dice pool. Each characteristic can be added once per action.",
                     "Skill Thresholds"),
    ("skill.extended", "A character who spends 3 times the base time on an action gets 1 extra die, 7 times gives "
                       "2, 15 times gives 3, and so on.", "Extended Actions"),
    ("skill.gm-dice", "The game master may add dice to a pool for something that serves the story, or take dice away.",
     "Dice Pools"),
    ("opposed.net", "In an opposed action, both sides roll in secret. The active character declares successes, and "
                    "the resisting character takes some of them off. Those that are left are the net successes.",
                    "Opposed Actions"),
    ("split.divide", "A player can split a dice pool between several actions. The pool loses 1 die for each action "
     "after the first, but always at least 1. A defence does not count as an action here.", "Splitting Dice Pools"),
    ("split.one-pool", "The parts of a split pool (sub-pools) are still one dice pool: the points of a single card "
     "can be spread across them.", "Splitting Dice Pools"),
    ("split.pre-empt", "In a split, an action that does not pass pre-empts the later ones: they are never "
                       "attempted. The game master can waive this.", "Splitting Dice Pools"),
    ("card.hand", "Each session, a player draws 2 cards for a character and keeps both. For a Wildcard, the player "
     "draws 4 and keeps 3. Some Advantages add cards.", "Cards"),
    ("card.once", "A used card does not come back during the session.", "Cards as Beads"),
    ("card.secret", "Only the player of a character sees the character's hand and plays from it. A card becomes "
     "public when it is played.", "Cards"),
    ("card.value", "The value of a card from 2 to 10 is its number. A jack counts 11, a queen 12, a king 13 and an "
                   "ace 14.",
     "Cards and Dice"),
    ("card.class", "Clubs stand for Action, diamonds for Storytelling, spades for Plot and hearts for Drama. A card "
                   "of the action's Element is suited, a card of the related Element is related, and any other card "
                   "is off suit. Action and Plot are related, and so are Storytelling and Drama.",
                   "Cards and Dice"),
    ("card.to-beads", "A player can exchange a card for 1 to 5 beads of its Element, depending on its value. Before "
                      "a scene, a card gives 2 more beads.", "Cards as Beads"),
    ("card.shift", "Before a scene, a player can use a card to move beads from one Element to another: up to half "
                   "the card's value, rounded up.", "Cards as Beads"),
    ("card.dice", "A suited card adds its value in points to the dice of a pool, any other card half its value, "
     "rounded up. The player can spread the points over several dice.", "Cards and Dice"),
    ("card.other", "A card can be used in any other way that the game master approves.", "Cards"),
    ("card.trade", "A character with an approved Advantage that allows it can trade a card with another character, "
                   "if the other player agrees.",
     "Card affecting Advantages/Disadvantages"),
    ("trump.order", "To trump is to cancel what was played. A better card or a chip trumps a card, and any card "
     "trumps beads. The better card has the higher class (suited, then related, then off suit) or, in the same "
     "class, the higher value.", "Trump (Advanced)"),
    ("trump.stack", "A trump can be trumped, too. Only the last trump of such a stack counts. Trumping a trump "
                    "restores what it had cancelled.", "Trump (Advanced)"),
    ("trump.effect", "Whatever is trumped has no effect and is used up. Only beads of a primary Element of the "
                     "player's character go back to the player.", "Trump (Advanced)"),
    ("trump.fiat", "The game master may cancel a play, an action or a roll simply by deciding to, without a trump. "
                   "Whatever was played goes back to its player, who should get a chip.",
                   "Chips (Advanced)"),
    ("chip.value", "A white chip is worth 1, a red chip 3 and a blue chip 5.", "Chips (Advanced)"),
    ("chip.trade-up", "After a scene, a player can trade several lower chips for a higher one. In total, the "
                      "lower chips must be worth exactly 1 more than the higher chip.",
                      "Chips (Advanced)"),
    ("chip.trade-down", "After a scene, a player can trade a chip for lower chips of exactly the same total value.",
     "Chips (Advanced)"),
    ("chip.limit", "No player begins a scene with more than four chips. All the player's characters count towards "
                   "this limit.", "Chips (Advanced)"),
    ("chip.exchange", "A player can exchange a chip for cards or for beads. Each point of the chip's value gives 1 "
                      "card or 2 beads.",
     "Chips (Advanced)"),
    ("chip.automatic-success", "If the game master approves, a white chip makes an action a Success. If the roll "
                               "was hidden from the player and turns out not to need the chip, the chip comes back.",
                               "Chips (Advanced)"),
    ("chip.character-point", "At the end of an arc, a blue chip can become one character point.", "Chips (Advanced)"),
    ("fate.penalty", "The game master may take chips away as a penalty for acts that harm the story, but no more "
                     "chips than the character has.", "Fate"),
    ("fate.purse", "At the start of an arc, the game master sets the arc's purse: how many experience points (XP) "
     "can be awarded as chips.", "Fate"),
    ("fate.nominate", "After each session, players secretly nominate other players' characters. A character "
                      "nominated by enough players gets one chip.", "Fate"),
    ("fate.inherit", "A character who is dead, retired or sacrificed can neither act nor play beads, cards or "
                     "chips. The character's chips go to the player's next character.", "Fate"),
    ("bead.allowance", "In each scene, a character gets beads for each point of Body, Mind and Spirit: 1 in standard "
     "games, 1 1/2 in heroic games, 2 or more in superheroic games. The total is rounded up.", "Allocating Beads"),
    ("bead.allocate", "A character's beads are in the primary Element unless the player moves them. Up to a third "
     "can move to secondary Elements for free. Each further bead in a secondary Element costs 2 beads, and each bead "
     "in any other Element costs 3.", "Allocating Beads"),
    ("bead.regenerate", "A character's beads last until the scene ends. The next scene brings a complete new set.",
                        "Beads"),
    ("bead.use", "Before a roll, beads add dice, lower the target number or give a free Marginal Success. After any "
     "roll, each bead adds a success.", "What Beads can do"),
    ("story.tiers", "The number of Storytelling beads decides how long a change of the story can last: 1 bead for "
                    "this turn, 2 for this scene, 3 for this session, 4 or more beyond the session.",
                    "Storytelling"),
    ("tell", "Anybody may narrate without beads. The game master may veto or amend what was narrated.",
     "A Shift of Perspective"),
    ("story.action-beads", "If an action is never attempted, everything played on it goes back to its player.",
     "Splitting Dice Pools"),
    ("char.budget", "The power level sets the points for building a character: 100 (standard), 125 (heroic), 200 or "
     "more (superheroic).", "Character Generation"),
    ("char.cost", "Levels are bought in order. A level costs its number times 5 for a Primary, 3 for another "
                  "characteristic or 1 for a skill. Level 1 of each characteristic is free.",
                  "Character Generation"),
    ("char.raise", "To raise a rating later, a player pays for each level that is added.", "Character Generation"),
    ("char.tokens", "A character has one token for each point of a Primary's rating. Spending the last token of a "
                    "Primary causes 1 fatigue.", ""),
    ("char.active", "A character's damage, fatigue and pain from this turn reduce the dice that a Primary gives.",
                    "Damage"),
    ("char.derived", "A character can take at most 6 damage. The most pain that a character can take is twice Body, "
                     "plus Toughness, plus Luck. A "
     "character who takes more pain in one hit than Body plus Toughness is dazed.", "Damage"),
    ("adv.dice", "An Advantage that affects dice costs 1 1/2 to 2 times as much as a skill of the same level.", _DICE),
    ("adv.period-dice", "Action Hero, Weapons Master and floating dice can be added to a roll when the player "
     "wishes. Used dice come back at the end of the scene, the session or the arc, depending on how they were bought.",
     _DICE),
    ("adv.weapons-master", "Weapons Master dice are only for the few related skills that were named when the dice "
     "were bought.", _DICE),
    ("adv.superhuman", "A Superhuman Characteristic has a level. Its owner can play beads on an action that uses "
                       "the characteristic. Each bead adds dice equal to the level.",
                       "Bead affecting Advantages/Disadvantages"),
    ("adv.bits", "Three Bits cost one point. Each Bit counts as three levels of one narrow skill, and is for "
                 "occasional use.", "Bits"),
    ("adv.contacts", "Contacts cost more if they are more loyal, or if they are worth more in comparison with the "
                     "character's own points.", "Backgrounds"),
    ("adv.negotiate", "For any other trait, the player proposes an effect and a cost. The game master approves the "
     "proposal or makes a counter-offer.", "Putting It All Together"),
    ("combat.initiative", "Each character involved rolls Body plus Speed. The character with the most successes "
                          "acts first. If they are tied, the one with the higher total on the dice goes first. If "
                          "the totals are equal too, they act at the same time.",
     "Initiative"),
    ("combat.to-hit", "An attack hits if at least one success is left after the defence.", "To Hit"),
    ("combat.location", "With an Outstanding Success, the attacker chooses the hit location. Otherwise the game "
     "master names it, or one d10 decides.", "Success Levels and Damage"),
    ("combat.damage-pool", "A weapon's damage is a number of dice. With 1 net success, the attack rolls one die "
                           "fewer than this, using d6. With 2, it rolls all of them as d6, and with 3 or more, all "
                           "of them as d10. Each net success after the first is a raise, which adds one die.",
     "Success Levels and Damage"),
    ("combat.damage-roll", "The threshold is the weapon's lethality minus the severity of the hit location. Each "
                           "damage die that reaches it scores one point. Points scored by dice that were added "
                           "by raises cannot be resisted.", "Damage"),
    ("combat.resist", "The character who was hit rolls Body dice. Each success turns a point of damage into pain. A "
                      "10 can remove a point altogether instead.", "Resisting Damage"),
    ("combat.apply", "Points of damage that were resisted become pain, and the others become damage, up to the "
                     "character's limits. At 6 damage, the character goes down.", "Damage"),
    ("combat.dazed", "A dazed character cannot play beads and loses the next action.", "Damage"),
    ("combat.fatigue", "Damage, pain and some actions can cause fatigue. The game master says how much.", "Damage"),
    ("recover.scene", "At the end of a scene, a character loses 1 fatigue. A character without fatigue gets a token "
     "back instead.", "Recovery"),
    ("recover.action", "A full action of rest removes an amount of pain equal to the character's Toughness, unless "
                       "something interrupts the rest before the character's next action.", "Recovery"),
    ("recover.damage", "When the healing period for the highest point of damage is over, the character rolls "
                       "Spirit, plus Luck if a token is spent. One success heals that point.",
                       "Recovering Damage"),
    ("move.rate", "Each turn, a character can move a number of metres equal to Body plus twice Speed. With a "
                  "secondary form of movement, it is Body plus Speed.", "Movement"),
    ("move.half-action", "A half-action move that nobody opposes succeeds unless it is a Spectacular Failure (a "
     "fumble).", "Movement"),
    ("move.fumble", "After a fumbled move, each time the character takes successes off an attack, one of them does "
                    "not count. This lasts until the turn ends.", "Movement"),
    ("adv.martial-arts", "When attacking in the area of their Martial Arts, a character uses the Martial Arts level "
                         "as the skill level. One bead per roll adds damage dice equal to that level.",
                         _DICE),
    ("adv.effect", "Once a trait is approved, the ledger applies the numbers that the game master set for it.",
     "Putting It All Together"),
    ("adv.pool", "Dice bought for a pool are added to every roll of that pool. Dice that a trait takes away from "
                 "the pool are subtracted.", _DICE),
)  # fmt: skip
RULES: Mapping[str, RuleText] = {f"moc.{id}": RuleText(statement, heading) for id, statement, heading in _RULES}

"""Every rule of the game: what it says, in our words, and the heading of the source where it stands."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.contract import RuleText

_DICE = "Dice affecting Advantages/Disadvantages"
_RULES: tuple[tuple[str, str, str], ...] = (
    ("dice.faces", "Only d6 and d10 are used. A roll uses d10 unless a rule asks for d6.", "Generating Numbers"),
    ("dice.open-ended", "Each natural 10 on a d10 adds a bonus d10, which can add another. On a bonus die, a 1 reads "
     "as 2.", "Dice Rolling"),
    ("dice.effect-number", "The Effect Number (EN) is the best face: its number, plus 1 for each further die that "
     "shows it naturally.", "Generating Numbers"),
    ("dice.successes", "Successes are EN minus TN plus 1, or the number of dice that reach the TN. The kind of roll "
     "decides which.", "Levels of success"),
    ("level.resolve", "Dice, then beads, trumps and chips decide the level: 1 success is Near, 2 Marginal, 3 Success, "
     "4 or more Outstanding.", "Levels of success"),
    ("level.required", "An action passes if it reaches the level set when it was declared. The default is Near.",
     "Levels of success"),
    ("action.by-em", "With approval, an Effect Modifier (EM) decides an action instead of dice. Its player describes "
     "what happens.", "Dice Rolling"),
    ("level.meaning", "The game master says what each level does. If an EM decided the action, the player may, with "
     "approval.", "Dice Rolling"),
    ("tn", "The game master sets the target number (TN): 7 is standard, 9 difficult, 11 or more very difficult. No TN "
     "goes below the table's minimum.", "Levels of success"),
    ("skill.entry", "A skill has an Element (never Storytelling), a Primary, one or more characteristics below that "
     "Primary, and a difficulty from 0 to 2.", "Skills"),
    ("skill.target-number", "The skill's difficulty is added to the target number if the character is untrained.",
     "Skill Thresholds"),
    ("skill.pool", "The pool is the Primary, the skill level, activated characteristics and bonus dice. An untrained "
     "character loses dice equal to the difficulty, but rolls at least 1.", "Skill Thresholds"),
    ("skill.tokens", "A token of a Primary adds a characteristic below it to the pool, once per action.",
     "Skill Thresholds"),
    ("skill.extended", "Spending 3, 7 or 15 times the base time adds 1, 2 or 3 bonus dice, and so on.",
     "Extended Actions"),
    ("skill.gm-dice", "The game master may add dice for something that serves the story, or take dice away.",
     "Dice Pools"),
    ("opposed.net", "Both sides roll in secret. The net is the successes declared minus the successes taken off.",
     "Opposed Actions"),
    ("split.divide", "Several actions at once share one pool. It loses 1 die for each action after the first, but "
     "always at least 1. A defence does not count as an action here.", "Splitting Dice Pools"),
    ("split.one-pool", "All sub-pools are one dice pool: a single card can be spread across them.",
     "Splitting Dice Pools"),
    ("split.pre-empt", "The first action that does not pass ends the later actions of the turn, unless the game "
     "master waives this.", "Splitting Dice Pools"),
    ("card.hand", "Each session, a player draws 2 cards and keeps both. A Wildcard draws 4 and keeps 3. Some "
     "Advantages add cards.", "Cards"),
    ("card.once", "A used card does not come back during the session.", "Cards as Beads"),
    ("card.secret", "Only its owner sees a hand and plays from it. A card becomes public when it is played.", "Cards"),
    ("card.value", "Cards from 2 to 10 count their number, a jack 11, a queen 12, a king 13 and an ace 14.",
     "Cards and Dice"),
    ("card.class", "A card is suited, related or off suit, depending on the action's Element.", "Cards and Dice"),
    ("card.to-beads", "A card can be exchanged for 1 to 5 beads of its Element. Before a scene, it gives two more.",
     "Cards as Beads"),
    ("card.shift", "Before a scene, a card can move beads to another Element, up to half its value, rounded up.",
     "Cards as Beads"),
    ("card.dice", "A suited card adds its value to the dice of a pool, any other card half its value, rounded up. The "
     "points can be spread.", "Cards and Dice"),
    ("card.other", "Any other use of a card needs the game master's approval.", "Cards"),
    ("card.trade", "A character with an approved Advantage for it can trade cards, if the other player agrees.",
     "Card affecting Advantages/Disadvantages"),
    ("trump.order", "A better card cancels a card, any card cancels beads, and a chip cancels a card, wherever they "
     "were played. Class counts first, then value.", "Trump (Advanced)"),
    ("trump.stack", "Plays on the same thing stack, and the top one counts. Trumping a trump restores what it "
     "cancelled.", "Trump (Advanced)"),
    ("trump.effect", "A cancelled play does nothing and is used up. Only beads of the player's primary Element go "
     "back.", "Trump (Advanced)"),
    ("trump.fiat", "The game master may cancel a play or an action without a card. The play goes back to its player, "
     "who should get a chip.", "Chips (Advanced)"),
    ("chip.value", "A white chip is worth 1, a red chip 3 and a blue chip 5.", "Chips (Advanced)"),
    ("chip.trade-up", "After a scene, lower chips worth one more than a higher chip can be traded for it.",
     "Chips (Advanced)"),
    ("chip.trade-down", "After a scene, a chip can be traded for lower chips of exactly its value.",
     "Chips (Advanced)"),
    ("chip.limit", "No player begins a scene with more than four chips, counting all of their characters.",
     "Chips (Advanced)"),
    ("chip.exchange", "A chip can be exchanged for as many cards as its value, or for twice as many beads.",
     "Chips (Advanced)"),
    ("chip.automatic-success", "With approval, a white chip makes an action a Success. The chip comes back if a "
     "hidden roll turns out not to need it.", "Chips (Advanced)"),
    ("chip.character-point", "At the end of an arc, a blue chip can become one character point.", "Chips (Advanced)"),
    ("fate.penalty", "The game master may take chips for acts that harm the story, but no more than the player has.",
     "Fate"),
    ("fate.purse", "At the start of an arc, the game master sets how many XP can be awarded as chips.", "Fate"),
    ("fate.nominate", "Players secretly nominate other players' characters. A character with enough nominations gets "
     "one chip.", "Fate"),
    ("fate.inherit", "A character who is gone can neither act nor play. The chips go to the player's next character.",
     "Fate"),
    ("bead.allowance", "A scene gives 1 bead for each point of Body, Mind and Spirit: 1 1/2 in heroic games, 2 or "
     "more in superheroic ones, rounded up.", "Allocating Beads"),
    ("bead.allocate", "Beads are in the primary Element unless you move them. A third can move to secondary Elements "
     "for free. Each further one costs 2 beads, and each bead of any other Element costs 3.", "Allocating Beads"),
    ("bead.regenerate", "Beads end with the scene. The next scene brings a complete new set.", "Beads"),
    ("bead.use", "Beads add successes or dice, lower a target number, or give a free Marginal Success.",
     "What Beads can do"),
    ("story.tiers", "The number of Storytelling beads decides how far a change reaches: this turn, this scene, this "
     "session, or beyond.", "Storytelling"),
    ("tell", "Anybody may narrate without beads. The game master may veto or amend it.", "A Shift of Perspective"),
    ("story.action-beads", "If an action is never attempted, everything played on it goes back to its player.",
     "Splitting Dice Pools"),
    ("char.budget", "The power level gives the points to build a character: 100 (standard), 125 (heroic), 200 or more "
     "(superheroic).", "Character Generation"),
    ("char.cost", "Levels are bought in order. Each costs its number times 5 (Primary), 3 (other characteristic) or 1 "
     "(skill). Level 1 of a characteristic is free.", "Character Generation"),
    ("char.raise", "Raising a level later costs the difference.", "Character Generation"),
    ("char.tokens", "A Primary has as many tokens as its rating. Spending the last one brings 1 fatigue.", ""),
    ("char.active", "Damage, this turn's pain and fatigue lower the dice that a Primary gives.", "Damage"),
    ("char.derived", "A character can take 6 damage. The pain capacity is twice Body plus T and L. More than Body "
     "plus T pain in one hit dazes.", "Damage"),
    ("adv.dice", "An Advantage that affects dice costs 1 1/2 to 2 times as much as a skill.", _DICE),
    ("adv.period-dice", "Bought dice can be added when the player wishes. Used dice come back when their scene, "
     "session or arc ends.", _DICE),
    ("adv.weapons-master", "Weapons Master dice are only for the few related skills that were named when they were "
     "bought.", _DICE),
    ("adv.superhuman", "A bead adds the Superhuman level to one of the owner's actions with that characteristic.",
     "Bead affecting Advantages/Disadvantages"),
    ("adv.bits", "Three Bits cost one point. Each counts as three dots of a narrow skill, for occasional use.", "Bits"),
    ("adv.contacts", "The cost of contacts grows with their worth, compared with the character's points, and with "
     "their loyalty.", "Backgrounds"),
    ("adv.negotiate", "The player proposes any other trait. The game master approves it or makes a counter-offer.",
     "Putting It All Together"),
    ("combat.initiative", "Everybody rolls Body and Speed. More successes act first, then the higher total. Equal "
     "results act together.", "Initiative"),
    ("combat.to-hit", "An attack hits if at least one success is left after the defence.", "To Hit"),
    ("combat.location", "With an Outstanding Success, the attacker chooses the location. Otherwise the game master "
     "says, or one d10 decides.", "Success Levels and Damage"),
    ("combat.damage-pool", "The weapon's damage is a number of dice. With 1 net success, roll one d6 fewer; with 2, "
     "that many d6; with 3 or more, that many d10. Each raise adds a die.", "Success Levels and Damage"),
    ("combat.damage-roll", "Each damage die that reaches the lethality minus the severity of the location scores one "
     "point. Points from raise dice cannot be resisted.", "Damage"),
    ("combat.resist", "Each success with Body dice turns a point into pain. A natural 10 may remove a point instead.",
     "Resisting Damage"),
    ("combat.apply", "Resisted points become pain, the others damage, within the body's limits. At 6 damage, the "
     "character goes down.", "Damage"),
    ("combat.dazed", "A dazed character plays no beads and loses the next action.", "Damage"),
    ("combat.fatigue", "Damage, pain and some actions may bring fatigue. The game master says how much.", "Damage"),
    ("recover.scene", "At the end of a scene, a character loses 1 fatigue or, with no fatigue, gets a token back.",
     "Recovery"),
    ("recover.action", "A full action of rest removes pain equal to T, unless it is interrupted before the next "
     "action.", "Recovery"),
    ("recover.damage", "After its healing period, the highest point of damage can heal, with a roll of Spirit and L.",
     "Recovering Damage"),
    ("move.rate", "Each turn, a character can move Body plus twice Speed, in metres, or Body plus Speed in a secondary "
     "mode.", "Movement"),
    ("move.half-action", "A half-action move that nobody opposes succeeds unless it is fumbled.", "Movement"),
    ("move.fumble", "After a fumbled move, the character takes off one success fewer until the turn ends.", "Movement"),
    ("adv.martial-arts", "On an attack in its area, Martial Arts counts instead of the skill. A bead adds its level "
     "once per roll.", _DICE),
    ("adv.effect", "The numbers of an agreed trait take effect once the trait is approved.", "Putting It All Together"),
    ("adv.pool", "A pool whose dice were bought up or down counts as bought wherever it is rolled.", _DICE),
)  # fmt: skip
RULES: Mapping[str, RuleText] = {f"moc.{id}": RuleText(statement, heading) for id, statement, heading in _RULES}

"""Every rule by its id: a short statement of our own, and the heading of the source.

Where the source is silent, the heading is empty.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.contract import RuleText
from ledger.rules.kernel.refusals import RuleId

_PLAY: Mapping[str, tuple[str, str]] = {
    "game.numbers": ("Before the Game begins, the Group chooses a Critical Juncture (1 or more) and an Epic Index (0"
                     " or more). Their sum is at most 10.", "Critical Junctures; Epic Index"),
    "play.solo": ("In Solo Play, one Player plays alone and changes only what is their own. The only use of"
                  " Experience Dice is to develop a Persona.", "Solo Play"),
    "play.general": ("In General Play there are no rolls and no Turns. The Speaker says what happens. Any Player may"
                     " call for Specific Play.", "General Play"),
    "play.specific": ("In Specific Play, Players can roll for Actions, but there are no Turns.", "Specific Play"),
    "play.mechanical": ("In Mechanical Play, Characters act in the order of their Turns. Nobody can use a plot"
                        " device.", "Mechanical Play"),
    "play.lull": ("When Mechanical Play ends, there is a lull. Penalties that have been waiting for it take effect.",
                  "Results"),
    "play.consensus": ("Any Player can ask the Group to agree on something that the rules leave open. The Group"
                       " agrees if all other Players present say yes.", "Consensus"),
    "proprietor.own": ("A Player is the Proprietor of everything that belongs to their Persona, and of anything else"
                       " that they introduce. The Gamemaster is the Proprietor of what belongs to Regular Characters,"
                       " and of the rest of the world.", "Proprietor"),
    "proprietor.transfer": ("Only the Proprietor of an element can hand it to another Player. They can do so at any"
                            " time.",
                            "Proprietor"),
    "proprietor.consent": ("A Player who wants to use or change another Player's element needs that Player's"
                           " consent. Not objecting counts as consent.",
                           "General Play; Proprietor"),
    "proprietor.persona": ("Only the Player of a Persona decides how it responds to an Action.", "Rules of Engagement"),
    "persona.no-cap": ("A new Persona can cost any number of Development Points, unless its Player sets a limit or"
                       " agrees to one. The Gamemaster can limit only Regular Characters.",
                       "Creating/Evolving a Character"),
    "persona.limit-in-words": ("A limit on new Personae can also be in words, such as a theme or a genre. It applies"
                               " to the Players who agree to it.", "Creating/Evolving a Character"),
    "persona.later-points": ("After creation, a Persona gets Development Points only from Experience Dice. Each point"
                             " raises one Rating by 1, or pays for part of a trait.", "Creating/Evolving a Character"),
    "persona.in-play": ("What happens in Play can give a Character a Disadvantage, or remove an entry from a"
                        " Persona Sheet, if the Player and the Gamemaster both agree. Nobody gets points or dice for"
                        " it.",
                        "General Play; Critical Junctures"),
    "persona.cash-in": ("If Play removes a characteristic from a Persona, its Player can exchange the Development"
                        " Points in it for Experience Dice.", "Creating/Evolving a Character"),
}  # fmt: skip
_RATINGS: Mapping[str, tuple[str, str]] = {
    "rating.statistic": ("Every Character has six Statistics. Each is 8 plus the Development Points in it. It"
                         " starts at 10 at no cost, and cannot be lower than 9.",
                         "Statistics"),
    "stat.hit-points": ("A Persona with no Hit Points left cannot attack, unless the Gamemaster rules otherwise.",
                        "Hit Points"),
    "rating.skill": ("A Skill's Rating is a base plus its points of talent and training, of which there is at least"
                     " 1. The base depends on the Skill's difficulty, from 11 for Easy down to 4 for Legendary.",
                     "Skills"),
    "rating.special-ability": ("A Special Ability is bought like a Skill. How strong its effect is can be read from"
                               " the UE Chart, a table of quantities by Rating.",
                               "Special Abilities"),
    "rating.free-skill": ("Free Skills cost 1 Development Point for every five of them, rounded up. Raising a Free"
                          " Skill by 1 costs 1 point.", "Free Skills"),
    "rating.character": ("Elements of 'Character' are small traits, such as habits. Every five of them cost 1"
                         " Development Point, rounded up.",
                         "'Character'"),
    "rating.advantage": ("An Advantage costs as many Development Points as its value. It can give a modifier in"
                         " certain situations, specialize a Rating, or rule out a Default.",
                         "Advantages"),
    "rating.disadvantage": ("Every Disadvantage has a value. When the Character suffers from the Disadvantage, its"
                            " value decides how many Experience Dice the Player gets.",
                            "Disadvantages"),
    "rating.minimum": ("A Skill or Special Ability must have at least 1 Development Point in it. A Free Skill needs"
                       " none.", "Development Points"),
    "rating.total": ("A Persona costs the sum of all its Development Points, minus the 12 that every Character has"
                     " in Statistics for free.", "Development Points"),
    "rating.resource": ("A Resource is an amount that can be lost and restored. Hit Points and Power are Resources,"
                        " and so is any Rating that an ability drains.", "Resource"),
    "listing.ability": ("The campaign can list an ability with its difficulty, Scope, Duration, Power cost,"
                        " Defaults and the steps of its Flurry. Only the Gamemaster can let a Character's ability go"
                        " beyond its listing.", "Skills"),
    "listing.advantage": ("The campaign can list Advantages and Disadvantages, each with its value and modifier."
                          " Only the Gamemaster can let a Character's trait go beyond its listing.",
                          "Advantages/Disadvantages/'Character'"),
    "listing.weapon": ("The campaign can list weapons besides those that the game names. Each has a number that it"
                       " adds when damage is calculated.", "Damage"),
    "default.related": ("A Character who lacks an ability can Default, that is, use a related Rating instead. The"
                        " listing gives the modifier for this.", "Defaulting"),
    "default.scope": ("A Default takes an extra -1 if the ability and the related Rating have different Scopes.",
                      "Defaulting"),
    "default.untrained": ("A Character who lacks an ability, and has no better related Rating, can Default to the"
                          " base of the ability's difficulty: from 11 for Easy down to 4 for Legendary.",
                          "Defaulting"),
    "default.barred": ("An Advantage or Disadvantage can rule out Defaults for an ability. Nobody can use a Default"
                       " for a Special Ability, unless its listing or an option allows it.",
                       "Defaulting"),
}  # fmt: skip
_RESOLUTION: Mapping[str, tuple[str, str]] = {
    "resolve.phases": ("A resolution has three Phases, in this order: Opportunity, Decision, Application.",
                       "Resolution"),
    "resolve.declare": ("An Action begins when a Player states what their Character (the Actor) does, to whom, and"
                        " with which Rating.", "Choose"),
    "resolve.modifiers": ("All modifiers to a Rating are added up when the Opportunity Phase ends. They cannot change"
                          " after that.", "Modifiers"),
    "engage.player": ("A Persona that an Action affects is Engaged. Before anybody rolls, its Player decides whether"
                      " it opposes the Action or stays passive.", "'Rules of Engagement'"),
    "engage.off-guard": ("A Persona that is concentrating on something else is Off-Guard. It becomes Engaged only"
                         " if it succeeds at a Reaction roll at -2.",
                         "Off-Guard"),
    "mib.basic": ("A MIB (Made-It-By number) is the modified Rating minus the sum of two ten-sided dice, plus or"
                  " minus any Experience Dice.", "MIB numbers"),
    "mib.experience": ("Every Player present may add Experience Dice to a MIB, or subtract them from it, until the"
                       " Decision Phase ends.", "Adding/Subtracting Experience Dice"),
    "mib.preempt": ("Players may roll Experience Dice before the ten-sided dice. An option can let Experience Dice"
                    " replace the ten-sided dice.", "Adding/Subtracting Experience Dice"),
    "mib.report": ("After each roll, the ledger shows by how much the roll succeeded or failed, and what that"
                   " means so far.",
                   "MIB numbers"),
    "mib.close": ("When everybody has rolled, a Player calls out the totals. These are the basic MIBs.",
                  "Adding/Subtracting Experience Dice"),
    "contest.simultaneous": ("If a Persona opposes an Action, it is a Resistor, and there is a contest. Both"
                             " Players state their Actions first. Then both roll, in any order.",
                             "Contested rolls"),
    "contest.rmib": ("The RMIB (Resultant MIB) is the Actor's MIB minus the Resistor's MIB. A Resistor's MIB below 0"
                     " is not subtracted.", "Contested rolls"),
    "contest.many": ("If several Resistors oppose an Action, there is an RMIB for each of them. Each RMIB is judged"
                     " separately.", ""),
    "apply.challenge": ("A Challenge is a complication. Each one that a Player takes for their own Persona adds 1"
                        " to that Persona's MIB. Any Player may offer one.",
                        "Buy a Success/Spend a Success"),
    "apply.challenge-limit": ("In a resolution, each side can take at most as many Challenges as the Epic Index.",
                              "Buy a Success/Spend a Success"),
    "apply.benefit": ("A Benefit is an improvement. Each one costs 1 point of a MIB that is above 0.",
                      "Buy a Success/Spend a Success"),
    "apply.order": ("Both sides take their Challenges before anybody takes a Benefit. After that, any points that"
                    " are still above the Critical Juncture become Benefits.",
                    "Buy a Success/Spend a Success"),
    "apply.contested": ("In a contest, each side changes its own MIB. Only the side that is ahead can take"
                        " Benefits: at most 1 for each point by which it is ahead.",
                        "Buy a Success/Spend a Success"),
    "apply.automatic-benefit": ("Points of a MIB or RMIB above the Critical Juncture become Benefits automatically."
                                " The remaining MIB or RMIB is used for results.",
                                "Buy a Success/Spend a Success"),
    "apply.outcome": ("A MIB or RMIB above 0 is a success, and 0 is a minimal success. A number below 0 is a failure;"
                      " in a contest, the Resistor's Action then decides what happens.",
                      "Interpreting Contested Actions or RMIB numbers"),
    "juncture.telling-blow": ("A MIB or RMIB at or above the Critical Juncture is a Telling Blow. The Proprietor of"
                              " whatever the Action is aimed at invents lasting consequences.",
                              "Telling Blow"),
    "juncture.catastrophic-failure": ("A MIB or RMIB that is below 0 by the Critical Juncture or more is a"
                                      " Catastrophic Failure. The Actor's Player invents lasting consequences for"
                                      " their own Persona.",
                                      "Catastrophic Failure"),
    "juncture.contest-gate": ("The RMIB of a contest can be a Telling Blow or a Catastrophic Failure only if one"
                              " side's own MIB, before Challenges and Benefits, was also at least as far from 0 as"
                              " the Critical Juncture.",
                              "Interpreting Contested Actions or RMIB numbers"),
    "juncture.points": ("Consequences can include new Disadvantages. Their total value is at most the Points that "
                        "the UE Chart gives for the remaining MIB or RMIB.",
                        "Critical Junctures"),
    "juncture.excess": ("The Player who invents the consequences spends each point beyond the Critical Juncture on"
                        " one of them, such as a Benefit or a lasting modifier.",
                        "Critical Junctures"),
    "juncture.duration": ("Consequences of a Telling Blow or a Catastrophic Failure last at least until the Session"
                          " ends.", "Critical Junctures"),
}  # fmt: skip
_RESULTS: Mapping[str, tuple[str, str]] = {
    "result.choose": ("If an Action decides what happens, its Player chooses one or more results: damage, a loss of"
                      " some other Resource, a Residual modifier, or just the number as a measure of the effect.",
                      "Results"),
    "result.factor": ("A Factor result reduces a Resource. The loss is the remaining MIB or RMIB, times the"
                      " Multiplier that the UE Chart gives for the Action's Magnitude.",
                      "Results"),
    "result.residual": ("A Residual is a modifier that lasts. Its size is the Bonus that the UE Chart gives for the"
                        " remaining MIB or RMIB.", "Results"),
    "result.rounding": ("Fractions are rounded to the nearest whole number. Halves are rounded up.", "Damage"),
    "result.when": ("Results take effect at the end of the Application Phase.", "Results"),
    "result.deferred-penalty": ("Penalties for a reduced Resource wait for the next lull. Outside Mechanical Play,"
                                " they take effect immediately.", "Results"),
    "contest.resistor-results": ("A Resistor who wins the contest with a MIB of 0 or more can choose results of its"
                                 " own.", "Interpreting Contested Actions or RMIB numbers"),
    "damage.fists": ("A Character who has a Strength of 9 to 11 and uses no weapon does damage equal to the "
                     "remaining RMIB.", "Damage"),
    "damage.formula": ("To calculate damage, add the weapon's number to the remaining RMIB, multiply by the"
                       " Multiplier for the Character's Strength, and subtract protection. Damage is never below 0.",
                       "Damage"),
    "damage.weapon": ("Fists add 0 to the RMIB, a dagger 1, a short sword 2 and a long sword 3.", "Damage"),
    "damage.protection": ("A piece of protection reduces damage by a fixed amount, or by the Bonus for the ability"
                          " it was bought with. Each ability counts only once.",
                          "Protection"),
    "damage.table": ("The Persona Sheet lists the damage of each weapon for every RMIB from 0 to the Critical"
                     " Juncture.", "Damage"),
    "damage.scope": ("At Squad Scope and above, damage means losses to a unit.", "Squad-Level Scope"),
    "damage.wounds": ("A wound is described in words. It has no other effect.", "Damage"),
    "resource.reduce": ("A Resource cannot fall below 0. At 0 it is used up.", "Hit Points"),
    "resource.power": ("A Character cannot spend more Power than it has left.", "Power"),
    "resource.restore": ("The Gamemaster can restore a Resource, up to its maximum.", ""),
    "chart.band": ("The UE Chart gives quantities for each Rating. Each row of the standard chart covers three"
                   " Ratings.", ""),
    "chart.multiplier": ("For Ratings 9 to 11, the Multiplier is 1. In every other row of the UE Chart, it is 1 1/2"
                         " times that of the row for the next lower Ratings.", ""),
    "chart.points": ("The Points for a Rating are its Multiplier, rounded to a whole number of at least 1.", ""),
    "chart.bonus": ("The Bonus for a Rating is the same number as its Points.", ""),
    "chart.quantity": ("Every quantity on the UE Chart grows by a factor of 3/2 from one row to the next, as the"
                       " Multiplier does.",
                       ""),
}  # fmt: skip
_DICE: Mapping[str, tuple[str, str]] = {
    "xd.instant": ("The Gamemaster can award Experience Dice at any time, for anything that makes Play more fun. A"
                   " Player can propose an award for another Player.", "Experience Dice"),
    "xd.cool-beans": ("Players may give their own Experience Dice to each other.", "Experience Dice"),
    "xd.cool-beans-replaced": ("If a Player gives dice away for a good reason, the Gamemaster may replace them from"
                               " the common stock.", "Experience Dice"),
    "xd.coup": ("A Player who notices that the Gamemaster has forgotten an award can count coup. If the coup is"
                " granted, the award is made, and the Player who noticed gets 1 extra die.",
                "Experience Dice"),
    "xd.gimme": ("A Player whose Persona suffers from a Disadvantage gets a Gimme: Experience Dice, whose number"
                 " depends on the value of the Disadvantage and on how much it mattered.", "Gimmes"),
    "xd.gimme-genre": ("A Genre Expectation is something that usually happens in stories of the genre. A Player"
                       " whose Persona loses out because of one gets the number of dice listed for it.",
                       "Freebies"),
    "xd.freebie": ("If an Advantage or a Genre Expectation favors a Persona's Action, the Persona's Player gets a"
                   " Freebie: a die for that Action only.", "Freebies"),
    "xd.payback": ("A Player who spends dice on what the genre expects can claim them back as Payback. If the "
                   "Payback is granted, and spending the dice put the Game back on track, the Player gets 1 die of "
                   "interest, too.",
                   "Rewards"),
    "xd.cash-in": ("When Play removes a characteristic, each Development Point in it is worth 1 Experience Die.",
                   "Buy or Spend Them"),
    "xd.contribute": ("Players roll Experience Dice from their own purses. The Gamemaster has no purse.",
                      "Adding/Subtracting Experience Dice"),
    "xd.against": ("An Experience Die is used against the Player whose Action it makes worse. If it makes nobody's"
                   " Action worse, it is used against nobody.", "Experience Dice"),
    "xd.handover": ("When the totals are called out, each Experience Die goes to the Player it was used against. If"
                    " it was used against nobody, it goes to the common stock.",
                    "Experience Dice"),
    "xd.loaner": ("A Player may borrow a die, called a Loaner, and roll it immediately. The Player it is used"
                  " against saves it for later.", "Loaners"),
    "xd.loaner-use": ("The Player who saved a Loaner must use it against its borrower in the same Session.",
                      "Loaners"),
    "xd.loaner-expiry": ("Saved Loaners lapse if they are not used before the Session ends.", "Loaners"),
    "xd.develop": ("To develop a Persona, a Player rolls one or more Experience Dice together. A total of 6 gives 1"
                   " Development Point, and every 4 more give another.", "Buy or Spend Them"),
    "xd.plot-device": ("Outside Mechanical Play, a Player can roll Experience Dice as a plot device. Their total"
                       " counts as a MIB.", "Use Them"),
}  # fmt: skip
_MECHANICAL: Mapping[str, tuple[str, str]] = {
    "mech.scope": ("If there are at least twice as many Characters as Players, the Scope must be larger than"
                   " Individual. The Scope can shift during Mechanical Play.", "Scope/Duration"),
    "mech.initiative": ("The Player who decides that a fight cannot be avoided calls for Mechanical Play. Their"
                        " Personae go first.", "Combat Initiative"),
    "mech.order": ("The caller's Personae take the first Turns. Then Play passes to the Player on the right, and so"
                   " on. Each Player takes the Turns of all their Personae before Play passes on.", "Rounds/Turns"),
    "mech.actions": ("A Character has 2 Actions in a Turn, minus any that it has forfeited. Unused Actions are "
                     "lost.", "Immediate Actions"),
    "mech.instantaneous": ("An Instantaneous Rating can be used only on the Character's own Turn or in a Flurry, no"
                           " matter how the Action is paid for.", "Instantaneous"),
    "mech.free": ("A Free Action does not use up an Action. In each Round, a Character can take at most as many as"
                  " the Epic Index, and only one of each kind.", "Free Actions"),
    "mech.free-refresh": ("Once a Round, on its own Turn, a Character can spend an Action to restore all its Free"
                          " Actions.", "Free Actions"),
    "mech.forfeit": ("To react on another Character's Turn, an Engaged Persona can forfeit an Action of its next"
                     " Turn. It can forfeit at most 2.", "Forfeiting"),
    "mech.flurry": ("A Flurry is a series of steps from a script. The whole series counts as one Action. It ends"
                    " with a hit, with an interruption, or after as many steps as the Epic Index.",
                    "Following Actions"),
    "mech.all-out": ("A Persona in an All-Out Attack cannot defend itself until its next Turn. In All-Out Defense,"
                     " it can only defend itself and move. While it is Focusing on a foe, it is Off-Guard to"
                     " everybody else.", "Combat Advantage"),
    "mech.engage": ("An attack must engage at least one Character. The Character at whom it is aimed is always"
                    " Engaged.", "'Rules of Engagement'"),
    "mech.join": ("A Persona that joins later gets the place in the order that it would have had from the"
                  " beginning. A Persona that leaves and comes back in the same Round gets no second Turn.",
                  "Rounds/Turns"),
    "mech.end": ("The caller or the Group can end Mechanical Play at a Scope. All Turns, forfeited Actions and "
                 "Combat Advantage at that Scope end with it. Mechanical Play at other Scopes continues.",
                 "Turn Sequencing"),
    "advantage.penalty": ("Each point of Combat Advantage that a foe holds over a Character is -1 on all of that"
                          " Character's rolls.", "Combat Advantage"),
    "advantage.seize": ("A Character who has no Combat Advantage over a foe can Seize 1 point of it. This needs a"
                        " suitable Action, or a ruling by the Gamemaster.",
                        "Seizing the Advantage"),
    "advantage.hold": ("A Character who has Combat Advantage over a foe can Hold it, which adds 1 point.",
                       "Holding the Advantage"),
    "advantage.check": ("A Character can Check the Combat Advantage that a foe holds over it, which removes 1 point.",
                        "Checking the Advantage"),
    "advantage.erase": ("A Character who makes a crucial mistake against a foe, or falls for a foe's Trick, loses "
                        "all Combat Advantage over that foe.", "Checking the Advantage"),
    "advantage.convert": ("Points of a Telling Blow beyond the Critical Juncture can become Combat Advantage.",
                          "Critical Junctures"),
    "advantage.cap": ("A Character cannot hold more Combat Advantage over a foe than the Epic Index.",
                      "Combat Advantage"),
    "advantage.switch": ("A Character who turns to another foe loses all Combat Advantage over the others.",
                         "Combat Advantage"),
}  # fmt: skip

RULES: Mapping[RuleId, RuleText] = {
    f"scattershot.{rule}": RuleText(statement, heading)
    for chapter in (_PLAY, _RATINGS, _RESOLUTION, _RESULTS, _DICE, _MECHANICAL)
    for rule, (statement, heading) in chapter.items()
}

"""Every rule by its id: a short statement of our own, and the heading of the source.

Where the source is silent, the heading is empty.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.contract import RuleText
from ledger.rules.kernel.refusals import RuleId

_PLAY: Mapping[str, tuple[str, str]] = {
    "game.numbers": ("Before the Game begins, the Group chooses a Critical Juncture (1 or more) and an Epic Index (0"
                     " or more). Together they are at most 10.", "Critical Junctures; Epic Index"),
    "play.solo": ("In Solo Play, one Player works alone and changes only their own elements. Experience Dice only"
                  " develop a Persona.", "Solo Play"),
    "play.general": ("General Play has no rolls and no order: what the Speaker says happens. Any Player may call for"
                     " Specific Play.", "General Play"),
    "play.specific": ("Specific Play has rolls, but no order of Turns.", "Specific Play"),
    "play.mechanical": ("In Mechanical Play, rolls follow the order of Turns. There are no plot devices.",
                        "Mechanical Play"),
    "play.lull": ("Leaving Mechanical Play is a lull. Penalties that waited for it take effect.", "Results"),
    "play.consensus": ("Any Player can ask the Group to agree on something that the rules leave open. It is agreed if"
                       " every other Player present agrees.", "Consensus"),
    "proprietor.own": ("The Player of a Persona owns what belongs to it. Other elements belong to the Player who"
                       " introduces them. What goes with Regular Characters, and the rest of the world, is the"
                       " Gamemaster's.", "Proprietor"),
    "proprietor.transfer": ("Only the Proprietor of an element may hand it to another Player, at any time.",
                            "Proprietor"),
    "proprietor.consent": ("Using or changing another Player's element needs the Proprietor's consent, or at least no"
                           " objection.", "General Play; Proprietor"),
    "proprietor.persona": ("An Action cannot decide how another Persona responds. Its Player decides that.",
                           "Rules of Engagement"),
    "persona.no-cap": ("Starting Development Points have no limit, except one that a Player sets for themself or"
                       " agrees to. The Gamemaster can limit only Regular Characters.",
                       "Creating/Evolving a Character"),
    "persona.limit-in-words": ("A limit can also be words, such as a theme or a genre. It binds the Players who agree"
                               " to it.",
                               "Creating/Evolving a Character"),
    "persona.later-points": ("After creation, Development Points come only from Experience Dice. Each point raises one"
                             " Rating by 1 or pays for a trait.", "Creating/Evolving a Character"),
    "persona.in-play": ("Play can give a Character a Disadvantage, or strike an entry from its Persona Sheet, if its"
                        " Player and the Gamemaster both agree. No points or dice are paid for this.",
                        "General Play; Critical Junctures"),
    "persona.cash-in": ("If Play removes a characteristic, its points can be exchanged for Experience Dice.",
                        "Creating/Evolving a Character"),
}  # fmt: skip
_RATINGS: Mapping[str, tuple[str, str]] = {
    "rating.statistic": ("Every Character has six Statistics, each 8 plus its points. They start at 10 without cost."
                         " The lowest Rating is 9.", "Statistics"),
    "stat.hit-points": ("A Persona without Hit Points has no fight left and cannot attack, unless the Gamemaster rules"
                        " otherwise.", "Hit Points"),
    "rating.skill": ("A Skill is its difficulty's base, from 11 (Easy) to 4 (Legendary), plus talent and training of"
                     " at least 1 point.", "Skills"),
    "rating.special-ability": ("A Special Ability is bought like a Skill. The UE Chart says how much it does.",
                               "Special Abilities"),
    "rating.free-skill": ("Up to five Free Skills cost 1 point together, and so do each five more. Raising one by 1"
                          " costs 1 point.", "Free Skills"),
    "rating.character": ("Up to five elements of 'Character' cost 1 point together, and so do each five more.",
                         "'Character'"),
    "rating.advantage": ("An Advantage costs its value. It can give a modifier, specialize a Rating or bar a Default.",
                         "Advantages"),
    "rating.disadvantage": ("A Disadvantage has a value. Gimmes depend on it.", "Disadvantages"),
    "rating.minimum": ("Every ability has at least 1 point in it, except Free Skills.", "Development Points"),
    "rating.total": ("The cost of a Persona is all its points, except the 12 that every Character has in Statistics.",
                     "Development Points"),
    "rating.resource": ("Hit Points and Power are Resources, and so is any Rating that an ability drains.", "Resource"),
    "listing.ability": ("A listing sets an ability's difficulty, Scope, Duration, Power cost and Defaults. Only the"
                        " Gamemaster can allow more.", "Skills"),
    "listing.advantage": ("Advantages and Disadvantages are as the campaign lists them. Only the Gamemaster can allow"
                          " more.", "Advantages/Disadvantages/'Character'"),
    "listing.weapon": ("The campaign can list weapons besides those the game names. Each has a number that it adds to"
                       " an RMIB.", "Damage"),
    "default.related": ("A Character without an ability may use a related Rating, with the modifier in the listing.",
                        "Defaulting"),
    "default.scope": ("If the two Scopes differ, the Default has an extra -1.", "Defaulting"),
    "default.untrained": ("Without a better related Rating, a Default is the difficulty's base: 11 for Easy, down to 4"
                          " for Legendary.", "Defaulting"),
    "default.barred": ("Some traits bar a Default. A Special Ability has none, unless its listing or the table allows"
                       " it.", "Defaulting"),
}  # fmt: skip
_RESOLUTION: Mapping[str, tuple[str, str]] = {
    "resolve.phases": ("A resolution has three Phases, in this order: Opportunity, Decision, Application.",
                       "Resolution"),
    "resolve.declare": ("An Action begins when its Player states what the Character does, to whom, and with which"
                        " Rating.", "Choose"),
    "resolve.modifiers": ("All modifiers are added up when the Opportunity Phase ends. They cannot change later.",
                          "Modifiers"),
    "engage.player": ("Before dice are rolled, the Player of each Engaged Persona answers: it opposes the Action or"
                      " stays passive.", "'Rules of Engagement'"),
    "engage.off-guard": ("An Off-Guard Persona is Engaged only if it succeeds at a Reaction roll with -2.",
                         "Off-Guard"),
    "mib.basic": ("A MIB is the modified Rating minus two ten-sided dice, plus or minus Experience Dice.",
                  "MIB numbers"),
    "mib.experience": ("Every Player present may add or subtract Experience Dice until the Decision Phase closes.",
                       "Adding/Subtracting Experience Dice"),
    "mib.preempt": ("Experience Dice may be rolled before the ten-sided dice. At some tables, they may be rolled"
                    " instead.", "Adding/Subtracting Experience Dice"),
    "mib.report": ("Each roll shows immediately by how much it was made or missed, and what that means.",
                   "MIB numbers"),
    "mib.close": ("When everybody has rolled, the totals are called. They are the basic MIBs.",
                  "Adding/Subtracting Experience Dice"),
    "contest.simultaneous": ("In a contest, both Actions are stated first and then rolled together.",
                             "Contested rolls"),
    "contest.rmib": ("The RMIB is the Actor's MIB minus the Resistor's MIB. A Resistor's MIB below 0 is not"
                     " subtracted.", "Contested rolls"),
    "contest.many": ("Against several Resistors, each has an RMIB of its own and is judged separately.", ""),
    "apply.challenge": ("Each Challenge that a Player takes for their own Persona adds 1 to its MIB. Anybody may"
                        " suggest one.", "Buy a Success/Spend a Success"),
    "apply.challenge-limit": ("Each side can take at most as many Challenges as the Epic Index.",
                              "Buy a Success/Spend a Success"),
    "apply.benefit": ("Each point of a MIB above 0 can buy one Benefit.", "Buy a Success/Spend a Success"),
    "apply.order": ("Both sides take all Challenges before anybody takes a Benefit. The cap comes last.",
                    "Buy a Success/Spend a Success"),
    "apply.contested": ("In a contest, each side changes its own MIB. Only the side that is ahead buys Benefits, at"
                        " most as many as its lead.", "Buy a Success/Spend a Success"),
    "apply.automatic-benefit": ("Points above the Critical Juncture become Benefits automatically. What remains is"
                                " used for results.", "Buy a Success/Spend a Success"),
    "apply.outcome": ("A number above 0 is a success, 0 a minimal success. Below 0 is a failure: in a contest, the"
                      " Resistor's Action decides.", "Interpreting Contested Actions or RMIB numbers"),
    "juncture.telling-blow": ("A number at or above the Critical Juncture is a Telling Blow: the Proprietor of the"
                              " Subject invents lasting consequences.", "Telling Blow"),
    "juncture.catastrophic-failure": ("A number at or below minus the Critical Juncture is a Catastrophic Failure: the"
                                      " Actor's Player invents lasting consequences for their own Persona.",
                                      "Catastrophic Failure"),
    "juncture.contest-gate": ("In a contest, a Critical Juncture also needs a MIB that reached the threshold before"
                              " Challenges and Benefits.", "Interpreting Contested Actions or RMIB numbers"),
    "juncture.points": ("Consequences can include new Disadvantages. The UE Chart's Points for the remaining number"
                        " limit their value.", "Critical Junctures"),
    "juncture.excess": ("The author of the consequences divides the points beyond the threshold.",
                        "Critical Junctures"),
    "juncture.duration": ("Lasting consequences do not end before the Session does.", "Critical Junctures"),
}  # fmt: skip
_RESULTS: Mapping[str, tuple[str, str]] = {
    "result.choose": ("The Player whose Action decides chooses one or more results: damage, a loss, a Residual or the"
                      " plain number.", "Results"),
    "result.factor": ("A Factor result reduces a Resource by the remaining MIB or RMIB times the Magnitude's"
                      " Multiplier.", "Results"),
    "result.residual": ("A Residual is a lasting modifier. Its size is the Bonus of the remaining MIB or RMIB.",
                        "Results"),
    "result.rounding": ("Fractions are rounded to the nearest whole number. Halves are rounded up.", "Damage"),
    "result.when": ("Results are applied at the end of the Application Phase.", "Results"),
    "result.deferred-penalty": ("Penalties for a reduced Resource wait for the next lull. Outside Mechanical Play they"
                                " count immediately.", "Results"),
    "contest.resistor-results": ("A Resistor who is ahead with a MIB of 0 or more may have results of its own.",
                                 "Interpreting Contested Actions or RMIB numbers"),
    "damage.fists": ("With bare hands and a Strength of 9 to 11, damage is the remaining RMIB.", "Damage"),
    "damage.formula": ("Damage is the remaining RMIB plus the weapon, times the Multiplier of Strength, minus"
                       " protection. It is never below 0.", "Damage"),
    "damage.weapon": ("Fists add 0, a dagger 1, a short sword 2 and a long sword 3.", "Damage"),
    "damage.protection": ("Protection subtracts a fixed amount, or the Bonus of the ability it was bought with. Each"
                          " ability counts once.", "Protection"),
    "damage.table": ("The Persona Sheet lists the damage for each RMIB from 0 to the Critical Juncture, with each"
                     " weapon.", "Damage"),
    "damage.scope": ("At Squad Scope and above, damage is losses to the unit.", "Squad-Level Scope"),
    "damage.wounds": ("Wounds are only described in words.", "Damage"),
    "resource.reduce": ("A Resource does not fall below 0. At 0 it is gone.", "Hit Points"),
    "resource.power": ("Nobody can spend more Power than they have.", "Power"),
    "resource.restore": ("A ruling can restore a Resource, up to its maximum.", ""),
    "chart.band": ("Each row of the UE Chart has three Ratings.", ""),
    "chart.multiplier": ("The Multiplier is 1 for Ratings 9 to 11. Each row is 3/2 of the row before.", ""),
    "chart.points": ("Points are the Multiplier, rounded, and at least 1.", ""),
    "chart.bonus": ("The Bonus is the same as the Points: the Multiplier, rounded, and at least 1.", ""),
    "chart.quantity": ("Any other amount grows by 3/2 from row to row, like the Multiplier.", ""),
}  # fmt: skip
_DICE: Mapping[str, tuple[str, str]] = {
    "xd.instant": ("Good Play earns Experience Dice immediately, from the Gamemaster or by a vote of the Group.",
                   "Experience Dice"),
    "xd.cool-beans": ("Players may give their own dice to each other.", "Experience Dice"),
    "xd.cool-beans-replaced": ("The Gamemaster may replace dice that a Player gave away for a good reason.",
                               "Experience Dice"),
    "xd.coup": ("A Player who catches the Gamemaster forgetting an award earns 1 extra die, if the coup is granted.",
                "Experience Dice"),
    "xd.gimme": ("A Disadvantage that makes a Persona suffer earns dice, by its value and by how much it hurt.",
                 "Gimmes"),
    "xd.gimme-genre": ("A Genre Expectation that works against a Persona earns its listed dice.", "Freebies"),
    "xd.freebie": ("An Advantage or a Genre Expectation in a Persona's favor gives a die for that Action only.",
                   "Freebies"),
    "xd.payback": ("Dice spent on what the genre expects come back if granted, with interest if they put the Game back"
                   " on track.", "Rewards"),
    "xd.cash-in": ("Each point of a characteristic that Play removed is worth one die.", "Buy or Spend Them"),
    "xd.contribute": ("Players roll dice from their own purse.", "Adding/Subtracting Experience Dice"),
    "xd.against": ("A die goes against the Player whose Action it hurts, or against nobody.", "Experience Dice"),
    "xd.handover": ("When the totals are called, each die goes to the Player it went against, or to the common stock.",
                    "Experience Dice"),
    "xd.loaner": ("A Player may borrow a die to roll it immediately. The Player it went against saves it.", "Loaners"),
    "xd.loaner-use": ("A saved Loaner must be rolled against its borrower in the same Session.", "Loaners"),
    "xd.loaner-expiry": ("Loaners that are not used before the Session ends lapse.", "Loaners"),
    "xd.develop": ("Dice rolled together give 1 Development Point for a total of 6, and 1 more for every further 4.",
                   "Buy or Spend Them"),
    "xd.plot-device": ("Outside Mechanical Play, dice alone can be a MIB.", "Use Them"),
}  # fmt: skip
_MECHANICAL: Mapping[str, tuple[str, str]] = {
    "mech.scope": ("With twice as many Characters as Players or more, the Scope must be larger than Individual. It can"
                   " shift during Mechanical Play.",
                   "Scope/Duration"),
    "mech.initiative": ("The Player who decides that a fight cannot be avoided calls it, and their Personae go first.",
                        "Combat Initiative"),
    "mech.order": ("The caller's Personae have the first Turns, then always those of the Player on the right. Each"
                   " Player finishes all their Personae.", "Rounds/Turns"),
    "mech.actions": ("A Turn has 2 Actions, minus those forfeited. Unused Actions are lost.", "Immediate Actions"),
    "mech.instantaneous": ("An Instantaneous Rating can be used only on the Character's own Turn or in a Flurry,"
                           " whatever pays for it.", "Instantaneous"),
    "mech.free": ("Free Actions cost nothing. In each Round there are as many as the Epic Index, one of each kind.",
                  "Free Actions"),
    "mech.free-refresh": ("Once a Round, on its own Turn, a Character can spend an Action to restore all Free Actions.",
                          "Free Actions"),
    "mech.forfeit": ("A Reactive Action costs an Action of the Persona's next Turn. At most 2 can be forfeited.",
                     "Forfeiting"),
    "mech.flurry": ("A Flurry is a script of steps that counts as one Action. A hit, an interruption or the Epic Index"
                    " ends it.", "Following Actions"),
    "mech.all-out": ("Until the next Turn, All-Out Attack allows no defense, and All-Out Defense only defense and"
                     " movement. Focusing leaves a Persona Off-Guard to all but its foe.", "Combat Advantage"),
    "mech.engage": ("An attack names whom it engages. The Character it is aimed at is Engaged, too.",
                    "'Rules of Engagement'"),
    "mech.join": ("A Persona that joins later has the place of an early start. If it comes back, it keeps the Turn it"
                  " took.", "Rounds/Turns"),
    "mech.end": ("Its caller or the Group ends Mechanical Play, with all its counts. At another Scope it goes on.",
                 "Turn Sequencing"),
    "advantage.penalty": ("Each Combat Advantage held over a Character is -1 to all its rolls.", "Combat Advantage"),
    "advantage.seize": ("A Character with no Advantage over a foe can Seize the first, with a fitting act or a ruling.",
                        "Seizing the Advantage"),
    "advantage.hold": ("A Character with Advantage over a foe can Hold it, which adds 1.", "Holding the Advantage"),
    "advantage.check": ("The Character who suffers from Advantage can Check it, which removes 1.",
                        "Checking the Advantage"),
    "advantage.erase": ("A crucial mistake of its holder, or a Trick, ends all Advantage over a foe.",
                        "Checking the Advantage"),
    "advantage.convert": ("Excess points of a Telling Blow can become Combat Advantage.", "Critical Junctures"),
    "advantage.cap": ("Nobody holds more Combat Advantage over a foe than the Epic Index.", "Combat Advantage"),
    "advantage.switch": ("A Character who turns to another foe, by any act, loses all Advantage over the others.",
                         "Combat Advantage"),
}  # fmt: skip

RULES: Mapping[RuleId, RuleText] = {
    f"scattershot.{rule}": RuleText(statement, heading)
    for chapter in (_PLAY, _RATINGS, _RESOLUTION, _RESULTS, _DICE, _MECHANICAL)
    for rule, (statement, heading) in chapter.items()
}

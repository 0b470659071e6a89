"""Every rule by its id: one sentence of our own, and the heading of the source where it stands.

Where the source is silent, the heading is empty.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.contract import RuleId, RuleText

_PLAY: Mapping[str, tuple[str, str]] = {
    "game.numbers": ("Before the Game begins its two numbers are settled; together they are 10 at the most.",
                     "Critical Junctures; Epic Index"),
    "play.solo": ("Alone, a Player changes what is theirs, and dice do nothing but grow a Persona.", "Solo Play"),
    "play.general": ("In General Play nothing is rolled: what the Speaker tells happens.", "General Play"),
    "play.specific": ("In Specific Play rolls are made, in no order.", "Specific Play"),
    "play.mechanical": ("In Mechanical Play rolls go by Turns, and there are no plot devices.", "Mechanical Play"),
    "play.lull": ("Going back from Mechanical Play lets the waiting penalties count.", "Results"),
    "proprietor.own": ("What belongs to a Persona is its Player's, what nobody is connected with is whoever's names it"
                       " first, the rest is the Gamemaster's.", "Proprietor"),
    "proprietor.transfer": ("Only the Proprietor hands an element on, to anybody, at any time.", "Proprietor"),
    "proprietor.consent": ("What is another's is used with a yes, or at least without a no.",
                           "General Play; Proprietor"),
    "proprietor.persona": ("Whoever plays a Persona decides how it responds, however the Action was put.",
                           "Rules of Engagement"),
    "persona.no-cap": ("Starting points have no limit but the one a Player takes on; the Gamemaster limits Regular"
                       " Characters only.", "Creating/Evolving a Character"),
    "persona.later-points": ("Later points come from dice alone, and each raises one Rating by 1.",
                             "Creating/Evolving a Character"),
    "persona.cash-in": ("Points that Play takes away come back as dice.", "Creating/Evolving a Character"),
}  # fmt: skip
_RATINGS: Mapping[str, tuple[str, str]] = {
    "rating.statistic": ("Everybody has six Statistics, 8 and their points; 10 is free.", "Statistics"),
    "rating.skill": ("A Skill is its difficulty's base with talent and training on top.", "Skills"),
    "rating.special-ability": ("A Special Ability is bought like a Skill, and the chart says how much it does.",
                               "Special Abilities"),
    "rating.free-skill": ("Five Free Skills cost a point, raising them costs as usual.", "Free Skills"),
    "rating.character": ("Five elements of 'Character' cost a point.", "'Character'"),
    "rating.advantage": ("An Advantage costs its value, and helps, specialises or bars a Default.", "Advantages"),
    "rating.disadvantage": ("A Disadvantage has a value that Gimmes are measured by.", "Disadvantages"),
    "rating.minimum": ("Whatever one has, there is a point in it, Free Skills apart.", "Development Points"),
    "rating.total": ("A Persona's cost is all its points, less the twelve everybody has.", "Development Points"),
    "rating.resource": ("What can be drained is a Resource: Hit Points, Power, and what some ability drains.",
                        "Resource"),
    "default.related": ("Who lacks an ability may use a Rating near it, changed as the listing says.", "Defaulting"),
    "default.scope": ("Another Scope makes that a little worse.", "Defaulting"),
    "default.untrained": ("With nothing near it, the difficulty's base is all there is.", "Defaulting"),
    "default.barred": ("Some traits bar a Default, and Special Abilities have none of themselves.", "Defaulting"),
}  # fmt: skip
_RESOLUTION: Mapping[str, tuple[str, str]] = {
    "resolve.phases": ("Opportunity, Decision, Application, in that order.", "Resolution"),
    "resolve.declare": ("What a Player states their Character begins to do.", "Choose"),
    "resolve.modifiers": ("All that helps or hinders is summed when the Opportunity Phase ends.", "Modifiers"),
    "engage.player": ("Who is affected answers, by opposing or by letting it happen, before dice decide.",
                      "'Rules of Engagement'"),
    "engage.off-guard": ("The Off-Guard notice by a Reaction roll at -2, or not at all.", "Off-Guard"),
    "mib.basic": ("A Rating, its modifiers, less two ten-sided dice, and Experience Dice either way.", "MIB numbers"),
    "mib.experience": ("Everybody at the table may roll dice into any MIB while the Phase is open.",
                       "Adding/Subtracting Experience Dice"),
    "mib.preempt": ("Dice may come before the roll; where the table plays so, in its place.",
                    "Adding/Subtracting Experience Dice"),
    "mib.close": ("With all dice down the totals are called.", "Adding/Subtracting Experience Dice"),
    "contest.simultaneous": ("Both Actions of a contest are stated first and rolled together.", "Contested rolls"),
    "contest.rmib": ("The Resistor's MIB is taken off the Actor's, unless it is below 0.", "Contested rolls"),
    "contest.many": ("Against several Resistors, each pair is judged by itself.", ""),
    "apply.challenge": ("Making it harder for one's own Persona adds 1.", "Buy a Success/Spend a Success"),
    "apply.challenge-limit": ("A side makes it harder no more often than the Epic Index.",
                              "Buy a Success/Spend a Success"),
    "apply.benefit": ("Points above 0 buy a Benefit each.", "Buy a Success/Spend a Success"),
    "apply.order": ("Everybody buys before anybody spends, and the cap comes last.", "Buy a Success/Spend a Success"),
    "apply.contested": ("Both sides change their own number, and only who is ahead spends, at most the lead.",
                        "Buy a Success/Spend a Success"),
    "apply.automatic-benefit": ("What is above the Critical Juncture turns into Benefits by itself.",
                                "Buy a Success/Spend a Success"),
    "apply.outcome": ("Above 0 it succeeds, at 0 barely, below 0 it fails, or the other side has its way.",
                      "Interpreting Contested Actions or RMIB numbers"),
    "juncture.telling-blow": ("At the Critical Juncture the Subject's side invents what lasts.", "Telling Blow"),
    "juncture.catastrophic-failure": ("As far below 0 the Actor's Player does, for themself.",
                                      "Catastrophic Failure"),
    "juncture.contest-gate": ("In a contest that needs a roll that had come so far by itself.",
                              "Interpreting Contested Actions or RMIB numbers"),
    "juncture.points": ("New disadvantages may be worth the chart's Points of the number.", "Critical Junctures"),
    "juncture.excess": ("Points beyond the threshold are shared out by the author of the consequences.",
                        "Critical Junctures"),
    "juncture.duration": ("Such consequences outlast the Session.", "Critical Junctures"),
}  # fmt: skip
_RESULTS: Mapping[str, tuple[str, str]] = {
    "result.choose": ("Whose Action defines the result picks what it does, one thing or several.", "Results"),
    "result.factor": ("The number times the Magnitude's Multiplier comes off a Resource.", "Results"),
    "result.residual": ("Or a continuing modifier comes of it, as large as the number's Bonus.", "Results"),
    "result.rounding": ("Halves go up.", "Damage"),
    "result.when": ("All of it happens as the Application Phase ends.", "Results"),
    "result.deferred-penalty": ("What a drained Resource costs counts from the next lull.", "Results"),
    "contest.resistor-results": ("A Resistor who made its roll and came out ahead may have results of its own.",
                                 "Interpreting Contested Actions or RMIB numbers"),
    "damage.fists": ("Bare hands of common strength do the number itself.", "Damage"),
    "damage.formula": ("Weapons add before multiplying, protection takes away after.", "Damage"),
    "damage.weapon": ("A dagger adds 1, a short sword 2, a long sword 3.", "Damage"),
    "damage.protection": ("Armour stops a fixed amount, or the Bonus of what was paid for it.", "Protection"),
    "damage.table": ("All damages up to the Critical Juncture can be listed beforehand.", "Damage"),
    "damage.scope": ("Against more than one person it is losses, not damage.", "Squad-Level Scope"),
    "damage.wounds": ("Wounds are words.", "Damage"),
    "resource.reduce": ("A Resource goes down to nothing, and then is gone.", "Hit Points"),
    "resource.power": ("Nobody spends Power they have not.", "Power"),
    "resource.restore": ("What is lost comes back by ruling, up to what it was.", ""),
    "chart.band": ("Three Ratings share a row.", ""),
    "chart.multiplier": ("Each row is half as much again as the one before.", ""),
    "chart.points": ("Points are the Multiplier in whole numbers, 1 at least.", ""),
    "chart.bonus": ("So is the Bonus.", ""),
    "chart.quantity": ("Any other amount grows from row to row by the same measure.", ""),
}  # fmt: skip
_DICE: Mapping[str, tuple[str, str]] = {
    "xd.instant": ("Whatever makes Play better earns dice at once.", "Experience Dice"),
    "xd.cool-beans": ("Players give each other their own dice.", "Experience Dice"),
    "xd.cool-beans-replaced": ("The Gamemaster makes good what was fittingly given.", "Experience Dice"),
    "xd.coup": ("Who catches the Gamemaster forgetting has a die of it too.", "Experience Dice"),
    "xd.gimme": ("A disadvantage that hurts pays by its value and how much it hurt.", "Gimmes"),
    "xd.gimme-genre": ("So does an Expectation that lets one lose.", "Freebies"),
    "xd.freebie": ("Where a Persona is in its element there is a die for that Action only.", "Freebies"),
    "xd.payback": ("Dice spent on what the genre wants come back, with interest if it helped.", "Rewards"),
    "xd.cash-in": ("A characteristic that Play removed gives a die for each point.", "Buy or Spend Them"),
    "xd.contribute": ("Dice come out of the purse of who rolls them.", "Adding/Subtracting Experience Dice"),
    "xd.against": ("A die goes against somebody, or nobody.", "Experience Dice"),
    "xd.handover": ("Once the totals are called it is theirs, or the stock's.", "Experience Dice"),
    "xd.loaner": ("A borrowed die is saved by whom it hurt.", "Loaners"),
    "xd.loaner-use": ("And comes back against who borrowed it, in the same Session.", "Loaners"),
    "xd.loaner-expiry": ("What was not used back when the Session ends is forgotten.", "Loaners"),
    "xd.develop": ("Dice rolled together make Development Points, by steps of four.", "Buy or Spend Them"),
    "xd.plot-device": ("Outside Mechanical Play dice alone are a MIB.", "Use Them"),
}  # fmt: skip
_MECHANICAL: Mapping[str, tuple[str, str]] = {
    "mech.scope": ("Twice as many Characters as Players are too many for single persons.", "Scope/Duration"),
    "mech.initiative": ("Who says that fighting cannot be avoided goes first.", "Combat Initiative"),
    "mech.order": ("Then each Player to the right, with all their Personae.", "Rounds/Turns"),
    "mech.actions": ("A Turn has two Actions.", "Immediate Actions"),
    "mech.instantaneous": ("One acts on one's own Turn, or within a Flurry.", "Instantaneous"),
    "mech.free": ("Small things cost nothing, so many a Round, of each kind one.", "Free Actions"),
    "mech.free-refresh": ("An Action gives a second helping of them.", "Free Actions"),
    "mech.forfeit": ("A Reactive Action is paid from one's next Turn.", "Forfeiting"),
    "mech.flurry": ("A script of attacks and defenses runs as one Action, until somebody is hit.",
                    "Following Actions"),
    "mech.all-out": ("All-Out leaves something else undone until the next Turn.", "Combat Advantage"),
    "mech.end": ("When it ends, so does all that was counted in it.", "Turn Sequencing"),
    "advantage.penalty": ("Each Advantage takes 1 off all its Subject's rolls.", "Combat Advantage"),
    "advantage.seize": ("Who has none may take the first.", "Seizing the Advantage"),
    "advantage.hold": ("Who has some may add to it.", "Holding the Advantage"),
    "advantage.check": ("Who suffers it may take one away.", "Checking the Advantage"),
    "advantage.erase": ("A crucial mistake or a trick ends all of it.", "Checking the Advantage"),
    "advantage.convert": ("What a Telling Blow has to spare may become Advantage.", "Critical Junctures"),
    "advantage.cap": ("There is never more of it than the Epic Index.", "Combat Advantage"),
    "advantage.switch": ("Turning to another foe gives up what one had on the first.", "Combat Advantage"),
}  # fmt: skip

RULES: Mapping[RuleId, RuleText] = {
    f"scattershot.{rule}": RuleText(statement, heading)
    for chapter in (_PLAY, _RATINGS, _RESOLUTION, _RESULTS, _DICE, _MECHANICAL)
    for rule, (statement, heading) in chapter.items()
}

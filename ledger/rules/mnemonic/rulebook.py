"""Every rule of the game: its id, one sentence of ours, and the heading of the source where it stands."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.contract import RuleText

_STATUS = "calculating status"
_DRAMA = "dramatic considerations"
_FLUKES = "flukes"
_FEATHER = "featherweight mnemonic"

_TEXTS: Mapping[str, Mapping[str, str]] = {
    _STATUS: {
        "trait.ladder": "There are seven ratings, from Not at All (0) to Extremely (6). A campaign can use its own "
        "ladder of ratings.",
        "trait.rating": "The rating of a Talent or Life Role is recorded as a name, not as a number. When the referee "
        "rules on a check, the ladder of ratings gives the number.",
        "trait.primary": "The Primary Role has no rating of its own. It counts as Moderately (3), or as another "
        "rating that the table chooses.",
        "trait.rate": "The referee rates a character's Talents and Life Roles. A new rating counts only in later "
        "checks.",
        "aptitude.sum": "An Aptitude is the sum of the ratings of two different traits, which the referee chooses.",
        "aptitude.bounds": "An Aptitude is a whole number from twice the lowest rating to twice the highest. Usually "
        "this is 0 to 12.",
        "chances.ladder": "There are seven levels of Chances, from Terrible (-6) to Excellent (+7). A campaign can "
        "use its own ladder of Chances.",
        "chances.rating": "The referee chooses the Chances before the roll. Better Chances always help the character "
        "who rolls.",
        "check.total": "The total of a Success Check is the Aptitude, minus the roll (1 to 12), plus the number of "
        "the Chances.",
        "check.outcome": "A total of 0 or more is a success. The number of Successes is the total plus one. A total "
        "below 0 is a failure: a total of -2 is 2 Failures.",
        "check.odds": "On one twelve-sided die, the number of faces that succeed is the Aptitude plus the Chances, "
        "but never below 0 or above 12.",
        "check.impossible": "An action that the referee rules impossible fails without a roll. No number of Failures "
        "is recorded.",
        "check.certain": "An action that the referee rules certain succeeds without a roll. No number of Successes is "
        "recorded.",
        "status.default": "A new character's Status is Fine.",
        "status.names": "Six words stand for levels 1 to 6 of Status: Foxes, Run, Between, Huge, Smoking, Fires. "
        "The name of a level starts with the same letter as its word.",
        "injury.cause": "An injury has a cause: an attack that succeeds, a dodge that fails, a Spectacular Failure, or "
        "the referee's ruling.",
        "injury.aptitude": "The Aptitude to resist an injury is a Talent, usually Tough, plus a Life Role that helps. "
        "If no Life Role helps, the Primary Role counts instead.",
        "injury.worst": "Before the roll, the referee says whether a victim who fails to resist is immobilized, "
        "unconscious or dead.",
        "injury.check": "The victim makes one Success Check to resist an injury.",
        "injury.result": "A victim who fails to resist becomes immobilized, unconscious or dead, as the referee "
        "ruled. Otherwise, the injury leaves the victim at the level of Status that equals the number of Successes, "
        "at most 6.",
        "status.combine": "An injury changes a character's Status only if its result is worse than the present "
        "Status. At some tables, every result replaces the Status.",
        "status.inactive": "Unconscious or dead characters can't attempt anything. Immobilized characters can't "
        "attempt anything physical.",
        "status.fold": "A character's Status starts at Fine. Each injury and recovery then changes it, in the order "
        "in which they were recorded, except those that were overturned.",
        "status.posting": "Each level of Status lost or regained is recorded. The record is corrected if an earlier "
        "ruling is overturned.",
        "recovery.rate": "The referee decides how fast Status improves, depending on the victim, the injury and the "
        "treatment.",
        "recovery.declared": "After some time in the story, the referee can declare that a character's Status has "
        "improved to a higher level.",
        "recovery.check": "A successful recovery check can raise Status. Depending on the table, Status rises to the "
        "level that the number of Successes gives, by one level, or to a level that the referee names. A recovery "
        "check never lowers Status.",
        "recovery.inactive": "Immobilized and unconscious characters recover like everybody else. Dead characters do "
        "not recover.",
        "recovery.guides": "For example, a boxer who is knocked down gets up in moments and is Fine within a week. A "
        "character who is shot in the chest does not improve at all for days.",
        "ruling.authority": "Only the referee makes rulings. A game master or a player becomes the referee and stays "
        "in that role until the session ends.",
        "ruling.before-roll": "The referee first rules on a check, and then the check is rolled. If the roll is a "
        "fluke, the referee rules on that, too. Then the result is worked out.",
        "ruling.order": "The referee decides in which order characters act.",
    },
    _DRAMA: {
        "dramatic.source": "Script immunity says how likely the story is to spare a character. It is "
        "either a rating of its own, for example one called Important, or the Talent Lucky. Tables can play without "
        "it.",
        "dramatic.aptitude": "With script immunity, the Aptitude to resist an injury is the rating of script immunity "
        "plus a Talent. A Life Role replaces the Talent if its rating is higher.",
        "dramatic.presets": "Suggested ratings of script immunity are Very or Extremely for player characters and "
        "major villains, Moderately for henchmen, friends and family, and lower ratings for extras.",
        "dramatic.hidden": "When a character makes a check to resist, and you may not know that character's rating of "
        "script immunity, you see only the roll, any fluke and the new Status.",
        "dramatic.preview": "To try out script immunity, you can look up how many of the twelve faces lead to each "
        "Status, for any Aptitude and Chances.",
    },
    _FLUKES: {
        "random.one": "One die, one card or one spoken number gives a roll from 1 to 12.",
        "random.three": "With three dice or three cards, the roll is the middle number, or the mean of the three, "
        "rounded to the nearest whole number.",
        "random.cards": "An Ace is 1, a Jack 11 and a Queen 12. If you draw a King, draw again.",
        "random.verbal": "Without dice or cards, the players agree on a number, or each of them says a number and "
        "you add the numbers up. If the sum is above 12, counting starts again at 1: 13 counts as 1, 14 as 2.",
        "fluke.one": "With one die or one card, roll again after a 1 or a 12. If you get the same number again, roll "
        "a third time.",
        "fluke.three": "With three dice or cards, two or three 1s are a fluke, and so are two or three 12s. Nothing "
        "is rolled again.",
        "fluke.kinds": "Two 1s are an Automatic Success, and three are a Spectacular Success. Two 12s are an "
        "Automatic Failure, and three are a Spectacular Failure.",
        "fluke.possible": "A fluke counts only if the referee rules that its success or failure was reasonably "
        "possible.",
        "fluke.automatic": "An Automatic Success or Failure counts, whatever the total is. Its result is solid: "
        "usually at least 4 Successes or Failures.",
        "fluke.spectacular": "A Spectacular result is the best or the worst possible one: usually at least 6 "
        "Successes or Failures. The referee can add consequences.",
        "fluke.no-death": "A Spectacular Failure can kill directly only if the referee ruled before the roll that "
        "life was at stake.",
    },
    _FEATHER: {
        "feather.mode": "A table can play without assigned Aptitudes, can assign every Aptitude, or can choose "
        "between an assigned Aptitude and traits for each check.",
        "feather.describe": "The player or the referee describes what a character can do, and the other must agree.",
        "feather.key": "An Aptitude is assigned for one precise task. If the words are different, it is a different "
        "task.",
        "feather.assign": "The referee and the player each judge the Aptitude. If their numbers are too far apart, "
        "they agree on one. A change from the previous number needs a reason.",
        "feather.record": "Every Aptitude assigned for a task is kept, with its difference from the previous one.",
    },
}

RULES: Mapping[str, RuleText] = {
    f"mnemonic.{id}": RuleText(statement, heading)
    for heading, texts in _TEXTS.items()
    for id, statement in texts.items()
}

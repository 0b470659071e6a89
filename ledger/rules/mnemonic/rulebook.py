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
        "trait.rating": "A Talent or Life Role has a named rating. The rating's number is looked up when the "
        "referee rules on a check.",
        "trait.primary": "The Primary Role has no rating of its own. It counts as Moderately (3), or as another "
        "rating that the table chooses.",
        "trait.rate": "The referee rates a character's Talents and Life Roles. A new rating counts only in later "
        "checks.",
        "aptitude.sum": "An Aptitude is the sum of the ratings of two different traits, which the referee chooses.",
        "aptitude.bounds": "An Aptitude is a whole number from twice the lowest rating to twice the highest: usually "
        "0 to 12.",
        "chances.ladder": "There are seven Chances, from Terrible (-6) to Excellent (+7). A campaign can use its own "
        "ladder of Chances.",
        "chances.rating": "The referee chooses the Chances before the roll. Better Chances always help the character "
        "who rolls.",
        "check.total": "The total of a Success Check is the Aptitude, minus the roll (1 to 12), plus the number of "
        "the Chances.",
        "check.outcome": "A total of 0 or more is that many Successes plus one. A total below 0 is that many "
        "Failures: -2 is 2 Failures.",
        "check.odds": "On one twelve-sided die, a check succeeds on as many faces as Aptitude plus Chances: at least "
        "0, at most 12.",
        "check.impossible": "An action that the referee rules impossible fails without a roll and without a number "
        "of Failures.",
        "check.certain": "An action that the referee rules certain succeeds without a roll and without a number of "
        "Successes.",
        "status.default": "A new character's Status is Fine.",
        "status.names": "Six words stand for levels 1 to 6 of Status: Foxes, Run, Between, Huge, Smoking, Fires. "
        "The name of a level starts with the same letter as its word.",
        "injury.cause": "An injury has a cause: an attack that succeeds, a dodge that fails, a Spectacular Failure, or "
        "the referee's ruling.",
        "injury.aptitude": "The Aptitude to resist an injury is a Talent, usually Tough, plus a Life Role that "
        "helps. If none helps, the Primary Role counts instead.",
        "injury.worst": "Before the roll, the referee says whether a victim who fails to resist is immobilized, "
        "unconscious or dead.",
        "injury.check": "The victim makes one Success Check to resist an injury.",
        "injury.result": "A victim who fails to resist becomes immobilized, unconscious or dead, as the referee ruled. "
        "Otherwise, the number of Successes is the level of Status, at most 6.",
        "status.combine": "An injury changes a character's Status only if its result is worse than the Status. At some "
        "tables, every result replaces the Status.",
        "status.inactive": "Unconscious or dead characters can't attempt anything. Immobilized characters can't "
        "attempt anything physical.",
        "status.fold": "A character's Status starts at Fine and results from all its injuries and recoveries, in "
        "order, except those that were overturned.",
        "status.posting": "Each level of Status lost or regained is recorded. The record is corrected if an earlier "
        "ruling is overturned.",
        "recovery.rate": "The referee decides how fast Status improves. It depends on the victim, the injury and the "
        "treatment.",
        "recovery.declared": "After some time in the story, the referee can declare that a character's Status has "
        "improved to a higher level.",
        "recovery.check": "A recovery check that succeeds raises Status: to the level that its Successes give, by "
        "one level, or as the referee says. It never lowers Status.",
        "recovery.inactive": "Immobilized and unconscious characters recover like everybody else. Dead characters do "
        "not recover.",
        "recovery.guides": "For example, a boxer who is knocked down gets up in moments and is Fine within a week. A "
        "shot in the chest takes days to improve at all.",
        "ruling.authority": "Only the referee makes rulings. A game master or a player is the referee until the "
        "session ends.",
        "ruling.before-roll": "The referee first rules on a check, and then it is rolled. If the roll is a fluke, "
        "the referee rules on that, too. Then the result is worked out.",
        "ruling.order": "The referee decides in which order characters act.",
    },
    _DRAMA: {
        "dramatic.source": "Script immunity says how likely the story is to spare a character. It is a rating such "
        "as Important, or the Talent Lucky. Tables can play without it.",
        "dramatic.aptitude": "With script immunity, the Aptitude to resist an injury is its rating plus a Talent, "
        "or plus a Life Role that is higher than the Talent.",
        "dramatic.presets": "Suggested ratings of script immunity are Very or Extremely for player characters and "
        "major villains, Moderately for henchmen and friends, and less for extras.",
        "dramatic.hidden": "If you may not know a character's rating of script immunity, you see only the roll, any "
        "fluke and the new Status when that character makes a check to resist.",
        "dramatic.preview": "To try script immunity out, you can look up how many of the twelve faces lead to each "
        "Status, for any Aptitude and Chances.",
    },
    _FLUKES: {
        "random.one": "One die, one card or one spoken number gives a roll from 1 to 12.",
        "random.three": "With three dice or three cards, the roll is the middle number, or the mean of the three, "
        "rounded to the nearest whole number.",
        "random.cards": "An Ace is 1, a Jack 11, a Queen 12. A King is drawn again.",
        "random.verbal": "Without dice or cards, the players agree on a number, or the numbers they say are added. "
        "After 12, the count starts again at 1.",
        "fluke.one": "With one die or card: after a 1 or a 12, roll again. If you roll the same number, roll a third "
        "time.",
        "fluke.three": "With three dice or cards, two or three 1s are a fluke, and so are two or three 12s. Nothing "
        "is rolled again.",
        "fluke.kinds": "Two 1s are an Automatic Success, three a Spectacular Success. Two 12s are an Automatic "
        "Failure, three a Spectacular Failure.",
        "fluke.possible": "A fluke counts only if the referee rules that such a success or failure was reasonably "
        "possible.",
        "fluke.automatic": "An Automatic Success or Failure counts whatever the total is. Its result is solid: "
        "usually at least 4 Successes or Failures.",
        "fluke.spectacular": "A Spectacular result is the best or the worst possible one: usually at least 6 "
        "Successes or Failures. The referee can add consequences.",
        "fluke.no-death": "A Spectacular Failure can kill directly only if life was at stake in the check before the "
        "roll.",
    },
    _FEATHER: {
        "feather.mode": "A table never assigns Aptitudes, always assigns them, or chooses between an assigned "
        "Aptitude and traits for each check.",
        "feather.describe": "The player or the referee describes what a character can do, and the other one must "
        "agree.",
        "feather.key": "An Aptitude is assigned for one precise task. A task in different words is a different task.",
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

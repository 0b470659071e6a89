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
        "trait.ladder": "There are seven ratings, numbered 0 to 6. A campaign may use its own table.",
        "trait.rating": "A trait has a named rating. Its number is looked up when a check is ruled.",
        "trait.primary": "The Primary Role has no rating of its own. It always counts as Moderately.",
        "trait.rate": "The referee rates a Talent or Life Role. A new rating counts in later checks.",
        "aptitude.sum": "Aptitude is the sum of exactly two different traits, which the referee chooses.",
        "aptitude.bounds": "An Aptitude is a whole number that the sum of two ratings can reach.",
        "chances.ladder": "There are seven Chances, with numbers from -6 to 7. A campaign may use its own table.",
        "chances.rating": "The referee names the Chances before the roll. Better Chances always help the roller.",
        "check.total": "The total of a check is Aptitude minus the roll (1 to 12) plus the Chances.",
        "check.outcome": "A total of 0 or more gives that many Successes plus one; below 0, that many Failures.",
        "check.odds": "On one die, Aptitude plus Chances is the number of faces that succeed: between 0 and 12.",
        "check.impossible": "An impossible action fails without a roll and without a number of Failures.",
        "check.certain": "An action that cannot fail succeeds without a roll and without a number of Successes.",
        "status.default": "A new character is Fine.",
        "status.names": "Levels 1 to 6 have the six words of the mnemonic. Other names start with the same letters.",
        "injury.cause": "An attack, a failed dodge, a Spectacular Failure or the referee's ruling causes an injury.",
        "injury.aptitude": "A Talent and the Life Role that the referee names resist an injury, or the better Role.",
        "injury.worst": "The referee says whether a victim who fails is immobilized, unconscious or dead, and why.",
        "injury.check": "The victim makes one Success Check to resist an injury.",
        "injury.result": "A victim who fails is inactive, as ruled. Successes are counted along the mnemonic.",
        "status.combine": "The worse of the result and the present Status counts, or the result replaces the Status.",
        "status.inactive": "Unconscious or dead characters can't attempt anything. Immobilized ones can't attempt"
        " anything physical.",
        "status.fold": "Status is the result of all injuries and recoveries that stand, in order, starting from Fine.",
        "status.posting": "Lost and regained levels are recorded, and corrected if an earlier ruling changes.",
        "recovery.rate": "The referee judges how fast Status improves from the victim, the injury and the treatment.",
        "recovery.declared": "After some time, the referee declares a level above the present one.",
        "recovery.check": "A recovery check never lowers Status. Its result counts, raises it by one, or is judged.",
        "recovery.inactive": "Inactive characters recover like everybody else. The dead do not recover.",
        "recovery.guides": "A boxer gets up in moments and is Fine within a week. A shot in the chest takes days.",
        "ruling.authority": "Until the session ends, only the referee makes rulings: a game master or a player.",
        "ruling.before-roll": "A check is ruled, rolled, its fluke ruled on, and resolved: all for one roll.",
        "ruling.order": "The referee decides who acts first.",
    },
    _DRAMA: {
        "dramatic.source": "Script immunity is off, Important (rated once or for every check), or Lucky.",
        "dramatic.aptitude": "Script immunity and the Talent resist an injury. A higher Life Role replaces it.",
        "dramatic.presets": "Heroes and villains are Very or Extremely Important, friends Moderately, extras less.",
        "dramatic.hidden": "A seat that may not know a rating sees only a resisting check's roll, fluke and Status.",
        "dramatic.preview": "Before you use the rule, you can ask how many of the twelve faces lead to each Status.",
    },
    _FLUKES: {
        "random.one": "One die, one card or one spoken number gives a number from 1 to 12.",
        "random.three": "Three numbers count as the middle one, or as their mean, rounded to the nearest number.",
        "random.cards": "An Ace is 1, a Jack 11, a Queen 12. Draw again for a King.",
        "random.verbal": "The players agree on a number, or their numbers are added. After 12, the count starts"
        " again at 1.",
        "fluke.one": "After a 1 or a 12, roll again, up to twice, as long as the number is the same.",
        "fluke.three": "Among three numbers, two or three ones or twelves are a fluke. Nothing is rolled again.",
        "fluke.kinds": "A run of two is Automatic, a run of three Spectacular. Ones succeed, twelves fail.",
        "fluke.possible": "A fluke counts only if the referee rules that it was reasonably possible.",
        "fluke.automatic": "An Automatic result is solid, whatever the total.",
        "fluke.spectacular": "A Spectacular result is as good or as bad as possible, and can have consequences.",
        "fluke.no-death": "A Spectacular Failure kills immediately only if life was at stake before the roll.",
    },
    _FEATHER: {
        "feather.mode": "Aptitudes are never assigned, always assigned, or assigned when the ruling says so.",
        "feather.describe": "The player or the referee describes what a character can do, and the other one agrees.",
        "feather.key": "An Aptitude is assigned for one precise task. Different words are a different task.",
        "feather.assign": "The referee and the player each judge, talk it over if they differ, and explain a change.",
        "feather.record": "Every Aptitude given for a task is kept beside the earlier ones, with the difference.",
    },
}

RULES: Mapping[str, RuleText] = {
    f"mnemonic.{id}": RuleText(statement, heading)
    for heading, texts in _TEXTS.items()
    for id, statement in texts.items()
}

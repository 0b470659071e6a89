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
        "trait.ladder": "Ratings are seven names from 0 to 6, or a table of the campaign's own that never falls.",
        "trait.rating": "A trait keeps the name of its rating; its number is looked up when a check is ruled.",
        "trait.primary": "The Primary Role is not rated: wherever it counts, it counts as Moderately.",
        "trait.rate": "The referee rates a Talent or Life Role; a new rating counts in later checks.",
        "aptitude.sum": "Aptitude is the sum of exactly two different traits, picked by the referee.",
        "aptitude.bounds": "An Aptitude is a whole number that two ratings of the ladder could make.",
        "chances.ladder": "Chances are seven names with numbers from -6 to 7, or a table of the campaign's own.",
        "chances.rating": "The referee names the Chances before the roll; better ones always help who rolls.",
        "check.total": "The total of a check is Aptitude less the roll of 1 to 12, and the Chances added.",
        "check.outcome": "A total of zero or more is that many Successes and one more; below zero it is Failures.",
        "check.odds": "On one die as many faces succeed as Aptitude and Chances make, none below zero, at most twelve.",
        "check.impossible": "An action ruled impossible fails without a roll and without a number of Failures.",
        "status.default": "A new character is Fine.",
        "status.names": "Levels 1 to 6 belong to the six words of the mnemonic; names of Status share their initials.",
        "injury.cause": "An injury comes of an attack, a failure to avoid, a Spectacular Failure, or a ruling alone.",
        "injury.aptitude": "A Talent resists injury with the Role the referee names; tables may prefer the better one.",
        "injury.worst": "The referee names what becomes of the victim who fails, and keeps what that was judged by.",
        "injury.check": "The victim makes one Success Check to resist an injury.",
        "injury.result": "Failure makes inactive in the way ruled; Successes are counted off along the mnemonic.",
        "status.combine": "The lower of the injury's result and the present Status stands, or the result replaces it.",
        "status.inactive": "Who is unconscious or dead attempts nothing; who is immobilized, nothing physical.",
        "status.fold": "Status is what all standing injuries and recoveries, in their order, make of Fine.",
        "status.posting": "What an injury took or a recovery gave back is posted, anew if what came before changes.",
        "recovery.rate": "The referee judges how fast Status improves: by the victim, the injury and the treatment.",
        "recovery.declared": "After some time the referee declares a level above the present one.",
        "recovery.check": "A recovery check resists anew and never lowers Status: counted, a step up, or judged.",
        "recovery.inactive": "The inactive recover as all others do; the dead do not.",
        "recovery.guides": "A boxer is up in moments and Fine within a week; a shot in the chest takes days.",
        "ruling.authority": "Only the referee rules, game master or player, until the session ends; players act.",
        "ruling.before-roll": "A check is ruled, rolled, its fluke ruled on, resolved; each step goes with its roll.",
        "ruling.order": "Who acts before whom is for the referee to say.",
    },
    _DRAMA: {
        "dramatic.source": "Script immunity takes no part, is rated once or for every check, or is Lucky.",
        "dramatic.aptitude": "Script immunity and the Talent, or a larger Life Role in its place, resist injury.",
        "dramatic.presets": "Heroes and villains are Very or Extremely important, friends Moderately, extras less.",
        "dramatic.hidden": "Who may not know a rating sees of a resisting check only roll, fluke and Status.",
        "dramatic.preview": "How many of the twelve faces lead to each Status can be asked before the rule is used.",
    },
    _FLUKES: {
        "random.one": "One die, one card or one number spoken gives 1 to 12.",
        "random.three": "Three numbers count as their middle one, or as their mean to the nearest whole.",
        "random.cards": "An Ace is 1, a Jack 11, a Queen 12; a King is drawn again.",
        "random.verbal": "The voices arrive at a number, or their numbers are counted round from one to twelve.",
        "fluke.one": "After a 1 or a 12 the roll is repeated, up to twice, for as long as it stays the same.",
        "fluke.three": "Two or three ones or twelves among three numbers are a fluke; nothing is repeated.",
        "fluke.kinds": "A run of two is automatic, of three spectacular; ones are Success, twelves Failure.",
        "fluke.possible": "A fluke counts only if the referee rules that it could reasonably have come about.",
        "fluke.automatic": "An automatic result is solid, whatever the total.",
        "fluke.spectacular": "A spectacular result is as good or as bad as it can be, and may bring consequences.",
        "fluke.no-death": "A Spectacular Failure kills at once only where life was at stake before the roll.",
    },
    _FEATHER: {
        "feather.mode": "Aptitudes are never assigned, always, or as the ruling says.",
        "feather.describe": "What a character can do is put into words by one side, and the other assents.",
        "feather.key": "An Aptitude is assigned for one precise task; other words are another task.",
        "feather.assign": "Referee and player each judge, talk it over if they differ, and explain a change.",
        "feather.record": "Every Aptitude given for a task is kept beside the earlier ones, with its difference.",
    },
}

RULES: Mapping[str, RuleText] = {
    f"mnemonic.{id}": RuleText(statement, heading)
    for heading, texts in _TEXTS.items()
    for id, statement in texts.items()
}

"""The kernel's own rules, each in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.contract import RuleText

RULES: Mapping[str, RuleText] = {
    rule: RuleText(statement, "")
    for rule, statement in {
        "ledger.enrol": "A character needs a name, a seat to play it, and a valid sheet.",
        "ledger.hand-over": "You can give a character to any seat at the table.",
        "ledger.retire": "A character can leave play only once. You must give a reason.",
        "ledger.scene": "A scene has a title and a cast. It opens once and closes once.",
        "ledger.session": "Only one session can be open at a time.",
        "ledger.dial": "An option takes one of its allowed values. A change applies to later rulings.",
        "ledger.amend": "The table can change any value if it gives a reason. It can hide only what the game hides.",
        "ledger.adjust": "The table can move any amount between two accounts if it gives a reason.",
        "ledger.posting": "You can't spend more than an account has.",
        "ledger.subject": "A ruling can only be about something that exists.",
        "ledger.cite": "A ruling that you cite must still count, and it must show what you claim.",
        "ledger.deciders": "This option sets who may act as a game master: game masters only, or all players.",
        "ledger.dice": "The ledger rolls the dice, or you enter your own. Every face must exist on the die.",
        "ledger.consent": "A change to the past waits for the consent the table requires, or until time runs out.",
        "ledger.steps": "This option sets whether the ledger takes a step automatically when nobody has a choice.",
        "ledger.draw": "You can only draw cards that are available.",
        "ledger.shuffle": "A shuffle keeps the same cards.",
        "ledger.flip": "A coin shows heads or tails.",
        "ledger.ask": "The player asked must answer in one of the ways the question allows.",
        "ledger.answer": "Only the player asked can answer a question.",
        "ledger.waiting": "You can't declare the same action again while it is waiting for an answer.",
        "ledger.edition": "A ruling from an earlier edition that today's rules can't read keeps its result.",
        "ledger.replay": "If the rules fail when a ruling is made again, the ruling keeps its result.",
    }.items()
}

"""The kernel's own rules, each in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.contract import RuleText

RULES: Mapping[str, RuleText] = {
    rule: RuleText(statement, "")
    for rule, statement in {
        "ledger.enrol": "A character has a name, a seat that plays it and a sheet its system accepts.",
        "ledger.hand-over": "A character can be handed to any seat still at the table.",
        "ledger.retire": "A character can leave play once, with a reason.",
        "ledger.scene": "A scene has a title and a cast, is opened once and closed once.",
        "ledger.session": "One session is open at a time.",
        "ledger.dial": "A dial takes one of its values, for rulings from then on.",
        "ledger.amend": "The table can set any piece of any state, with a reason; hidden only where the game hides it.",
        "ledger.adjust": "The table can move anything countable between two accounts, with a reason.",
        "ledger.posting": "No new spend overdraws an account.",
        "ledger.subject": "A ruling is about subjects that exist.",
        "ledger.cite": "A ruling that another one cites must stand, and must say what is claimed of it.",
        "ledger.deciders": "Who may declare what a game master may: game masters only, or all players.",
        "ledger.dice": "Dice are rolled by the ledger or typed in from the table; faces are integers in range.",
        "ledger.consent": "What changes the past waits for the consent that the table wants, or for the time it set.",
        "ledger.draw": "Cards drawn are among those that can be drawn.",
        "ledger.shuffle": "A shuffle keeps exactly the same cards.",
        "ledger.flip": "A coin shows heads or tails.",
        "ledger.ask": "Who is asked answers with one of the kinds asked for.",
        "ledger.answer": "An answer is given to a question that was asked, by who was asked.",
        "ledger.waiting": "While something waits for its answer, its seat does not declare it again.",
        "ledger.edition": "What today's rules cannot read of an earlier edition stays as it was recorded.",
        "ledger.replay": "What the rules break on when it is ruled again keeps what it recorded; the log says where.",
    }.items()
}

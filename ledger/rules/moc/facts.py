"""What can become true. Each says about which subject it is; what is countable moves by the postings beside it."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.moc.facts_of_dice import *  # noqa: F403
from ledger.rules.moc.facts_of_dice import DICE, DiceFact
from ledger.rules.moc.facts_of_people import *  # noqa: F403
from ledger.rules.moc.facts_of_people import PEOPLE, PeopleFact
from ledger.rules.moc.facts_of_scenes import *  # noqa: F403
from ledger.rules.moc.facts_of_scenes import SCENES, SceneFact
from ledger.rules.moc.facts_told import *  # noqa: F403
from ledger.rules.moc.facts_told import TOLD, ToldFact

FACTS = (*PEOPLE, *SCENES, *DICE, *TOLD)
Fact: TypeAlias = PeopleFact | SceneFact | DiceFact | ToldFact

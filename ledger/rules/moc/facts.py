"""The facts of the game. Each says which subject it is about. Its postings move amounts."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.moc.facts_of_bodies import BodyFact
from ledger.rules.moc.facts_of_campaign import CampaignFact
from ledger.rules.moc.facts_of_dice import DiceFact
from ledger.rules.moc.facts_of_modifiers import ModifierFact
from ledger.rules.moc.facts_of_people import PeopleFact
from ledger.rules.moc.facts_of_scenes import SceneFact
from ledger.rules.moc.facts_told import ToldFact

#: All of them, in the order in which they are published.
Fact: TypeAlias = CampaignFact | PeopleFact | ModifierFact | BodyFact | SceneFact | DiceFact | ToldFact
FACTS: tuple[type[Fact], ...] = get_args(Fact)

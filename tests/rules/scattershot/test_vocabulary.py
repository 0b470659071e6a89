"""The game's vocabulary: every field says what it can hold, and the ready-made people can be played.

`tests/laws/test_domains.py` checks the same and more once the game has phrases.
"""

from __future__ import annotations

import pytest

from ledger.application import json_form
from ledger.application.parser import Mistaken, parse
from ledger.rules.kernel import commands
from ledger.rules.kernel.domains import REFERENCES, Ref, list_fields_without_domain, load_marked_hints
from ledger.rules.scattershot import RULESET
from ledger.rules.scattershot.game import ShiftMode
from ledger.rules.scattershot.state import Sheet
from tests.laws.test_domains import refs, sent
from tests.rules.world import World


def test_every_field_of_what_people_send_says_what_it_can_say() -> None:
    assert [missing for cls in sent(RULESET) for missing in list_fields_without_domain(cls)] == []


def test_no_text_of_a_fact_is_bare() -> None:
    found = [one for cls in RULESET.facts for one in list_fields_without_domain(cls)]
    assert [one for one in found if one.endswith("a bare text")] == []


def test_every_reference_is_explained_and_says_of_whom() -> None:
    met: set[Ref] = set()
    for cls in (*sent(RULESET), *RULESET.facts):
        fields = load_marked_hints(cls)
        found = {ref for hint in fields.values() for ref in refs(hint)}
        assert {ref.of for ref in found} <= {None, *fields}, cls.__name__
        met |= found
    assert {ref.to for ref in met} <= {*REFERENCES, *RULESET.references}


@pytest.mark.parametrize("called", RULESET.people)
def test_who_is_ready_is_accepted_as_they_are(called: str) -> None:
    sheet = RULESET.people[called]
    assert parse(Sheet, json_form.to_json(sheet)) == sheet
    World(RULESET, {}, {"gm": "gm", "ann": "player"}).declare(commands.Enrol(called, "ann", sheet))


def test_a_word_is_read_whatever_its_capitals_and_a_wrong_one_is_told_what_there_is() -> None:
    read = parse(Sheet, {"statistics": {"Hit Points": 12}, "skills": [{"name": "a", "difficulty": "Nigh Impossible"}]})
    assert (dict(read.statistics), read.skills[0].difficulty) == ({"hit-points": 12}, "nigh-impossible")
    with pytest.raises(Mistaken) as found:
        parse(ShiftMode, {"mode": "mechanical"})
    (told,) = found.value.mistakes
    assert (told.pointer, told.allowed) == ("/mode", ("solo", "general", "specific"))

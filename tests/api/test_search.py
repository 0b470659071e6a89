"""Searching in what people wrote: what is found, by whom, and what tells nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ledger.application import json_form
from ledger.rules import systems
from ledger.rules.kernel.prose import list_prose
from tests.api.conftest import PLAYED
from tests.api.table import Json, Player, Table
from tests.levels import examples, sampled

COIN: Json = {"source": "bank/coin", "target": "character:1/coin", "unit": "coin", "amount": 1}


@pytest.fixture
def evening(table: Table) -> Table:
    """1, 2 enrol; 3 a scene; 4 a coin, disputed and upheld; 5 a coin in secret; 6 revised: another reason."""
    table.fighters()
    table.gm.declare("open-scene", title="Under the bridge")
    table.gm.declare("adjust", **COIN, reason="A rumour about the host")
    table.gm.declare("adjust", **COIN, reason="He robbed the host, poor Ångström", seen_by=["gm"])
    table.gm.declare("adjust", **COIN, reason="for the ferryman")
    table.cleo.does("/rulings/4/dispute", {"reason": "Nobody heard it."}, 200)
    table.gm.does("/rulings/4/uphold", {"reason": "Everybody did."}, 200)
    again = {"kind": "adjust", **COIN, "reason": "for the smuggler"}
    table.gm.does("/rulings/6/revise", {"declare": again, "reason": "misheard", "code": "entry"}, 200)
    return table


def numbers(player: Player, q: str, **more: Any) -> list[int]:
    return [one["number"] for one in player.look("/rulings", q=q, **more)["rulings"]]


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("rumour", [4]),
        ("HOST", [4]),
        ("rumour host", [4]),
        ("host smuggler", []),
        ("host or smuggler", [4, 6]),
        ('"rumour about"', [4]),
        ('"host rumour"', []),
        ("coin -coin", []),
        ("-rumour", [1, 2, 3, 6]),
        ("nobody heard", [4]),
        ("everybody", [4]),
        ("ferryman", [6]),
        ("smuggler", [6]),
        ("misheard", [6]),
        ("bruno", [1]),
        ("bridge", [3]),
        ("ångström", []),
        ("adjust", []),
        ("s2", []),
    ],
)
def test_rulings_are_found_by_what_people_wrote(evening: Table, q: str, found: list[int]) -> None:
    """Also by what was said before it was corrected; not by words of ours, nor by ids."""
    assert numbers(evening.cleo, q) == found
    assert numbers(evening.cleo, q, order="desc") == found[::-1]


def test_what_is_hidden_is_found_by_who_may_read_it(evening: Table) -> None:
    assert numbers(evening.gm, "ångström") == [5]
    assert numbers(evening.gm, "host") == [4, 5]
    for player in (evening.ben, evening.cleo, evening.dora):
        assert numbers(player, "ångström or robbed") == []
        assert player.look("/timeline", q="ångström or robbed")["facts"] == []
    page = evening.cleo.get("/rulings", q="host", limit=1)
    assert [one["number"] for one in page.json()["rulings"]] == [4] and "Link" not in page.headers


def test_facts_are_found_with_their_ruling_and_those_of_none_by_themselves(evening: Table) -> None:
    def facts(q: str, path: str = "/timeline") -> list[tuple[int | None, str]]:
        return [(one["ruling"], one["kind"]) for one in evening.ben.look(path, q=q)["facts"]]

    assert facts("heard") == [(4, "ledger.adjusted")]
    assert facts("cleo") == [(None, "ledger.seat-taken")]
    assert facts("observer") == [], "a role is no word of anybody's"
    assert facts("bridge") == [(3, "ledger.scene-opened"), (3, "ledger.scene-begun")]
    assert facts("heard or bridge", "/characters/1/history") == [(4, "ledger.adjusted")]
    assert facts("bridge", "/scenes/3/history") == [(3, "ledger.scene-opened")]


def test_what_is_searched_for_can_be_filtered_and_paged(evening: Table) -> None:
    assert numbers(evening.cleo, "-nothing", kind="adjust") == [4, 6]
    page = evening.cleo.get("/rulings", q="-nothing", limit=2, order="desc")
    assert [one["number"] for one in page.json()["rulings"]] == [6, 4]
    following = page.json()["next"].partition("?")[2]
    assert [one["number"] for one in evening.cleo.look(f"/rulings?{following}")["rulings"]] == [3, 2]


@pytest.mark.parametrize(
    "said", ["Dice/cards", "dice.cards", "dice@cards.org", "<b>dice</b>cards", "dice_cards", "a:dice&cards"]
)
def test_words_are_found_whatever_stands_between_them(table: Table, said: str) -> None:
    table.gm.declare("open-scene", title=said)
    assert numbers(table.gm, "dice") == numbers(table.gm, "cards") == numbers(table.gm, said) == [1]
    assert table.gm.look("/timeline", q="dice")["facts"]


def test_another_campaign_is_not_searched(evening: Table) -> None:
    other = Table(evening.service)
    other.fighters()
    assert numbers(other.gm, "rumour or bruno") == [1]


@pytest.mark.parametrize("q", ["", "   ", "-", '"', "&|!():*", "\\", "x" * 201])
def test_what_is_no_word_is_refused(table: Table, q: str) -> None:
    for path in ("/rulings", "/timeline"):
        refused = table.gm.get(path, q=q)
        assert refused.status_code == 422, refused.text
        assert refused.json()["errors"][0]["pointer"] == "/query/q"


@settings(
    max_examples=examples(10, 30, 150),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
@given(said=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200))
@example("a & b | !c <-> d:*")
@example("((((a")
@example("'; DROP TABLE x; --a")
@example('"a "b" or or or -')
@example("\x00a\x01")
@example("in k3v7q2mzt5a4c")
@example("a\\'b")
def test_no_words_trouble_the_database(evening: Table, said: str) -> None:
    found = evening.cleo.get("/rulings", q=said)
    assert found.status_code in (200, 422), found.text
    assert (found.status_code == 200) == any(one.isalnum() for one in said)


def test_rulings_briefly(evening: Table) -> None:
    """Number, text, status, who, when: as the whole rulings have them, for everybody."""
    for player in (evening.gm, evening.ben, evening.dora):
        whole = player.look("/rulings")["rulings"]
        told = player.look("/rulings", view="brief")["rulings"]
        assert told == [{name: one[name] for name in ("number", "status", "text", "by", "at")} for one in whole]
        assert player.look("/rulings", view="whole")["rulings"] == whole


# --- every game -----------------------------------------------------------------------------------------------------


@pytest.fixture
def demonstration(played: Callable[[str], Table], system: str) -> Table:
    """With something disputed, and something hidden in a ruling."""
    table = played(system)
    table.dora.does("/rulings/2/dispute", {"reason": "Zounds, that cannot be"}, 200)
    return table


def rulings(player: Player, **query: Any) -> list[Json]:
    found: list[Json] = player.look("/rulings", limit=500, **query)["rulings"]
    return found


def prose_of(system: str, ruling: Json) -> Iterator[str]:
    """What people wrote, as far as it is shown: by the domains of the game's own words."""
    ruleset = systems()[system]
    for one in [ruling, *ruling["tellings"]]:
        said = [(json_form.index_declaration_classes(ruleset), one["declared"])]
        said += [
            (json_form.index_choice_classes(ruleset), given["answer"]["choice"])
            for given in one["answers"]
            if "choice" in given["answer"]
        ]
        for words, record in said:
            yield from list_prose(words[record["kind"]], record, {"sheet": ruleset.sheet})
    yield from (one["reason"] for one in ruling["decisions"])


@pytest.mark.parametrize("system", sampled(PLAYED, 1, salt="search and find"))
def test_in_every_game_what_one_may_read_is_found_and_nothing_else(demonstration: Table, system: str) -> None:
    """By each word of what is shown: exactly the rulings in which this seat can read it."""
    words: dict[str, None] = {}
    for player in (demonstration.gm, demonstration.ben, demonstration.cleo, demonstration.dora):
        shown = {one["number"]: " ".join(prose_of(system, one)) for one in rulings(player)}
        words |= dict.fromkeys(re.findall(r"\b[^\W\d_]{4,}\b", " ".join(shown.values()).lower()))
        for word in [*words][:: max(1, len(words) // 8)]:
            there = [number for number, said in shown.items() if re.search(rf"\b{word}\b", said.lower())]
            found = [one["number"] for one in rulings(player, q=word)]
            assert set(there) <= set(found), (player.id, word)
            for number in set(found) - set(there):  # a fact repeats what somebody wrote
                (whole,) = [one for one in rulings(player, after=number - 1) if one["number"] == number]
                assert word in str([one["fact"] for one in whole["facts"]]).lower(), (player.id, word)
    assert words


def test_a_ruling_entered_late_is_found_in_the_order_of_numbers(evening: Table) -> None:
    entered = {"declare": {"kind": "adjust", **COIN, "reason": "for the host's silence"}, "after": 3}
    assert evening.gm.does("/rulings", entered)["place"] == "3a"
    assert numbers(evening.cleo, "silence") == [7]
    assert numbers(evening.cleo, "host") == [4, 7]
    (fact,) = evening.cleo.look("/timeline", q="silence")["facts"]
    assert (fact["ruling"], fact["after"]) == (7, 3)

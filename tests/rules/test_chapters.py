"""A game is collected from its chapters; what a chapter lacks or says twice is found when it is."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from ledger.rules.kernel import chapters, commands, veils
from ledger.rules.kernel.chapters import (
    Question,
    Refusal,
    changes,
    choice,
    decides,
    declares,
    fact,
    guards,
    offers,
    rule,
)
from ledger.rules.kernel.declarations import ANYONE, either
from ledger.rules.kernel.domains import CharacterId
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Move
from ledger.rules.kernel.offers import list_offers
from ledger.rules.kernel.questions import Choice
from ledger.rules.kernel.refusals import Declined, Refused, Unfit
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.shown import VEIL, Veiled
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.kernel.table import find_viewer
from projections.wording import Wording
from tests.rules import lanterns
from tests.rules.lanterns import dark, oil
from tests.rules.lanterns.state import Draft, Lamp
from tests.rules.world import World


@pytest.fixture
def world() -> World:
    return new_world()


def new_world() -> World:
    """Ann and Ben hold a lamp each."""
    made = World(lanterns.RULESET, people={"gm": "gm", "ann": "player", "ben": "player"})
    made.ann = made.enrol("Ann", lanterns.Sheet(), "ann")  # type: ignore[attr-defined]
    made.ben = made.enrol("Ben", lanterns.Sheet(), "ben")  # type: ignore[attr-defined]
    return made


def test_a_game_is_what_its_chapters_say() -> None:
    game = lanterns.RULESET
    assert game.inputs == (oil.Fill, dark.Light, dark.Blow)
    assert game.facts == (oil.OilFilled, dark.LampLit, dark.LampOut, dark.WindBlew)
    assert game.choices == (dark.Shielded, dark.Unshielded)
    assert list(game.rules) == ["lanterns.fill", "lanterns.light", "lanterns.wind"]
    assert game.rules["lanterns.fill"].statement == "A lamp holds three measures of oil."
    assert game.phrases.inputs[dark.Light] == "{char} lights the lamp."
    assert game.phrases.questions == {"shield": "Do you shield it?"}
    assert game.phrases.steps == {"lanterns.fill": "{char} has {out:measure|measures}."}
    assert game.phrases.headlines == (dark.LampLit, oil.OilFilled)
    assert game.labels == {"oil": "Oil left"} and game.refers == {"lit_by": "character"}
    assert game.steps == {"char": "character", "lanterns.wind": "character"}
    assert dark.Blow.records == ("lamp-out", "wind-blew")  # type: ignore[attr-defined]


def test_it_is_played_and_an_earlier_ruling_overturned(world: Any) -> None:
    world.declare(oil.Fill(world.ann, 2), by="ann")
    world.declare(dark.Light(world.ann), by="ann")
    world.declare(dark.Blow(world.ann), [Choice(dark.Unshielded())])
    assert world.character(world.ann) == Lamp(oil=2)
    beside = world.without(4)
    then = {row.number: row.then for row in beside.rows}
    assert isinstance(then[5], Refused) and then[5].code == "not-lit"


def test_a_code_under_two_rules_has_the_sentence_of_its_rule() -> None:
    wording = Wording(lanterns.RULESET)
    assert wording.word_refusal("lanterns.light", "not-lit", {"char": "1"}) != wording.word_refusal(
        "lanterns.wind", "not-lit", {"char": "1"}
    )


def moves_of(world: Any, by: str, seat_id: str | None = None) -> dict[type[object], set[object]]:
    viewer, asked = find_viewer(world.past, seat(by)), find_viewer(world.past, seat(seat_id or by))
    assert viewer is not None
    found: dict[type[object], set[object]] = {}
    for offer in list_offers(world.ruleset, Seen(world.ruleset, world.past, viewer, seat=asked)):
        domain = offer.move.fields.get("char")
        found.setdefault(offer.move.do, set()).update(domain.values if isinstance(domain, Among) else ())
    return found


def test_one_guard_refuses_and_leaves_out(world: Any) -> None:
    with pytest.raises(Refused, match="no-oil"):
        world.declare(dark.Light(world.ann), by="ann")
    assert dark.Light not in moves_of(world, "ann")
    world.declare(oil.Fill(world.ann, 1), by="ann")
    assert moves_of(world, "ann")[dark.Light] == {world.ann}


def test_a_guard_that_looks_behind_a_veil_offers(world: Any) -> None:
    """The game master may light any lamp and does not know which are empty: offers must not tell."""
    before = moves_of(world, "gm")[dark.Light]
    world.declare(oil.Fill(world.ann, 1), by="ann")
    assert before == moves_of(world, "gm")[dark.Light] == {world.ann, world.ben}
    world.declare(dark.Light(world.ann), by="ann")
    assert moves_of(world, "gm")[dark.Light] == {world.ben}


def test_moves_that_are_asked_for_another_seat_tell_what_who_asks_may_know(world: Any) -> None:
    assert dark.Light not in moves_of(world, "ann") and moves_of(world, "gm", "ann")[dark.Light] == {world.ann}


def test_every_look_meets_the_veil(world: Any) -> None:
    viewer = find_viewer(world.past, seat("ben"))
    assert viewer is not None
    shown = Seen(world.ruleset, world.past, viewer).make_shown_table()
    looks: list[Any] = [shown.get(character(id), Lamp).oil for id in (world.ann, world.ann, world.ben)]
    assert [look is VEIL for look in looks] == [True, True, False]


@pytest.mark.parametrize("by", ["gm", "ben"])
def test_nobody_else_can_tell_how_much_oil_there_is(by: str) -> None:
    def shown(measures: int) -> Any:
        world: Any = new_world()
        world.declare(oil.Fill(world.ann, measures), by="ann")
        viewer, verdict = find_viewer(world.past, seat(by)), world.verdicts[-1]
        assert viewer is not None
        views = [world.view(subject, by) for subject in world.past.folded]
        facts = [about.fact for about in verdict.facts if viewer.may_see(about.audience)]
        return views, facts, [step for step in verdict.because if viewer.may_see(step.audience)], moves_of(world, by)

    assert shown(1) == shown(2)


def test_an_offer_that_looks_behind_a_veil_itself_is_named(world: Any) -> None:
    @offers
    def offer_to_the_empty(seen: Seen, draft: Draft) -> Iterator[Move]:
        for id in seen.characters:
            if draft.state(character(id), Lamp).oil == 0:
                yield Move(oil.Fill, {"char": Among((id,)), "measures": Among((1,))})

    world.ruleset = lanterns.game(oil, dark, chapter(offer_to_the_empty=offer_to_the_empty))
    with pytest.raises(TypeError, match="offer_to_the_empty looks at a hidden field outside a guard"):
        moves_of(world, "gm")


def test_a_guard_within_a_guard_leaves_what_can_be_seen_to_the_other(world: Any) -> None:
    @guards
    def may_relight(draft: Draft, char: str) -> Refused | None:
        lamp = draft.state(character(char), Lamp)
        return dark.may_light(draft, char) or (None if lamp.lit_by == world.ben else dark.NO_LIGHT(char=char))

    viewer = find_viewer(world.past, seat("gm"))
    assert viewer is not None
    shown = Draft(Seen(world.ruleset, world.past, viewer).make_shown_table())
    assert dark.may_light(shown, world.ann) is None
    assert str(may_relight(shown, world.ann)) == "not-lit (lanterns.wind)"


def test_a_guard_leaves_the_veils_of_a_judgement_to_the_kernel() -> None:
    with pytest.raises(veils.Veiled):
        guards(lambda: bool(veils.VEIL))()


def test_the_kernels_offer_gives_way_to_the_games(world: Any) -> None:
    assert commands.OpenSession not in moves_of(world, "gm") and commands.OpenScene in moves_of(world, "gm")


@pytest.mark.parametrize(
    "look",
    [
        bool,
        len,
        iter,
        hash,
        str,
        int,
        lambda veil: veil == 1,
        lambda veil: veil < 1,
        lambda veil: veil + 1,
        lambda veil: 1 in veil,
        lambda veil: veil[0],
        lambda veil: veil.name,
        lambda veil: f"{veil}",
    ],
)
def test_nothing_can_be_done_with_a_veil(look: Any) -> None:
    with pytest.raises(Veiled):
        look(VEIL)
    assert guards(lambda: look(VEIL))() is None


def test_a_refusal_makes_each_kind_of_refusal() -> None:
    assert type(dark.NO_OIL(char="1")) is Refused and dark.NO_OIL(char="1").context == {"char": "1"}
    assert isinstance(dark.NO_OIL.unfit(char="1"), Unfit) and isinstance(dark.NO_OIL.declined(), Declined)
    assert dark.NO_OIL(("gm",)).audience == ("gm",)


def test_facts_of_many_fields_are_made_by_name() -> None:
    @fact("many", says="Many.", changes=None, kw_only=True)
    class Many:
        first: int
        second: int = 2

    assert Many(first=1) == Many(first=1, second=2) and changed(Many(first=1), first=3).first == 3
    with pytest.raises(TypeError):
        Many(1)  # type: ignore[call-arg]


# --- what is found ----------------------------------------------------------------------------------------------------


def chapter(**names: Any) -> ModuleType:
    """A chapter with these names in it."""
    made = ModuleType("tests.rules.lanterns.extra")
    for name, value in names.items():
        if hasattr(value, "__module__") and not isinstance(value, Refusal | Question):
            value.__module__ = made.__name__
        setattr(made, name, value)
    return made


@fact("spilt", says="Oil is spilt.")
class Spilt:
    pass


@declares("spill", ANYONE, says="Somebody spills oil.")
class Spill:
    pass


@decides
def spill(draft: Draft, do: Spill) -> None:
    pass


@changes
def spill_oil(state: Lamp, fact: Spilt) -> Lamp:
    return state


@changes
def spill_more(state: Lamp, fact: Spilt) -> Lamp:
    return state


@decides
def light_again(draft: Draft, do: dark.Light) -> None:
    pass


@decides
def decide_nothing(draft: Draft) -> None:
    pass


@changes
def change_a_text(state: str, fact: dark.LampOut) -> str:
    return state


def same_kind() -> Any:
    @declares("light", ANYONE, says="Again.")
    class LightToo:
        pass

    return LightToo


def may_pour(draft: Draft, char: str) -> Refused | None:
    return dark.NO_OIL(char=char) if draft.state(character(char), Lamp).oil == 0 else None


@offers
def offer_little(seen: Seen) -> Iterator[Move]:
    yield from ()


class Pouring:
    def may_pour(self, char: str) -> Refused | None:
        return None


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "a declaration without a rule": ({"Spill": Spill}, "inputs without a rule: .*Spill"),
    "a rule for no declaration": ({"spill": spill}, "not inputs of the game: .*Spill"),
    "a fact that changes nothing": ({"Spilt": Spilt}, "Spilt changes nothing"),
    "a change of no fact": ({"spill_oil": spill_oil}, "not facts .*Spilt"),
    "a change of no state": ({"change_a_text": change_a_text}, "not states .*str"),
    "a refusal without a sentence": ({"SILENT": Refusal(dark.LIGHT, "silent", "")}, "'silent' of lanterns.light"),
    "two sentences": ({"OTHER": Refusal(dark.LIGHT, "no-oil", "Empty.")}, "OTHER: .*no-oil.* is defined twice"),
    "a rule nothing cites": (
        {"IDLE": rule("lanterns.idle", "Nothing.")},
        "rules that are never cited: .*lanterns.idle",
    ),
    "a question nothing asks": ({"IDLE": Question("idle", "Well?")}, "questions that are never asked: .*idle"),
    "two rules for one declaration": ({"light_again": light_again}, "two functions for Light: .*light_again"),
    "two changes for one fact": (
        {"Spilt": Spilt, "spill_oil": spill_oil, "spill_more": spill_more},
        "change Lamp by Spilt: .*spill_more",
    ),
    "two declarations of one kind": ({"LightToo": same_kind()}, "LightToo.*light twice"),
    "a guard without its mark": ({"may_pour": may_pour}, "may_pour returns a refusal.* mark it with @guards"),
    "a method without its mark": ({"Pouring": Pouring}, r"Pouring\.may_pour returns a refusal"),
    "an offer without a draft": ({"offer_little": offer_little}, "offer_little must have two parameters"),
    "a rule without types": ({"decide_nothing": decide_nothing}, "decide_nothing must have two parameters"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_chapter_is_found_with_its_name(fault: str) -> None:
    names, message = FAULTS[fault]
    with pytest.raises(TypeError, match=message):
        lanterns.game(oil, dark, chapter(**names))


@pytest.mark.parametrize(
    "mark",
    [
        fact("dim", says="{lamp} dims.", changes=None),
        declares("dim", ANYONE, says="[{lamp:lamp|lamps}] dims."),
        declares("dim", either("lamp"), says="It dims."),
        choice("dim", says="{lamp}."),
    ],
)
def test_a_sentence_and_a_declarer_name_fields(mark: Any) -> None:
    class Dim:
        char: CharacterId

    with pytest.raises(TypeError, match=r"Dim has no field lamp: it has \['char'\]"):
        mark(Dim)


def test_a_rule_has_one_statement() -> None:
    with pytest.raises(TypeError, match=r"lanterns\.light has two statements"):
        rule("lanterns.light", "A lamp can be lit.")


def test_rules_are_read_in_the_order_that_a_game_gives() -> None:
    assert list(lanterns.RULESET.rules) == ["lanterns.fill", "lanterns.light", "lanterns.wind"]
    in_order = lanterns.game(oil, dark, reading_order="wind fill light")
    assert list(in_order.rules) == ["lanterns.wind", "lanterns.fill", "lanterns.light"]


@pytest.mark.parametrize("order", ["wind fill", "wind fill lights", "wind fill lig"])
def test_a_rule_that_the_reading_order_lacks_is_named(order: str) -> None:
    with pytest.raises(TypeError, match=r"the reading order of lanterns lacks lanterns\.light"):
        lanterns.game(oil, dark, reading_order=order)


def test_a_game_with_secrets_says_which_fields_are_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.rules.kernel.assembling.list_audiences", lambda state: {})
    with pytest.raises(TypeError, match="lanterns has secrets"):
        lanterns.game(oil, dark)


def test_a_field_can_have_any_name() -> None:
    @fact("odd", says="Odd.", changes=None)
    class Odd:
        says: str
        role: str

    assert chapters.find_mark(Odd) == chapters.Words("Odd.", None, True) and Odd("a", "b").says == "a"

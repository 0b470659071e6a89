"""What the makers of characters say: reasons, what is still open, and why there is little to choose."""

from __future__ import annotations

import re

from tests.api.page.sitting import at_the_page
from tests.api.page.test_makers import NEXT, Maker, empty
from tests.api.table import Service


def at_the_body(service: Service, *identities: str) -> Maker:
    """Somebody of Mongrel whose points are spent so; the last is the primary Identity."""
    maker = Maker(at_the_page(empty(service, "mongrel").ben))
    maker.press("Nuin", name="Nora")
    maker.press(NEXT)
    for name in identities:
        maker.press(f"{name}: one more")
    maker.press(identities[-1])
    maker.press(NEXT)
    return maker


def test_a_reason_is_about_what_was_chosen(service: Service) -> None:
    """Not about Size and Spirit, which nobody has chosen yet."""
    maker = at_the_body(service, *["Beast"] * 2, *["Demon"] * 4)
    maker.press("Quadruped")
    maker.press("Add an unnatural feature", **{"new/": "casts no shadow"})
    for label in (NEXT, "Female", "Old", NEXT, "Physique 3, Beauty 5"):
        maker.press(label)
    reasons = maker.text().partition(" Speed and Social ")[2]
    assert "Elderly characters must have more Social than Speed." in reasons and "Demon" not in reasons


def test_what_a_new_vow_lacks_is_named_by_a_noun(service: Service) -> None:
    maker = at_the_body(service, *["Beast"] * 2, *["Man"] * 4)
    while "New Vow" not in maker.text():
        maker.press("Choose for me" if "disabled" in maker.find(NEXT) else NEXT)
    assert maker.press("Add a Vow", **{"new/object": "her sister"}).status_code == 422
    assert "Still to choose: Kind of Vow." in maker.text()


def test_a_pick_that_adds_less_than_its_step_says_why(service: Service) -> None:
    """In place of the 1 that its Area gave it, a second pick in an Area has 3. The next step adds 2 to both."""
    maker = at_the_body(service, *["Man"] * 2, *["Beast"] * 4)
    while "a pick adds 3" not in maker.text():
        maker.press("Choose for me" if "disabled" in maker.find(NEXT) else NEXT)
    replaced, levels = "because the 3 replaces the 1 from its Area", re.compile(r"(\d) → (\d)(, because)?")
    assert replaced not in maker.text()
    maker.press("Sense")
    rises = [(int(new) - int(old), bool(why)) for old, new, why in levels.findall(maker.text())]
    assert replaced in maker.text() and {(2, True), (3, False)} == set(rises)
    maker.press("Rend")
    maker.press(NEXT)
    rises = [(int(new) - int(old), bool(why)) for old, new, why in levels.findall(maker.text())]
    assert "a pick adds 2" in maker.text() and (2, False) in rises and not any(why for _, why in rises)


def test_a_body_that_is_the_only_one_says_why(service: Service) -> None:
    maker = at_the_body(service, *["Beast"] * 2, *["Man"] * 4)
    assert "Quadruped" not in maker.text() and "Man: it is human." in maker.text()


def test_a_step_with_nothing_to_choose_is_left_out(service: Service) -> None:
    """Without script immunity, nobody is asked for it, and it is no step."""
    table = empty(service, "mnemonic")
    maker = Maker(at_the_page(table.ben))
    assert "Step 1 of 4" in maker.text()
    for _ in range(3):
        maker.press(NEXT, name="Nora")
    assert "Step 4 of 4" in maker.text() and "Play Nora" in maker.text() and "Script immunity" not in maker.text()
    table.gm.declare("set-dial", name="dramatic.source", value="important", reason="A heroic world.")
    maker = Maker(at_the_page(table.ben))
    for _ in range(3):
        maker.press(NEXT, name="Nora")
    assert "Step 4 of 5" in maker.text() and maker.find("No rating now")["aria-pressed"] == "true"


def test_traits_that_differ_only_in_capitals_are_one(service: Service) -> None:
    maker = Maker(at_the_page(empty(service, "intensity").ben))
    maker.press(NEXT, name="Nora")
    names = {"/traits/0/name": "Loyal", "/traits/1/name": "loyal", "/traits/2/name": "Quick"}
    assert maker.press(NEXT, **names).status_code == 422
    assert "Each trait needs its own name." in maker.text()


def test_a_vow_to_an_unknown_house_says_what_it_must_name(service: Service) -> None:
    maker = at_the_body(service, *["Man"] * 2, *["Beast"] * 4)
    while "New Vow" not in maker.text():
        maker.press("Choose for me" if "disabled" in maker.find(NEXT) else NEXT)
    vow = {"new/object": "to bring my brother home", "new/about": "house"}
    assert maker.press("Add a Vow", **vow).status_code == 422
    assert "There is no House “to bring my brother home”. The Houses are Aggak-Ko," in maker.text()
    assert "A Vow about a House names one of them." in maker.text()


def test_each_trait_has_its_own_example(service: Service) -> None:
    maker = Maker(at_the_page(empty(service, "intensity").ben))
    maker.press(NEXT, name="Nora")
    examples = re.findall('placeholder="([^"]*)"', maker.page)
    assert len(examples) == len(set(examples)) and "Smooth Talker" in maker.text()


def test_a_new_character_s_primary_role_says_what_its_rating_is(service: Service) -> None:
    maker = Maker(at_the_page(empty(service, "mnemonic").ben))
    for _ in range(3):
        maker.press(NEXT, name="Nora")
    assert "Primary Role: counts as Moderately, for everybody" in maker.text()


def test_the_values_of_a_sheet_do_not_call_every_balance_spendable(service: Service) -> None:
    """What was used, and what is below zero, is listed with them."""
    table = empty(service, "scattershot")
    table.gm.does("/characters", {"name": "Nora", "seat": table.ben.id, "sheet": {"character": "persona"}})
    page = at_the_page(table.ben).page("/sheet/character/1")
    assert "Development Points used, with the 12 free ones" in page and "Available to spend" not in page

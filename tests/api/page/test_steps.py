"""Steps that followed by themselves, on the page: one result, one overturning; and a seat that holds."""

from __future__ import annotations

import re
from html import unescape

from tests.api.page.blows import card, plain
from tests.api.page.campaigns import begun
from tests.api.page.sitting import Form, Sitter, at_the_page
from tests.api.table import Service
from tests.api.test_following import GO_ON, Leap


def test_the_steps_are_shown_as_one_result(service: Service) -> None:
    leap = Leap(service)
    acted = leap.leaps()
    ben = at_the_page(leap.ben)
    shown = card(ben)
    assert shown.startswith(acted["text"].rstrip(".")) and "Dispute" in shown
    for step in acted["followed"][:-1]:
        assert f"{step['text']} Ruling {step['ruling']}" in shown
    assert len(re.findall(r'<svg class="d[ "]', ben.page("/"))) >= 2
    asked = acted["followed"][-1]["waiting"]
    leap.answers(leap.cleo, asked, GO_ON, 202)
    totals = leap.answers(leap.ben, asked, GO_ON, 201)
    joined = plain(ben.page(f"/?ruling={totals['number']}"))
    assert acted["text"].rstrip(".") in joined and totals["followed"][0]["text"] in joined


def test_what_followed_is_overturned_with_it_unless_it_is_unticked(service: Service) -> None:
    leap = Leap(service)
    number = leap.leaps()["number"]
    at = f"/rulings/{number}/overturn"
    ann = at_the_page(leap.gm)
    form = ann.form(ann.at + at, ann.at + at)
    assert form.fields["also"] == [str(number + 1), str(number + 2)]


def test_a_player_holds_and_lets_go_in_the_settings(service: Service) -> None:
    leap = Leap(service)
    cleo = at_the_page(leap.cleo)
    for label, holds in (("Pause automatic steps", True), ("Resume automatic steps", False)):
        page = cleo.page("/settings")
        text = next(text for text in re.findall(r"<form .*?</form>", page, re.DOTALL) if label in text)
        form = Form(text, unescape(re.findall(r'action="([^"]+)"', text)[0]))
        assert cleo.send(form, {"do": "hold" if holds else "release"}).status_code == 303
        assert leap.gm.look(f"/seats/{leap.cleo.id}")["holds"] is holds


def first_update(sitter: Sitter, path: str) -> str:
    """Return what is sent first to a page that is open."""
    text = ""
    with sitter.client.stream("GET", path) as answer:
        for more in answer.iter_text():
            text += more
            if text.count("\n\n") > 1:  # the first of them is how soon to try again
                return text
    raise AssertionError(text)


def test_everybody_sees_who_holds(service: Service) -> None:
    """Also on a page that is open already."""
    leap = Leap(service)
    ben = at_the_page(leap.ben)
    (live,) = re.findall(r'"([^"]+/live[?]seen=[^"]+)"', ben.page("/"))
    leap.holds(leap.cleo, leap.cleo, True)
    assert "Cleo has paused automatic steps." in plain(ben.page("/"))
    assert "Cleo has paused automatic steps." in plain(first_update(ben, live))
    cleo = at_the_page(leap.cleo)
    assert "You have paused automatic steps." in plain(cleo.page("/"))
    assert f'href="{cleo.at}/settings#seats"' in cleo.page("/")
    leap.holds(leap.cleo, leap.cleo, False)
    assert "automatic steps" not in plain(ben.page("/"))


def test_nobody_is_said_to_hold_where_nothing_follows(service: Service) -> None:
    leap = Leap(service)
    leap.gm.declare("set-dial", name="forced_steps", value="by_hand", reason="We go slowly.")
    leap.holds(leap.cleo, leap.cleo, True)
    assert "automatic steps" not in plain(at_the_page(leap.ben).page("/"))


def test_a_seat_that_only_watches_is_offered_no_hold(service: Service) -> None:
    leap = Leap(service)
    assert "Hold:" not in at_the_page(leap.seat("Dora", "observer")).page("/settings")


def test_a_game_master_lets_steps_follow_again_for_an_absent_player(service: Service) -> None:
    leap = Leap(service)
    ann = at_the_page(leap.gm)
    assert ann.page("/settings").count("Resume automatic steps") == 0
    leap.holds(leap.cleo, leap.cleo, True)
    text = next(text for text in re.findall(r"<form .*?</form>", ann.page("/settings"), re.DOTALL) if "Resume" in text)
    form = Form(text, unescape(re.findall(r'action="([^"]+)"', text)[0]))
    assert ann.send(form, {"do": "release"}).status_code == 303
    assert leap.gm.look(f"/seats/{leap.cleo.id}")["holds"] is False


def test_what_followed_is_ticked_also_after_the_option_was_changed_back(service: Service) -> None:
    leap = Leap(service)
    number = leap.leaps()["number"]
    leap.gm.declare("set-dial", name="forced_steps", value="by_hand", reason="We go slowly.")
    ann = at_the_page(leap.gm)
    at = f"{ann.at}/rulings/{number}/overturn"
    assert ann.form(at, at).fields["also"] == [str(number + 1), str(number + 2)]


def test_a_new_scene_is_told_once(service: Service) -> None:
    """It stands on the scene's sheet and on the campaign's."""
    shown = card(at_the_page(begun(service, "toy").gm))
    assert "The scene “The old mill” begins" in shown and "is open" not in shown

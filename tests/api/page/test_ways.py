"""What can be done in several ways: what tells them apart; and what is said of nothing that one might have meant."""

from __future__ import annotations

import re
from html import unescape

import pytest

from api.http.components import load_components
from api.table import forms, mistakes
from api.table.declaring import can_be_one_choice
from api.table.groups import IN_SIGHT, group_moves, is_already_declared, is_begun
from api.table.node_maker import NodeMaker
from api.table.nodes import Choice, Listing, Node, Number, Record, RecordField, Text
from api.table.page_forms import PageForm, warn_of_blanks
from api.table.turns import list_awaited_turns
from api.table.ways import mark_differences
from api.table.words import Account, Words
from ledger.rules import systems
from projections.documents import answer_schemas
from tests.api.page.campaigns import begun, told
from tests.api.page.sitting import at_the_page
from tests.api.table import Json, Service, Table
from tests.api.test_declined import DODGE, WHY, Deal
from tests.levels import sampled

WORDS = Words({"character": {"2": "Sarah", "3": "Steve"}}, {"who": "character"})
WHOLE = {
    "type": "object",
    "properties": {
        "who": {"type": "string"},
        "net": {"type": "integer", "title": "Net"},
        "place": {"type": "string"},
    },
    "required": ["who", "net"],
}
FIELD = RecordField("text", "Text", "", Text(None, is_long=True), required=True)


MASTER = {"seat": "gm", "name": "the game master"}
#: Where a name is missing in a sentence.
BLANK = re.compile(r"\w+ [:.,](?=\s|$)")


def read_aloud(page: str) -> str:
    """What stands in the paragraphs and lists of a page."""
    said = re.findall(r"<(?:p|li|small|h1)\b[^>]*>(.*?)</(?:p|li|small|h1)>", page, re.DOTALL)
    return "\n".join(unescape(re.sub("<[^>]+>", "", one)) for one in said)


def apart(*said: Json) -> list[str]:
    hit = {"$ref": "/openapi.json#/components/schemas/hit"}
    moves: list[Json] = [
        {"kind": "hit", "text": "Somebody hits somebody.", "schema": {"allOf": [hit, {"properties": one}]}}
        for one in said
    ]
    mark_differences(moves, NodeMaker({"hit": WHOLE}, WORDS), WORDS)
    return [one["apart"] for one in moves]


NULL = {"const": None}
FEW = {"type": "integer", "minimum": 1, "maximum": 3}
MANY = {"type": "integer", "minimum": 4}


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([{"net": FEW}], [""]),
        ([{"net": FEW}, {"net": MANY}], ["Net: 1 to 3", "Net: 4 or more"]),
        ([{"who": {"const": "2"}}, {"who": {"const": "3"}}], ["Who: Sarah", "Who: Steve"]),
        ([{"place": NULL}, {"place": {"enum": [None, "arm", "leg"]}}], ["Without place", "Place: Arm or Leg"]),
        ([{"net": {"const": 0}}, {"net": {"const": 5}}], ["Net: 0", "Net: 5"]),
        ([{"place": NULL, "net": FEW}, {"place": {}, "net": FEW}], ["Without place", "With place"]),
        (
            [{"place": {"const": "arm"}, "net": FEW}, {"place": {}, "net": MANY}],
            ["Net: 1 to 3; Place: Arm", "Net: 4 or more"],
        ),
        (
            [{"net": FEW, "who": {"const": "2"}}, {"net": FEW, "who": {"enum": ["2", "3"]}}],
            ["Who: Sarah", "Who: Sarah or Steve"],
        ),
    ],
)
def test_what_tells_moves_of_one_sentence_apart(moves: list[Json], said: list[str]) -> None:
    assert apart(*moves) == said


@pytest.mark.parametrize("system", sampled(sorted(systems()), 1, salt="ways"))
def test_no_two_ways_read_alike(service: Service, system: str) -> None:
    """Neither in their sentence, nor in what is said of them beside it."""
    table = begun(service, system)
    for player in (table.gm, table.ben):
        sitter = at_the_page(player)
        for path in sitter.moves():
            page = sitter.get(path).text
            assert BLANK.findall(read_aloud(page)) == [], path
            said = re.findall(r'<p class="lead"[^>]*>(.*?)</p>\n(?:<p class="apart">(.*?)</p>)?', page)
            ways = [" ".join(said[0]), *re.findall(r'<a class="move" href="[^"]*/declare/[^"]*">(.*?)</a>', page)]
            read = [" ".join(re.findall(r"[\w-]+", re.sub("<[^>]+>", " ", unescape(one)))) for one in ways]
            assert sorted(set(read)) == sorted(read), path


def test_ways_that_are_the_choice_itself_are_not_folded_away() -> None:
    """Each settles something otherwise: what comes of a hit, say."""
    impacts = [{"settled": {"kind": "choose", "impact": one}} for one in ("stun", "tax", "wound", "fatal")]
    assert can_be_one_choice(impacts)
    assert not can_be_one_choice([*impacts, impacts[0]])
    assert not can_be_one_choice([*impacts, {"settled": {"kind": "choose"}}])
    assert not can_be_one_choice([{"settled": {"kind": "choose", "impact": at}} for at in range(13)])


def test_what_can_be_put_into_a_list_is_seen_before_anything_is() -> None:
    """What is not chosen there is no item."""
    die = {"type": "object", "properties": {"die": {"const": "own"}, "face": {"type": "integer"}}}
    other = {"type": "object", "properties": {"die": {"const": "trait"}, "size": {"type": "integer"}}}
    whole = {"type": "array", "items": {"anyOf": [die, other]}}
    node = NodeMaker({}, WORDS).make_node({"type": "array", "items": {"anyOf": [die, other]}, "minItems": 0}, whole)
    said = forms.fill_form(node, "/dice")
    assert said["/dice#"] == ["1"]
    assert mistakes.collect_open_choices(node, "/dice", said) == {}
    assert forms.read_value(node, "/dice", said) == []
    said |= {"/dice/0?": ["0"], "/dice/0|0/face": ["3"]}
    assert forms.read_value(node, "/dice", said) == [{"die": "own", "face": 3}]


# --- in a fight ---


def kicked(service: Service) -> tuple[Table, str]:
    """Ben's kicks Cleo's, in Mechanical Play; and what stands for it."""
    table = begun(service, "scattershot")
    table.gm.declare("call-mechanical-play", characters=["1", "2"], scope="individual", caller=table.ben.id)
    table.ben.declare("start-turn", character="1")
    said: Json = {"text": "A kick at the knee", "rating": "agility", "nature": "attack", "pays": "action"}
    facts = table.ben.declare("declare-action", character="1", engages=["2"], **said)["facts"]
    return table, next(one["fact"]["resolution"] for one in facts if "resolution" in one["fact"])


def test_who_is_asked_how_to_respond_is_told_to_what(service: Service) -> None:
    table, resolution = kicked(service)
    table.ben.tries("answer-engagement", resolution=resolution, character="2")
    page = unescape(at_the_page(table.cleo).page("/"))
    assert "Mirabel Thorne acts against Old Gorrin: “A kick at the knee”. How do you respond?" in page
    assert "rating: free text" not in page and "Oppose, Forfeit, with default" in page


def test_a_resolution_is_called_by_its_matter_the_order_by_names_and_the_fight_stands_there_once(
    service: Service,
) -> None:
    table, _ = kicked(service)
    page = unescape(at_the_page(table.ben).page("/"))
    scene = re.sub(r"<[^>]+>", " ", page[page.index('<section id="scene"') : page.index('<section id="people"')])
    scene = " ".join(scene.split())
    assert "Mirabel Thorne, A kick at the knee, Opportunity" in scene
    assert "Order: Ben , Ann , Cleo" in scene and "Turn Mirabel Thorne" in scene
    assert re.search(r"\bS[0-9]\b", scene) is None
    assert scene.count("Standing") == 1
    waited = page[page.index('<section id="turn"') : page.index('<section id="scene"')]
    assert "Next step" not in waited


def test_choosing_results_is_in_front_after_a_blow_that_hit_and_ending_the_turn_is_not(service: Service) -> None:
    table, resolution = kicked(service)
    table.cleo.declare("answer-engagement", resolution=resolution, character="2", passive=True)
    table.ben.declare("close-opportunity", resolution=resolution)
    table.ben.declare("roll-mib", resolution=resolution, faces=[2, 3])
    table.ben.declare("close-decision", resolution=resolution)
    table.ben.declare("reach-outcome", resolution=resolution)
    page = at_the_page(table.ben).page("/")
    prompt = page[page.index('<section id="turn"') : page.index('<div class="columns">')]
    assert re.findall(r"/tap/([\w-]+)", prompt) == ["choose-results"] * 3 + ["close-application"]
    assert "/declare/choose-results" in prompt and "/declare/end-turn" not in prompt and "/declare/end-turn" in page


def test_a_plot_device_is_called_by_its_text(service: Service) -> None:
    table = begun(service, "scattershot")
    table.ben.declare("plot-device", text="The bells ring", dice=[{"die": "loaner", "face": 4}], target=table.gm.id)
    sitter = at_the_page(table.gm)
    page = unescape(sitter.get(next(one for one in sitter.moves() if "/close-decision?" in one)).text)
    assert "The bells ring, Decision" in page
    assert "S1" not in re.sub(r"<[^>]+>", " ", page)


def test_people_are_called_to_fight_as_single_persons_first(service: Service) -> None:
    sitter = at_the_page(begun(service, "scattershot").gm)
    page = sitter.get(next(one for one in sitter.moves() if "/call-mechanical-play?" in one)).text
    form = re.sub(r"<ul class=\"ways\">.*?</ul>", "", page, flags=re.DOTALL)
    assert "Scope for" not in form and ">Squad<" not in form


@pytest.mark.parametrize("kind", ["purchase", "occult-purchase"])
def test_a_number_that_is_asked_for_says_of_what_it_is(kind: str) -> None:
    """ "Social" it was called, and nothing more was said."""
    schemas = load_components("mongrel").schemas
    node = NodeMaker(schemas, WORDS).make_node({}, schemas[f"mongrel_{kind}"])
    assert isinstance(node, Record)
    (social,) = (one for one in node.fields if one.name == "social")
    assert (social.title, social.hint) == (
        "Seller's Social score",
        "For a seller who is not a character. If you do not know the score, leave it out: a game master is asked.",
    )


@pytest.mark.nightly
def test_an_action_says_what_it_can_be_about_without_ids(service: Service) -> None:
    schemas = service.client.get("/openapi.json").json()["components"]["schemas"]
    node = NodeMaker(schemas, WORDS).make_node({}, schemas["scattershot_declare-action"])
    assert isinstance(node, Record)
    hints = {one.name: one.hint for one in node.fields}
    assert hints["subject"] == "The Character or element that the Action is aimed at."
    assert not [one for one in hints.values() if re.search(r"\bids?\b", one)]


# --- what was declared already ---


def test_what_was_declared_already_and_waits_is_told_before_it_is_declared_again(service: Service) -> None:
    """To who declared it, of the same people; somebody else's is another matter."""
    table = Table(service)
    table.fighters()
    path = next(one for one in at_the_page(table.ben).moves() if "/declare/hit?" in one)
    told = "You have already declared this. It is waiting for Cleo: "
    assert told not in at_the_page(table.ben).get(path).text
    waiting = table.ben.tries("hit", char="1", target="2").json()["id"]
    sitter = at_the_page(table.ben)
    page = sitter.get(path).text
    assert told in page
    assert f'href="{sitter.at}/waiting/{waiting}"' in page


@pytest.mark.parametrize(
    ("seat", "kind", "settled", "same"),
    [
        ("s2", "hit", {"char": "1"}, True),
        ("s2", "hit", {"char": "3"}, False),
        ("s2", "hit", {}, True),
        ("s3", "hit", {"char": "1"}, False),
        ("s2", "rest", {"char": "1"}, False),
    ],
)
def test_what_is_the_same_as_what_waits(seat: str, kind: str, settled: Json, same: bool) -> None:
    waiting = {"declared": {"kind": "hit", "char": "1", "target": "2"}, "by": {"seat": "s2"}}
    assert is_already_declared(waiting, {"kind": kind, **settled}, seat) is same


def test_a_no_of_which_nothing_comes_is_told(service: Service) -> None:
    deal = Deal(service)
    waiting, sitter = deal.asks(), at_the_page(deal.gm)
    path = f"{sitter.at}/waiting/{waiting}"
    form = sitter.form(path, path)
    name = next(one for one in form.offered if one.endswith("/choice"))
    veto = next(one for one in form.offered[name] if "veto" in one)
    answered = sitter.send(form, {name: veto})
    assert (answered.status_code, answered.headers["location"]) == (303, f"{sitter.at}/?waiting={waiting}")
    assert WHY in unescape(sitter.get(answered.headers["location"]).text)
    assert f"This declaration is no longer waiting: {WHY}" in unescape(sitter.get(path).text)


def test_the_game_master_who_is_asked_has_a_name(service: Service) -> None:
    deal = Deal(service)
    sitter = at_the_page(deal.ben)
    tried = {"kind": "buy", "character": "1", "purchase": DODGE}
    assert deal.ben.does("/rulings", {"declare": tried, "preview": True}, 200)["question"]["asked"] == MASTER
    waiting = deal.asks()
    assert deal.cleo.look(f"/waiting/{waiting}")["question"]["asked"] == MASTER
    asks = "The game master has to answer: This is a purchase for 3 points: skill, Dodge. Do you approve?"
    assert asks in sitter.page("/")
    assert "Waiting for the game master." in sitter.page(f"/waiting/{waiting}")
    assert BLANK.findall(read_aloud(sitter.page("/"))) == []


# --- who is away ---


@pytest.mark.parametrize(
    ("whose", "told"),
    [
        ("anyone", "You can answer for Cleo."),
        ("asked", "Only Cleo can answer this. If Cleo is away, you can give the seat to somebody else: "),
    ],
)
def test_a_game_master_is_told_what_can_be_done_where_who_is_asked_is_away(
    monkeypatch: pytest.MonkeyPatch, service: Service, whose: str, told: str
) -> None:
    monkeypatch.setattr(answer_schemas, "find_chooser", lambda choice: whose)
    table = Table(service)
    table.fighters()
    waiting = table.ben.tries("hit", char="1", target="2").json()["id"]
    master = at_the_page(table.gm)
    assert told in master.page("/")
    assert told in master.page(f"/waiting/{waiting}")
    assert (f'href="{master.at}/settings#seats"' in master.page("/")) is (whose == "asked")
    for other in (table.ben, table.cleo):
        assert told not in at_the_page(other).page("/")


# --- what nothing is said of ---


@pytest.mark.parametrize(
    ("field", "said", "empty"),
    [
        (FIELD, {"/text": [" "]}, True),
        (FIELD, {"/text": ["She looks."]}, False),
        (RecordField("text", "Text", "", Text(None, is_long=True), required=False), {}, False),
        (
            RecordField("text", "Text", "Nearly always given.", Choice({'"a"': "A"}), required=False),
            {"/text": [""]},
            True,
        ),
        (RecordField("text", "Text", "Usually given.", Choice({'"a"': "A"}), required=False), {"/text": [""]}, False),
        (RecordField("text", "Text", "", Text(None, is_long=True, takes_json=True), required=True), {}, False),
        (RecordField("text", "Text", "", Number(None, None), required=True), {}, False),
        (RecordField("text", "Text", "", Listing(Choice({'"2"': "Sarah"}), unique=True), required=True), {}, True),
        (RecordField("text", "Text", "", Listing(Choice({}), unique=True), required=True), {}, False),
    ],
)
def test_what_is_hardly_meant_to_be_left_empty(field: RecordField, said: forms.Form, empty: bool) -> None:
    assert (mistakes.list_blank_fields(Record((field,)), "", said) == ["/text"]) is empty


def _asked(node: Node, said: forms.Form) -> PageForm:
    return PageForm("", "", node, "", "", "", said)


def test_nothing_is_asked_about_twice() -> None:
    found = warn_of_blanks(_asked(Record((FIELD,)), {}))
    assert found is not None
    assert found.errors == {"/text": mistakes.EMPTY}
    assert found.problem == {"detail": "You left Text blank. If you meant to, send the form again."}
    assert warn_of_blanks(_asked(Record((FIELD,)), found.form)) is None


def test_what_is_missing_is_told_together_with_what_is_blank() -> None:
    """ "You left Target blank. If you meant to, send the form again" while the level was missing, too."""
    missing = RecordField("level", "Level", "", Choice({'"calm"': "Calm"}), required=True)
    found = warn_of_blanks(_asked(Record((missing, FIELD)), {}))
    assert found is not None
    assert found.errors == {"/level": mistakes.NOTHING, "/text": mistakes.EMPTY}
    assert found.problem == {"detail": "Still missing: Level. You also left Text blank."}
    again = warn_of_blanks(_asked(Record((missing, FIELD)), {**found.form, "/level": ['"calm"']}))
    assert again is not None, "it may stay blank: that is asked once the rest is there"
    assert again.problem == {"detail": "You left Text blank. If you meant to, send the form again."}


def test_a_list_that_is_too_short_cannot_be_sent_again() -> None:
    people = Listing(Choice({'"1"': "Sarah", '"2"': "Steve", '"3"': "Louise"}), unique=True, least=2)
    found = warn_of_blanks(_asked(Record((RecordField("people", "People", "", people, required=True),)), {}))
    assert found is not None
    assert found.problem == {"detail": "Still missing: People."}
    assert found.errors == {"/people": "Choose at least 2."}


def test_an_empty_declaration_is_told_at_its_field_and_recorded_only_where_it_is_meant(service: Service) -> None:
    table = begun(service, "mnemonic")
    sitter = at_the_page(table.ben)
    path = next(one for one in sitter.moves() if "/declare-action?" in one)
    form = sitter.form(path, path.partition("?")[0])
    before = table.gm.look("")["position"]
    turned = sitter.send(form, {})
    assert turned.status_code == 422
    assert f'id="e-declare-text">{mistakes.EMPTY}</small>' in turned.text
    assert "You left Action blank. If you meant to, send the form again." in turned.text
    assert table.gm.look("")["position"] == before
    assert sitter.send(form, {"sure": ["/declare/text"]}).status_code == 303


def test_what_is_still_to_be_said_is_called_as_it_stands_there(service: Service) -> None:
    sitter = at_the_page(begun(service, "moc").gm)
    path = next(one for one in sitter.moves() if "/set-status?" in one)
    form = sitter.form(path, path.partition("?")[0])
    turned = sitter.send(form, {"/declare/reason": "It is so."}).text
    assert "Still missing: Character, Status." in turned
    assert turned.count(mistakes.NOTHING) == 2
    assert "is missing" not in turned


def test_an_answer_without_a_choice_is_told_in_words_for_people(service: Service) -> None:
    table = Table(service)
    table.fighters()
    waiting = table.ben.tries("hit", char="1", target="2").json()["id"]
    sitter = at_the_page(table.cleo)
    path = f"{sitter.at}/waiting/{waiting}"
    turned = sitter.send(sitter.form(path, path), {})
    assert turned.status_code == 422
    assert "Choose an option." in turned.text
    assert "cards, order, coins" not in turned.text


def test_what_a_way_settles_is_filled_in(service: Service) -> None:
    """Two traits, and no third to choose from: nobody ticks them again."""
    table = begun(service, "mnemonic")
    table.gm.declare("seat-referee", seat=table.gm.id)
    sitter = at_the_page(table.gm)
    for path in (one for one in sitter.moves() if "/rule-check?" in one):
        form = sitter.form(path, path.partition("?")[0])
        chances = form.offered["/declare/chances"][0]
        assert sitter.send(form, {"/declare/chances": chances, "try": "1"}).status_code == 200


# --- what is seen at once ---


@pytest.mark.parametrize(
    ("kind", "system", "field"),
    [
        ("declare", "intensity", "target"),
        ("rule-injury", "mnemonic", "reason"),
        ("declare-action", "scattershot", "rating"),
        ("declare-action", "moc", "text"),
    ],
)
def test_what_is_nearly_always_said_is_not_folded_away(service: Service, kind: str, system: str, field: str) -> None:
    table = told(service, system) if system == "mnemonic" else begun(service, system)
    if system == "intensity":
        table.gm.declare("open-round", participants=["1", "2"])
    sitter = at_the_page(table.gm)
    page = sitter.get(next(one for one in sitter.moves() if f"/{kind}?" in one)).text
    seen = re.sub(r'<details class="rest">.*?</details>', "", page, flags=re.DOTALL)
    assert f'name="/declare/{field}' in seen


# --- what is under way ---


def _waits(**declared: object) -> Json:
    return {"declared": {"kind": "roll", **declared}}


@pytest.mark.parametrize(
    ("kind", "who", "waiting", "found"),
    [
        ("roll", "2", [], False),
        ("roll", "2", [_waits()], True),
        ("roll", "2", [_waits(who="2")], True),
        ("roll", "2", [_waits(who="3")], False),
        ("roll", "2", [_waits(who=["3", "2"])], True),
        ("roll", "2", [_waits(who=[])], True),
        ("roll", None, [_waits(who="3")], True),
        ("declare", "2", [_waits()], False),
        ("roll", "2", [{"declared": None}], False),
        (None, None, [_waits()], True),
        (None, None, [], False),
    ],
)
def test_what_only_waits_for_an_answer_is_awaited_no_more(
    kind: str | None, who: str | None, waiting: list[Json], found: bool
) -> None:
    assert is_begun(kind, who, waiting, WORDS) is found


def test_what_only_waits_for_an_answer_is_no_button_in_front() -> None:
    move = {
        "kind": "roll",
        "settled": {"kind": "roll"},
        "awaits": "toy.roll",
        "scene": None,
        "text": "",
        "schema": {"allOf": [{"$ref": "#/toy_roll"}]},
    }
    state: Json = {"characters": [], "waiting": [_waits()]}
    assert not any(one.is_awaited for one in group_moves([move], state, WORDS, "s1"))
    assert any(one.is_awaited for one in group_moves([move], {**state, "waiting": []}, WORDS, "s1"))


def test_what_could_have_been_done_instead_is_not_waited_for_while_it_waits() -> None:
    """To pass, say, while one's own attack waits for who is attacked; for somebody else it still is."""
    there = [
        {"kind": kind, "character": who, "rule": "toy.turn", "seat": {"seat": "s1"}, "text": ""}
        for kind, who in (("roll", "2"), ("pass", "2"), ("pass", "3"))
    ]
    told = {"awaited": there, "waiting": [_waits(who="2")]}
    assert [(one["kind"], one["character"]) for one in list_awaited_turns(told, WORDS)] == [("pass", "3")]
    assert len(list_awaited_turns({**told, "waiting": []}, WORDS)) == 3
    moves = [{**_can(kind, who={"const": "2"}), "awaits": "toy.turn"} for kind in ("roll", "pass")]
    state: Json = {**PEOPLE, "waiting": [_waits(who="2")]}
    assert not any(one.is_awaited for one in group_moves(moves, state, WORDS, "s1"))


@pytest.mark.parametrize(("rolls", "first"), [(["3"], True), (["2"], False), (["2", "3"], False)])
def test_what_somebody_else_is_asked_takes_no_button_from_me(rolls: list[str], first: bool) -> None:
    """Each rolls alone: while one types what the dice show, the others can still roll."""
    move = {**_can("roll", who={"const": ["2"]}), "awaits": "toy.roll"}
    state: Json = {**PEOPLE, "waiting": [_waits(who=rolls)]}
    assert any(one.is_awaited for one in group_moves([move], state, WORDS, "s1")) is first


def test_what_the_game_waits_for_is_told_apart_by_a_line_each_and_its_rule_once(service: Service) -> None:
    table = begun(service, "mongrel")
    table.gm.declare("open-conflict", participants=["1", "2"])
    page = at_the_page(table.gm).page("/")
    assert "Attack another character, or act on them without attacking, inside or outside a conflict." in page
    assert "In a conflict, take an action that has no target, or whose target is a thing." in page
    (turn,) = re.findall(r'<ul class="turn">(.*?)</ul>', page, re.DOTALL)
    rules = re.findall(r'<details class="rule">.*?</summary>(.*?)</details>', turn)
    assert len(rules) == len(set(rules)) == 1


# --- where it stands ---


def _can(kind: str, **fields: Json) -> Json:
    settled = {name: one["const"] for name, one in fields.items() if "const" in one}
    return {
        "kind": kind,
        "settled": {"kind": kind, **settled},
        "awaits": None,
        "scene": None,
        "text": "",
        "schema": {"allOf": [{"$ref": f"#/toy_{kind}"}, {"properties": fields}]},
    }


PEOPLE: Json = {"characters": [{"id": "2", "name": "Sarah", "seat": "s1"}], "waiting": []}


def test_much_that_can_be_done_is_folded_away_and_what_is_about_people_comes_first() -> None:
    moves = [_can("heal", who={"enum": ["2", "3"]}), *(_can(f"list-{at}") for at in range(12))]
    near, far = group_moves(moves, PEOPLE, WORDS, "s1")
    assert (next(iter(near.moves_by_kind)), len(near.moves_by_kind), near.place) == ("Heal", IN_SIGHT, "shown")
    assert (len(far.moves_by_kind), far.place, far.title) == (13 - IN_SIGHT, "more", "Other actions")
    assert [one.title for one in group_moves(moves[:3], PEOPLE, WORDS, "s1")] == ["Your actions"]


def test_a_game_says_which_kinds_come_first_and_under_which_heading_the_others_are() -> None:
    """Those of one heading stand together, whosever they are."""
    moves = [_can(f"list-{at}") for at in range(4)] + [_can("act", who={"const": "2"}), _can("rest")]
    headings = {"rest": "Rest", "act": "Acting", "list-3": "Acting"}
    found = list(group_moves(moves, PEOPLE, WORDS, "s1", headings))
    assert [(one.title, list(one.moves_by_kind), one.place) for one in found] == [
        ("Sarah", ["Act"], "shown"),
        ("Your actions", ["Rest", "List 3"], "shown"),
        ("Other actions", ["List 0", "List 1", "List 2"], "more"),
    ]


def test_what_the_game_has_a_word_for_stands_first() -> None:
    """Of one's own people's moves as of all others: it is what one wants most of the time."""
    moves = [_can(kind, who={"const": "2"}) for kind in ("buy", "cash-in", "act", "develop")]
    words = Words(WORDS.names, WORDS.fields, {"act": "Act now"})
    own, more = group_moves(moves, PEOPLE, words, "s1")
    assert list(own.moves_by_kind) == ["Act now", "Buy", "Cash in"]
    assert (more.title, list(more.moves_by_kind)) == ("Sarah", ["Develop"])


def test_a_kind_stands_in_one_place() -> None:
    """The way for somebody yet to be named comes first."""
    moves = [_can("hit", who={"const": "2"}), _can("hit", who={"enum": ["2", "3"]}), _can("rest", who={"const": "2"})]
    own, others = group_moves(moves, PEOPLE, WORDS, "s1")
    assert list(own.moves_by_kind) == ["Rest"]
    assert [one["settled"] for one in others.moves_by_kind["Hit"]] == [{"kind": "hit"}, {"kind": "hit", "who": "2"}]


@pytest.mark.parametrize(
    ("held", "said"), [(0, "0"), (90, "3/4"), (7920, "66"), (150, "1 1/4"), (-150, "-1 1/4"), (-60, "-1/2")]
)
def test_what_is_counted_in_parts_is_told_in_wholes(held: int, said: str) -> None:
    words = Words(
        {}, {}, {}, [Account.from_form("character:<id>/point", "Points, in 120ths"), Account.from_form("bank/ap", "Ap")]
    )
    assert words.write_amount("character:2/point", held) == said
    assert words.name_account("character:2/point") == "Points"
    assert words.write_amount("bank/ap", held) == str(held)

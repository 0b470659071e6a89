"""A field written with an underscore behind is known without it: stored, sent, told and made by its public name."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import msgspec
import pytest

from api.http.forms import Forms
from ledger.application import json_form
from ledger.errors import Fault, Malformed
from ledger.events.codec import Codec
from ledger.events.envelope import Body
from ledger.rules import systems
from ledger.rules.kernel import json_types
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import ANYONE, declares, fact, find_kind, named_seat
from ledger.rules.kernel.frozen import changed
from ledger.rules.mongrel.purchases import Purchase
from projections.documents.guide import write_guide


@fact("passed")
class Passed:
    """A thing from somebody to somebody."""

    from_: str
    to: str
    for_: int = 1


@declares("pass", named_seat("from"), records=("passed",))
class Pass:
    from_: str
    to: str
    for_: int = 1


@declares("say", ANYONE)
class Say:
    words: str


GIVEN: dict[str, Any] = {"from": "ann", "to": "bob", "for": 3}

ANN: dict[str, Any] = {"from": "ann"}


def rules() -> AnyRuleset:
    toy = systems()["toy"]
    return dataclasses.replace(toy, inputs=(*toy.inputs, Pass, Say), facts=(*toy.facts, Passed))


@pytest.mark.parametrize(
    "made",
    [
        Passed("ann", "bob", 3),
        Passed(from_="ann", to="bob", for_=3),
        Passed(**GIVEN),
        json_types.convert(GIVEN, Passed),
        msgspec.convert(GIVEN, Passed),
        msgspec.json.decode(msgspec.json.encode(GIVEN), type=Passed),
        changed(Passed("cid", "bob", 3), from_="ann"),
        dataclasses.replace(Passed("cid", "bob", 3), from_="ann"),
        dataclasses.replace(Passed("cid", "bob", 3), **ANN),
        json_types.replace_at(Passed("cid", "bob", 3), "/from", "ann"),
        pickle.loads(pickle.dumps(Passed("ann", "bob", 3))),
        copy.deepcopy(Passed("ann", "bob", 3)),
    ],
    ids=lambda made: "made",
)
def test_one_record_however_it_is_made(made: Passed) -> None:
    assert made == Passed("ann", "bob", 3) and hash(made) == hash(Passed("ann", "bob", 3))
    assert (made.from_, made.to, made.for_) == ("ann", "bob", 3)
    assert json_form.to_json(made) == dataclasses.asdict(made) == GIVEN
    match made:
        case Passed(giver, _, for_=n):
            assert (giver, n) == ("ann", 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.from_ = "cid"  # type: ignore[misc]


def test_a_record_with_fields_in_common_with_others_is_changed_like_any() -> None:
    made = Purchase("1", "a lamp", "nuin", social=3)
    assert changed(made, social=4, expertise="lie") == dataclasses.replace(made, social=4, expertise="lie")
    with pytest.raises(dataclasses.FrozenInstanceError):
        changed(made, social=4).item = "a hat"  # type: ignore[misc]


def test_the_record_knows_its_fields_by_their_public_names() -> None:
    assert [field.name for field in dataclasses.fields(Passed)] == ["from", "to", "for"]
    assert json_types.load_hints(Passed) == {"from": str, "to": str, "for": int}
    assert Passed("ann", "bob").for_ == 1
    with pytest.raises(TypeError):
        Passed(to="bob")  # type: ignore[call-arg]


def test_bytes_come_back_as_they_were() -> None:
    codec = Codec()
    codec.register("toy", Passed)
    body = Body(position=1, by="ann", at="2026-01-01T00:00:00Z", salt="s", fact=Passed("ann", "bob", 3))
    stored = codec.encode(body)
    assert b'"fact":{"from":"ann","to":"bob","for":3}' in stored
    assert codec.decode("toy.passed@1", stored) == body
    with pytest.raises(Fault):
        codec.decode("toy.passed@1", stored.replace(b'"from"', b'"from_"'))


def test_people_send_and_read_the_public_name() -> None:
    forms = Forms(rules())
    sent = {"kind": "pass", **GIVEN}
    assert forms.parse_input(sent) == Pass("ann", "bob", 3)
    assert json_form.declaration_to_json(Pass("ann", "bob", 3)) == sent
    for wrong in ({"kind": "pass", "from_": "ann", "to": "bob"}, {"kind": "pass", "to": "bob"}):
        with pytest.raises(Malformed):
            json_form.declaration_from_json(rules(), wrong)
    made = forms.forms_by_class | forms.facts
    for cls in (Pass, Passed):
        schema = made[cls].model_json_schema()
        assert set(schema["properties"]) - {"kind"} == {"from", "to", "for"}
        assert set(schema["required"]) - {"kind"} == {"from", "to"}
    schemas = {cls: form.model_json_schema() for cls, form in made.items()}
    told = write_guide(rules(), schemas, {})
    assert all(f"| `{name}` |" in told for name in ("from", "to", "for"))


def test_other_records_are_left_alone() -> None:
    assert find_kind(Say) == "say" and json_form.to_json(Say("hello")) == {"words": "hello"}
    assert "named" not in Say.__init__.__code__.co_varnames

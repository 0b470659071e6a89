"""Mongrel over HTTP on Postgres: what one player asks of another, and what is decided about it afterwards."""

from __future__ import annotations

from tests.api.table import Json, Service
from tests.api.test_session_mongrel import ACCEPT, AHVIA, EVERYBODY, GIAZZA, VOORUK, Evening, credit, fact, kinds

NO_DEAL: Json = {"choice": {"kind": "no-deal"}}


def test_a_price_takes_the_sellers_player_to_agree(service: Service) -> None:
    """Vooruk's blade, bought by Ahvia for what Ben accepts; overturned, she never had it; reinstated, all is back."""
    evening = Evening(service)
    evening.gathers()
    ann, ben, cleo, dora = evening.everyone
    gained = ann.declare("gain-item", character=VOORUK, item="a blade", weapon=2, reason="His grandfather's.")
    blade = fact(gained, "item-acquired")["possession"]
    faces = evening.state(AHVIA)["state"]["expertise"]["negotiate"] * [1]
    told: Json = {"buyer": AHVIA, "item": "", "house": "mekag", "seller": VOORUK, "possession": blade}

    def bids(amount: int) -> str:
        waiting = cleo.declare("purchase", status=202, **told, faces=faces, sacrifice=amount)
        path = evening.waits_for(waiting, ben, "Is a blade for sale to Ahvia?")
        assert [one.post(path, {"answer": ACCEPT}).status_code for one in (ann, cleo, dora)] == [403, 403, 403]
        waiting = ben.does(path, {"answer": ACCEPT}, 202)
        return evening.waits_for(waiting, ben, f"Is a blade sold to Ahvia for {amount} Credit with House Mekag?")

    spoken: Json = {"kind": "speak-for", "agreed": False, "reason": "He shook his head."}
    for others in (cleo, dora):
        path = bids(1)
        for answer in (ACCEPT, NO_DEAL, {"choice": spoken}):
            assert others.post(path, {"answer": answer}).status_code == 403
        assert [ann.post(path, {"answer": answer}).status_code for answer in (ACCEPT, NO_DEAL)] == [403, 403]
        assert ann.post(path, {"answer": {"choice": {**spoken, "reason": " "}}}).json()["code"] == "reason-blank"
        declined = ann.does(path, {"answer": {"choice": spoken}})
        assert not {"credit-sacrificed", "item-acquired"} & set(kinds(declined))
    assert not {"credit-sacrificed", "item-acquired"} & set(kinds(ben.does(bids(1), {"answer": NO_DEAL})))
    path = bids(1)
    assert ben.post(path, {"answer": {"choice": {"kind": "sacrifice", "amount": 9}}}).status_code == 422
    sold = ben.does(path, {"answer": ACCEPT})
    assert [one["by"]["name"] for one in sold["answers"]] == ["Ben", "Ben"]
    assert kinds(sold)[3:6] == ["credit-sacrificed", "item-parted-with", "item-acquired"]
    own = fact(sold, "item-acquired")["possession"]
    paid = {
        AHVIA: {"ap": 6, "resolve": 6, "beauty": 5, "credit": credit(1)},
        VOORUK: {"ap": 3, "resolve": 3, "beauty": 1, "credit": credit(6)},
        GIAZZA: {"ap": 4, "resolve": 4, "beauty": 2, "credit": credit(4, "nuin")},
    }
    evening.audit(paid)
    used = cleo.declare("part-with-item", character=AHVIA, possession=own, to=GIAZZA, reason="a gift")
    given = fact(used, "item-acquired")["possession"]

    def had() -> list[list[str]]:
        return [[one["id"] for one in evening.state(id)["state"]["possessions"]] for id in EVERYBODY]

    whole = [evening.state(id)["state"] for id in EVERYBODY]
    assert had() == [[], [], [given]]
    done = ann.does(f"/rulings/{sold['number']}/overturn", {"reason": "The blade is cursed, he could not."}, 200)
    assert done["status"] == "overturned"
    assert had() == [[], [blade], [given]]
    evening.audit(
        {
            **paid,
            AHVIA: {**paid[AHVIA], "credit": credit(2)},
            VOORUK: {**paid[VOORUK], "credit": credit(5)},
        }
    )
    found = ann.look("/findings")["findings"]
    assert ("loses support", used["number"]) in [(one["kind"], one["ruling"]) for one in found]
    ann.does(f"/rulings/{sold['number']}/reinstate", {"reason": "He could."}, 200)
    assert [evening.state(id)["state"] for id in EVERYBODY] == whole
    assert ann.look("/findings")["findings"] == []
    evening.audit(paid)
    audit = ann.look("/audit")
    assert (audit["healthy"], audit["differences"]) == (True, [])


def test_a_task_in_a_conflict_asks_whoever_it_is_done_to(service: Service) -> None:
    evening = Evening(service)
    evening.gathers()
    ann, ben, cleo = evening.ann, evening.ben, evening.cleo
    mail = fact(ann.declare("gain-item", character=AHVIA, item="mail", armour=3), "item-acquired")["possession"]
    ann.declare("open-conflict", participants=list(EVERYBODY))
    told: Json = {"actor": VOORUK, "expertise": "threaten", "side": "target", "attribute": "spirit", "target": AHVIA}
    waiting = ben.declare("roll-task", status=202, **told, faces=[1, 1, 1])
    path = evening.waits_for(waiting, cleo, "Does Ahvia defend?")
    evening.refused(cleo, "decision-pending", "take-front", character=AHVIA)
    worn: Json = {"choice": {"kind": "defend", "armour_worn": "77"}}
    assert cleo.post(path, {"answer": worn}).json()["code"] == "possession-unknown"
    done = cleo.does(path, {"answer": {"choice": {"kind": "defend", "armour_worn": mail}}})
    assert [one["fact"].get("reason") for one in done["facts"] if one["kind"].endswith("points-spent")] == [
        "defend",
        "forced",
        "missed",
    ]
    assert fact(done, "defence-chosen")["armour_worn"] == mail
    evening.refused(ben, "not-yours", "leave-conflict", 403, character=VOORUK)
    ann.declare("leave-conflict", character=VOORUK, reason="He flees.")
    assert evening.state(VOORUK)["state"]["dead"] is False
    rested = ann.declare("rest", character=VOORUK, hours=1, required=1)
    assert kinds(rested) == ["rested", "clock-moved", "fatigue-cleared"]


def test_an_attack_is_forestalled_after_its_numbers_and_not_after_its_defence(service: Service) -> None:
    evening = Evening(service)
    evening.gathers()
    ann, ben, cleo = evening.ann, evening.ben, evening.cleo
    ann.declare("open-conflict", participants=list(EVERYBODY))
    told: Json = {"actor": VOORUK, "target": GIAZZA, "expertise": "rend", "attribute": "physique", "weapon": 2}
    by_hand = ben.does("/rulings", {"declare": {"kind": "attack", **told}, "dice": "table"}, 202)
    waiting = evening.confirms(by_hand, 202, weapon=1)
    assert waiting["question"]["slot"] == "defend"
    ann.does(f"/waiting/{waiting['id']}/answers", {"answer": {"choice": {"kind": "stand"}}}, 202)
    evening.refused(cleo, "decision-pending", "take-front", character=AHVIA)
    ann.does(f"/waiting/{waiting['id']}/withdraw", {"reason": "He thinks again."}, 200)
    evening.confirms(ben.declare("attack", status=202, **told), 202)
    front = cleo.declare("take-front", character=AHVIA)
    assert fact(front, "front-taken")["after"][0] == AHVIA

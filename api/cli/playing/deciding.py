"""Random decisions about earlier rulings: disputes, overturnings, reinstatements, and resolved findings."""

from __future__ import annotations

from api.cli.playing.filling import Json
from api.cli.playing.prose import write_prose
from api.cli.playing.table import Fault, Record, Seat, Table

BACK = 30  # how many of the latest rulings are considered
SHORT = 10  # how many of the latest rulings are mostly overturned
ANY = 0.2  # how often any earlier ruling may be overturned; if a character joined with it, the character is gone
OPEN = ("standing", "revised")
SETTLED = ("let-stand", "amended", "overturned")


class Decisions:
    def __init__(self, table: Table, record: Record) -> None:
        self.table, self.record, self.rng = table, record, table.rng

    def make_decision(self) -> bool:
        """Make a decision, usually about something that is still open. Return whether one was made."""
        number_before = max(0, self.record.ruling_count - BACK)
        findings: list[Json] = self.table.gm.get("/findings")["findings"]
        if findings and self.rng.random() < 0.5:
            return self._settle_finding(self.rng.choice(findings))
        disputed_rulings = self._list_rulings(self.table.gm, status="disputed")
        overturned_rulings = self._list_rulings(self.table.gm, status="overturned")
        if disputed_rulings and self.rng.random() < 0.6:
            action = self.rng.choice(("uphold", "overturn"))
            return self._decide(self.table.gm, action, self.rng.choice(disputed_rulings))
        if overturned_rulings and self.rng.random() < 0.7:
            return self._decide(self.table.gm, "reinstate", self.rng.choice(overturned_rulings))
        action = self.rng.choice(("dispute", "dispute", "overturn", "witness"))
        seat = self.table.gm if action == "overturn" else self.rng.choice(self.table.seats)
        if action == "witness":
            return self._witness_dice(seat, seat.get("/rulings", after=str(number_before), limit="500")["rulings"])
        may_choose_any = action == "overturn" and self.rng.random() < ANY
        rulings = self._list_rulings(seat, after="0" if may_choose_any else str(number_before))
        candidates = [ruling for ruling in rulings if ruling["status"] in OPEN]
        if not candidates:
            return False
        return self._decide(
            seat,
            action,
            self.rng.choice(candidates[-SHORT:] if action == "overturn" and not may_choose_any else candidates),
        )

    def _list_rulings(self, seat: Seat, **filters: str) -> list[Json]:
        rulings: list[Json] = seat.get("/rulings", view="brief", limit="500", **filters)["rulings"]
        return rulings

    def _decide(self, seat: Seat, action: str, ruling: Json) -> bool:
        body: Json = {"reason": write_prose(self.rng, 200)}
        if action in ("overturn", "reinstate"):
            body["settle"] = self.rng.choice(("flag", "rerule"))
        number = ruling["number"]
        if action == "overturn":
            self._send(seat, f"/rulings/{number}/{action}", {**body, "preview": True}, "preview overturn")
        return self._send(seat, f"/rulings/{number}/{action}", body, action)

    def _witness_dice(self, seat: Seat, rulings: list[Json]) -> bool:
        """Confirm dice that another seat typed in. Return whether any were confirmed."""
        for ruling in reversed(rulings):
            if ruling["status"] not in OPEN or not any(map(_has_typed_in_dice, ruling["answers"])):
                continue
            path = f"/rulings/{ruling['number']}"
            document = seat.get(path)  # this seat cannot have seen dice that are hidden from it
            typed_answers = [
                answer
                for answer in document["answers"]
                if _has_typed_in_dice(answer) and answer["by"]["seat"] != seat.id
            ]
            witness_decisions = [decision for decision in document["decisions"] if decision["decision"] == "witnessed"]
            if typed_answers and document["facts"] and not witness_decisions and not document["revision"]:
                return self._send(seat, f"{path}/witness", {}, "witness")
        return False

    def _settle_finding(self, finding: Json) -> bool:
        body = {"how": self.rng.choice(SETTLED), "reason": write_prose(self.rng, 200)}
        return self._send(self.table.gm, f"/findings/{finding['id']}/settle", body, "settle")

    def _send(self, seat: Seat, path: str, body: Json, label: str) -> bool:
        answer = seat.post(path, body)
        if answer.status_code != 200:
            self.record.faults.append(Fault(label, seat.name, {"path": path, **body}, answer.json(), {}))
            return False
        self.record.decided[label] += 1
        return True


def _has_typed_in_dice(given_answer: Json) -> bool:
    ((form, answer),) = given_answer["answer"].items()
    return form != "choice" and answer["source"] == "table" and not given_answer["set_aside"]

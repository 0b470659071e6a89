"""Play an evening at a table: answer questions, and declare what the game is waiting for, or something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

import httpx

from api.cli.playing.deciding import Decisions
from api.cli.playing.filling import Filling, Json, Luck, NeverFilled
from api.cli.playing.forms import BY_FORM, ByForm
from api.cli.playing.preferring import Preferring
from api.cli.playing.table import DIAL, Fault, Record, Seat, Table
from api.cli.playing.words import choose_least_used_index, list_words

Say: TypeAlias = Callable[[str], None]
AWAITED = (0.3, 0.6, 0.85)  # how often an awaited move is made before any other; each evening uses one of these
UNTRIED = 0.7  # how often a kind that was never declared goes before an awaited move
DECIDES = 0.08  # how often a seat decides about an earlier ruling
OTHERWISE = 0.08  # how often something else happens before a waiting question is answered
INSTEAD = 0.15  # how often another seat that may answer does so
WITHDRAWN = 0.1  # how often the waiting declaration is then withdrawn
CANDIDATES = 8  # how many declarations or answers are made up, of which one is sent
FOLLOWS = 0.6  # how often words that led to the pursued kind are used again
TERSE = 0.3  # how often optional texts are left out
SPARING = 0.3  # how often everything optional is left out
# how lucky the table's dice are in a ruling: "most" gives the highest numbers, "least" the lowest, None any numbers
LUCK: tuple[Luck, ...] = ("most", "least", None, None)
IDLE = 150  # steps without a ruling after which an evening is over
PEOPLE = (1, 2)  # the number of characters of each seat at the beginning; each evening uses one of these
# the possible sizes of a circle, how often there is one, and for how many rulings it stays
CIRCLE, FAITHFUL, STAYS = (2, 2, 3), 0.6, 60
MORE = 3  # how many further characters there can be at once
LEAST = 1  # the least number of characters of each player later on


class Evening:
    """An evening played at random. `record`: what has happened so far. `say` is called with each ruling's sentence.

    `dice_sources`: who can roll the dice. `earlier_record`: what happened in earlier evenings.
    """

    def __init__(
        self,
        table: Table,
        say: Say,
        dice_sources: Sequence[str] = ("ledger", "table"),
        earlier_record: Record | None = None,
    ) -> None:
        self.table, self.rng, self.say, self.dice_sources = table, table.rng, say, dice_sources
        self.earlier_record = earlier_record or Record()
        self.record = Record()
        self.record.words.update((DIAL, name, str(value)) for name, value in table.dials_turned.items())
        facts_by_kind = {entry["kind"]: entry["records"] for entry in table.system["inputs"]}
        self.preferences = Preferring(
            facts_by_kind, self.record, self.earlier_record, self.rng, helpful_kinds=table.helpful_kinds
        )
        self.luck_by_id: dict[str, Luck] = {}
        self.known_ids: dict[str, Sequence[str]] = {}
        self.filler = Filling(table.schemas, self.known_ids, self.rng)
        self.awaited_move_chance, self.people_per_seat = self.rng.choice(AWAITED), self.rng.choice(PEOPLE)
        self.forms = ByForm(table, self.filler, self.people_per_seat * len(table.seats) + MORE, self.record.words)
        self.decisions = Decisions(table, self.record)
        self.declarer_by_id: dict[str, Seat] = {}
        self.asked_seat_by_id: dict[str, Seat] = {}
        self.overtaken_ids: set[str] = set()
        self.ids_before_latest_result: set[str] = set()
        self.postponed_ids: set[str] = set()

    def play(self, least_count: int) -> Record:
        """Play until there are enough rulings, or until no more are possible. Return the record of the evening."""
        self._note_known_ids(self.table.gm.get())
        for seat in self.table.seats:
            for _ in range(self.people_per_seat):
                self._enrol(seat)
        idle_steps = 0
        while self.record.ruling_count < least_count and idle_steps < IDLE:
            count_before = self.record.ruling_count
            if count_before % STAYS == 0 or not {*self.filler.circle} <= {*self.known_ids["character"]}:
                self._choose_circle()
            self._play_step()
            idle_steps = idle_steps + 1 if self.record.ruling_count == count_before else 0
        return self.record

    def _choose_circle(self) -> None:
        """Choose a circle: a few characters who act mostly on each other for a while."""
        characters = self.known_ids["character"]
        size = self.rng.choice(CIRCLE) if self.rng.random() < FAITHFUL else 0
        self.filler.circle = self.rng.sample(characters, min(size, len(characters)))

    def _play_step(self) -> None:
        if self.declarer_by_id and self.rng.random() > OTHERWISE:
            self._answer_oldest()
        elif self.rng.random() < DECIDES:
            if self.decisions.make_decision():
                self._note_overtaken_questions()
                self._catch_up()
        elif not self._declare():
            self._answer_oldest()

    # --- declaring ---

    def _declare(self) -> bool:
        """Declare a move, often one that the game is waiting for. Return whether there was any move."""
        seats = self.rng.sample(self.table.seats, len(self.table.seats))
        if self.rng.random() < self.awaited_move_chance:
            for seat in seats:
                awaited_kinds = {row["kind"] for row in seat.get("/waiting", mine="true")["awaited"]} - {None}
                if awaited_kinds and self._declare_move([seat], awaited_kinds):
                    return True
        return self._declare_move(seats, set())

    def _declare_move(self, seats: Sequence[Seat], awaited_kinds: set[str]) -> bool:
        """Declare a move of an awaited kind for one of these seats, or any move if no kind is awaited. Return whether
        there was any move.
        """
        moves_by_seat = {seat: seat.get("/moves")["moves"] for seat in seats}
        offered_moves = [move for moves in moves_by_seat.values() for move in moves]
        self.record.offered.update({move["kind"] for move in offered_moves})
        kinds_by_seat = {seat.id: {move["kind"] for move in moves} for seat, moves in moves_by_seat.items()}
        new_kinds = self.preferences.note_new_kinds(kinds_by_seat)
        moves = (
            [move for move in offered_moves if move["kind"] in awaited_kinds and move["awaits"]]
            if awaited_kinds
            else offered_moves
        )
        untried_moves = [move for move in offered_moves if not self.preferences.count_declarations(move["kind"])]
        if untried_moves and self.rng.random() < UNTRIED:
            moves = untried_moves
        if not moves:
            return False
        kind = self.preferences.choose_kind(moves, new_kinds)
        seat = self.rng.choice([seat for seat in seats if kind in kinds_by_seat[seat.id]])
        own_moves = [move for move in moves if move["kind"] == kind and move in moves_by_seat[seat]]
        self._send_declaration(seat, kind, own_moves)
        return True

    def _send_declaration(self, seat: Seat, kind: str, moves: list[Json]) -> None:
        if kind in BY_FORM:
            if (declaration := self.forms.make_declaration(kind, seat)) is not None:
                self._send(seat, declaration, moves[0], self.record.by_form)
            return
        candidates = self.rng.sample(moves, min(CANDIDATES, len(moves)))
        candidates += self.rng.choices(candidates, k=CANDIDATES - len(candidates))
        is_terse = self.rng.random() < TERSE
        try:
            with self.filler.leave_out_optional(self.rng.random() < SPARING):
                declarations = [self.filler.make_declaration(move["schema"], is_terse=is_terse) for move in candidates]
        except NeverFilled as problem:
            self._note_fault(f"never filled {kind}", seat, {}, {"detail": str(problem)}, {"moves": candidates})
            return
        index = self._choose_declaration(kind, declarations)
        self._send(seat, declarations[index], candidates[index], self.record.faults)

    def _choose_declaration(self, kind: str, declarations: list[Json]) -> int:
        """Return the index of the declaration to send, usually one with a rarely used word."""
        is_pursuing = self.rng.random() < FOLLOWS
        promises = [
            self.preferences.weigh_promise(kind, list(list_words(kind, declaration))) if is_pursuing else 0.0
            for declaration in declarations
        ]
        best_indexes = [index for index, promise in enumerate(promises) if promise == max(promises)]
        index = best_indexes[self._choose_least_used(kind, [declarations[index] for index in best_indexes])]
        self.preferences.declared_words = frozenset(list_words(kind, declarations[index]))
        return index

    def _choose_least_used(self, scope: str, candidates: list[Json]) -> int:
        index = choose_least_used_index(scope, candidates, self.earlier_record.words + self.record.words, self.rng)
        self.record.words.update(list_words(scope, candidates[index]))
        return index

    def _send(self, seat: Seat, declaration: Json, move: Json, faults: list[Fault]) -> None:
        """Send the declaration. The ledger or the table rolls, chosen at random."""
        dice_source = self.rng.choice(self.dice_sources)
        is_ledger_only = self.forms.campaign["dials"].get("dice") == "ledger_only"
        body: Json = {"declare": declaration, "dice": "ledger" if is_ledger_only else dice_source}
        if move.get("scene") is not None:
            body["scene"] = move["scene"]
        response = seat.post("/rulings", body)
        if response.status_code not in (201, 202) and "schema" in move:
            response = self._send_in_full(seat, body, move) or response
        if response.status_code not in (201, 202):
            self.record.refused[declaration["kind"]] += 1  # so that it is not tried repeatedly
            if response.json().get("code") == "already-waiting" and self.declarer_by_id:
                return  # the same declaration is already waiting for an answer
            faults.append(Fault(f"declare {declaration['kind']}", seat.name, body, response.json(), move))
            return
        self._note_result(response, seat)

    def _send_in_full(self, seat: Seat, body: Json, move: Json) -> httpx.Response | None:
        """Send the declaration again with the optional texts that were missing. Return None if none were missing."""
        texts = self.filler.fill_blanks(move["schema"], body["declare"])
        if not texts:
            return None
        body["declare"] = {**body["declare"], **texts}
        response = seat.post("/rulings", body)
        self.record.blank[body["declare"]["kind"]] += response.status_code in (201, 202)
        return response

    def _note_fault(self, label: str, seat: Seat, request_body: Json, problem: Json, offer: Json) -> None:
        self.record.faults.append(Fault(label, seat.name, request_body, problem, offer))

    def _note_result(self, response: httpx.Response, seat: Seat) -> None:
        """Count the new ruling, or note the question that is waiting."""
        document: Json = response.json()
        self.ids_before_latest_result.update(self.declarer_by_id)
        self.postponed_ids.clear()
        if response.status_code == 202:
            self.declarer_by_id[document["id"]] = seat
            self.ids_before_latest_result.discard(document["id"])
            asked_person = document["question"] and document["question"]["asked"]
            self.asked_seat_by_id[document["id"]] = (
                asked_person and self.table.find_seat(asked_person["seat"])
            ) or seat
            return
        record = self.record
        record.ruling_count += 1
        kind = self.preferences.latest_kind = document["declared"]["kind"]
        record.kinds[kind] += 1
        record.facts.update(fact["kind"] for fact in document["facts"])
        for given_answer in document["answers"]:
            ((form, answer),) = given_answer["answer"].items()
            if form == "choice":
                record.chosen[answer["kind"]] += 1
            else:
                record.dice[answer["source"]] += 1
        self.say(f"{document['number']:>5}  {document['text']}")
        if any(fact["kind"].startswith("ledger.") for fact in document["facts"]):
            self._catch_up()

    def _note_overtaken_questions(self) -> None:
        """Note the questions that are waiting after a decision, because their answers may no longer be possible."""
        self.overtaken_ids.update(self.declarer_by_id)

    # --- answering ---

    def _answer_oldest(self) -> None:
        """Answer the oldest question, usually as the seat that was asked, or withdraw its declaration."""
        if not self.declarer_by_id:
            return
        id, declarer = next(iter(self.declarer_by_id.items()))
        seat_and_row = self._find_answering_seat(id, declarer)
        if seat_and_row is None:
            self._handle_unanswered(id, declarer)
            return
        seat, row = seat_and_row
        question = row["question"]
        slot = str(question["slot"])
        slot_name = slot if slot in self.table.slots else slot.partition(":")[0]
        self.record.asked[f"{question['ask']} {slot_name}".rstrip()] += 1
        if self.rng.random() < WITHDRAWN * OTHERWISE:
            self._withdraw(id, declarer)
            return
        self._answer_question(id, seat, declarer, row)

    def _answer_question(self, id: str, seat: Seat, declarer: Seat, row: Json) -> None:
        luck = self.luck_by_id.setdefault(id, self.rng.choice(LUCK)) if row["question"]["ask"] == "roll" else None
        try:
            with self.filler.force_luck(luck):
                answers = [self.filler.fill_value(row["answer_schema"], {}) for _ in range(CANDIDATES)]
        except NeverFilled as problem:
            self._note_fault("could not fill in an answer", seat, {}, {"detail": str(problem)}, row)
            self._withdraw(id, declarer)
            return
        answer = answers[self._choose_least_used(str(row["question"]["slot"]), answers)]
        response = seat.post(f"/waiting/{id}/answers", {"answer": answer})
        if response.status_code in (201, 202):
            del self.declarer_by_id[id]
            self.overtaken_ids.discard(id)
            self._note_result(response, declarer)
            return
        if response.status_code == 200:
            self.record.declined += 1
            self.record.chosen[answer["choice"]["kind"]] += 1
            del self.declarer_by_id[id]
            self.overtaken_ids.discard(id)
            return
        if id in self.overtaken_ids:
            self.record.overtaken += 1
        elif id in self.ids_before_latest_result and self._is_hidden(id):
            self.record.hidden[str(response.json().get("code"))] += 1
        else:
            label = answer["choice"]["kind"] if "choice" in answer else row["question"]["ask"]
            self._note_fault(f"answer {label}", seat, answer, response.json(), row)
        self._withdraw(id, declarer)

    def _is_hidden(self, id: str) -> bool:
        """Return whether the question is hidden from some seat. A hidden question never lapses, because that would
        reveal it.
        """
        questions_of_seats = [
            {row["id"]: row["question"] for row in seat.get("/waiting")["waiting"]} for seat in self.table.seats
        ]
        return any(questions.get(id) is None for questions in questions_of_seats)

    def _find_answering_seat(self, id: str, declarer: Seat) -> tuple[Seat, Json] | None:
        """Return a seat that may answer, usually the seat that was asked, and the waiting declaration as that seat sees
        it. Return None if no seat may answer.
        """
        queries_of_asked: list[tuple[Seat, dict[str, str]]] = [
            (seat, {"mine": "true"}) for seat in dict.fromkeys((self.asked_seat_by_id[id], declarer, *self.table.seats))
        ]
        queries_of_all: list[tuple[Seat, dict[str, str]]] = [(seat, {}) for seat in self.table.seats]
        for seat, filters in (
            (*queries_of_all, *queries_of_asked)
            if self.rng.random() < INSTEAD
            else (*queries_of_asked, *queries_of_all)
        ):
            for row in seat.get("/waiting", **filters)["waiting"]:
                if row["id"] == id and row["answer_schema"] is not None:
                    return seat, row
        return None

    def _handle_unanswered(self, id: str, declarer: Seat) -> None:
        """Handle a question that no seat can answer now."""
        document = self.table.gm.get(f"/waiting/{id}")
        if document["status"] == "lapsed":
            self.record.lapsed += 1
            del self.declarer_by_id[id]
            self.overtaken_ids.discard(id)
            return
        if id not in self.postponed_ids and len(self.declarer_by_id) > 1:
            self.postponed_ids.add(id)
            self.declarer_by_id[id] = self.declarer_by_id.pop(id)
            return
        if id in self.ids_before_latest_result and self._is_hidden(id):
            self.record.hidden["nobody is asked"] += 1
        elif id not in self.overtaken_ids:
            self._note_fault("nobody is asked", declarer, {}, {"detail": f"{id} is waiting"}, document)
        self._withdraw(id, declarer)

    def _withdraw(self, id: str, declarer: Seat) -> None:
        response = self.table.gm.post(f"/waiting/{id}/withdraw", {"reason": "Never mind."})
        if response.status_code != 200 and id not in self.overtaken_ids:
            self._note_fault("withdraw", declarer, {}, response.json(), {"id": id})
        del self.declarer_by_id[id]
        self.overtaken_ids.discard(id)

    # --- characters ---

    def _catch_up(self) -> None:
        """Note the ids that declarations can refer to now, and enrol missing characters."""
        state = self.table.gm.get()
        self._note_known_ids(state)
        self._enrol_missing_characters(state)

    def _note_known_ids(self, state: Json) -> None:
        """Note the ids that declarations can refer to now."""
        active_characters = [character for character in state["characters"] if not character["retired"]]
        self.known_ids.update(
            character=[character["id"] for character in active_characters],
            seat=[seat.id for seat in self.table.seats],
            scene=[scene["id"] for scene in state["scenes"] if scene["open"]],
            session=[session["id"] for session in state["sessions"]],
            subject=["campaign", *(f"character:{character['id']}" for character in active_characters)],
            audience=["gm", *(seat.id for seat in self.table.seats)],
            dial=list(state["dials"]),
        )
        self.forms.note_campaign(state)

    def _enrol_missing_characters(self, state: Json) -> None:
        """Enrol a character for each seat that has fewer than `LEAST`, once the first characters have been enrolled."""
        character_count_by_seat = Counter(
            character["seat"] for character in state["characters"] if not character["retired"]
        )
        if self.record.ruling_count > self.people_per_seat * len(self.table.seats):
            for seat in self.table.seats:
                if character_count_by_seat[seat.id] < LEAST:
                    self._enrol(seat)

    def _enrol(self, seat: Seat) -> None:
        # the table's own limits may forbid characters that are added later
        is_beginning = self.record.ruling_count < self.people_per_seat * len(self.table.seats)
        is_beginning = is_beginning and bool(self.table.system["people"])  # and random sheets at any time
        declaration = self.forms.make_enrolment(seat) if is_beginning else self.forms.make_enrolment_within_limits(seat)
        if declaration is not None:
            self._send(seat, declaration, {}, self.record.faults if is_beginning else self.record.by_form)

"""The demonstration: for every game, a campaign with one evening played and the next one just begun.

The evening is the story in a game's `examples.toml`, or its worked examples if it has no story. Everything goes through
the API.

The key of a request is made from its place in the demonstration. So a repetition changes nothing, or continues a
demonstration that was interrupted.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from api.http import examples
from api.http.examples import Json, Names
from api.inviting.links import draw_qr_text
from ledger.errors import LedgerError

BUSY = 20  # how often a request to a busy service is repeated
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:campaign-ledger:demonstration")
PLAYERS = ("Ben", "Cleo")
NO_PLAY = ("enrol", "open-scene", "close-scene")
NEXT, WHERE = "The next evening", "Where we left off"


class Unplayable(LedgerError):
    """The service does not answer, or its answer is not what the demonstration needs."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A demonstration campaign with its tokens by person, and the number of a ruling worth a closer look, or None."""

    campaign: str
    title: str
    token_by_person: dict[str, str]
    ruling_number: int | None
    character_id: str | None


def play_demonstrations(
    address: str, operator_token: str | None = None, *, with_examples: bool = False, only_system: str | None = None
) -> list[Demonstration]:
    """Play the demonstrations that have not been played yet.

    `with_examples`: play the worked examples first. `only_system`: play only this game. Raise Unplayable if the service
    refuses a request.
    """
    try:
        with httpx.Client(base_url=address, timeout=30) as client:
            systems: list[Json] = client.get("/systems").raise_for_status().json()["systems"]
            wanted_systems = [
                system
                for system in systems
                if only_system in (None, system["name"]) and examples.list_examples(system["name"])
            ]
            tables = [_Table(client, system, operator_token, with_examples) for system in wanted_systems]
            return [table.play() for table in tables]
    except httpx.HTTPError as problem:
        raise Unplayable(f"The service at {address} can't be used: {problem}.") from problem


class _Table:
    """The demonstration campaign of one game while it is being played."""

    def __init__(
        self, client: httpx.Client, system: Json, operator_token: str | None, with_examples: bool = False
    ) -> None:
        self.client = client
        self.system_name = system["name"]
        self.title = system["title"]
        self.example_name = ""
        self.token_by_seat: dict[str, str] = {}
        self.token = operator_token or ""
        self.campaign_path = self.gm_id = ""
        self.token_by_person: dict[str, str] = {}  # tokens by name and role
        self.story = examples.find_story(self.system_name)
        self.with_examples = with_examples or self.story is None

    def play(self) -> Demonstration:
        sourced_examples = [
            example
            for example in examples.list_examples(self.system_name)
            if example.get("source") and not example.get("dials") and not example.get("rules_only")
        ]
        playable_examples = [example for example in sourced_examples if len(example.get("seats", [])) <= len(PLAYERS)]
        campaign = self.post("campaign", "/campaigns", self._make_opening())
        self.campaign_path, self.token = f"/campaigns/{campaign['id']}", campaign["seat"]["token"]
        tokens = self.token_by_person = {"Ann, game master": self.token}
        self.gm_id = campaign["seat"]["id"]
        self.token_by_seat = {self.gm_id: self.token}
        seat_ids = []
        for name in PLAYERS:
            seat = self.post(f"seat {name}", f"{self.campaign_path}/seats", {"name": name, "role": "player"})
            tokens[f"{name}, player"] = seat["token"]
            seat_ids.append(seat["id"])
            self.token_by_seat[seat["id"]] = seat["token"]
        for example in playable_examples if self.with_examples else ():
            self.play_example(example, seat_ids)
        if self.story is not None and not self._is_story_played():
            names = Names({"gm": self.gm_id})
            self._dispute_rulings(self.story["decision"], self.play_example(self.story, seat_ids, names))
            self._begin_next_evening([names.meanings[character["name"]] for character in self.story["characters"]])
        return Demonstration(campaign["id"], self.title, tokens, *self._find_arguable_ruling())

    def _is_story_played(self) -> bool:
        """Return whether the evening's last step was played."""
        return any(scene["title"] == WHERE for scene in self.get(self.campaign_path)["scenes"])

    def _make_opening(self) -> Json:
        name = self.story["campaign"] if self.story is not None else self.title
        return {"name": name, "system": self.system_name, "gm": {"name": "Ann"}}

    def _dispute_rulings(self, decisions: list[Json], number_by_step: Mapping[int, int]) -> None:
        """Make the story's disputes, and the story's decisions about them."""
        for decision in decisions:
            ruling_path = f"{self.campaign_path}/rulings/{number_by_step[decision['step']]}"
            disputing_token = next(
                token for person, token in self.token_by_person.items() if person.startswith(decision["by"])
            )
            self.post(
                f"dispute {decision['step']}",
                f"{ruling_path}/dispute",
                {"reason": decision["claim"]},
                [disputing_token],
            )
            if "decided" in decision:
                body = {"reason": decision["reason"]}
                self.post(f"{decision['decided']} {decision['step']}", f"{ruling_path}/{decision['decided']}", body)

    def _begin_next_evening(self, character_ids: list[str]) -> None:
        """Open a session and a scene with the story's characters, so that visitors can play."""
        self.post("next evening", f"{self.campaign_path}/sessions", {"title": NEXT})
        self.post("next scene", f"{self.campaign_path}/scenes", {"title": WHERE, "cast": character_ids})

    def play_example(self, example: Json, seat_ids: list[str], names: Names | None = None) -> dict[int, int]:
        """Play an example in its own session, with its own characters. Return the ruling number of each step, counted
        from 1.

        Steps that the example expects to be refused are skipped. Scenes that visitors opened stay open.
        """
        self.example_name = example["name"]
        names = names or Names({"gm": self.gm_id})
        names.meanings.update(zip(example.get("seats", []), seat_ids, strict=False))
        if not any(step["declare"]["kind"] == "open-session" for step in example["step"]):
            answer = self.post("session", f"{self.campaign_path}/sessions", {"title": example["source"]})
            names.meanings["session"] = answer["facts"][0]["fact"]["session"]
        for index, character in enumerate(example.get("characters", [])):
            seat = names.meanings[character["seat"]] if "seat" in character else seat_ids[index % len(seat_ids)]
            body = {"name": character["name"], "seat": seat, "sheet": character["sheet"]}
            answer = self.post(f"enrol {character['name']}", f"{self.campaign_path}/characters", body)
            names.meanings[character["name"]] = answer["character"]
        number_by_step: dict[int, int] = {}
        for index, step in enumerate(example["step"]):
            if step.get("refused") is None:
                answer = self.play_step(f"step {index}", names.fill(step))
                names.learn(step, answer["number"], [fact["fact"] for fact in answer["facts"]])
                number_by_step[index + 1] = answer["number"]
        for scene in self.get(self.campaign_path)["scenes"]:
            if scene["open"] and scene["id"] in map(str, number_by_step.values()):
                self.post(f"close {scene['id']}", f"{self.campaign_path}/scenes/{scene['id']}/close", {})
        if self.get(self.campaign_path)["session"] == names.meanings["session"]:
            self.post("end", f"{self.campaign_path}/sessions/{names.meanings['session']}/close", {})
        return number_by_step

    def play_step(self, label: str, step: Json) -> Any:
        """Declare the step and answer its questions. Return the ruling."""
        first_answers, later_answers = examples.split_answers(examples.list_answers(step))
        body = {"declare": step["declare"], "answers": first_answers, **({"dice": "table"} if later_answers else {})}
        tokens = [self.token_by_seat[step["by"]]] if "by" in step else list(self.token_by_seat.values())
        ruling = self.post(label, f"{self.campaign_path}/rulings", body, tokens)
        for index, later_answer in enumerate(later_answers):
            path = f"{self.campaign_path}/waiting/{ruling['id']}/answers"
            ruling = self.post(
                f"{label}, answer {index}",
                path,
                {"answer": later_answer.answer},
                [self.token_by_seat[later_answer.by or self.gm_id]],
            )
        if "number" not in ruling:
            raise Unplayable(
                f"{self.title}, {self.example_name}, {label}: there is no answer to {ruling['question']['text']}"
            )
        return ruling

    def _find_arguable_ruling(self) -> tuple[int | None, str | None]:
        """Return a ruling that others depend on, and one of its characters. Without such a ruling, return any ruling
        and character. Return None for both if there are no rulings.
        """
        played_rulings = [
            ruling
            for ruling in reversed(self.get(f"{self.campaign_path}/rulings?limit=500")["rulings"])
            if ruling["status"] in ("standing", "upheld") and ruling["declared"]["kind"] not in NO_PLAY
        ]
        for ruling in played_rulings:
            character_ids = [
                fact["subject"].split(":")[1] for fact in ruling["facts"] if fact["subject"].startswith("character:")
            ]
            if character_ids and self.get(f"{self.campaign_path}/rulings/{ruling['number']}?leaning=true")["leaning"]:
                return ruling["number"], character_ids[0]
        all_characters = self.get(f"{self.campaign_path}/characters")["characters"]
        return (
            (played_rulings[0]["number"], all_characters[0]["id"])
            if played_rulings and all_characters
            else (None, None)
        )

    # --- requests ---

    def get(self, path: str) -> Any:
        return self._send("GET", path, _make_headers(self.token)).raise_for_status().json()

    def post(self, label: str, path: str, body: Json, tokens: Sequence[str] = ()) -> Any:
        """Send a request with the first of `tokens` that the service accepts, or as the game master if there are no
        tokens.
        """
        key_header = {"Idempotency-Key": str(uuid.uuid5(NAMESPACE, f"{self.system_name}/{self.example_name}/{label}"))}
        for token in tokens or [self.token]:
            answer = self._send("POST", path, {**_make_headers(token), **key_header}, body)
            if answer.status_code not in (403, 422):
                break
        if answer.status_code not in (200, 201, 202):
            raise Unplayable(f"{self.title}, {self.example_name}, {label}: {answer.text}")
        return answer.json()

    def _send(self, method: str, path: str, headers: dict[str, str], body: Json | None = None) -> httpx.Response:
        """Send a request and return the answer. If the service is busy or limits requests, wait and send it again."""
        tries_left = BUSY
        while True:
            response = self.client.request(method, path, json=body, headers=headers)
            tries_left -= response.status_code == 503
            if response.status_code not in (429, 503) or tries_left < 0:
                return response
            time.sleep(int(response.headers.get("Retry-After", 1)))


def _make_headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def make_links(address: str, demonstrations: list[Demonstration], *, is_for_everybody: bool = False) -> dict[str, str]:
    """Return a link to the page for each token: those of the game masters, or of everybody. Each link works once. Raise
    Unplayable if the service refuses.
    """
    link_by_token: dict[str, str] = {}
    try:
        with httpx.Client(base_url=address, timeout=30) as client:
            for demonstration in demonstrations:
                tokens = list(demonstration.token_by_person.values())
                for token in tokens if is_for_everybody else tokens[:1]:
                    _, seat, _ = token.split(".")
                    answer = client.post(
                        f"/campaigns/{demonstration.campaign}/invites",
                        json={"seat": seat},
                        headers=_make_headers(token),
                    )
                    link_by_token[token] = answer.raise_for_status().json()["link"]
    except httpx.HTTPError as problem:
        raise Unplayable(f"The service at {address} can't create invites: {problem}.") from problem
    return link_by_token


def print_demonstrations(demonstrations: list[Demonstration], address: str, links: dict[str, str]) -> None:
    """Print the people of each demonstration campaign with their links, and three requests worth trying.

    If every player has a link, the links are also shown as QR codes.
    """
    for demonstration in demonstrations:
        print(f"{demonstration.title}: campaign {demonstration.campaign}")
        has_qr_codes = len(links) > len(demonstrations)
        print("  Open the page (each link works once):" if has_qr_codes else "  Open the page (the link works once):")
        for person, token in demonstration.token_by_person.items():
            if token in links:
                print(f"  {person:<18} {links[token]}")
                if has_qr_codes:
                    print(draw_qr_text(links[token]))
        if not has_qr_codes:
            _print_requests(demonstration, address)
        print(flush=True)


def _print_requests(demonstration: Demonstration, address: str) -> None:
    print("  Tokens, to type at /join or for programs:")
    for person, token in demonstration.token_by_person.items():
        print(f"  {person:<18} {token}")
    if demonstration.ruling_number is None:
        return
    first_token = next(iter(demonstration.token_by_person.values()))
    curl_command = f'curl -H "Authorization: Bearer {first_token}"'
    campaign_url = f"{address}/campaigns/{demonstration.campaign}"
    print("  Requests to try:")
    print(f"  # Why did ruling {demonstration.ruling_number} come out as it did?")
    print(f"  {curl_command} {campaign_url}/rulings/{demonstration.ruling_number}")
    print("  # What would be different without it? Nothing is saved.")
    print(f'  {curl_command} "{campaign_url}/what-if?without={demonstration.ruling_number}"')
    print("  # The character in that ruling, as it was just after the ruling.")
    print(f'  {curl_command} "{campaign_url}/characters/{demonstration.character_id}?at={demonstration.ruling_number}"')

"""A game master whose requests are repeated, by the same key, until a service that is killed has answered them."""

from __future__ import annotations

import time
import uuid

import httpx

from tests.api.table import Json
from tests.reliability.system import PATIENCE, System
from tests.reliability.writers import AGAIN


class Asking:
    system: System
    ann: str

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.ann}"}

    def ask(self, token: str, path: str, body: Json) -> Json:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid.uuid4())}
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with self.system.client() as client:
                    answer = client.post(path, headers=headers, json=body)
                    if answer.status_code not in AGAIN:
                        again = client.post(path, headers=headers, json=body)
                        assert again.content == answer.content, "another answer to the same request"
                        return dict(answer.raise_for_status().json())
            except httpx.TransportError:
                self.system.revive()
        raise AssertionError(f"not answered: {path}")

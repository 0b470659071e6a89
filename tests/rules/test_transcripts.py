"""The worked examples as they read: golden files, reviewed by reading them aloud.

After a sentence was changed: `python -m tests.rules.transcripts`, read what is different, commit it.
"""

from __future__ import annotations

import pytest

from api.http.examples import list_examples
from ledger.rules import systems
from tests.rules.transcripts import HERE, transcript

SYSTEMS = [name for name in sorted(systems()) if name != "toy" and list_examples(name)]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_worked_examples_read_as_they_were_reviewed(name: str) -> None:
    file = HERE / f"{name}.md"
    if not file.exists():
        pytest.skip(f"nobody has reviewed how {name} reads: python -m tests.rules.transcripts writes it down")
    assert transcript(name) == file.read_text(encoding="utf-8")

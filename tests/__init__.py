"""The tests. A toy system is put beside the real ones, as a sixth system would be: by its folder alone."""

from pathlib import Path

import ledger.rules

TOY = str(Path(__file__).parent / "systems")
if TOY not in ledger.rules.__path__:
    ledger.rules.__path__.append(TOY)

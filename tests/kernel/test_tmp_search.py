import os, pytest
from tests.kernel.test_correctness_faults import FAULTS, played


@pytest.mark.parametrize("fault", ["never-read-anew", "debts-compared-badly", "counted-untold"])
def test_it(fault, ledger, monkeypatch):
    FAULTS[fault](monkeypatch)
    games = (
        ("mnemonic",)
        if fault == "counted-untold"
        else ("toy", "scattershot", "mongrel", "intensity", "moc", "mnemonic")
    )
    for seed in range(8, 70):
        for game in games:
            if one := played(ledger, game, seed):
                print("FOUND", fault, game, seed, one[:300], flush=True)
                return
    print("NOT FOUND", fault)

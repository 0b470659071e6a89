"""From a request to a call of the ledger and back."""

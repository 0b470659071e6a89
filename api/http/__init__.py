"""From an HTTP request to a call of the ledger, and back."""

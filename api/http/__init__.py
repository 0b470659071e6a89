"""Turn HTTP requests into calls of the ledger, and its replies into HTTP responses."""

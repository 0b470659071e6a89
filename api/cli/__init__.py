"""`campaign-ledger`: the command line."""

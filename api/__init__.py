"""The entry points: HTTP, the command line, and the composition root that connects the ledger to its database."""

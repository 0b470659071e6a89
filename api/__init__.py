"""The way in: HTTP, the command line, and the composition root that wires the ledger to its database."""

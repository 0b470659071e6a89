"""The write side of Campaign Ledger: rules, events, aggregates and the application that uses them."""

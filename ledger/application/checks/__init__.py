"""Checks that anybody may run: of the record against the rules, and of the dice against their seeds."""

"""Checks that anyone may run: the record against the rules, and the dice against their seeds."""

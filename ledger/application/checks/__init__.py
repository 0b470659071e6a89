"""Checks that anybody may make: the record against the rules, the dice against their seeds."""

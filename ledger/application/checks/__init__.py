"""What anybody may check: the record against the rules, the dice against their seeds."""

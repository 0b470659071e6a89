"""A program that plays a whole evening over HTTP without knowing the game.

It asks the service what it can declare, which seats must act and which questions are open. It fills in values from the
schemas and records every refusal. It imports none of the rules.
"""

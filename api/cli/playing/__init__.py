"""A program that plays a whole evening over HTTP without knowing the game.

It asks the service what can be declared, whom the game is waiting for and which questions are open. It fills in values
from the schemas and records every refusal. It uses only the service's own documents and imports none of the rules.
"""

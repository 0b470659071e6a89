"""Everything that all games share: the contract of a game, questions, folds, adjudication and the comparison of pasts.

It is pure: it uses no clock, no randomness, and no input or output.
"""

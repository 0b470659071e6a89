"""Everything that all games share: the contract of a game, questions, folds, adjudication, comparing pasts."""

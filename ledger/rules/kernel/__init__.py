"""Everything that is no game: the contract of a system, questions, folds, adjudication, pasts beside each other."""

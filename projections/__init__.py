"""The read side: the record as JSON documents for one viewer."""

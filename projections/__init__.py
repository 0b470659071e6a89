"""The read side: what the record holds, as JSON documents for one viewer."""

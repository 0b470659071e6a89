"""One file a document: what the record holds, as JSON for one viewer."""

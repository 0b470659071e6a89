"""Programs made from the API's description, which play each game as somebody else's would."""

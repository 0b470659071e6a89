"""Commands: the actions of people on a campaign. Each is saved once or not at all."""

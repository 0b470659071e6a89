"""Commands: the changes that people make to a campaign. Each is saved once or not at all."""

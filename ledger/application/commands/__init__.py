"""Commands: what people do with a campaign, each saved once or not at all."""

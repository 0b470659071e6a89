"""The aggregates of a campaign, each folded from its own stream."""

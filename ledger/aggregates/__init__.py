"""What is true now: the aggregates of a campaign, each folded from its own stream."""

"""Webhooks: which events each one gets, and how they are delivered."""

"""Webhooks: who is sent what, and how it is delivered."""

"""Webhooks: who is told what becomes true, and how it gets there."""

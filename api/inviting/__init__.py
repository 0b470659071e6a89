"""Invites over HTTP: what may be asked for, links and their QR codes, who may join, and how often people may guess."""

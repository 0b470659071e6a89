"""Invites over HTTP: what may be asked for, links and their QR codes, who is let in and how often they may guess."""

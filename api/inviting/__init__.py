"""Invites over HTTP: creating and listing them, links and QR codes, joining, and limits on guesses."""

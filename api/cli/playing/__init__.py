"""A whole evening played over HTTP by a program that knows nothing of the game.

It asks what can be declared, what is awaited and what is asked, fills that in from the schemas it is given, and keeps
every refusal. It reads the service's own documents only: nothing of the rules is imported here.
"""

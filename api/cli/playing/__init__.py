"""A whole evening played over HTTP by a program that knows nothing of the game.

It asks what can be declared, whom the game waits for and what is asked, fills in the values from the schemas, and keeps
every refusal. It reads only the service's own documents; nothing of the rules is imported here.
"""

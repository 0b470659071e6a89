"""The page at the table: HTML of the very documents that the API answers, through the same exit. It knows no game.

It asks the API itself, in process (`client`), as the seat that looks: nothing is read or refused here that a caller
of the API would not read or be refused. No state of its own; no script is needed but for what arrives by itself.
"""

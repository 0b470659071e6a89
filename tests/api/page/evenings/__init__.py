"""An evening of each game from `/` on, by a game master with a laptop and two players with phones.

They know only what the page says, and roll dice of their own. Nothing here goes past the page. Each game's module has
`begins`: from the first scene to the first roll; `strikes`: a contested blow, which is counted; and `plays`: the rest.
"""

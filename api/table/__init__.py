"""The page at the table: the API's own documents as HTML. It does not depend on any game.

It calls the API within the process (`client`), as the reader's seat. So it shows and refuses exactly what the API
would. It has no state of its own, and needs scripts only for live updates.
"""

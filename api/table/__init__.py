"""The page at the table, made from the API's own documents. It does not depend on any game.

The page calls the API within the process (`client`), as the reader's seat. It shows and refuses exactly what the API
would. It has no state of its own, and needs scripts only for live updates.
"""

"""Split a script into statements: a cluster's coordinator accepts only one at a time, and sends it to its workers."""

from __future__ import annotations


def split_statements(script: str) -> list[str]:
    """Return the statements. A statement ends with a semicolon at the end of a line, outside `$$`. The last one needs
    no semicolon.
    """
    statements = [""]
    for index, part in enumerate(script.split("$$")):
        if index % 2:
            statements[-1] += f"$${part}$$"
            continue
        first_piece, *later_pieces = f"{part}\n".split(";\n") if part.endswith(";") else part.split(";\n")
        statements[-1] += first_piece
        statements += later_pieces
    return [statement.strip() for statement in statements if statement.strip()]

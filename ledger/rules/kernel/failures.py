"""Describe errors in a game's code for the person who repairs them."""

from __future__ import annotations

from collections.abc import Iterator


def describe_failure(problem: BaseException) -> str:
    """Return a description of an error with its message: `KeyError: 'x' (game.fold, line 12)`. Use it only if the
    message cannot contain recorded values.
    """
    message = f": {problem}" if str(problem) else ""
    if isinstance(problem, SyntaxError):  # its message names the place
        return f"{type(problem).__name__}{message}"
    return f"{type(problem).__name__}{message} ({describe_place(problem)})"


def describe_failure_wordlessly(problem: BaseException) -> str:
    """Return a description of an error without its message, which may be secret: `KeyError (game.fold, line 12)`."""
    return f"{type(problem).__name__} ({describe_place(problem)})"


def describe_place(problem: BaseException) -> str:
    """Return the module and line that raised the error: `game.fold, line 12`."""
    module, line = [("nowhere", 0), *_list_frames(problem)][-1]
    return f"{module}, line {line}"


def has_passed_through(problem: BaseException, package: str) -> bool:
    """Return whether any code of the package was running when the error was raised."""
    return any(module == package or module.startswith(f"{package}.") for module, _ in _list_frames(problem))


def _list_frames(problem: BaseException) -> Iterator[tuple[str, int]]:
    """Yield the modules and lines that were running, the outermost first."""
    traceback = problem.__traceback__
    while traceback is not None:
        yield str(traceback.tb_frame.f_globals.get("__name__", "?")), traceback.tb_lineno
        traceback = traceback.tb_next

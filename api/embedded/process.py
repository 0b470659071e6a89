"""Which process is the server of a cluster, if any."""

import socket
from pathlib import Path

import psutil


def recorded(cluster: Path) -> tuple[int, int] | None:
    """Return the process and the port in the server's own note, `postmaster.pid`; port 0 as long as it has none."""
    try:
        lines = (cluster / "postmaster.pid").read_text(encoding="utf-8", errors="replace").splitlines()
        return int(lines[0]), int(lines[3]) if len(lines) > 3 and lines[3].strip().isdigit() else 0
    except (FileNotFoundError, ValueError, IndexError):
        return None


def postmaster(cluster: Path) -> tuple[int, int] | None:
    """Return the recorded process and port, if that process really is the server of this cluster."""
    noted = recorded(cluster)
    return noted if noted is not None and _is_server(cluster, noted[0]) else None


def forget_reused_process(cluster: Path) -> None:
    """Delete the note if its number is another program's by now, as after a crash, or a dead child's that nobody reaps.

    PostgreSQL only sees that the number is taken, and would not start. Every other stale note it clears away itself.
    """
    noted = recorded(cluster)
    if noted is not None and psutil.pid_exists(noted[0]) and not _is_server(cluster, noted[0]):
        (cluster / "postmaster.pid").unlink(missing_ok=True)


def _is_server(cluster: Path, process: int) -> bool:
    try:
        words = psutil.Process(process).cmdline()
    except psutil.Error:  # gone, or a zombie
        return False
    return bool(words) and Path(words[0]).stem == "postgres" and any(Path(word) == cluster for word in words)


def free_port() -> int:
    """Return a port of 127.0.0.1 on which nothing listens at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

"""Find the process of a cluster's server."""

import socket
from pathlib import Path

import psutil


def read_recorded_process(cluster: Path) -> tuple[int, int] | None:
    """Return the process number and port in the server's own file, `postmaster.pid`. The port is 0 if it is not written
    yet.
    """
    try:
        lines = (cluster / "postmaster.pid").read_text(encoding="utf-8", errors="replace").splitlines()
        return int(lines[0]), int(lines[3]) if len(lines) > 3 and lines[3].strip().isdigit() else 0
    except (FileNotFoundError, ValueError, IndexError):
        return None


def find_postmaster(cluster: Path) -> tuple[int, int] | None:
    """Return the recorded process number and port, or None if that process is not the server of this cluster."""
    recorded_numbers = read_recorded_process(cluster)
    return recorded_numbers if recorded_numbers is not None and _is_server(cluster, recorded_numbers[0]) else None


def forget_reused_process(cluster: Path) -> None:
    """Delete `postmaster.pid` if another program now uses its process number, or a dead child still holds it.

    PostgreSQL would not start, because it sees only that the number is in use. It deletes other outdated files itself.
    """
    recorded_numbers = read_recorded_process(cluster)
    if (
        recorded_numbers is not None
        and psutil.pid_exists(recorded_numbers[0])
        and not _is_server(cluster, recorded_numbers[0])
    ):
        (cluster / "postmaster.pid").unlink(missing_ok=True)


def _is_server(cluster: Path, process_id: int) -> bool:
    try:
        arguments = psutil.Process(process_id).cmdline()
    except psutil.Error:  # the process is gone, or a zombie
        return False
    return (
        bool(arguments)
        and Path(arguments[0]).stem == "postgres"
        and any(Path(argument) == cluster for argument in arguments)
    )


def find_free_port() -> int:
    """Return a free port on 127.0.0.1."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

"""Another host: a network namespace with lines to this one that can be cut, as when its power fails. No FIN is sent.

A line that is cut drops whatever is sent over it, and neither side's TCP hears of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess

#: Its lines: to the database, and to whoever asks its service.
DATABASE, DOOR = "database", "door"


def why_none() -> str | None:
    """Why this machine cannot make another host; None where it can."""
    if shutil.which("ip") is None:
        return "another host is made with `ip netns`: install iproute2"
    probe = f"ledger-probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", probe], check=False, capture_output=True, text=True)
    if made.returncode != 0:
        return f"another host is made with `ip netns add`, as root on Linux: {made.stderr.strip()}"
    _ip("netns", "delete", probe)
    return None


class Host:
    """`run_by`: the command that runs another on it. Of each line `here` and `there`: the addresses of its ends."""

    def __init__(self) -> None:
        number = os.getpid()
        self._name = f"ledger-{number}"
        self.run_by = ("ip", "netns", "exec", self._name)
        self._ours = {DATABASE: f"db{number}", DOOR: f"door{number}"}
        net = f"10.{64 + number // 256 % 64}.{number % 256}"
        self.network = f"{net}.0/24"
        self.here = {DATABASE: f"{net}.1", DOOR: f"{net}.5"}
        self.there = {DATABASE: f"{net}.2", DOOR: f"{net}.6"}
        _ip("netns", "add", self._name)
        self._inside("link", "set", "lo", "up")
        for line, ours in self._ours.items():
            _ip("link", "add", ours, "type", "veth", "peer", "name", line, "netns", self._name)
            _ip("address", "add", f"{self.here[line]}/30", "dev", ours)
            self._inside("address", "add", f"{self.there[line]}/30", "dev", line)
            _ip("link", "set", ours, "up")
            self._inside("link", "set", line, "up")

    def close(self) -> None:
        """What runs on it must have ended."""
        for ours in self._ours.values():
            _ip("link", "delete", ours)
        _ip("netns", "delete", self._name)

    def vanish(self, line: str) -> None:
        """Whoever is on this side hears nothing of it any more."""
        self._inside("link", "set", line, "down")

    def is_back(self, line: str) -> None:
        self._inside("link", "set", line, "up")

    def lose(self, line: str) -> None:
        """It hears nothing any more of who is on this side."""
        _ip("link", "set", self._ours[line], "down")

    def find(self, line: str) -> None:
        _ip("link", "set", self._ours[line], "up")

    def _inside(self, *arguments: str) -> None:
        _ip("-netns", self._name, *arguments)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)

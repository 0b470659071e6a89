"""The virtual environment of all scripts: created if it is missing, and updated when a lock file changes.

This file uses only the standard library and old syntax, so that even a Python that is too old can run it and say so.

LEDGER_VENV names the folder of the environment; the default is `.venv` in the repository.
"""

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNTIME, DEVELOPMENT = "requirements.lock", "requirements-dev.lock"
CLIENTS, DOCS = "requirements-clients.lock", "requirements-docs.lock"
#: Tools whose packages conflict with the project's. Each tool has its own environment in a subfolder, in which the
#: project is not installed.
TOOLS = {CLIENTS: "clients", DOCS: "docs"}
OLDEST = (3, 11)
WINDOWS = os.name == "nt"
READABLE = 0o022  # umask of installed files: for root, the database runs as another user, which must read its programs


def run(lock, *command):
    """Replace this process with `python <command>` in an environment with the packages that `lock` lists."""
    python = prepare(lock)
    # Without bytecode, every start compiles all modules, and every worker of the tests rewrites all asserts in them.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    command_line = [str(python), *command]
    if WINDOWS:  # on Windows, exec detaches from the terminal
        sys.exit(subprocess.call(command_line))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(command_line[0], command_line)


def prepare(lock):
    """Return the path of the environment's Python, after installing missing packages."""
    _require_python()
    folder = Path(os.environ.get("LEDGER_VENV") or ROOT / ".venv").absolute()
    folder /= TOOLS.get(lock, "")
    if _is_installed(folder, lock):  # the usual case: nothing is written, and the network is not used
        return _find_python(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with lock_folder(folder):
            if not _is_installed(folder, lock):
                _install(folder, lock)
    except PermissionError as error:
        sys.exit(f"Cannot write {error.filename or folder}: set LEDGER_VENV to a folder of your own.")
    return _find_python(folder)


def _install(folder, lock):
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    count = sum(1 for line in lines if line[:1].isalnum())
    say(f"Installing up to {count} packages into {folder} (once, about a minute) ...")
    start_time = time.monotonic()
    if not _is_installed(folder, lock if lock in TOOLS else RUNTIME):
        _create(folder)
    _find_stamp(folder).unlink(missing_ok=True)  # an interrupted installation starts again
    _pip(folder, "--require-hashes", "-r", str(ROOT / lock))
    if lock not in TOOLS:
        _pip(folder, "--no-index", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    _find_stamp(folder).write_text(json.dumps(_make_stamp(lock), indent=1), encoding="utf-8")
    say(f"Installed in {time.monotonic() - start_time:.0f} seconds.")


def _create(folder):
    if folder.exists() and any(folder.iterdir()) and not (folder / "pyvenv.cfg").exists():
        sys.exit(f"{folder} is not a virtual environment: move it away, or set LEDGER_VENV to another folder.")
    command = [sys.executable, "-Im", "venv", "--clear", str(folder)]
    if subprocess.call(command, stdout=sys.stderr, umask=READABLE) != 0:
        sys.exit(f"Python could not make a virtual environment in {folder}; its error message is above.")


def _pip(folder, *arguments):
    command = [str(_find_python(folder)), "-Im", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input"]
    # With these settings, pip would install the packages outside this environment.
    strays = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_CONSTRAINT", "PIP_REQUIREMENT")
    environment = {name: value for name, value in os.environ.items() if name not in strays}
    if subprocess.call([*command, *arguments], stdout=sys.stderr, env=environment, umask=READABLE) != 0:
        sys.exit("pip could not install the packages of the lock file; its error is above. Run this again to resume.")


def _is_installed(folder, lock):
    """Return whether the folder's stamp shows that the current lock file was installed completely."""
    try:
        stamp = json.loads(_find_stamp(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    wanted_stamp = _make_stamp(lock)
    installed_locks = stamp.get("locks", {})
    current_locks = {name: digest for name, digest in installed_locks.items() if digest == _hash_file(ROOT / name)}
    is_same_project = all(stamp.get(key) == wanted_stamp[key] for key in ("root", "project"))
    return (
        is_same_project
        and current_locks == installed_locks
        and lock in installed_locks
        and _find_python(folder).exists()
    )


def _make_stamp(lock):
    """Return what the stamp must contain for this lock file. The development lock includes the runtime lock."""
    if lock in TOOLS:
        return {"locks": {lock: _hash_file(ROOT / lock)}, "project": "", "root": str(ROOT)}
    names = [RUNTIME] if lock == RUNTIME else [RUNTIME, DEVELOPMENT]
    locks = {name: _hash_file(ROOT / name) for name in names}
    return {"locks": locks, "project": _hash_file(ROOT / "pyproject.toml"), "root": str(ROOT)}


def _hash_file(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _find_python(folder):
    return folder / "Scripts" / "python.exe" if WINDOWS else folder / "bin" / "python"


def _find_stamp(folder):
    return folder / "installed.json"


@contextmanager
def lock_folder(folder):
    """Lock the folder, so that scripts started at the same time create it one after the other. If a process dies, the
    system frees its lock.
    """
    with folder.with_name(folder.name + ".lock").open("w", encoding="utf-8") as lock_file:
        if WINDOWS:
            import msvcrt

            msvcrt.locking(lock_file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(lock_file, fcntl.LOCK_EX)
        yield


def _require_python():
    version = "{}.{}".format(*sys.version_info[:2])
    if sys.version_info < OLDEST:
        sys.exit("Python {}.{} or newer is needed; this is {} ({}).".format(*OLDEST, version, sys.executable))
    if any(importlib.util.find_spec(name) is None for name in ("venv", "ensurepip")):
        sys.exit(
            f"Python {version} lacks the modules that make virtual environments. On Debian and Ubuntu: "
            f"apt install python{version}-venv. Elsewhere: install Python from python.org."
        )


def say(text):
    print(text, file=sys.stderr, flush=True)

"""The server of one data folder.

    data/lock             locked by the ledger that uses the folder
    data/owner-password   of the role `ledger_owner`; readable by the server's account only
    data/cluster/         PostgreSQL's own files
    data/log              the server's log
    data/command.log      the output of the last `initdb` or `pg_ctl`

It listens on 127.0.0.1 only, on a port chosen at each start, and always requires a password.
"""

import os
import secrets
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import filelock
import platformdirs
import psycopg

from api.embedded.account import Account, find_server_account, hand_over, let_through
from api.embedded.errors import EmbeddedPostgresError
from api.embedded.process import find_free_port, find_postmaster, forget_reused_process
from api.embedded.programs import ensure_runnable, find_program_folder, run_program

OWNER = "ledger_owner"
DATABASE = "ledger"
PATIENCE = 120  # seconds; a recovery after a crash may take a while
LOG_LIMIT = 4_000_000  # bytes; a longer log is moved aside at the next start
LAST_WORDS = 100_000  # how many bytes of the log are searched for the reason why the server stopped
NO_ROOM = "No space left on device"  # the server's messages are set to English

INITDB = (
    f"--username={OWNER}",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--no-locale",
    "--locale-provider=builtin",  # sort by code point: the same on every system and in every version
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    "--no-instructions",
)
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",  # the path of a socket is limited to about 100 bytes; that of a data folder is not
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "io_method": "sync",
    "jit": "off",
    "random_page_cost": "1.1",  # pages are in memory or on flash, so an index scan in order is cheap
    "timezone": "UTC",
    "log_timezone": "UTC",
}
# Messages of temporary failures to start: another program took the port, or processes of a killed server are still
# ending.
PASSING = ("could not bind", "could not create any TCP/IP sockets", "still in use", "lock file")


def find_data_folder() -> Path:
    """Return /var/lib/campaign-ledger for root, else the user's own data folder on this system."""
    if sys.platform != "win32" and os.geteuid() == 0:
        return Path("/var/lib/campaign-ledger")
    return platformdirs.user_data_path("campaign-ledger", appauthor=False)


class EmbeddedPostgres:
    """The server of one data folder. Call `start`, or use it in a `with` statement. The data are kept when it stops."""

    def __init__(self, data: Path) -> None:
        self.data = data.expanduser().resolve()
        self.cluster = self.data / "cluster"
        self.log = self.data / "log"
        self._command_log = self.data / "command.log"
        self._password_file = self.data / "owner-password"
        self._lock = filelock.FileLock(self.data / "lock", timeout=0, mode=0o600, thread_local=False)
        self._account: Account | None = None
        self._program_folder = Path()
        self._port = 0

    def __enter__(self) -> "EmbeddedPostgres":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def owner_url(self) -> str:
        """Return the URL for the role that owns everything. Raise EmbeddedPostgresError if the server does not run."""
        if not self._lock.is_locked:
            raise EmbeddedPostgresError(f"The database in {self.data} is not running.")
        return self._make_url(self._port, DATABASE)

    def is_running(self) -> bool:
        """Return whether the server is running now. A server can stop by itself."""
        return find_postmaster(self.cluster) is not None

    def has_run_out_of_room(self) -> bool:
        """Return whether the log since the last start says that a disk was full."""
        with self.log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_WORDS))
            output = file.read().decode(errors="replace").rpartition("starting PostgreSQL")[2]
        return any(NO_ROOM in line for line in output.splitlines() if "PANIC:" in line or "FATAL:" in line)

    def restart_if_stopped(self) -> None:
        """Start the server again on the same port if it stopped by itself. Raise EmbeddedPostgresError or OSError."""
        if self._lock.is_locked and not self.is_running():
            self._port = self._launch(self._port)

    def find_url_if_running(self) -> str | None:
        """Return the owner's URL of the server that is running on this folder, or None."""
        server_numbers = find_postmaster(self.cluster)
        return self._make_url(server_numbers[1], DATABASE) if server_numbers is not None and server_numbers[1] else None

    def start(self) -> str:
        """Start the server, or take over a server that is already running on this folder. Return `owner_url`."""
        if self._lock.is_locked:
            return self.owner_url
        try:
            self._lock_folder()
            self._prepare_cluster()
            self._port = self._adopt_running_server() or self._launch()
            self._make_database()
        except BaseException as error:
            with suppress(EmbeddedPostgresError):
                self.stop()
            if isinstance(error, OSError):
                reason = error.strerror or str(error)
                raise EmbeddedPostgresError(
                    f"The data folder {self.data} can't be used ({reason}). Choose another with --data."
                ) from error
            raise
        return self.owner_url

    def stop(self) -> None:
        """End all sessions, write everything to disk and stop the server. Do nothing if it is not running."""
        if not self._lock.is_locked:
            return
        try:
            if self.is_running() and self._run_pg_ctl("stop", "--mode=fast") != 0 and self.is_running():
                raise self._make_failure("PostgreSQL did not stop", self._command_log)
        finally:
            self._lock.release()

    # -- before the start ------------------------------------------------------------------------------------------

    def _lock_folder(self) -> None:
        for folder in reversed([self.data, *self.data.parents]):
            if not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)
        try:
            self._lock.acquire()
        except filelock.Timeout as error:
            raise EmbeddedPostgresError(
                f"Another ledger is using {self.data}. Stop it first, or choose another folder with --data."
            ) from error

    def _prepare_cluster(self) -> None:
        self._account = find_server_account(self.cluster)
        self._program_folder = find_program_folder(self.cluster)
        let_through(self._account, self.data, "choose another folder with --data", is_ours=True)
        ensure_runnable(self._program_folder, self._account)
        for unfinished_cluster in self.data.glob("cluster.unfinished-*"):
            shutil.rmtree(unfinished_cluster, ignore_errors=True)
        if not self.cluster.exists():
            self._make_cluster()
        elif not self._password_file.exists():
            raise EmbeddedPostgresError(f"{self._password_file} is missing. Without it, nobody can open the database.")
        elif self._account is not None and self.cluster.stat().st_uid == 0:  # the folder may be a copy that root made
            hand_over(self._account, self._password_file)
            hand_over(self._account, self.cluster)

    def _make_cluster(self) -> None:
        """Make the cluster in a temporary folder, so that an incomplete one is never used.

        Each attempt uses a new folder, because an `initdb` of a killed ledger may still be writing.
        """
        unfinished_cluster = self.data / f"cluster.unfinished-{secrets.token_hex(4)}"
        unfinished_cluster.mkdir(mode=0o700)
        hand_over(self._account, unfinished_cluster)
        self._write_password()
        arguments = (f"--pgdata={unfinished_cluster}", f"--pwfile={self._password_file}", *INITDB)
        if run_program(self._program_folder / "initdb", *arguments, account=self._account, log=self._command_log) != 0:
            raise self._make_failure("PostgreSQL could not create its files", self._command_log)
        unfinished_cluster.rename(self.cluster)
        if sys.platform != "win32":  # which can't open folders
            descriptor = os.open(self.data, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)

    def _write_password(self) -> None:
        self._password_file.unlink(missing_ok=True)
        descriptor = os.open(self._password_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(descriptor, secrets.token_urlsafe(24).encode() + b"\n")
        os.fsync(descriptor)
        os.close(descriptor)
        hand_over(self._account, self._password_file)

    # -- starting --------------------------------------------------------------------------------------------------

    def _adopt_running_server(self) -> int | None:
        """Wait until the server on this folder answers, and return its port. Return None if no server is running."""
        deadline = time.monotonic() + PATIENCE
        while (server_numbers := find_postmaster(self.cluster)) is not None:
            # A server may answer once more while it is being killed. After two answers, a moment apart, it counts as
            # alive.
            if server_numbers[1] and self._is_answering(server_numbers[1]):
                time.sleep(0.1)
                if find_postmaster(self.cluster) == server_numbers and self._is_answering(server_numbers[1]):
                    return server_numbers[1]
            if time.monotonic() > deadline:
                raise self._make_failure(f"The server that is already using {self.data} does not respond", self.log)
            time.sleep(0.1)
        return None

    def _launch(self, wanted_port: int = 0) -> int:
        """Start the server and return its port. `wanted_port`: 0 means any free port."""
        forget_reused_process(self.cluster)
        self._open_log()
        deadline = time.monotonic() + PATIENCE
        while True:
            port, log_size = wanted_port or find_free_port(), self.log.stat().st_size
            options = " ".join(f"-c {name}={value}" for name, value in {**SETTINGS, "port": str(port)}.items())
            if self._run_pg_ctl("start", f"--log={self.log}", f"--options={options}") == 0:
                return port
            if adopted_port := self._adopt_running_server():  # starting took longer than pg_ctl waits
                return adopted_port
            output = self.log.read_bytes()[log_size:].decode(errors="replace")
            if time.monotonic() > deadline or not any(reason in output for reason in PASSING):
                raise self._make_failure("PostgreSQL did not start", self.log if output else self._command_log)
            time.sleep(0.25)

    def _open_log(self) -> None:
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.data / "log.old")
        os.close(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        hand_over(self._account, self.log)

    def _make_database(self) -> None:
        try:
            with psycopg.connect(self._make_url(self._port, "postgres"), autocommit=True) as connection:
                query = "SELECT 1 FROM pg_database WHERE datname = %s"
                if connection.execute(query, [DATABASE]).fetchone() is None:
                    connection.execute(f"CREATE DATABASE {DATABASE}")
        except psycopg.Error as error:
            raise self._make_failure("PostgreSQL does not accept its owner's password", self.log) from error

    def _is_answering(self, port: int) -> bool:
        try:
            with psycopg.connect(self._make_url(port, "postgres"), connect_timeout=3) as connection:
                return connection.execute("SELECT 1").fetchone() is not None
        except psycopg.Error:
            return False

    # -- common ----------------------------------------------------------------------------------------------------

    def _make_url(self, port: int, database: str) -> str:
        password = self._password_file.read_text(encoding="ascii").strip()
        return f"postgresql://{OWNER}:{password}@127.0.0.1:{port}/{database}"

    def _run_pg_ctl(self, action: str, *arguments: str) -> int:
        arguments = (action, f"--pgdata={self.cluster}", "--wait", "--timeout=60", *arguments)
        return run_program(self._program_folder / "pg_ctl", *arguments, account=self._account, log=self._command_log)

    def _make_failure(self, message: str, log: Path) -> EmbeddedPostgresError:
        """Return an error whose message ends with the last lines of a log."""
        with suppress(OSError):
            if last_lines := log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]:
                return EmbeddedPostgresError("\n  ".join([f"{message}. The end of {log} says:", *last_lines]))
        return EmbeddedPostgresError(f"{message}.")

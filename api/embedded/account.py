"""Find the account that runs the embedded PostgreSQL if the ledger runs as root: PostgreSQL refuses to run as root.

The account is `postgres` if the machine has it, else `nobody`. It must reach the data and the programs. A closed folder
on the way gets an entry in its access control list, which lets the account pass through without reading. Modes of
folders are not changed, because the folders may belong to others.
"""

import errno
import os
import stat
import struct
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api.embedded.errors import EmbeddedPostgresError


@dataclass(frozen=True, slots=True)
class Account:
    """A system account that runs the server in place of our own."""

    uid: int
    gid: int
    name: str


def find_server_account(cluster: Path) -> Account | None:
    """Return the account that must run the server: the owner of the cluster, else `postgres` or `nobody`. Return None
    unless the ledger runs as root.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return None
    import pwd

    if cluster.exists() and (cluster_stat := cluster.stat()).st_uid != 0:
        return Account(cluster_stat.st_uid, cluster_stat.st_gid, f"uid {cluster_stat.st_uid}")
    for name in ("postgres", "nobody"):
        try:
            user_entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(user_entry.pw_uid, user_entry.pw_gid, name)
    raise EmbeddedPostgresError(
        "PostgreSQL refuses to run as root, and this machine has no account named postgres or nobody to run it as."
    )


def hand_over(account: Account | None, path: Path) -> None:
    """Make the account the owner of a file, or of a folder with its contents."""
    if account is None or sys.platform == "win32":
        return
    for folder, folder_names, file_names in os.walk(path):
        for name in (*folder_names, *file_names):
            os.chown(Path(folder, name), account.uid, account.gid, follow_symlinks=False)
    os.chown(path, account.uid, account.gid, follow_symlinks=False)


def let_through(account: Account | None, folder: Path, remedy: str, *, is_ours: bool = False) -> None:
    """Let the account reach the contents of the folder. `remedy` ends the error message: it says what the reader can
    do.

    `is_ours`: the folder's mode may be changed if the file system has no access control lists.
    """
    if account is None or has_access(account, "-x", folder):
        return
    for path in reversed([folder, *folder.parents]):
        if not has_access(account, "-x", path):
            with suppress(OSError):
                _grant_search_permission(path, account.uid)
        if not has_access(account, "-x", path) and is_ours and path == folder:
            path.chmod(stat.S_IMODE(path.stat().st_mode) | stat.S_IXGRP | stat.S_IXOTH)
        if not has_access(account, "-x", path):
            raise EmbeddedPostgresError(f"PostgreSQL, running as {account.name}, cannot enter {path}: {remedy}.")


def has_access(account: Account, access: str, path: Path) -> bool:
    """Return whether the account has this access (`-r` or `-x`, as for test(1)). The operating system decides."""
    if access == "-x" and stat.S_ISDIR(mode := path.stat().st_mode) and mode & stat.S_IXOTH and mode & stat.S_IXGRP:
        return True
    command = ["/bin/sh", "-c", f'test {access} "$1"', "sh", str(path)]
    try:
        return subprocess.run(command, check=False, cwd="/", **make_identity(account)).returncode == 0
    except PermissionError as error:
        raise EmbeddedPostgresError(
            f"PostgreSQL refuses to run as root, and root can't switch to the account {account.name}."
        ) from error


def make_identity(account: Account | None) -> dict[str, Any]:
    """Return the arguments with which `subprocess` starts a program as the account."""
    return {} if account is None else {"user": account.uid, "group": account.gid, "extra_groups": []}


# Linux keeps an access control list in this extended attribute. The list has a version, then sorted entries, each with
# a tag, permissions and an id.
_ATTRIBUTE = "system.posix_acl_access"
_VERSION = struct.pack("<I", 2)
_ENTRY = struct.Struct("<HHI")
_OWNER, _USER, _OWNING_GROUP, _GROUP, _MASK, _OTHER = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
_NO_ID = 0xFFFFFFFF
_SEARCH = 0x1

Entry = tuple[int, int, int]


def _grant_search_permission(folder: Path, uid: int) -> None:
    if sys.platform != "linux":
        raise OSError(errno.ENOTSUP, "this system has no POSIX access control lists")
    entries = add_search_permission(_read_access_list(folder), uid)
    os.setxattr(folder, _ATTRIBUTE, _VERSION + b"".join(_ENTRY.pack(*entry) for entry in entries))


def _read_access_list(folder: Path) -> list[Entry]:
    if sys.platform != "linux":
        return []
    try:
        return list(_ENTRY.iter_unpack(os.getxattr(folder, _ATTRIBUTE)[len(_VERSION) :]))
    except OSError as error:
        if error.errno != errno.ENODATA:
            raise
    mode = folder.stat().st_mode
    return [(_OWNER, mode >> 6 & 7, _NO_ID), (_OWNING_GROUP, mode >> 3 & 7, _NO_ID), (_OTHER, mode & 7, _NO_ID)]


def add_search_permission(entries: list[Entry], uid: int) -> list[Entry]:
    """Return the list with search permission added for one user.

    The mask limits all named entries. Before the mask is raised, the other entries are limited to its old value, so
    nobody else gets more rights.
    """
    old_mask = next((permissions for tag, permissions, _ in entries if tag == _MASK), 7)
    capped_entries = [
        (tag, permissions & old_mask if tag in (_USER, _OWNING_GROUP, _GROUP) else permissions, owner_id)
        for tag, permissions, owner_id in entries
        if tag != _MASK
    ]
    previous_permissions = next(
        (permissions for tag, permissions, owner_id in capped_entries if (tag, owner_id) == (_USER, uid)), 0
    )
    other_entries = [entry for entry in capped_entries if (entry[0], entry[2]) != (_USER, uid)]
    all_entries = [*other_entries, (_USER, previous_permissions | _SEARCH, uid)]
    new_mask = 0
    for tag, permissions, _ in all_entries:
        if tag in (_USER, _OWNING_GROUP, _GROUP):
            new_mask |= permissions
    return sorted([*all_entries, (_MASK, new_mask, _NO_ID)], key=lambda entry: (entry[0], entry[2]))

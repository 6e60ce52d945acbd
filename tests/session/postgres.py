"""A temporary PostgreSQL from Debian's packages: its own folder, a Unix socket, gone afterwards."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote


class NoPostgres(Exception):
    """There is no PostgreSQL that we could start."""


@contextmanager
def running_postgres() -> Iterator[str]:
    """The address of a server that runs until the end."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs:
        raise NoPostgres("no initdb under the folders of Debian's postgresql packages: PostgreSQL is not tested")
    bin_folder = programs[-1].parent
    # PostgreSQL does not run as root; Debian's package brings a user for it.
    as_user: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="sandtable-pg-"))
    try:
        if as_user:
            try:
                shutil.chown(folder, "postgres", "postgres")
            except LookupError:
                raise NoPostgres("no user postgres: PostgreSQL is not tested") from None
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        options: dict[str, Any] = {"cwd": folder, "env": environment, "stdout": subprocess.DEVNULL, **as_user}
        data = folder / "data"
        subprocess.run([bin_folder / "initdb", "-D", data, "-A", "trust", "-E", "UTF8", "-N"], check=True, **options)
        settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        subprocess.run(
            [bin_folder / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", settings, "start"],
            check=True,
            **options,
        )
        # Stops it at a word of ours, or when we are cut off before we can give it: then our end of the pipe closes.
        stopping = [
            "sh",
            "-c",
            'read _; "$@"',
            "sh",
            str(bin_folder / "pg_ctl"),
            "-D",
            str(data),
            "-m",
            "immediate",
            "stop",
        ]
        guard = subprocess.Popen(stopping, stdin=subprocess.PIPE, text=True, start_new_session=True, **options)
        try:
            user = "postgres" if as_user else getpass.getuser()
            yield f"postgresql://{user}@/postgres?host={quote(str(folder), safe='')}"
        finally:
            guard.communicate("\n")
    finally:
        shutil.rmtree(folder, ignore_errors=True)

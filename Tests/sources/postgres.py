"""A PostgreSQL in a folder, run by an ordinary user."""

from __future__ import annotations

import atexit
import glob
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Optional

SECONDS = 60.0


def programs() -> str:
    """The folder of PostgreSQL's programs. Raises SystemExit where there is none."""
    named = os.environ.get("MARQUEE_POSTGRES")
    debian = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]), reverse=True)
    for folder in ([named] if named else debian + os.environ.get("PATH", "").split(":")):
        if os.access(os.path.join(folder, "initdb"), os.X_OK):
            return folder
    raise SystemExit("PostgreSQL is missing: apt-get install postgresql, or name its programs in MARQUEE_POSTGRES")


class Postgres:
    """Started and killed at will. Its socket is in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._programs = folder, programs()
        folder.mkdir(mode=0o700)
        # PostgreSQL refuses to run as root, so root becomes another user.
        self._as: list[str] = []
        if os.getuid() == 0:
            user = "postgres" if subprocess.run(["id", "postgres"], capture_output=True).returncode == 0 else "nobody"
            shutil.chown(folder, user)
            # Above it may be folders that only root may enter.
            self._as = ["setpriv", f"--reuid={user}", "--clear-groups"]
        self._process: Optional[subprocess.Popen] = None
        atexit.register(self.kill)
        self._run("initdb", "-D", str(folder / "data"), "-U", "marquee", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")

    @property
    def url(self) -> str:
        return f"postgres:///postgres?host={self.folder}&user=follower"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as, f"{self._programs}/{program}", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{program} failed: {done.stderr}")

    def start(self) -> None:
        settings = {
            "listen_addresses": "", "unix_socket_directories": str(self.folder), "wal_level": "logical",
            "fsync": "off", "max_wal_senders": "8", "max_replication_slots": "8", "wal_sender_timeout": "10s",
            "max_connections": "40", "logging_collector": "off",
        }  # fmt: skip
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen(
                [*self._as, f"{self._programs}/postgres", "-D", str(self.folder / "data"), *options],
                stdout=log, stderr=log, cwd=self.folder, start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + SECONDS
        while self._psql("SELECT 1").returncode != 0:
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"PostgreSQL doesn't start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def kill(self) -> None:
        """All of its processes, as a crash of its machine would."""
        if self._process is None:
            return
        postmaster = self._process.pid
        os.kill(postmaster, signal.SIGSTOP)
        try:
            children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        except OSError:
            children = []
        for one in [*map(int, children), postmaster]:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self._process.wait()
        self._process = None
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        """In order, without waiting for clients."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(SECONDS)
            self._process = None

    def copy(self, name: str) -> None:
        """The files of a stopped one, for `restore`."""
        subprocess.run(["cp", "-a", str(self.folder / "data"), str(self.folder / name)], check=True)

    def restore(self, name: str) -> None:
        shutil.rmtree(self.folder / "data")
        subprocess.run(["cp", "-a", str(self.folder / name), str(self.folder / "data")], check=True)

    def command(self) -> list[str]:
        return [f"{self._programs}/psql", "-X", "-q", "-A", "-t", "-h", str(self.folder), "-U", "marquee", "postgres"]

    def _psql(self, sql: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*self.command(), "-v", "ON_ERROR_STOP=1", "-f", "-"], input=sql, capture_output=True, text=True)

    def query(self, sql: str) -> list[str]:
        """Runs statements, and gives the lines that they return."""
        done = self._psql(sql)
        if done.returncode != 0:
            raise RuntimeError(f"{sql[:200]}: {done.stderr}")
        return done.stdout.splitlines()

"""A PostgreSQL of a benchmark's own, in a folder, reached by TCP and a password that nobody else knows."""

import os
import pathlib
import pwd
import secrets
import shutil
import time

from .processes import POLL_SECONDS, Failure, Server, free_port, run

STEP_SECONDS = 60
# A benchmark makes more than PostgreSQL's default of 100.
MOST_CONNECTIONS = 200
# What a real server would have; initdb picks less on small machines.
SHARED_BUFFERS = "256MB"


def programs():
    """The folder of PostgreSQL's programs, the newest that is installed; None without."""
    debian = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = str(debian[-1]) if debian else shutil.which("initdb")
    return pathlib.Path(found).parent if found else None


class Postgres:
    """Durable as it is by default: `fsync` and `synchronous_commit` are on."""

    def __init__(self, folder, settings=None):
        """The folder must be passable for others if this runs as root, as PostgreSQL refuses to. `settings` are
        further ones of its configuration."""
        self._programs, self._folder, self.port = programs(), folder / "postgres", free_port()
        self._settings = settings or {}
        self._password = secrets.token_hex(16)
        self.environment = {"PGPASSWORD": self._password}
        self._as = self._another_user() if os.geteuid() == 0 else []

    def _another_user(self):
        user = pwd.getpwnam("postgres")
        return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]

    def __enter__(self):
        self._folder.mkdir()
        password = self._folder / "password"
        password.touch(0o600)
        password.write_text(self._password, encoding="utf-8")
        if self._as:
            user = pwd.getpwnam("postgres")
            for path in (self._folder, password):
                os.chown(path, user.pw_uid, user.pw_gid)
        data = self._folder / "data"
        run([*self._as, self._programs / "initdb", "-D", data, "-U", "marquee", "-A", "scram-sha-256", "--encoding=UTF8",
             "--locale=C", f"--pwfile={password}"], STEP_SECONDS, capture_output=True, cwd=self._folder)
        settings = {
            "port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "",
            "max_connections": MOST_CONNECTIONS, "shared_buffers": SHARED_BUFFERS, "synchronous_commit": "on",
            "shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track": "top",
            **self._settings,
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self._server = Server([*self._as, self._programs / "postgres", "-D", data, *words],
                              self._folder.parent / "postgres.log", self.port)
        self._wait()
        self.ask("CREATE EXTENSION pg_stat_statements", "postgres")
        return self

    def _wait(self):
        """It has its port before it lets anybody in."""
        deadline = time.monotonic() + STEP_SECONDS
        while True:
            try:
                self.ask("SELECT 1", "postgres")
                return
            except Failure:
                if time.monotonic() > deadline:
                    raise
                time.sleep(POLL_SECONDS)

    def __exit__(self, *_):
        # SIGTERM would wait for everybody to leave.
        self._server.process.send_signal(2)
        self._server.stop()

    def url(self, database):
        return f"postgres://marquee@127.0.0.1:{self.port}/{database}"

    def ask(self, statement, database):
        """What `psql` answers to one statement, without decoration."""
        return self._client("psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement], database)

    def run_file(self, file, database):
        self._client("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-f", file], database)

    def reader(self, database, options):
        """The words of `pg_recvlogical`, and the environment that it needs."""
        return ([self._programs / "pg_recvlogical", "-h", "127.0.0.1", "-p", self.port, "-U", "marquee", "-d", database,
                 *options], {**os.environ, **self.environment})

    def bench(self, options, database):
        """What `pgbench` prints."""
        return self._client("pgbench", options, database)

    def _client(self, program, options, database):
        return run([self._programs / program, "-h", "127.0.0.1", "-p", self.port, "-U", "marquee", *options, database],
                   STEP_SECONDS, capture_output=True, env={**os.environ, **self.environment}).strip()

    def counted_statements(self, database):
        """Statements that clients have sent since `forget_statements`, those that begin and end transactions included."""
        return int(self.ask(
            "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements JOIN pg_database ON oid = dbid "
            f"WHERE datname = '{database}'", "postgres"))

    def forget_statements(self):
        self.ask("SELECT pg_stat_statements_reset()", "postgres")

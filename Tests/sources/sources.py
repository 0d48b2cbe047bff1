"""`make sources`: a shop in PostgreSQL, those who write to it, `follow` and its standby, a server, and mirrors. After each
fault every record equals its row, every mirror equals the server, and nothing was applied twice."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import judge
import shop
from crowd import Crowd
from postgres import Postgres
from shop import Writer

from marquee_client.client import Client

SERVER = os.environ["MARQUEE_SERVER_BIN"]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Program:
    """One of ours, with its output in a file."""

    def __init__(self, world: World, name: str, *arguments: str) -> None:
        self._world, self._name, self._arguments = world, name, arguments
        self.file = world.folder / f"{name}.log"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        with open(self.file, "ab") as log:
            self.process = subprocess.Popen(
                [SERVER, *self._arguments], cwd=self._world.folder, stdout=log, stderr=log)

    def end(self, number: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(60)
            self.process = None

    @property
    def said(self) -> str:
        return self.file.read_text() if self.file.exists() else ""

    @property
    def memory(self) -> int:
        """The most bytes that it has held."""
        try:
            text = Path(f"/proc/{self.process.pid}/status").read_text()
        except (OSError, AttributeError):
            return 0
        return next(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("VmHWM"))


class World:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.chance = random.Random(options.seed)
        self.postgres = Postgres(folder / "pg")
        self.postgres.start()
        self.postgres.query(shop.SCHEMA % {"rows": options.rows, "tallies": shop.TALLIES})
        (folder / "types.yaml").write_text(shop.TYPES)
        (folder / "programme.yaml").write_text(shop.PROGRAMME)
        (folder / "source.yaml").write_text(shop.source(self.postgres.url))
        self.port = free_port()
        address = f"127.0.0.1:{self.port}"
        self.server = Program(self, "server", "serve", "--data", "data", "--types", "types.yaml", "--programme",
                              "programme.yaml", "--open", "--listen", address, "--log-level", "warning")  # fmt: skip
        self.followers = [Program(self, name, "follow", "source.yaml", "--to", address) for name in ("first", "second")]
        (folder / "outbox.yaml").write_text(shop.outbox(self.postgres.url))
        self.outboxes = [Program(self, f"{name}-outbox", "follow", "outbox.yaml", "--to", address)
                         for name in ("first", "second")]  # fmt: skip
        self.classes = judge.messages(SERVER, folder / "types.yaml", folder)
        self.store = judge.Store(folder / "data", self.classes)
        self.auditor = judge.Auditor(self.store)
        self.writers = [Writer(self.postgres, options.seed, number, options.rows, options.pause)
                        for number in range(options.writers)]  # fmt: skip
        self.crowd: Crowd | None = None
        self.patience = 180.0 + options.rows / 1_000  # for anything; only what is broken takes that long
        self.sentinels = 0
        self.table: list[tuple[str, ...]] = []
        self.wrong: list[str] = []

    # ------------------------------------------------------------ what is waited for

    def serve(self) -> None:
        self.server.start()
        judge.eventually("the server listens", 60, self._listens)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def settle(self) -> float:
        """Waits until everything that was written is everywhere, and says how long that took."""
        for writer in self.writers:
            writer.rest()
        began = time.monotonic()
        self.sentinels += 1
        key = str(shop.TALLIES)
        self.postgres.query(f"UPDATE tally SET n = {self.sentinels} WHERE id = {key}")
        judge.eventually("the last transaction is there", self.patience, lambda: self._is_there(key) or "it isn't")
        judge.eventually(
            "records equal their rows", self.patience, lambda: judge.differences(self.postgres, self.store) or True)
        took = time.monotonic() - began
        judge.eventually("mirrors equal the server", self.patience, self._mirrors)
        return took

    def _is_there(self, key: str) -> bool:
        with self.store.open() as store:
            row = store.execute("SELECT bytes FROM record WHERE type = 'tally' AND id = ?", (key,)).fetchone()
        return row is not None and self.store.values("tally", row[0])[1] == self.sentinels

    def _mirrors(self) -> object:
        if self.crowd is None:
            return True
        with Client("127.0.0.1", self.port) as client:
            truth = client.get_screen("home")[0].sum
        others = [one for one in self.crowd.state()["sums"] if one != truth]
        return True if not others else f"{len(others)} of {self.crowd.count} are others"

    # ------------------------------------------------------------ a fault

    def phase(self, name: str, fault, *, writing: bool = True, most_bytes: int | None = None) -> None:
        """Writers write while something goes wrong; then all is judged. `most_bytes` is a bound for each client."""
        print(f"sources: {name} …", file=sys.stderr, flush=True)
        before = self.crowd.state() if self.crowd else {"bytes": 0}
        commits, changes = self.auditor.commits, self.auditor.changes
        transactions = sum(writer.transactions for writer in self.writers)
        if writing:
            for writer in self.writers:
                writer.resume()
            time.sleep(self.options.seconds / 2)
        outcome = "equal"
        took = 0.0
        try:
            fault()
            if writing:
                time.sleep(self.options.seconds / 2)
            took = self.settle()
        except (TimeoutError, RuntimeError, subprocess.TimeoutExpired) as error:
            outcome = "WRONG"
            self.wrong.append(f"{name}: {error}")
            for writer in self.writers:
                writer.rest()
        self.auditor.look()
        after = self.crowd.state() if self.crowd else {"bytes": 0}
        each = (after["bytes"] - before["bytes"]) // max(1, self.crowd.count if self.crowd else 1)
        if most_bytes is not None and each > most_bytes:
            outcome = "WRONG"
            self.wrong.append(f"{name}: each client received {each} bytes, at most {most_bytes} were due")
        self.table.append((
            name, f"{took:.1f}", f"{sum(writer.transactions for writer in self.writers) - transactions}",
            f"{self.auditor.commits - commits}", f"{self.auditor.changes - changes}", f"{each / 1024:.1f}", outcome,
        ))  # fmt: skip

    # ------------------------------------------------------------ what goes wrong

    @property
    def all_followers(self) -> list[Program]:
        return [*self.followers, *self.outboxes]

    def first_copy(self) -> None:
        sql = subprocess.run([SERVER, "source", "sql", "outbox.yaml"], cwd=self.folder, check=True, capture_output=True,
                             text=True).stdout  # fmt: skip
        self.postgres.query(sql.replace("CREATE ROLE", "ALTER ROLE"))
        self.postgres.query(shop.PUT_SCORE)
        self.followers[0].start()
        judge.eventually("it follows", self.patience, lambda: " follows " in self.followers[0].said or self.followers[0].said)
        self.followers[1].start()
        judge.eventually("another stands by", 60, lambda: "stands by" in self.followers[1].said)
        for one, word in zip(self.outboxes, (" follows ", "stands by")):
            one.start()
            judge.eventually(f"an outbox {word.strip()}", 60, lambda one=one, word=word: word in one.said or one.said)

    def clients_come(self) -> None:
        self.crowd = Crowd(self.port, self.options.clients)

    def kill_follower(self) -> None:
        """Each in turn, and now and then both."""
        for one in [*self.all_followers, *self.all_followers] if self.options.full else self.all_followers:
            one.end()
            time.sleep(self.chance.uniform(0.2, 2))
            one.start()
            time.sleep(self.chance.uniform(0.5, 3))

    def kill_server(self) -> None:
        for _ in range(3 if self.options.full else 1):
            self.server.end()
            time.sleep(self.chance.uniform(0.2, 2))
            self.serve()
            time.sleep(self.chance.uniform(0.5, 2))

    def kill_database(self) -> None:
        for _ in range(3 if self.options.full else 1):
            self.postgres.kill()
            time.sleep(self.chance.uniform(0.2, 2))
            self.postgres.start()
            time.sleep(self.chance.uniform(0.5, 2))

    def lose_slot(self) -> None:
        for one in self.followers:
            one.end()
        judge.eventually("the slot is free", 60, lambda: self.postgres.query(
            "SELECT active::text FROM pg_replication_slots") == ["false"])  # fmt: skip
        self.postgres.query("SELECT pg_drop_replication_slot('marquee_shop')")
        for one in self.followers:
            one.start()

    def change_columns(self) -> None:
        self.postgres.query("ALTER TABLE product ADD COLUMN unmapped int DEFAULT 1")
        time.sleep(0.5)
        self.postgres.query("ALTER TABLE product ADD COLUMN colour shade DEFAULT 'red'")
        time.sleep(1)
        self.postgres.query("ALTER TABLE product ALTER COLUMN stock TYPE bigint")
        time.sleep(1)
        self.postgres.query("ALTER TABLE product DROP COLUMN unmapped")

    def drop_column(self) -> None:
        self.postgres.query("ALTER TABLE product RENAME COLUMN colour TO shade")
        self.postgres.query("UPDATE product SET title = 'Renamed' WHERE sku = 'p1'")
        judge.eventually("the table has stopped", 60, lambda: any(
            "no column 'colour' any more" in one.said for one in self.followers))  # fmt: skip
        self.postgres.query("ALTER TABLE product RENAME COLUMN shade TO colour")

    def make_table_anew(self) -> None:
        self.postgres.query("DROP TABLE category; CREATE TABLE category (id int PRIMARY KEY, name text); "
                            "INSERT INTO category VALUES (1, 'Made anew'); GRANT SELECT ON category TO follower")  # fmt: skip
        judge.eventually("the table has stopped", 60, lambda: any(
            "lacks public.category" in one.said for one in self.followers))  # fmt: skip
        self.postgres.query("ALTER PUBLICATION marquee ADD TABLE category")

    def large_transaction(self) -> None:
        self.postgres.query(f"INSERT INTO product SELECT 'bulk' || i, 'Bulk ' || i, 0, 1, repeat('b', 200) FROM "
                            f"generate_series(1, {self.options.large}) i")  # fmt: skip

    def idle(self) -> None:
        """Nothing happens in the tables, and much elsewhere: the slot moves all the same."""
        self.postgres.query("INSERT INTO unwatched SELECT i, repeat('u', 500) FROM generate_series(1, 120000) i")
        judge.eventually("the slot moves", 90, lambda: self.postgres.query(
            "SELECT (pg_current_wal_lsn() - confirmed_flush_lsn < 20000000)::text FROM pg_replication_slots") == ["true"])  # fmt: skip

    def keep_yesterday(self) -> None:
        self.postgres.stop()
        self.postgres.copy("yesterday")
        self.postgres.start()

    def restore_yesterday(self) -> None:
        for writer in self.writers:
            writer.rest()
        self.auditor.restored()
        self.postgres.kill()
        self.postgres.restore("yesterday")
        self.postgres.start()
        judge.eventually("it was noticed", self.patience, lambda: any(
            "has lost what came after" in one.said for one in self.followers))  # fmt: skip
        # Of what an outbox has published nobody knows but the application.
        self.postgres.query(shop.PUT_SCORE)
        # Until all tallies have been read as they are now.
        judge.eventually("records equal their rows", self.patience, lambda: judge.differences(self.postgres, self.store) or True)
        self.auditor.look()
        self.auditor.judge_again()
        for writer in self.writers:
            writer.resume()

    # ------------------------------------------------------------ all of it

    def run(self) -> bool:
        options = self.options
        self.serve()
        self.auditor.start()
        for writer in self.writers:
            writer.start()
        self.phase(f"first copy of {options.rows} rows", self.first_copy, writing=False)
        self.phase(f"{options.clients} clients come", self.clients_come, writing=False)
        self.phase("the database is shut down cleanly", self.keep_yesterday)
        self.phase("writers alone", lambda: None)
        self.phase("follow is killed, each in turn", self.kill_follower)
        self.phase("the server is killed", self.kill_server)
        self.phase("the database is killed", self.kill_database)
        self.phase("the slot is lost, nothing has changed", self.lose_slot, writing=False, most_bytes=4096)
        self.phase("the slot is lost under writers", self.lose_slot)
        self.phase("columns are added, retyped, dropped", self.change_columns)
        self.phase("a mapped column is renamed, and back", self.drop_column)
        self.phase("a table is recreated", self.make_table_anew)
        self.phase(f"a transaction of {options.large} rows", self.large_transaction)
        self.phase("much happens elsewhere", self.idle, writing=False, most_bytes=4096)
        if options.most_memory:
            most = max(one.memory for one in self.followers)
            if most > options.most_memory << 20:
                self.wrong.append(f"follow has held {most >> 20} MiB, at most {options.most_memory} are due")
            self.memory = most
        self.phase("yesterday's database is restored", self.restore_yesterday)
        state = self.crowd.state()
        self.wrong += self.auditor.mistakes + sorted(set(state["wrong"]))[: judge.LIMIT]
        if self.auditor.missed:
            self.wrong.append(f"{self.auditor.missed} commits were gone before they were judged")
        return not self.wrong

    def report(self) -> None:
        head = ("what happens", "s", "transactions", "commits", "changes", "KiB/client", "outcome")
        widths = [max(len(row[index]) for row in [head, *self.table]) for index in range(len(head))]
        for row in [head, *self.table]:
            cells = [cell.ljust(width) if index in (0, 6) else cell.rjust(width)
                     for index, (cell, width) in enumerate(zip(row, widths))]  # fmt: skip
            print("  ".join(cells).rstrip())
        print(f"{self.auditor.counted} tallies in {self.auditor.commits} commits, each higher than before; "
              f"follow has held at most {self.memory >> 20} MiB")  # fmt: skip

    memory = 0

    def end(self) -> None:
        for writer in self.writers:
            if writer.is_alive():
                writer.end()
        if self.crowd is not None:
            self.crowd.end()
        for one in [*self.all_followers, self.server]:
            one.end()
        if self.auditor.is_alive():
            self.auditor.end()
        self.postgres.kill()


def main() -> int:
    parser = argparse.ArgumentParser(prog="sources", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=20_000, help="of the shop")
    parser.add_argument("--large", type=int, default=50_000, help="rows of the large transaction")
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--writers", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4, help="that writers write in each phase")
    parser.add_argument("--pause", type=float, default=0.02, help="of a writer, in seconds")
    parser.add_argument("--most-memory", type=int, default=600, metavar="MIB", help="that follow may hold")
    parser.add_argument("--full", action="store_true", help="each is killed several times")
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mq-sources-", dir="/tmp"))
    folder.chmod(0o755)
    world = World(options, folder)
    try:
        is_fine = world.run()
        world.report()
        for line in world.wrong:
            print(f"wrong: {line}", file=sys.stderr)
        if not is_fine:
            for one in [*world.all_followers, world.server]:
                print(f"--- {one.file.name}\n{one.said[-3000:]}", file=sys.stderr)
            print(f"to run this again: make sources SOURCES_SEED={options.seed}", file=sys.stderr)
        else:
            print(f"sources: {len(world.table)} of {len(world.table)} equal; seed {options.seed}")
        return 0 if is_fine else 1
    finally:
        world.end()
        if options.keep:
            print(f"the files are in {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())

"""`marquee-server follow` of a PostgreSQL table, beside `pg_recvlogical` reading the same log and keeping nothing."""

import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import threading
import time

from . import build
from .postgres import Postgres, programs
from .processes import STOP_SECONDS, Failure, Server, cpu_seconds, run as run_program, say
from .report import base, median, ratio, table, values

PEER, MARQUEE = "pg_recvlogical", "marquee"
CHANGES, INSERTS, TRANSACTION = 200_000, 500_000, 100
# The paced writer: row changes a second, two in each transaction of so many clients.
RATE, SECONDS, WRITERS = 2_000, 20, 4
SHOWN = 20
# The goals: rows a second as a share of the peer's, and the 99th percentile of the lag in milliseconds.
SHARE, LAG_MS = 0.7, 200

SLOT = "peer"
DRAIN_SECONDS = 300
POLL_SECONDS = 0.02
# How long the last changes of the paced writer may take to arrive.
SETTLE_SECONDS = 10

# No checkpoint in between, so that each round's log has the same records.
SETTINGS = {
    "wal_level": "logical", "max_wal_size": "16GB", "checkpoint_timeout": "1h", "autovacuum": "off",
}
SCHEMA = f"""
CREATE TABLE product (id int PRIMARY KEY, title text, price numeric(10, 2), stock int, notes text);
CREATE TABLE arrival (id int PRIMARY KEY, title text, price numeric(10, 2), stock int, notes text);
CREATE TABLE event (id text PRIMARY KEY, at float8);
CREATE TABLE mark (id int PRIMARY KEY, text text);
INSERT INTO mark VALUES (1, '');
CREATE PUBLICATION marquee FOR TABLE product, arrival, event, mark;
SELECT pg_create_logical_replication_slot('{SLOT}', 'pgoutput');
"""
ROWS = (
    "SELECT i, 'Product ' || i, (i::bigint * 7919 % 100000) / 100.0, i % 90, repeat('n', 60) "
    "FROM generate_series(1, {}) i"
)
UPDATES = """
DO $$ BEGIN
    FOR n IN 0 .. {changes} / {transaction} - 1 LOOP
        UPDATE product SET price = price + 1, stock = stock + 1
            WHERE id > n * {transaction} AND id <= (n + 1) * {transaction};
        COMMIT;
    END LOOP;
END $$
"""
# A counter for each client, so that each knows the order of its own commits.
PACED = """
\\set n :n + 1
\\set id random(1, {changes})
BEGIN;
UPDATE product SET stock = stock + 1 WHERE id = :id;
INSERT INTO event VALUES ('{name}-' || :client_id || '-' || :n, extract(epoch FROM clock_timestamp()));
COMMIT;
"""
TYPES = """\
types:
  product: {id: id, fields: {id: integer, title: text, price: number, stock: integer, notes: text}}
  arrival: {id: id, fields: {id: integer, title: text, price: number, stock: integer, notes: text}}
  event: {id: id, fields: {id: text, at: number}, sorts: [at]}
  mark: {id: id, fields: {id: integer, text: text}}
"""
PROGRAMME = f"""\
screens:
  home:
    title: Shop
    sections:
      - id: newest
        kind: list
        source: {{records: {{type: event, sort: -at, limit: {SHOWN}}}}}
        body: {{card: {{title: $id}}}}
"""
SOURCE = """\
source: shop
types: types.yaml
postgres: {{url: "{}"}}
tables: {{product: {{type: product}}, arrival: {{type: arrival}}, event: {{type: event}}, mark: {{type: mark}}}}
"""


def _peak_bytes(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))


def _forget_peak(pid):
    with open(f"/proc/{pid}/clear_refs", "w", encoding="utf-8") as file:
        file.write("5")


class World:
    """A database with rows, and a server that has them."""

    def __init__(self, stack, folder, changes):
        self._stack, self._folder, self._marks = stack, folder, 0
        self.postgres = stack.enter_context(Postgres(folder, SETTINGS))
        for statement in SCHEMA.strip().split(";\n"):
            self.ask(statement.rstrip(";"))
        self.ask("INSERT INTO product " + ROWS.format(changes))
        for name, text in (("types.yaml", TYPES), ("programme.yaml", PROGRAMME),
                           ("source.yaml", SOURCE.format(self.postgres.url("postgres")))):
            (folder / name).write_text(text, encoding="utf-8")
        self.server = stack.enter_context(Server(
            [build.server(), "serve", "--data", folder / "data", "--types", folder / "types.yaml", "--programme",
             folder / "programme.yaml", "--open", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0"],
            folder / "server.log"))

    def ask(self, statement):
        return self.postgres.ask(statement, "postgres")

    def log_bytes(self):
        return int(self.ask("SELECT pg_current_wal_insert_lsn() - '0/0'"))

    def mark(self):
        """Makes one last change, whose arrival says that all before it has arrived."""
        self._marks += 1
        self.ask(f"UPDATE mark SET text = 'mark {self._marks}.'")

    def stored(self, statement, *parameters):
        """The first value that the server's store has for a statement."""
        file = self._folder / "data" / "catalogue.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)) as store:
            row = store.execute(statement, parameters).fetchone()
        return row[0] if row else None

    def _is_marked(self):
        found = self.stored("SELECT bytes FROM record WHERE type = 'mark' AND id = '1'")
        return f"mark {self._marks}.".encode() in (found or b"")

    def wait(self):
        """Returns when the server has stored everything before the last mark."""
        deadline = time.monotonic() + DRAIN_SECONDS
        while not self._is_marked():
            if time.monotonic() > deadline:
                raise Failure(f"the last change wasn't published:\n{self._follower_output()[-2000:]}")
            time.sleep(POLL_SECONDS)

    def _follower_output(self):
        return (self._folder / "follow.log").read_text(encoding="utf-8", errors="replace")

    def follower(self):
        """Returns once it follows."""
        return Server(
            [build.server(), "follow", self._folder / "source.yaml", "--to", f"127.0.0.1:{self.server.port}"],
            self._folder / "follow.log", ready_seconds=DRAIN_SECONDS, environment=self.postgres.environment,
            ready=r" follows .* from [0-9A-F]+/")

    def peer(self, file, *options):
        return self.postgres.reader(
            "postgres", ["-S", SLOT, "--start", "--no-loop", "-f", file, "-o", "proto_version=1", "-o",
                         "publication_names=marquee", *options])


# MARK: - Throughput

def _drain(world, kind, rows):
    """The peer reads everything up to the last mark, and then `follow` does."""
    end = world.ask("SELECT pg_current_wal_flush_lsn()")
    began = time.monotonic()
    used = os.times()
    words, environment = world.peer("/dev/null", "-E", end)
    run_program(words, DRAIN_SECONDS, env=environment)
    seconds, after = time.monotonic() - began, os.times()
    yield {"kind": kind, "system": PEER, "rows": rows, "seconds": seconds, "per_second": rows / seconds,
           "reader_us": (after.children_user + after.children_system - used.children_user - used.children_system)
           * 1e6 / rows, "server_us": None, "reader_bytes": None, "server_bytes": None}
    _forget_peak(world.server.pid)
    server_seconds = cpu_seconds(world.server.pid)
    began = time.monotonic()
    with world.follower() as follower:
        world.wait()
        seconds = time.monotonic() - began
        yield {"kind": kind, "system": MARQUEE, "rows": rows, "seconds": seconds, "per_second": rows / seconds,
               "reader_us": cpu_seconds(follower.pid) * 1e6 / rows,
               "server_us": (cpu_seconds(world.server.pid) - server_seconds) * 1e6 / rows,
               "reader_bytes": _peak_bytes(follower.pid), "server_bytes": _peak_bytes(world.server.pid)}


def measure_throughput(world, changes, inserts):
    began = time.monotonic()
    with world.follower():
        world.mark()
        world.wait()
        copied = time.monotonic() - began
    measured = []
    for kind, rows, statement in (
        (f"{changes:,} updates, {TRANSACTION} in a transaction", changes,
         UPDATES.format(changes=changes, transaction=TRANSACTION)),
        (f"{inserts:,} inserts in one transaction", inserts, "INSERT INTO arrival " + ROWS.format(inserts)),
    ):
        before = world.log_bytes()
        world.ask(statement)
        world.mark()
        log = world.log_bytes() - before
        measured += [{**entry, "log_bytes": log} for entry in _drain(world, kind, rows)]
    found = world.stored("SELECT count(*) FROM record WHERE type = 'arrival'")
    if found != inserts:
        raise Failure(f"{found} of {inserts} rows are records")
    return measured, changes / copied


# MARK: - Lag

class Arrivals(threading.Thread):
    """When each client's events were first read from a socket or pipe. For one that is skipped, a later one counts."""

    def __init__(self, descriptor, name):
        super().__init__(daemon=True)
        self._descriptor = descriptor
        self._pattern = re.compile(name.encode() + rb"-(\d+)-(\d+)(?=[^\d])")
        self.times = {}
        self.bytes = 0

    def run(self):
        rest = b""
        while True:
            try:
                data = os.read(self._descriptor, 1 << 18)
            except OSError:
                return
            if not data:
                return
            now = time.time()
            self.bytes += len(data)
            rest += data
            newest = {}
            end = 0
            for found in self._pattern.finditer(rest):
                client, number, end = int(found.group(1)), int(found.group(2)), found.end()
                newest[client] = max(newest.get(client, 0), number)
            for client, number in newest.items():
                seen = self.times.setdefault(client, [])
                if not seen or number > seen[-1][0]:
                    seen.append((number, now))
            rest = rest[max(end, len(rest) - 64):]

    def lags(self, rows):
        """Milliseconds from each row's own time until it, or a later one of the same client, was read."""
        found, missing, places = [], 0, {}
        for client, number, at in sorted(rows):
            seen, place = self.times.get(client, []), places.get(client, 0)
            while place < len(seen) and seen[place][0] < number:
                place += 1
            places[client] = place
            if place < len(seen):
                found.append((seen[place][1] - at) * 1_000)
            else:
                missing += 1
        if missing:
            raise Failure(f"{missing} of {len(rows)} events were not seen within {SETTLE_SECONDS} s")
        return sorted(found)


def _paced(world, folder, name, arrivals, changes, rate, seconds):
    script = folder / "paced.sql"
    script.write_text(PACED.format(changes=changes, name=name), encoding="utf-8")
    arrivals.start()
    before = world.log_bytes()
    world.postgres.bench(
        ["-n", "-c", WRITERS, "-j", 1, "-R", rate // 2, "-T", seconds, "-D", "n=0", "-f", script], "postgres")
    log = world.log_bytes() - before
    lines = world.ask(f"SELECT id, at FROM event WHERE id LIKE '{name}-%'").splitlines()
    rows = [(int(id_.split("-")[1]), int(id_.split("-")[2]), float(at))
            for id_, at in (line.split("|") for line in lines)]
    last = {client: max(number for other, number, _ in rows if other == client) for client, _, _ in rows}
    deadline = time.monotonic() + SETTLE_SECONDS
    while any((arrivals.times.get(client) or [(0, 0)])[-1][0] < number for client, number in last.items()):
        if time.monotonic() > deadline:
            break
        time.sleep(POLL_SECONDS)
    lags = arrivals.lags(rows)
    return {
        "changes": 2 * len(rows), "per_second": 2 * len(rows) / seconds, "p50_ms": lags[len(lags) // 2],
        "p99_ms": lags[len(lags) * 99 // 100], "most_ms": lags[-1], "log_bytes": log / (2 * len(rows)),
    }


def _peer_lag(world, folder, name, changes, rate, seconds):
    words, environment = world.peer("-")
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=environment) as reader:
        try:
            arrivals = Arrivals(reader.stdout.fileno(), name)
            found = _paced(world, folder, name, arrivals, changes, rate, seconds)
            used = cpu_seconds(reader.pid)
        finally:
            # Not killed, so that it says how far it is.
            reader.send_signal(signal.SIGINT)
            reader.wait(STOP_SECONDS)
        arrivals.join()
    return {"system": PEER, **found, "published_bytes": None, "received_bytes": arrivals.bytes / found["changes"],
            "commits_per_second": None, "reader_us": used * 1e6 / found["changes"], "server_us": None}


def _marquee_lag(world, folder, name, changes, rate, seconds):
    door = re.search(r"web on http://127\.0\.0\.1:(\d+)", world.server.output())
    if not door:
        raise Failure("the server did not say where its web door is")
    with world.follower() as follower, socket.create_connection(("127.0.0.1", int(door.group(1)))) as reader:
        world.mark()
        world.wait()
        reader.sendall(b"GET /v1/screens/home HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        arrivals = Arrivals(reader.fileno(), name)
        revision = world.stored("SELECT max(revision) FROM commit_log")
        cpu = [cpu_seconds(process.pid) for process in (follower, world.server)]
        found = _paced(world, folder, name, arrivals, changes, rate, seconds)
        cpu = [cpu_seconds(process.pid) - before for process, before in zip((follower, world.server), cpu)]
        published = world.stored("SELECT sum(bytes) FROM commit_log WHERE revision > ?", revision)
        commits = world.stored("SELECT count(*) FROM commit_log WHERE revision > ?", revision)
        reader.shutdown(socket.SHUT_RDWR)
        arrivals.join()
    return {"system": MARQUEE, **found, "published_bytes": published / found["changes"],
            "received_bytes": arrivals.bytes / found["changes"], "commits_per_second": commits / seconds,
            "reader_us": cpu[0] * 1e6 / found["changes"], "server_us": cpu[1] * 1e6 / found["changes"]}


# MARK: - The row

def run(options, folder):
    if not programs():
        raise Failure("PostgreSQL is not installed; apt-get install postgresql")
    # PostgreSQL is another user's if this runs as root.
    folder.chmod(0o711)
    rounds, seconds = options.rounds or 3, round(options.seconds or SECONDS)
    changes, inserts = options.changed_rows, options.inserted_rows
    drained, copied, lags = [], [], []
    for number in range(rounds):
        place = folder / f"round-{number}"
        place.mkdir(mode=0o711)
        with contextlib.ExitStack() as stack:
            say(f"sources: round {number + 1} of {rounds}, a database and the first copy")
            world = World(stack, place, changes)
            say(f"sources: round {number + 1} of {rounds}, throughput")
            found, rate = measure_throughput(world, changes, inserts)
            drained += [{"round": number, **entry} for entry in found]
            copied.append(rate)
            for system, measure in ((PEER, _peer_lag), (MARQUEE, _marquee_lag)):
                say(f"sources: round {number + 1} of {rounds}, lag of {system}")
                lags.append({"round": number, **measure(
                    world, place, f"{system[0]}{number}", changes, RATE, seconds)})
    noisy = _print(drained, copied, rounds, options.noise_bound)
    _print_lag(lags, rounds)
    return {"drained": drained, "copied_per_second": copied, "lags": lags, "noisy": noisy}


def _print(measured, copied, rounds, bound):
    noisy, rows, shares = [], [], []
    for kind in dict.fromkeys(entry["kind"] for entry in measured):
        peer = base(values(measured, "per_second", kind=kind, system=PEER), f"{kind}: {PEER}'s", bound, noisy)
        for name in (PEER, MARQUEE):
            def middle(key, form=",.1f", scale=1.0, name=name, kind=kind):
                found = values(measured, key, kind=kind, system=name)
                return format(median(found) / scale, form) if found else None

            rate = median(values(measured, "per_second", kind=kind, system=name))
            rows.append([
                f"{name}, {kind}", f"{rate:,.0f}", ratio(rate, peer), middle("reader_us"), middle("server_us"),
                middle("reader_bytes", ",.0f", 1 << 20), middle("server_bytes", ",.0f", 1 << 20),
                middle("log_bytes", ",.1f", 1 << 20),
            ])
            if name == MARQUEE and peer:
                shares.append(rate / peer)
    table(
        f"sources: changes that wait in the log until the reader starts; medians of {rounds} rounds",
        ["", "rows/s", f"× {PEER}", "reader's CPU µs/row", "server's", "reader's peak MiB", "server's", "log MiB"],
        rows)
    print(f"  the first copy: {median(copied):,.0f} rows/s")
    for share in shares:
        print(f"  goal {SHARE} × {PEER}: {share:.2f}, {'met' if share >= SHARE else 'missed'}")
    print(flush=True)
    return noisy


def _print_lag(measured, rounds):
    rows = []
    for name in (PEER, MARQUEE):
        def middle(key, form=",.1f", name=name):
            found = values(measured, key, system=name)
            return format(median(found), form) if found else None

        rows.append([
            name, middle("per_second", ",.0f"), middle("p50_ms"), middle("p99_ms"), middle("most_ms"),
            middle("log_bytes", ",.0f"), middle("published_bytes", ",.0f"), middle("received_bytes", ",.0f"),
            middle("commits_per_second", ",.0f"), middle("reader_us"), middle("server_us"),
        ])
    table(
        "sources: from a row's clock_timestamp() until a reader has it, its commit included; "
        f"medians of {rounds} rounds",
        ["", "changes/s", "p50 ms", "p99 ms", "most ms", "log B/change", "published B", "received B", "commits/s",
         "reader's CPU µs/change", "server's"], rows)
    worst = median(values(measured, "p99_ms", system=MARQUEE))
    print(f"  goal p99 {LAG_MS} ms: {worst:.0f}, {'met' if worst <= LAG_MS else 'missed'}\n", flush=True)

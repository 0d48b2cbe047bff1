"""Durable favorites of 64 users at a time, beside sessions that do nothing; and SQLite alone, writing the same rows."""

import sqlite3
import time

from . import build, systems
from .fanout import fits
from .processes import Generator, say
from .report import base, median, ratio, table, values

USERS = 64
WARM_UP_SECONDS = 1.0
SECONDS = 4.0

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE user_log (name TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE member (user TEXT NOT NULL, collection TEXT NOT NULL, subject TEXT NOT NULL, revision INTEGER NOT NULL,
    PRIMARY KEY (user, collection, subject)) STRICT, WITHOUT ROWID;
CREATE TABLE mutation_answer (client BLOB NOT NULL, number INTEGER NOT NULL, revision INTEGER NOT NULL,
    PRIMARY KEY (client, number)) STRICT, WITHOUT ROWID;
"""


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure_sqlite(folder, seconds):
    """One writer that commits the favorites of 64 users together, each with its position and its answer."""
    for file in folder.glob("plain.sqlite*"):
        file.unlink()
    database = sqlite3.connect(folder / "plain.sqlite", isolation_level=None)
    database.executescript(SCHEMA)
    times, number = [], 0
    start = time.monotonic()
    while (began := time.monotonic()) - start < seconds:
        number += 1
        database.execute("BEGIN IMMEDIATE")
        for user in range(USERS):
            name, client = f"user{user}", user.to_bytes(16, "big")
            database.execute(
                "INSERT INTO user_log VALUES (?, ?) ON CONFLICT DO UPDATE SET revision = excluded.revision",
                (name, number))
            if (number - 1) // 20 % 2 == 0:
                database.execute(
                    "INSERT INTO member VALUES (?, 'favorites', ?, ?)", (name, f"movie/{number % 20 + 1}", number))
            else:
                database.execute("DELETE FROM member WHERE user = ? AND collection = 'favorites' AND subject = ?",
                                 (name, f"movie/{number % 20 + 1}"))
            database.execute("DELETE FROM mutation_answer WHERE client = ?", (client,))
            database.execute("INSERT INTO mutation_answer VALUES (?, ?, ?)", (client, number, number))
        database.execute("COMMIT")
        times.append(time.monotonic() - began)
    elapsed = time.monotonic() - start
    database.close()
    return {
        "system": "sqlite3 alone", "idle": 0, "per_second": USERS * number / elapsed,
        "p50_ms": percentile(times, 0.5) * 1e3, "p99_ms": percentile(times, 0.99) * 1e3, "cpu_us": None,
    }


def measure(idle, folder, seconds, at_once):
    program, system = build.load_program("LoadGenerator"), systems.MARQUEE
    with system.serving(folder) as server, Generator(program, system.protocol, server) as generator:
        if idle > 0:
            generator.do(f"connect {idle} {at_once}")
        generator.do(f"users {USERS}")
        generator.do(f"favorites {min(seconds, WARM_UP_SECONDS)}")
        done = generator.do(f"favorites {seconds}")
    return {
        "system": f"marquee, {idle:,} idle", "idle": idle, "per_second": done["answers"] / done["seconds"],
        "p50_ms": done["p50_us"] / 1e3, "p99_ms": done["p99_us"] / 1e3, "cpu_us": done["cpu_us"] / done["answers"],
        "raw": done,
    }


def run(options, folder):
    sizes = [0] + [size for size in sorted(options.subscribers) if fits(size + USERS)]
    rounds, seconds = options.rounds or 3, options.seconds or SECONDS
    measured = []
    for number in range(rounds):
        say(f"favorites: round {number + 1} of {rounds}, sqlite3 alone")
        measured.append({"round": number, **measure_sqlite(folder, seconds)})
        for idle in sizes:
            say(f"favorites: round {number + 1} of {rounds}, {idle} idle sessions")
            measured.append({"round": number, **measure(idle, folder, seconds, options.at_once)})
    return {"users": USERS, "measured": measured, "noisy": _print(measured, rounds, options.noise_bound)}


def _print(measured, rounds, bound):
    names = list(dict.fromkeys(entry["system"] for entry in measured))

    noisy = []
    limit = base(values(measured, "per_second", system=names[0]), "sqlite3's", bound, noisy)
    rows = []
    for name in names:
        def middle(key, name=name):
            return median(values(measured, key, system=name))

        rows.append([
            name, f"{middle('per_second'):,.0f}", ratio(middle("per_second"), limit), f"{middle('p50_ms'):.2f}",
            f"{middle('p99_ms'):.2f}", middle("cpu_us"),
        ])
    table(
        f"favorites: {USERS} users at a time, each waits for its answer; medians of {rounds} rounds",
        ["", "per second", "× sqlite3", "p50 ms", "p99 ms", "server's CPU µs"], rows)
    return noisy

"""Durable favorites through one, two and four servers on one PostgreSQL, beside `pgbench` writing the same rows."""

import contextlib
import os
import re

from . import build, processes
from .catalogue import changes_file, programme
from .favorites import SECONDS, USERS, WARM_UP_SECONDS
from .postgres import Postgres, programs
from .processes import Failure, Generator, Server, say
from .report import base, median, ratio, table, values

NODES = (1, 2, 4)
# Publications at one server and subscribers at another.
PUBLICATIONS, PER_SECOND, SUBSCRIBERS = 100, 20.0, 10
WINDOW = 64
IMPORT_SECONDS = 120

SCHEMA = """
CREATE TABLE user_log (name text PRIMARY KEY, revision bigint NOT NULL);
CREATE TABLE member (owner text NOT NULL, collection text NOT NULL, subject text NOT NULL, revision bigint NOT NULL,
    PRIMARY KEY (owner, collection, subject));
CREATE TABLE mutation_answer (client bigint PRIMARY KEY, number bigint NOT NULL, revision bigint NOT NULL);
"""
# What a favorite is without batches: the user's log moves, the member is set, the answer is remembered, in a transaction.
FAVORITE = """
\\set subject random(1, 20)
BEGIN;
INSERT INTO user_log VALUES ('user' || :client_id, 1) ON CONFLICT (name) DO UPDATE SET revision = user_log.revision + 1;
INSERT INTO member VALUES ('user' || :client_id, 'favorites', 'movie/' || :subject, 1)
    ON CONFLICT (owner, collection, subject) DO UPDATE SET revision = member.revision + 1;
INSERT INTO mutation_answer VALUES (:client_id, 1, 1)
    ON CONFLICT (client) DO UPDATE SET number = mutation_answer.number + 1;
COMMIT;
"""
STATEMENTS_OF_PGBENCH = 5


def measure_pgbench(postgres, folder, seconds):
    postgres.ask("DROP DATABASE IF EXISTS plain", "postgres")
    postgres.ask("CREATE DATABASE plain", "postgres")
    for name, text in (("schema.sql", SCHEMA), ("favorite.sql", FAVORITE)):
        (folder / name).write_text(text, encoding="utf-8")
    postgres.run_file(folder / "schema.sql", "plain")
    printed = postgres.bench(
        ["-n", "-M", "prepared", "-c", USERS, "-j", 2, "-T", max(1, round(seconds)), "-f", folder / "favorite.sql"],
        "plain")
    rate, latency = re.search(r"tps = ([\d.]+)", printed), re.search(r"latency average = ([\d.]+) ms", printed)
    if not rate or not latency:
        raise Failure(f"pgbench: {printed}")
    return {"system": "pgbench", "per_second": float(rate.group(1)), "p50_ms": float(latency.group(1)),
            "p99_ms": None, "statements": STATEMENTS_OF_PGBENCH, "frame_p50_ms": None, "frame_p99_ms": None,
            "commits_per_second": None}


@contextlib.contextmanager
def _nodes(count, postgres, folder):
    """So many servers on a database of their own, with the catalogue."""
    database = f"nodes{count}"
    postgres.ask(f"DROP DATABASE IF EXISTS {database}", "postgres")
    postgres.ask(f"CREATE DATABASE {database}", "postgres")
    url = postgres.url(database)
    environment = {**os.environ, **postgres.environment}
    for source in (["types", "Samples/catalogue/types.yaml"], ["ndjson", changes_file()]):
        processes.run([build.server(), "import", *source, "--store", url], IMPORT_SECONDS, cwd=build.REPOSITORY,
                      capture_output=True, env=environment)
    with contextlib.ExitStack() as stack:
        yield database, [
            stack.enter_context(Server(
                [build.server(), "serve", "--store", url, "--programme", programme(), "--listen", "127.0.0.1:0",
                 "--open"], folder / f"marquee-{number}.log", environment=postgres.environment))
            for number in range(count)]


def measure(count, postgres, folder, seconds):
    program = build.load_program("LoadGenerator")
    with _nodes(count, postgres, folder) as (database, servers):
        with Generator(program, "marquee", servers[0]) as generator:
            for server in servers:
                generator.do(f"server {server.port} {server.pid}")
                generator.do(f"users {USERS // count}")
            generator.do(f"favorites {min(seconds, WARM_UP_SECONDS)}")
            postgres.forget_statements()
            done = generator.do(f"favorites {seconds}")
            statements = postgres.counted_statements(database)
        # A publisher at the first server, and subscribers at the last.
        with Generator(program, "marquee", servers[0]) as generator:
            generator.do("connect 0 1")
            generator.do(f"server {servers[-1].port} {servers[-1].pid}")
            generator.do(f"connect {SUBSCRIBERS} {SUBSCRIBERS}")
            paced = generator.do(f"paced {PUBLICATIONS} {PER_SECOND}")
            full = generator.do(f"full {seconds} {WINDOW}")
    return {
        "system": f"marquee, {count} {'server' if count == 1 else 'servers'}",
        "per_second": done["answers"] / done["seconds"], "p50_ms": done["p50_us"] / 1e3,
        "p99_ms": done["p99_us"] / 1e3, "statements": statements / done["answers"],
        "frame_p50_ms": paced["p50_us"] / 1e3, "frame_p99_ms": paced["p99_us"] / 1e3,
        "commits_per_second": full["answers"] / full["seconds"], "raw": {"favorites": done, "paced": paced, "full": full},
    }


def run(options, folder):
    if not programs():
        raise Failure("PostgreSQL is not installed; apt-get install postgresql")
    # PostgreSQL is another user's if this runs as root.
    folder.chmod(0o711)
    rounds, seconds = options.rounds or 3, options.seconds or SECONDS
    measured = []
    with Postgres(folder) as postgres:
        for number in range(rounds):
            say(f"nodes: round {number + 1} of {rounds}, pgbench")
            measured.append({"round": number, **measure_pgbench(postgres, folder, seconds)})
            for count in NODES:
                say(f"nodes: round {number + 1} of {rounds}, {count} of ours")
                measured.append({"round": number, **measure(count, postgres, folder, seconds)})
    return {"users": USERS, "measured": measured, "noisy": _print(measured, rounds, options.noise_bound)}


def _print(measured, rounds, bound):
    names = list(dict.fromkeys(entry["system"] for entry in measured))
    noisy = []
    peer = base(values(measured, "per_second", system=names[0]), "pgbench's", bound, noisy)
    rows = []
    for name in names:
        def middle(key, form, name=name):
            found = values(measured, key, system=name)
            return format(median(found), form) if found else None

        rate = median(values(measured, "per_second", system=name))
        rows.append([
            name, f"{rate:,.0f}", ratio(rate, peer), middle("p50_ms", ".1f"), middle("p99_ms", ".1f"),
            middle("statements", ".2f"), middle("frame_p50_ms", ".1f"), middle("frame_p99_ms", ".1f"),
            middle("commits_per_second", ",.0f"),
        ])
    table(
        f"nodes: {USERS} users' favorites on one PostgreSQL, durable; publications from the first server to the last; "
        f"medians of {rounds} rounds",
        ["", "per second", "× pgbench", "p50 ms", "p99 ms", "statements each", "commit to frame p50 ms", "p99 ms",
         "commits per second"], rows)
    return noisy

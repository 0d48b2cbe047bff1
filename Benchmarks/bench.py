#!/usr/bin/env python3
"""Runs benchmarks by name, prints tables, and writes .build/benchmarks/results.json. See README.md."""

import argparse
import pathlib
import shutil
import sys
import tempfile
import time

from runner import build, connections, fanout, favorites, hub, instructions, nodes, programs, report
from runner import sources, stalled, start, storms, systems, tls, web
from runner.processes import Failure, end_on_signals, say

# EX_TEMPFAIL: what was measured is of no use for a comparison; a quieter machine would do.
TOO_NOISY = 75

ROWS = {
    "fanout": (fanout.run, "one update to 1,000 and 10,000 subscribers, beside redis, nats, mosquitto and the limit"),
    "web": (web.run, "the same by WebSocket and server-sent events, beside nginx with nchan and the limit"),
    "instructions": (instructions.run, "instructions of the server for each delivery, by whose code they are"),
    "connections": (connections.run, "10,000 clients at once, beside the same"),
    "tls": (tls.run, "what TLS costs for each connection, delivery and idle client, beside redis and nginx"),
    "favorites": (favorites.run, "durable favorites of 64 users, beside idle sessions and SQLite alone"),
    "nodes": (nodes.run, "durable favorites through one, two and four servers on one PostgreSQL, beside pgbench"),
    "hub": (hub.run, "favorites and newcomers beside a large publication, logins, gets, searches and a reload"),
    "storms": (storms.run, "commits as fast as they are stored, and 10,000 clients that come back at once"),
    "stalled": (stalled.run, "what subscribers that stop reading cost the others"),
    "sources": (sources.run, "following a PostgreSQL: rows a second, lag and memory, beside pg_recvlogical"),
    "start": (start.run, "a server's start on 100,000 records, and an import, beside SQLite"),
    "layout": (programs.row("LayoutBenchmark", "Layout", 2), "layouts to frames"),
    "client": (programs.client, "what the client library costs an app, beside GRDB's ValueObservation alone"),
    "screens": (programs.screens, "what a commit costs the server, by records and live views"),
    **{name: (programs.row(program, name, 10), f"what {program} measures")
       for name, program in programs.found().items()},
}
# Run only by name: it takes minutes to build.
ROWS["fanout-grpc"] = (fanout.run_grpc, "fanout beside grpc-swift-2")
ON_REQUEST = {"fanout-grpc"}


def numbers(words):
    return [int(word) for word in words.replace(",", " ").split()]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help=f"of {', '.join(ROWS)}; all but {', '.join(ON_REQUEST)} by default")
    parser.add_argument("--list", action="store_true", help="say what there is")
    parser.add_argument("--rounds", type=int, help="how often each system is measured")
    parser.add_argument("--subscribers", type=numbers, default=[1_000, 10_000], metavar="N,N")
    parser.add_argument("--counted-subscribers", type=int, metavar="N", help="of the row instructions")
    parser.add_argument("--most-instructions", type=int, metavar="N",
                        help="instructions: fail if ours for a delivery are more")
    parser.add_argument("--systems", type=lambda words: words.split(","), metavar="NAME,NAME",
                        help="the limit is always there")
    parser.add_argument("--publications", type=int, help="paced publications of each system and round")
    parser.add_argument("--seconds", type=float,
                        help="how long each system publishes at full rate, and in tls waits once idle ones have left")
    parser.add_argument("--window", type=int, default=64, help="publications not answered yet at full rate")
    parser.add_argument("--commits", type=int, help="storms: how many of them")
    parser.add_argument("--at-once", type=int, default=256, help="connections on their way at a time")
    parser.add_argument("--connections", type=int, help="tls: how many of each kind; at most 2,000 idle ones")
    parser.add_argument("--records", type=numbers, default=[1_000, 100_000], metavar="N,N",
                        help="screens: sizes of the catalogue")
    parser.add_argument("--stored", type=int, default=10_000, help="screens: records of a data folder")
    parser.add_argument("--reloaded-records", type=int, default=hub.RELOADED_RECORDS, metavar="N",
                        help="hub: records of a catalogue that is read again")
    parser.add_argument("--changed-rows", type=int, default=sources.CHANGES, metavar="N",
                        help="sources: rows of the table, each updated once")
    parser.add_argument("--inserted-rows", type=int, default=sources.INSERTS, metavar="N",
                        help="sources: rows of the large transaction")
    parser.add_argument("--start-records", type=numbers, default=[start.RECORDS], metavar="N,N",
                        help="start: records of a data folder")
    parser.add_argument("--noise-bound", type=float, default=0.25,
                        help="how far apart, as a share of their median, the limit's own rounds may be")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in ROWS]
    if unknown:
        parser.error(f"there is no row '{unknown[0]}'; there are {', '.join(ROWS)}")
    others = [systems.MARQUEE_RELAY, systems.MARQUEE_TLS, systems.REDIS_TLS, systems.NGINX_TLS, systems.GRPC,
              *web.SYSTEMS]
    known = [system.name for system in [*systems.ALL, *others]]
    unknown = [name for name in options.systems or [] if name not in known]
    if unknown:
        parser.error(f"there is no system '{unknown[0]}'; there are {', '.join(known)}")
    return options


def main():
    options = arguments()
    if options.list:
        for name, (_, meaning) in ROWS.items():
            print(f"{name:<14} {meaning}")
        return 0
    end_on_signals()
    # Beside what was built, as the temporary folder may be in memory, where nothing is durable.
    build.FOLDER.mkdir(parents=True, exist_ok=True)
    began, noisy, failed = time.monotonic(), [], []
    names = options.names or [name for name in ROWS if name not in ON_REQUEST]
    for name in names:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="run.", dir=build.FOLDER))
        try:
            outcome = ROWS[name][0](options, folder)
            report.save(name, outcome)
            noisy += [f"{name}: {reason}" for reason in outcome.get("noisy", [])]
        except Failure as failure:
            failed.append(name)
            print(f"{name}: {failure}", file=sys.stderr)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    seconds = time.monotonic() - began
    print(f"bench: {len(names) - len(failed)} of {len(names)} rows in {seconds:.0f} s; {report.RESULTS}")
    if failed:
        return 1
    if noisy:
        say("too noisy to compare: " + "; ".join(noisy))
        return TOO_NOISY
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

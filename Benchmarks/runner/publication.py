"""Durable favorites of 64 users at a time, before and while one large publication is read, stored and shown."""

import json
import subprocess

from . import build, systems
from .favorites import SECONDS, USERS, WARM_UP_SECONDS
from .processes import Generator, say
from .processes import run as run_program
from .report import base, median, ratio, table, values

# The most that a commit may have.
CHANGES = 65_536
MOST_SECONDS = 120


def _changes(file):
    with open(file, "w", encoding="utf-8") as lines:
        for number in range(1, CHANGES + 1):
            record = {"id": number, "title": {"en": f"Publication {number}"}, "overview": "." * 100}
            lines.write(json.dumps({"put": {"type": "movie", "id": str(number), "record": record}}) + "\n")


def _entry(case, done):
    return {
        "case": case, "seconds": done["seconds"], "per_second": done["answers"] / done["seconds"],
        "p99_ms": done["p99_us"] / 1e3, "longest_ms": done["longest_us"] / 1e3, "raw": done,
    }


def measure(seconds, folder):
    program, system, changes = build.load_program("LoadGenerator"), systems.MARQUEE, folder / "changes.ndjson"
    _changes(changes)
    with system.serving(folder) as server, Generator(program, system.protocol, server) as generator:
        generator.do(f"users {USERS}")
        generator.do(f"favorites {min(seconds, WARM_UP_SECONDS)}")
        quiet = generator.do(f"favorites {seconds}")
        generator.begin("favorites 0")
        run_program([build.command(), "publish", changes, "--server", f"127.0.0.1:{server.port}"], MOST_SECONDS,
                    stdin=subprocess.DEVNULL, capture_output=True)
        during = generator.do("enough")
    return [_entry("quiet", quiet), _entry(f"while {CHANGES:,} changes are published", during)]


def run(options, folder):
    rounds, seconds = options.rounds or 3, options.seconds or SECONDS
    measured = []
    for number in range(rounds):
        say(f"publication: round {number + 1} of {rounds}")
        measured += [{"round": number, **entry} for entry in measure(seconds, folder)]
    return {"users": USERS, "changes": CHANGES, "measured": measured,
            "noisy": _print(measured, rounds, options.noise_bound)}


def _print(measured, rounds, bound):
    noisy, rows = [], []
    cases = list(dict.fromkeys(entry["case"] for entry in measured))
    quiet = base(values(measured, "per_second", case=cases[0]), "without a publication, its", bound, noisy)
    for case in cases:
        def middle(key, case=case):
            return median(values(measured, key, case=case))

        rows.append([
            case, f"{middle('seconds'):.1f}", f"{middle('per_second'):,.0f}", ratio(middle("per_second"), quiet),
            f"{middle('p99_ms'):.1f}", f"{middle('longest_ms'):.1f}",
        ])
    table(
        f"publication: favorites of {USERS} users at a time; medians of {rounds} rounds",
        ["", "seconds", "per second", "× quiet", "p99 ms", "longest ms"], rows)
    return noisy

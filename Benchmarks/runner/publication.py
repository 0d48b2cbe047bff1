"""Durable favorites of 64 users at a time, before and while one large publication is read, stored and shown."""

import json
import subprocess

from . import build, systems
from .favorites import SECONDS, USERS, WARM_UP_SECONDS
from .processes import Failure, Generator, say
from .processes import run as run_program
from .report import base, median, ratio, table, values

# The most that a commit may have.
CHANGES = 65_536
MOST_SECONDS = 120
# They show nothing, and go once they are greeted.
NEWCOMERS_PER_SECOND = 50


def _changes(file):
    with open(file, "w", encoding="utf-8") as lines:
        for number in range(1, CHANGES + 1):
            record = {"id": number, "title": {"en": f"Publication {number}"}, "overview": "." * 100}
            lines.write(json.dumps({"put": {"type": "movie", "id": str(number), "record": record}}) + "\n")


def _entry(case, done, greeted):
    if done["shown"] == 0 or greeted["answers"] == 0:
        raise Failure(f"{case}: {done['shown']} favorites were shown, {greeted['answers']} newcomers greeted")
    return {
        "case": case, "seconds": done["seconds"], "per_second": done["answers"] / done["seconds"],
        "p99_ms": done["p99_us"] / 1e3, "longest_ms": done["longest_us"] / 1e3,
        "shown_p99_ms": done["shown_p99_us"] / 1e3, "shown_longest_ms": done["shown_longest_us"] / 1e3,
        "welcome_p99_ms": greeted["p99_us"] / 1e3, "welcome_longest_ms": greeted["longest_us"] / 1e3,
        "raw": {"favorites": done, "newcomers": greeted},
    }


def measure(seconds, folder):
    program, system, changes = build.load_program("LoadGenerator"), systems.MARQUEE, folder / "changes.ndjson"
    _changes(changes)
    with system.serving(folder) as server, Generator(program, system.protocol, server) as generator, \
            Generator(program, system.protocol, server) as greeter:
        generator.do(f"users {USERS}")
        generator.do(f"favorites {min(seconds, WARM_UP_SECONDS)}")
        greeter.begin(f"visits {NEWCOMERS_PER_SECOND}")
        quiet = generator.do(f"favorites {seconds}")
        greeted = greeter.do("enough")
        generator.begin("favorites 0")
        greeter.begin(f"visits {NEWCOMERS_PER_SECOND}")
        run_program([build.command(), "publish", changes, "--server", f"127.0.0.1:{server.port}"], MOST_SECONDS,
                    stdin=subprocess.DEVNULL, capture_output=True)
        during, greeted_during = generator.do("enough"), greeter.do("enough")
    return [
        _entry("quiet", quiet, greeted),
        _entry(f"while {CHANGES:,} changes are published", during, greeted_during),
    ]


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
            *(f"{middle(f'{what}{key}_ms'):.1f}" for what in ("", "shown_", "welcome_") for key in ("p99", "longest")),
        ])
    table(
        f"publication: favorites of {USERS} users at a time; medians of {rounds} rounds",
        ["", "seconds", "per second", "× quiet", "answer p99 ms", "longest", "shown p99 ms", "longest",
         "welcome p99 ms", "longest"], rows)
    return noisy

"""Durable favorites of 64 users at a time, and newcomers, beside what could hold them up: one large publication that is
read, stored and shown, clients that log in, get screens and search as fast as they are answered, and a catalogue that
has to be read again."""

import json
import os
import signal
import subprocess
import time
from contextlib import ExitStack

from . import build, systems
from .catalogue import RECORDS, catalogue, catalogue_copy, programme
from .favorites import SECONDS, USERS, WARM_UP_SECONDS
from .processes import POLL_SECONDS, Failure, Generator, Server, say
from .processes import run as run_program
from .report import base, median, ratio, table, values

# The most that a commit may have.
CHANGES = 65_536
MOST_SECONDS = 120
# They show nothing, and go once they are greeted.
NEWCOMERS_PER_SECOND = 50
NEWCOMERS = f"visits {NEWCOMERS_PER_SECOND} 1024"
# Of a catalogue that is read again.
RELOADED_RECORDS = 1_000_000
# Until a server with so many is ready.
READY_SECONDS = 300
# Those that never pause, by name: so many connections at a time, or calls of four connections.
LOADS = {"logins": "visits 0 64", "gets": "calls get 64", "searches": "calls search 64"}


def _changes(file):
    with open(file, "w", encoding="utf-8") as lines:
        for number in range(1, CHANGES + 1):
            record = {"id": number, "title": {"en": f"Publication {number}"}, "overview": "." * 100}
            lines.write(json.dumps({"put": {"type": "movie", "id": str(number), "record": record}}) + "\n")


def _entry(case, done, greeted, load=None):
    if done["shown"] == 0 or greeted["answers"] == 0 or load and load["answers"] == 0:
        raise Failure(f"{case}: {done['shown']} favorites were shown, {greeted['answers']} newcomers greeted, "
                      f"the load was {load}")
    return {
        "case": case, "seconds": done["seconds"], "per_second": done["answers"] / done["seconds"],
        "load_per_second": load["answers"] / load["seconds"] if load else None,
        "p99_ms": done["p99_us"] / 1e3, "longest_ms": done["longest_us"] / 1e3,
        "shown_p99_ms": done["shown_p99_us"] / 1e3, "shown_longest_ms": done["shown_longest_us"] / 1e3,
        "welcome_p99_ms": greeted["p99_us"] / 1e3, "welcome_longest_ms": greeted["longest_us"] / 1e3,
        "raw": {"favorites": done, "newcomers": greeted, "load": load},
    }


def measure(seconds, folder):
    program, system, changes = build.load_program("LoadGenerator"), systems.MARQUEE, folder / "changes.ndjson"
    _changes(changes)
    with system.serving(folder) as server, ExitStack() as stack:
        users, newcomers, others = (
            stack.enter_context(Generator(program, system.protocol, server)) for _ in range(3))
        users.do(f"users {USERS}")
        users.do(f"favorites {min(seconds, WARM_UP_SECONDS)}")

        def beside(case, command=None):
            newcomers.begin(NEWCOMERS)
            if command:
                others.begin(command)
            done = users.do(f"favorites {seconds}")
            return _entry(case, done, newcomers.do("enough"), others.do("enough") if command else None)

        measured = [beside("quiet")]
        users.begin("favorites 0")
        newcomers.begin(NEWCOMERS)
        run_program([build.command(), "publish", changes, "--server", f"127.0.0.1:{server.port}"], MOST_SECONDS,
                    stdin=subprocess.DEVNULL, capture_output=True)
        measured.append(
            _entry(f"while {CHANGES:,} changes are published", users.do("enough"), newcomers.do("enough")))
        # From here on with the records of that publication.
        return measured + [beside(f"beside {what}", command) for what, command in LOADS.items()]


def _reload(records, data, seconds, folder):
    """The same beside a reload of so many records: by a server that is told to make one."""
    arguments = [build.benchmark("ReloadServer"), data, programme(records, shown=RECORDS)]
    program, protocol = build.load_program("LoadGenerator"), systems.MARQUEE.protocol
    with Server(arguments, folder / "reload.log", ready_seconds=READY_SECONDS) as server, \
            Generator(program, protocol, server) as users, Generator(program, protocol, server) as newcomers:
        users.do(f"users {USERS}")
        users.do(f"favorites {min(seconds, WARM_UP_SECONDS)}")

        def beside(case, work):
            newcomers.begin(NEWCOMERS)
            users.begin("favorites 0")
            work()
            return _entry(case, users.do("enough"), newcomers.do("enough"))

        def reload():
            os.kill(server.pid, signal.SIGUSR1)
            end = time.monotonic() + MOST_SECONDS
            while "reloaded in" not in server.output():
                if time.monotonic() > end or server.process.poll() is not None:
                    raise Failure(f"the catalogue was not read again:\n{server.output()[-1000:]}")
                time.sleep(POLL_SECONDS)

        return [beside(f"quiet, {records:,} records", lambda: time.sleep(seconds)),
                beside("while they are read again", reload)]


def run(options, folder):
    rounds, seconds = options.rounds or 3, options.seconds or SECONDS
    measured = []
    for number in range(rounds):
        say(f"hub: round {number + 1} of {rounds}")
        measured += [{"round": number, **entry} for entry in measure(seconds, folder)]
    say(f"hub: importing {options.reloaded_records:,} records")
    catalogue(options.reloaded_records)
    for number in range(rounds):
        say(f"hub: reload {number + 1} of {rounds}")
        # A new copy each time: setting what an earlier round has set would change nothing, so that nothing would be
        # shown for it, and what is shown next would be taken for it.
        data = catalogue_copy(folder, options.reloaded_records)
        measured += [{"round": number, **entry}
                     for entry in _reload(options.reloaded_records, data, seconds, folder)]
    return {"users": USERS, "changes": CHANGES, "reloaded": options.reloaded_records, "measured": measured,
            "noisy": _print(measured, rounds, options.noise_bound)}


def _per_second(number):
    return "–" if number is None else f"{number:,.0f}"


def _print(measured, rounds, bound):
    noisy, rows = [], []
    cases = list(dict.fromkeys(entry["case"] for entry in measured))
    quiet = base(values(measured, "per_second", case=cases[0]), "the quiet server's", bound, noisy)
    for case in cases:
        def middle(key, case=case):
            return median(values(measured, key, case=case))

        rows.append([
            case, f"{middle('seconds'):.1f}", _per_second(middle("load_per_second")),
            _per_second(middle("per_second")), ratio(middle("per_second"), quiet),
            *(f"{middle(f'{what}{key}_ms'):.1f}" for what in ("", "shown_", "welcome_") for key in ("p99", "longest")),
        ])
    table(
        f"hub: favorites of {USERS} users at a time; medians of {rounds} rounds",
        ["", "seconds", "of these/s", "favorites/s", "× quiet", "answer p99 ms", "longest", "shown p99 ms", "longest",
         "welcome p99 ms", "longest"], rows)
    return noisy

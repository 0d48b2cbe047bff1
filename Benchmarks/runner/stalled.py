"""What subscribers that stop reading cost the others: how long an update takes to those that read, before and after."""

from . import build, systems
from .catalogue import catalogue_copy
from .fanout import WARM_UP, fits, pace
from .processes import Failure, Generator, say
from .report import base, median, ratio, table, values
from .storms import RECORDS

# Of all subscribers.
STALLED_SHARE = 10
# Bytes that fill all that the kernel holds for a subscriber that doesn't read, and commits at a time until so many
# have been sent.
FILLING_BYTES = 384 << 10
FILLING = 2_000
SETTLE_SECONDS = 1.0


def measure(subscribers, options, folder):
    publications, per_second, _ = pace(subscribers)
    publications = options.publications or publications
    stalled = subscribers // STALLED_SHARE
    with systems.serve_catalogue(catalogue_copy(folder, RECORDS), folder, RECORDS) as server, \
            Generator(build.load_program("LoadGenerator"), systems.MARQUEE.protocol, server) as generator:
        generator.do(f"spread {RECORDS}")
        generator.do(f"connect {subscribers} {options.at_once}")
        generator.do(f"rest {SETTLE_SECONDS}")
        generator.do(f"paced {WARM_UP} {per_second}")
        before = generator.do(f"paced {publications} {per_second}")
        generator.do(f"stall {stalled}")
        missing = FILLING_BYTES * (subscribers - stalled)
        while missing > 0:
            missing -= generator.do(f"storm {FILLING} {options.window}")["bytes"]
        generator.do(f"rest {SETTLE_SECONDS}")
        after = generator.do(f"paced {publications} {per_second}")
        sessions = generator.do("health")["sessions"]
    if sessions < subscribers:
        raise Failure(f"of {subscribers} sessions {subscribers - sessions} have been closed: nothing is stalled")
    return [
        {
            "case": case, "p50_ms": done["p50_us"] / 1e3, "p99_ms": done["p99_us"] / 1e3,
            "cpu_us": done["cpu_us"] / done["updates"], "resident": done["resident"], "raw": done,
        } for case, done in (("all read", before), ("one in ten stalled", after))
    ]


def run(options, folder):
    outcome = {"sizes": [], "noisy": []}
    for subscribers in options.subscribers:
        if not fits(subscribers):
            continue
        measured, rounds = [], options.rounds or 3
        for number in range(rounds):
            say(f"stalled: {subscribers} subscribers, round {number + 1} of {rounds}")
            measured += [{"round": number, **entry} for entry in measure(subscribers, options, folder)]
        outcome["sizes"].append({"subscribers": subscribers, "rounds": measured})
        outcome["noisy"] += _print(subscribers, measured, rounds, options.noise_bound)
    return outcome


def _print(subscribers, measured, rounds, bound):
    noisy = []
    cases = list(dict.fromkeys(entry["case"] for entry in measured))
    quiet = base(
        values(measured, "p99_ms", case=cases[0]), f"{subscribers} subscribers, p99 when all read: its", bound, noisy)
    rows = []
    for case in cases:
        def middle(key, case=case):
            return median(values(measured, key, case=case))

        rows.append([
            case, f"{middle('p50_ms'):.2f}", f"{middle('p99_ms'):.2f}", ratio(middle("p99_ms"), quiet),
            f"{middle('cpu_us'):.2f}", f"{middle('resident') / 2 ** 20:.0f}",
        ])
    table(
        f"stalled: {subscribers:,} subscribers, updates to those that read; medians of {rounds} rounds",
        ["", "p50 ms", "p99 ms", "× all read", "CPU µs/update", "resident MB"], rows)
    return noisy

"""Many clients that come at the same moment to a server that has none, as after a restart."""

from . import build, systems
from .fanout import fits, usable
from .processes import Failure, Generator, say
from .report import base, median, ratio, table, values

SETTLE_SECONDS = 1.0


def measure(system, clients, folder):
    program = build.load_program("LoadGenerator")
    with system.serving(folder) as server, Generator(program, system.protocol, server) as generator:
        connecting = generator.do(f"connect {clients} {clients}")
        rest = generator.do(f"rest {SETTLE_SECONDS}")
    return {
        "system": system.name,
        "seconds": connecting["seconds"],
        "cpu_us": (connecting["cpu_us"] + rest["cpu_us"]) / clients,
        "bytes": (rest["resident"] - connecting["resident_before"]) / clients,
        "received_bytes": connecting["bytes"] / clients,
        "raw": {"connect": connecting, "rest": rest},
    }


def run(options, folder):
    clients = max(options.subscribers)
    if not fits(clients):
        return {"measured": [], "noisy": []}
    chosen = [system for system in usable(options.systems) if system is not systems.LIMIT_ALL]
    rounds = options.rounds or 3
    measured, failed = [], []
    for number in range(rounds):
        for system in chosen:
            say(f"connections: {clients} at once, round {number + 1} of {rounds}, {system.name}")
            try:
                measured.append({"round": number, **measure(system, clients, folder)})
            except Failure as failure:
                # A peer that can't is told apart from ours, which has to.
                if system in (systems.MARQUEE, systems.LIMIT):
                    raise
                failed.append({"round": number, "system": system.name, "failure": str(failure)})
                say(f"{system.name}: {failure}")
    return {"clients": clients, "measured": measured, "failed": failed,
            "noisy": _print(clients, chosen, measured, rounds, options.noise_bound)}


def _print(clients, chosen, measured, rounds, bound):
    noisy = []
    limit = base(values(measured, "cpu_us", system=systems.LIMIT.name), f"{clients} clients: the limit's", bound, noisy)
    rows = []
    for system in chosen:
        def middle(key, system=system):
            return median(values(measured, key, system=system.name))

        if middle("cpu_us") is None:
            rows.append([system.name, "failed", "–", "–", "–", "–"])
            continue
        rows.append([
            system.name, f"{middle('seconds'):.2f}", f"{middle('cpu_us'):.1f}", ratio(middle("cpu_us"), limit),
            f"{middle('bytes'):,.0f}", f"{middle('received_bytes'):,.0f}",
        ])
    table(
        f"connections: {clients:,} clients at once, until the last one is subscribed; medians of {rounds} rounds",
        ["", "seconds", "CPU µs/client", "× limit", "resident B/client", "received B/client"], rows)
    return noisy

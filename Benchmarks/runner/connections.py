"""Many clients that come at the same moment to a server that has none, as after a restart."""

from . import build, systems
from .fanout import fits, usable
from .processes import Failure, Generator, say
from .report import apart, median, ratio, spread, table

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
    def values(system, key):
        return [entry[key] for entry in measured if entry["system"] == system.name]

    distance = spread(values(systems.LIMIT, "cpu_us"))
    base = median(values(systems.LIMIT, "cpu_us")) if distance <= bound else None
    rows = []
    for system in chosen:
        if not values(system, "cpu_us"):
            rows.append([system.name, "failed", "–", "–", "–", "–"])
            continue
        cpu = median(values(system, "cpu_us"))
        rows.append([
            system.name, f"{median(values(system, 'seconds')):.2f}", f"{cpu:.1f}", ratio(cpu, base),
            f"{median(values(system, 'bytes')):,.0f}", f"{median(values(system, 'received_bytes')):,.0f}",
        ])
    table(
        f"connections: {clients:,} clients at once, until the last one is subscribed; medians of {rounds} rounds",
        ["", "seconds", "CPU µs/client", "× limit", "resident B/client", "received B/client"], rows)
    return [] if base else [f"{clients} clients: the limit's own rounds {apart(distance)}"]

"""One update to many subscribers of one view, each with a connection of its own."""

from . import build, systems
from .processes import Failure, Generator, raise_descriptor_limit, say
from .report import base, median, ratio, table, values

# Files and sockets that a server has open besides its connections, and more.
SPARE_DESCRIPTORS = 600
# Between subscribing and measuring what an idle connection takes.
SETTLE_SECONDS = 1.0
WARM_UP = 5
# What is compared, and with what.
NEEDED = (systems.LIMIT, systems.LIMIT_ALL, systems.MARQUEE)

# How each number of subscribers is measured: so many publications at so many per second, and full rate for so long. At
# 10,000 a delivery to everybody takes up to 0.2 s, and the next publication comes later.
PACES = {1_000: (60, 20.0, 2.0), 10_000: (12, 3.0, 3.0)}


def pace(subscribers):
    for count, values in sorted(PACES.items()):
        if subscribers <= count:
            return values
    return PACES[max(PACES)]


def measure(system, subscribers, options, folder):
    """One system in one round."""
    publications, per_second, seconds = pace(subscribers)
    generator_program = build.load_program("LoadGenerator")
    with system.serving(folder) as server, \
            Generator(generator_program, system.protocol, server, authority=system.authority) as generator:
        system.prepare(server, generator)
        connecting = generator.do(f"connect {subscribers} {options.at_once}")
        idle = generator.do(f"rest {SETTLE_SECONDS}")
        generator.do(f"paced {WARM_UP} {per_second}")
        publications, seconds = options.publications or publications, options.seconds or seconds
        paced = generator.do(f"paced {publications} {per_second}")
        full = generator.do(f"full {seconds} {options.window}")
    updates = subscribers * publications
    if paced["updates"] != updates:
        raise Failure(f"{system.name}: {paced['updates']} of {updates} updates arrived")
    return {
        "system": system.name,
        "paced_us": paced["cpu_us"] / paced["updates"],
        "paced_p50_ms": paced["p50_us"] / 1e3,
        "paced_p99_ms": paced["p99_us"] / 1e3,
        "bytes_per_delivery": paced["bytes"] / max(1, paced["deliveries"]),
        "full_us": full["cpu_us"] / full["updates"],
        "full_us_per_delivery": full["cpu_us"] / full["deliveries"],
        "full_updates_per_second": full["updates"] / full["seconds"],
        "full_updates_per_delivery": full["updates"] / full["deliveries"],
        "idle_bytes": (idle["resident"] - connecting["resident_before"]) / subscribers,
        "raw": {"connect": connecting, "rest": idle, "paced": paced, "full": full},
    }


def usable(wanted, candidates=systems.ALL):
    """The systems that can be run here."""
    found = []
    for system in candidates:
        if wanted and system.name not in wanted and system not in (systems.LIMIT, systems.LIMIT_ALL):
            continue
        if system.missing:
            say(f"{system.name} is left out: {system.missing}")
        else:
            found.append(system)
    return found


def fits(subscribers):
    """Whether processes may have so many connections."""
    allowed = raise_descriptor_limit(subscribers + SPARE_DESCRIPTORS)
    if allowed < subscribers + SPARE_DESCRIPTORS:
        say(f"{subscribers} subscribers are left out: a process may have {allowed} files open here (ulimit -Hn)")
        return False
    return True


def run(options, folder):
    return _run(options, folder, [*systems.ALL, systems.MARQUEE_RELAY])


def run_grpc(options, folder):
    """Beside gRPC, which other rows don't wait for."""
    return _run(options, folder, [systems.LIMIT, systems.LIMIT_ALL, systems.MARQUEE, systems.GRPC])


def _run(options, folder, candidates):
    outcome = {"sizes": [], "noisy": []}
    for subscribers in options.subscribers:
        if not fits(subscribers):
            continue
        measured = []
        chosen = usable(options.systems, candidates)
        rounds = options.rounds or (5 if subscribers <= 1_000 else 3)
        for number in range(rounds):
            for system in chosen:
                say(f"fanout: {subscribers} subscribers, round {number + 1} of {rounds}, {system.name}")
                try:
                    measured.append({"round": number, **measure(system, subscribers, options, folder)})
                except Failure as failure:
                    # A peer that resets connections has no figure in this round. Ours and the limit must have one.
                    if system in NEEDED:
                        raise
                    say(f"{system.name}: {failure}")
        outcome["sizes"].append({"subscribers": subscribers, "rounds": measured})
        outcome["noisy"] += _print(subscribers, chosen, measured, options.noise_bound)
    return outcome


def _print(subscribers, chosen, measured, bound):
    """Prints the table. Returns what was too noisy to be compared."""
    def limit(system, key, title):
        return base(values(measured, key, system=system.name), f"{subscribers} subscribers, {title}: the limit's",
                    bound, noisy)

    noisy = []
    paced, full = limit(systems.LIMIT, "paced_us", "paced"), limit(systems.LIMIT_ALL, "full_us", "full rate")
    latency = limit(systems.LIMIT, "paced_p99_ms", "p99")
    rows = []
    for system in [system for system in chosen if values(measured, "paced_us", system=system.name)]:
        def middle(key, system=system):
            return median(values(measured, key, system=system.name))

        rows.append([
            system.name, f"{middle('paced_us'):.2f}", ratio(middle("paced_us"), paced),
            f"{middle('full_us'):.3f}", ratio(middle("full_us"), full), f"{middle('full_updates_per_delivery'):.1f}",
            f"{middle('full_updates_per_second'):,.0f}",
            f"{middle('paced_p50_ms'):.2f}", f"{middle('paced_p99_ms'):.2f}", ratio(middle("paced_p99_ms"), latency),
            f"{middle('idle_bytes'):,.0f}", f"{middle('bytes_per_delivery'):.0f}",
        ])
    table(
        f"fanout: {subscribers:,} subscribers, CPU of the server in µs for each update and subscriber; medians of "
        f"{max(entry['round'] for entry in measured) + 1} rounds",
        ["", "paced", "× limit", "full rate", "× all queued", "updates/delivery", "updates/s", "p50 ms", "p99 ms",
         "× limit", "idle B/conn", "B/delivery"], rows)
    return noisy

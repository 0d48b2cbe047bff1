"""What TLS costs a server: for each connection, from nothing or with a ticket, for each delivery, and while idle."""

from . import build, fanout, idle, systems
from .fanout import fits, usable
from .processes import Failure, Generator, say
from .report import base, median, ratio, table, values

# Connections of each kind, and how many of them are on their way at a time.
CONNECTIONS = 5_000
AT_ONCE = 64
# So many of them are made one by one afterwards, as a share of all.
ALONE_SHARE = 10
# After the connections, until the server has cleaned up after them.
SETTLE_SECONDS = 0.5

HANDSHAKES = [systems.LIMIT, systems.MARQUEE, systems.MARQUEE_TLS, systems.REDIS, systems.REDIS_TLS]
DELIVERIES = [systems.LIMIT, systems.LIMIT_ALL, *HANDSHAKES[1:]]


def kinds(system):
    """How a system's connections are begun, each with the load generator's command for it."""
    return {"full": "visit", "resumed": "revisit"} if system.authority else {"plain": "visit"}


def measure_handshakes(system, kind, connections, folder):
    """One kind of connections to one system in one round."""
    command, alone = kinds(system)[kind], max(1, connections // ALONE_SHARE)
    program = build.load_program("LoadGenerator")
    with system.serving(folder) as server, \
            Generator(program, system.protocol, server, authority=system.authority) as generator:
        # They warm up, and are given the tickets that the first of the others come with.
        generator.do(f"visit {AT_ONCE} 1")
        generator.do(f"rest {SETTLE_SECONDS}")
        many = generator.do(f"{command} {connections} {AT_ONCE}")
        rest = generator.do(f"rest {SETTLE_SECONDS}")
        single = generator.do(f"{command} {alone} 1")
    for step, wanted in ((many, connections), (single, alone)):
        resumed = wanted if kind == "resumed" else 0
        if (step["answers"], step["resumed"]) != (wanted, resumed):
            raise Failure(f"{system.name}: of {wanted} connections {step['answers']} were answered and "
                          f"{step['resumed']} resumed, where {resumed} were to be")
    return {
        "system": system.name,
        "kind": kind,
        "cpu_us": (many["cpu_us"] + rest["cpu_us"]) / connections,
        "per_second": connections / many["seconds"],
        "p50_us": single["p50_us"],
        "p99_us": single["p99_us"],
        "raw": {"many": many, "rest": rest, "single": single},
    }


def run(options, folder):
    subscribers, connections = min(options.subscribers), options.connections or CONNECTIONS
    if not fits(max(subscribers, idle.CONNECTIONS)):
        return {"handshakes": [], "deliveries": [], "idle": [], "noisy": []}
    systems.make_certificates()
    rounds = options.rounds or 3
    meeting, delivering = usable(options.systems, HANDSHAKES), usable(options.systems, DELIVERIES)
    handshakes, deliveries = [], []
    for number in range(rounds):
        for system in meeting:
            for kind in kinds(system):
                say(f"tls: {connections} connections, round {number + 1} of {rounds}, {system.name}, {kind}")
                handshakes.append({"round": number, **measure_handshakes(system, kind, connections, folder)})
        for system in delivering:
            say(f"tls: {subscribers} subscribers, round {number + 1} of {rounds}, {system.name}")
            deliveries.append({"round": number, **fanout.measure(system, subscribers, options, folder)})
    return {
        "connections": connections, "subscribers": subscribers, "handshakes": handshakes, "deliveries": deliveries,
        "idle": idle.run(options, folder),
        "noisy": _print_handshakes(connections, meeting, handshakes, rounds, options.noise_bound)
        + _print_deliveries(subscribers, delivering, deliveries, rounds, options.noise_bound),
    }


def _plain(system, measured, key):
    """What the same system takes without TLS, if it was measured and is another one."""
    plain = systems.PLAIN.get(system.name)
    return median(values(measured, key, system=plain.name)) if plain else None


def _print_handshakes(connections, chosen, measured, rounds, bound):
    """Prints the table. Returns what was too noisy to be compared."""
    noisy = []

    def limit(key, title):
        return base(values(measured, key, system=systems.LIMIT.name), f"connections, {title}: the limit's", bound,
                    noisy)

    cpu, single = limit("cpu_us", "CPU"), limit("p50_us", "p50")
    rows = []
    for system in chosen:
        for kind in kinds(system):
            def middle(key, system=system, kind=kind):
                return median(values(measured, key, system=system.name, kind=kind))

            rows.append([
                f"{system.name}, {kind}" if system.authority else system.name,
                f"{middle('cpu_us'):.1f}", ratio(middle("cpu_us"), cpu),
                ratio(middle("cpu_us"), cpu and _plain(system, measured, "cpu_us")), f"{middle('per_second'):,.0f}",
                f"{middle('p50_us'):,.0f}", f"{middle('p99_us'):,.0f}", ratio(middle("p50_us"), single),
                ratio(middle("p50_us"), single and _plain(system, measured, "p50_us")),
            ])
    table(
        f"tls: {connections:,} connections until the server's greeting, {AT_ONCE} at a time, then some one by one; "
        f"medians of {rounds} rounds",
        ["", "CPU µs/connection", "× limit", "× plain", "connections/s", "alone: p50 µs", "p99 µs", "× limit",
         "× plain"], rows)
    return noisy


def _print_deliveries(subscribers, chosen, measured, rounds, bound):
    """Prints the table. Returns what was too noisy to be compared."""
    noisy = []

    def limit(system, key, title):
        return base(values(measured, key, system=system.name), f"{subscribers} subscribers, {title}: the limit's",
                    bound, noisy)

    paced, full = limit(systems.LIMIT, "paced_us", "paced"), limit(systems.LIMIT_ALL, "full_us", "full rate")
    rows = []
    for system in chosen:
        def middle(key, system=system):
            return median(values(measured, key, system=system.name))

        rows.append([
            system.name, f"{middle('paced_us'):.2f}", ratio(middle("paced_us"), paced),
            ratio(middle("paced_us"), paced and _plain(system, measured, "paced_us")),
            f"{middle('full_us'):.3f}", ratio(middle("full_us"), full),
            ratio(middle("full_us"), full and _plain(system, measured, "full_us")),
            f"{middle('full_updates_per_delivery'):.1f}", f"{middle('full_updates_per_second'):,.0f}",
            f"{middle('paced_p50_ms'):.2f}", f"{middle('paced_p99_ms'):.2f}", f"{middle('idle_bytes'):,.0f}",
        ])
    table(
        f"tls: {subscribers:,} subscribers, CPU of the server in µs for each update and subscriber; medians of "
        f"{rounds} rounds",
        ["", "paced", "× limit", "× plain", "full rate", "× all queued", "× plain", "updates/delivery", "updates/s",
         "p50 ms", "p99 ms", "idle B/conn"], rows)
    return noisy

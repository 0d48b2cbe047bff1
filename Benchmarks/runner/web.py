"""One update to many readers by the web: WebSocket and server-sent events, beside our own protocol."""

from . import build, fanout, systems
from .processes import Failure, Generator, say
from .report import base, median, ratio, table, values
from .stalled import FILLING, FILLING_BYTES

# In rounds they take turns in this order: those that are compared follow one another.
SYSTEMS = [
    systems.LIMIT, systems.LIMIT_MESSAGES, systems.MARQUEE, systems.MARQUEE_SOCKET, systems.MARQUEE_EVENTS,
    systems.NCHAN_SOCKET, systems.NCHAN_EVENTS,
]
NEEDED = {systems.LIMIT, systems.LIMIT_MESSAGES, systems.MARQUEE}
ROUNDS = {1_000: 5, 10_000: 3}
# The systems that get one more reader, which never reads; and how many others there are.
STALLED_SYSTEMS, STALLED_READERS = (systems.MARQUEE_SOCKET, systems.MARQUEE_EVENTS), 1_000
# The goals: the CPU time of a delivery by WebSocket beside that by our own protocol, and bytes of a reader of events.
SOCKET_SHARE, EVENTS_BYTES = 1.15, 8 << 10


def chosen_systems(options):
    wanted = options.systems and {*options.systems, *(system.name for system in NEEDED)}
    return [system for system in fanout.usable(None, SYSTEMS) if not wanted or system.name in wanted]


def run(options, folder):
    outcome = {"sizes": [], "noisy": [], "stalled": []}
    chosen = chosen_systems(options)
    for subscribers in options.subscribers:
        if not fanout.fits(subscribers):
            continue
        measured, rounds = [], options.rounds or ROUNDS.get(subscribers, min(ROUNDS.values()))
        for number in range(rounds):
            for system in chosen:
                say(f"web: {subscribers} readers, round {number + 1} of {rounds}, {system.name}")
                try:
                    measured.append({"round": number, **fanout.measure(system, subscribers, options, folder)})
                except Failure as failure:
                    # As in fanout, a peer may have no figure.
                    if system not in (systems.NCHAN_SOCKET, systems.NCHAN_EVENTS):
                        raise
                    say(f"{system.name}: {failure}")
        outcome["sizes"].append({"subscribers": subscribers, "rounds": measured})
        outcome["noisy"] += _print(subscribers, chosen, measured, rounds, options.noise_bound)
    outcome["stalled"] = [
        entry for system in STALLED_SYSTEMS if system in chosen
        for entry in stalled(system, min(STALLED_READERS, *options.subscribers), options, folder)
    ]
    _print_stalled(outcome["stalled"])
    return outcome


def _print(subscribers, chosen, measured, rounds, bound):
    """Prints the table, and which goals are met. Returns what was too noisy to be compared."""
    def found(system, key):
        return values(measured, key, system=system.name)

    def compared(system, key, title):
        return base(found(system, key), f"{subscribers} readers, {title}: {system.name}'s", bound, noisy)

    noisy = []
    limit = compared(systems.LIMIT_MESSAGES, "paced_us", "paced")
    ours = compared(systems.MARQUEE, "paced_us", "paced")
    rows = []
    for system in [system for system in chosen if found(system, "paced_us")]:
        def middle(key, system=system):
            return median(found(system, key))

        rows.append([
            system.name, f"{middle('paced_us'):.2f}", ratio(middle("paced_us"), limit),
            ratio(middle("paced_us"), ours),
            f"{middle('full_us'):.3f}", f"{middle('full_updates_per_delivery'):.1f}",
            f"{middle('full_updates_per_second'):,.0f}", f"{middle('paced_p50_ms'):.2f}",
            f"{middle('paced_p99_ms'):.2f}", f"{middle('idle_bytes'):,.0f}", f"{middle('bytes_per_delivery'):.0f}",
        ])
    table(
        f"web: {subscribers:,} readers, CPU of the server in µs for each update and reader; medians of {rounds} rounds",
        ["", "paced", "× limit, messages", "× marquee", "full rate", "updates/delivery", "updates/s", "p50 ms",
         "p99 ms", "idle B/conn", "B/delivery"], rows)
    _print_goals(subscribers, found)
    return noisy


def _print_goals(subscribers, found):
    def middle(system, key="paced_us"):
        return median(found(system, key))

    def share(one, other):
        return middle(one) / middle(other) if found(one, "paced_us") and found(other, "paced_us") else None

    def line(what, value, goal, form):
        if value is not None:
            said.append(f"  {what}: {format(value, form)} ({'met' if value <= goal else 'missed'}: {format(goal, form)})")

    said = []
    line("WebSocket beside our own protocol", share(systems.MARQUEE_SOCKET, systems.MARQUEE), SOCKET_SHARE, ".2f")
    line("WebSocket beside nchan", share(systems.MARQUEE_SOCKET, systems.NCHAN_SOCKET), 1, ".2f")
    line("events beside nchan", share(systems.MARQUEE_EVENTS, systems.NCHAN_EVENTS), 1, ".2f")
    line("bytes of a reader of events", middle(systems.MARQUEE_EVENTS, "idle_bytes"), EVENTS_BYTES, ",.0f")
    print(f"web: goals with {subscribers:,} readers\n" + "\n".join(said) + "\n", flush=True)


def stalled(system, readers, options, folder):
    """Updates to all, before and after one more reader has stopped."""
    publications, per_second, _ = fanout.pace(readers)
    publications = options.publications or publications
    say(f"web: {readers} readers and one that stops, {system.name}")
    with system.serving(folder) as server, \
            Generator(build.load_program("LoadGenerator"), system.protocol, server) as generator:
        system.prepare(server, generator)
        generator.do(f"connect {readers + 1} {options.at_once}")
        generator.do(f"rest {fanout.SETTLE_SECONDS}")
        generator.do(f"paced {fanout.WARM_UP} {per_second}")
        before = generator.do(f"paced {publications} {per_second}")
        generator.do("stall 1")
        missing = FILLING_BYTES * readers
        while missing > 0:
            missing -= generator.do(f"storm {FILLING} {options.window}")["bytes"]
        generator.do(f"rest {fanout.SETTLE_SECONDS}")
        after = generator.do(f"paced {publications} {per_second}")
        generator.do("stalled")
    return [
        {"system": system.name, "case": case, "p50_ms": done["p50_us"] / 1e3, "p99_ms": done["p99_us"] / 1e3,
         "cpu_us": done["cpu_us"] / done["updates"], "raw": done}
        for case, done in (("all read", before), ("one never reads", after))
    ]


def _print_stalled(measured):
    if measured:
        table(
            "web: updates to those that read",
            ["", "", "p50 ms", "p99 ms", "CPU µs/update"],
            [[entry["system"], entry["case"], f"{entry['p50_ms']:.2f}", f"{entry['p99_ms']:.2f}",
              f"{entry['cpu_us']:.2f}"] for entry in measured])

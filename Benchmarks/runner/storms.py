"""Commits as fast as the store takes them, and many clients that come back at the same moment."""

import time

from . import build, systems
from .catalogue import catalogue_copy
from .fanout import fits
from .processes import Failure, Generator, say
from .report import base, median, ratio, table, values

# On the screen. Each commit changes one of them, in turn, so that later commits don't undo what earlier ones did.
RECORDS = 100
COMMITS = 10_000
BEHIND = 20
# To learn what one patch takes.
PACED, PER_SECOND = 40, 20.0
SETTLE_SECONDS = 1.0
# Until the server has noticed that everybody has left.
LEFT_SECONDS = 60

NOTHING, HEAD, PATCHES, MANIFESTS = "from nothing", "at head", "behind", "behind, after a restart"


def _serve(data, folder):
    return systems.serve_catalogue(data, folder, RECORDS)


def _generator(system, server):
    return Generator(build.load_program("LoadGenerator"), system.protocol, server)


# MARK: - Commits

def measure_commits(system, server, commits, subscribers, options):
    marquee = system is systems.MARQUEE
    with _generator(system, server) as generator:
        if marquee:
            generator.do(f"spread {RECORDS}")
        generator.do(f"connect {subscribers} {options.at_once}")
        generator.do(f"rest {SETTLE_SECONDS}")
        paced = generator.do(f"paced {PACED} {PER_SECOND}")
        before = generator.do("health")["encodes"] if marquee else 0
        storm = generator.do(f"storm {commits} {options.window}")
        encodes = generator.do("health")["encodes"] - before if marquee else None
    if storm["updates"] != subscribers * commits:
        raise Failure(f"{system.name}: {storm['updates']} of {subscribers * commits} updates arrived")
    return {
        "system": system.name, "seconds": storm["seconds"], "cpu_s": storm["cpu_us"] / 1e6,
        "answered_seconds": storm["answered_seconds"], "bytes": storm["bytes"],
        # Of all patches, one for each commit, as they are when nobody is behind.
        "share": storm["bytes"] / (paced["bytes"] / paced["deliveries"] * subscribers * commits),
        "updates_per_delivery": storm["updates"] / storm["deliveries"], "encodes": encodes,
        "peak": storm["resident_peak"], "raw": {"paced": paced, "storm": storm},
    }


# MARK: - Clients that come back

def _leave(generator):
    """Everybody goes, and the server has noticed."""
    generator.do("leave")
    deadline = time.monotonic() + LEFT_SECONDS
    # The one that asks is a session, too.
    while generator.do("health")["sessions"] > 1:
        if time.monotonic() > deadline:
            raise Failure("the server keeps sessions of clients that have left")
        generator.do("rest 0.1")
    generator.do(f"rest {SETTLE_SECONDS}")


def _come(generator, case, command, clients):
    """All of them at the same moment."""
    before = generator.do("health")["encodes"]
    coming = generator.do(f"{command} {clients} {clients}")
    # What the server still does for them after the last one has its screen.
    rest = generator.do(f"rest {SETTLE_SECONDS}")
    return {
        "case": case, "seconds": coming["seconds"], "cpu_us": (coming["cpu_us"] + rest["cpu_us"]) / clients,
        "received": coming["bytes"] / clients, "content": coming["content_bytes"] / clients,
        "encodes": generator.do("health")["encodes"] - before,
        "peak": max(coming["resident_peak"], rest["resident_peak"]), "raw": {"come": coming, "rest": rest},
    }


def measure_returns(clients, folder):
    """All that come back offer what the first of them was given when it came from nothing."""
    data = catalogue_copy(folder, RECORDS)
    server = _serve(data, folder)
    try:
        with _generator(systems.MARQUEE, server) as generator:
            generator.do(f"spread {RECORDS}")
            found = [_come(generator, NOTHING, "connect", clients)]
            _leave(generator)
            found.append(_come(generator, HEAD, "return", clients))
            _leave(generator)
            generator.do(f"storm {BEHIND} 1")
            found.append(_come(generator, PATCHES, "return", clients))
            generator.do("leave")
            server.stop()
            server = _serve(data, folder)
            generator.server = server
            generator.do(f"server {server.port} {server.pid}")
            found.append(_come(generator, MANIFESTS, "return", clients))
    finally:
        server.stop()
    _check(found)
    return found


def _check(found):
    """Each case has to be what it says."""
    content = {entry["case"]: entry["content"] for entry in found}
    if content[HEAD] > 0:
        raise Failure(f"those who came back at the head were sent {content[HEAD]:.0f} bytes each")
    for case in (PATCHES, MANIFESTS):
        if not 0 < content[case] < content[NOTHING] / 2:
            raise Failure(f"{case}: {content[case]:.0f} bytes each, and a snapshot has {content[NOTHING]:.0f}")


def measure_connecting(clients, folder):
    """The limit: everybody gets a byte."""
    with systems.LIMIT.serving(folder) as server, _generator(systems.LIMIT, server) as generator:
        coming = generator.do(f"connect {clients} {clients}")
        rest = generator.do(f"rest {SETTLE_SECONDS}")
    return {
        "case": systems.LIMIT.name, "seconds": coming["seconds"],
        "cpu_us": (coming["cpu_us"] + rest["cpu_us"]) / clients, "received": coming["bytes"] / clients,
        "content": None, "encodes": None, "peak": coming["resident_peak"], "raw": {"come": coming, "rest": rest},
    }


# MARK: - The row

def run(options, folder):
    subscribers, clients = min(options.subscribers), max(options.subscribers)
    if not fits(clients):
        return {"commits": [], "returns": [], "noisy": []}
    rounds, commits = options.rounds or 3, options.commits or COMMITS
    stormed, returned = [], []
    for number in range(rounds):
        for system in (systems.LIMIT_ALL, systems.MARQUEE):
            say(f"storms: {commits} commits, round {number + 1} of {rounds}, {system.name}")
            serving = (_serve(catalogue_copy(folder, RECORDS), folder) if system is systems.MARQUEE
                       else system.serving(folder))
            with serving as server:
                measured = measure_commits(system, server, commits, subscribers, options)
            stormed.append({"round": number, **measured})
        say(f"storms: {clients} clients come back, round {number + 1} of {rounds}")
        for entry in (measure_connecting(clients, folder), *measure_returns(clients, folder)):
            returned.append({"round": number, **entry})
    noisy = _print_commits(commits, subscribers, stormed, rounds, options.noise_bound)
    noisy += _print_returns(clients, returned, rounds, options.noise_bound)
    return {"subscribers": subscribers, "clients": clients, "behind": BEHIND, "commits": stormed, "returns": returned,
            "noisy": noisy}


def _print_commits(commits, subscribers, measured, rounds, bound):
    noisy, names = [], [systems.LIMIT_ALL.name, systems.MARQUEE.name]
    limit = base(values(measured, "cpu_s", system=names[0]), f"{commits} commits: the limit's", bound, noisy)
    rows = []
    for name in names:
        def middle(key, name=name):
            return median(values(measured, key, system=name))

        rows.append([
            name, f"{middle('seconds'):.2f}", f"{commits / middle('answered_seconds'):,.0f}",
            f"{(middle('seconds') - middle('answered_seconds')) * 1e3:.0f}", f"{middle('cpu_s'):.2f}",
            ratio(middle("cpu_s"), limit), f"{middle('bytes') / 1e6:,.0f}", f"{middle('share'):.1%}",
            f"{middle('updates_per_delivery'):.1f}",
            "–" if middle("encodes") is None else f"{middle('encodes'):,.0f}", f"{middle('peak') / 1e6:,.0f}",
        ])
    table(
        f"storms: {commits:,} commits with {subscribers:,} subscribers, until all of them have the last one; medians "
        f"of {rounds} rounds",
        ["", "seconds", "commits/s", "last answer to all ms", "CPU s", "× limit", "MB", "of all patches",
         "updates/delivery", "encodes", "peak MB"], rows)
    return noisy


def _print_returns(clients, measured, rounds, bound):
    noisy, cases = [], [systems.LIMIT.name, NOTHING, HEAD, PATCHES, MANIFESTS]
    limit = base(values(measured, "cpu_us", case=cases[0]), f"{clients} clients: the limit's", bound, noisy)
    rows = []
    for case in cases:
        def middle(key, case=case):
            return median(values(measured, key, case=case))

        rows.append([
            case, f"{middle('seconds'):.2f}", f"{middle('cpu_us'):.1f}", ratio(middle("cpu_us"), limit),
            f"{middle('received'):,.0f}", "–" if middle("content") is None else f"{middle('content'):,.0f}",
            "–" if middle("encodes") is None else f"{middle('encodes'):,.0f}", f"{middle('peak') / 1e6:,.0f}",
        ])
    table(
        f"storms: {clients:,} clients at once, until the last one has its screen; behind: by {BEHIND} commits; medians "
        f"of {rounds} rounds",
        ["", "seconds", "CPU µs/client", "× limit", "received B/client", "content B/client", "encodes", "peak MB"],
        rows)
    return noisy

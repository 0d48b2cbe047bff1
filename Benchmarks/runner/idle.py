"""The memory of connections that were sent a screen and wait, and what of it is left once they are gone."""

from . import build, systems
from .fanout import usable
from .processes import Generator, say
from .report import table

CONNECTIONS = 2_000
AT_ONCE = 64
# Until a server has done what it does after its connections have come, and after they have gone.
SETTLE_SECONDS = 2.0
LEFT_SECONDS = 45.0

SYSTEMS = [systems.MARQUEE_PAGE, systems.MARQUEE_PAGE_TLS, systems.REDIS, systems.REDIS_TLS, systems.NGINX_TLS]


def measure(system, connections, seconds, folder):
    program = build.load_program("LoadGenerator")
    with system.serving(folder) as server, \
            Generator(program, system.protocol, server, authority=system.authority) as generator:
        # What the first connections bring about stays.
        generator.do(f"connect {AT_ONCE} {AT_ONCE}")
        generator.do("leave")
        before = generator.do(f"rest {SETTLE_SECONDS}")["resident"]
        received = generator.do(f"connect {connections} {AT_ONCE}")["bytes"]
        there = generator.do(f"rest {SETTLE_SECONDS}")["resident"]
        generator.do("leave")
        left = generator.do(f"rest {seconds}")["resident"]
    return {"system": system.name, "received": received / connections, "bytes": (there - before) / connections,
            "before": before, "there": there, "left": left}


def run(options, folder):
    connections = min(CONNECTIONS, options.connections or CONNECTIONS)
    seconds, measured = options.seconds or LEFT_SECONDS, []
    for system in usable(options.systems, SYSTEMS):
        say(f"tls: {connections} idle connections, {system.name}")
        measured.append(measure(system, connections, seconds, folder))
    rows = [
        [entry["system"], f"{entry['received']:,.0f}", f"{entry['bytes']:,.0f}",
         *(f"{entry[key] / 2**20:.1f}" for key in ("before", "there", "left")),
         f"{entry['left'] / entry['before']:.2f}"] for entry in measured
    ]
    table(
        f"tls: {connections:,} connections that were sent a screen and wait, and {seconds:g} s after they left",
        ["", "received B", "resident B/connection", "MiB before", "with them", "left", "× before"], rows)
    return measured

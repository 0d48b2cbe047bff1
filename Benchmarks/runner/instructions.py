"""Instructions that the server executes for one delivery to a synced subscriber, counted by callgrind.

A commit has a fixed cost, and one for each subscriber. Measured with half of the subscribers and with all of them, the
difference is what a subscriber costs, and the rest is the commit's.
"""

import shutil

from . import build, callgrind, systems
from .catalogue import catalogue_copy, programme
from .processes import Failure, Generator, Server, run as run_program, say
from .report import table

SUBSCRIBERS = 200
COMMITS = 40
WARM_UP = 5
# Commits are counted so many at a time.
STRETCH = 5
# On a machine so busy that subscribers are told progress in all of them, nothing can be said.
MOST_STRETCHES = 60
# A server looks at its programme's file once more some seconds after it has read it, which costs as much as a commit.
SETTLE_SECONDS = 6.0
TOP = 20
# Under valgrind, on a busy machine.
READY_SECONDS = 180
# Few at a time: the server takes fifty times as long as it usually does.
AT_ONCE = 20


def _serve(folder):
    # Valgrind 3.19 gives up over the debugging information that Swift writes; names of functions are kept.
    program = folder / "marquee-server"
    run_program(["strip", "--strip-debug", "-o", program, build.server()])
    arguments = [
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'counts'}", program,
        "serve", "--data", catalogue_copy(folder), "--programme", programme(), "--listen", "127.0.0.1:0", "--open",
        "--threads", "2",
    ]
    return Server(arguments, folder / "callgrind.log", ready_seconds=READY_SECONDS, environment={
        "LD_PRELOAD": str(build.load_program("libSigsuspendShim.so")),
        # The same hashes in each run.
        "SWIFT_DETERMINISTIC_HASHING": "1",
    })


class _Dumps:
    def __init__(self, server, folder):
        self.server, self.folder, self.number = server, folder, 0

    def take(self):
        """What was executed since the last time."""
        self.number += 1
        run_program(["callgrind_control", f"--dump={self.number}", self.server.pid], 120, capture_output=True)
        file = self.folder / f"counts.{self.number}"
        if not file.exists():
            raise Failure("callgrind_control wrote no counts")
        return callgrind.read(file)


def run(options, folder):
    for program in ("valgrind", "callgrind_control"):
        if not shutil.which(program):
            raise Failure(f"{program} is not installed")
    subscribers, commits = options.counted_subscribers or SUBSCRIBERS, options.publications or COMMITS
    commits = -(-commits // STRETCH) * STRETCH
    with _serve(folder) as server, \
            Generator(build.load_program("LoadGenerator"), systems.MARQUEE.protocol, server) as generator:
        dumps, counted = _Dumps(server, folder), []
        for step in range(2):
            count = subscribers // 2 if step == 0 else subscribers - subscribers // 2
            say(f"instructions: {count} more subscribers, {commits} commits")
            generator.do(f"connect {count} {AT_ONCE}")
            if step == 0:
                generator.do(f"rest {SETTLE_SECONDS}")
            generator.do(f"paced {WARM_UP} 0")
            dumps.take()
            counted.append(_count(generator, dumps, commits))
    outcome = _judge(subscribers, commits, counted)
    ours, most = outcome["groups"]["ours"]["delivery"], options.most_instructions
    if most is not None and ours > most:
        raise Failure(f"a delivery takes {ours:,.0f} instructions of ours; {most:,} are the most that is allowed")
    return outcome


def _count(generator, dumps, commits):
    """The sums of what was counted and what was delivered in the stretches that count.

    Every 15 seconds each subscriber is told how far the server is and acknowledges that, which costs as much as some
    eighty deliveries. That is at about the same time for all, so whether it falls among the commits with half of the
    subscribers, with all of them or between them would decide the difference. So stretches in which it did don't count;
    nor do those beside them, as it may have begun in the one before or ended in the one after.
    """
    undisturbed, quiet = [], []
    for _ in range(MOST_STRETCHES):
        paced = generator.do(f"paced {STRETCH} 0")
        stretch = (dumps.take(), paced)
        quiet = [*quiet[-2:], stretch] if paced["progress"] == 0 else []
        if len(quiet) == 3:
            undisturbed.append(quiet[1])
        if len(undisturbed) * STRETCH == commits:
            counts = sum((counts for counts, _ in undisturbed), callgrind.Counts())
            return counts, {key: sum(paced[key] for _, paced in undisturbed) for key in ("updates", "deliveries")}
    raise Failure(f"of {MOST_STRETCHES} times {STRETCH} commits, {len(undisturbed)} were made while nobody was told "
                  f"progress; {commits // STRETCH} have to be")


def _judge(subscribers, commits, counted):
    (half, _), (whole, paced) = counted
    more = (subscribers - subscribers // 2) * commits

    def per_subscriber(key):
        return (key(whole) - key(half)) / more

    def per_commit(key):
        return key(whole) / commits - per_subscriber(key) * subscribers

    groups = {}
    for name in callgrind.GROUPS:
        def key(counts, name=name):
            return counts.by_group()[name]
        groups[name] = {"delivery": per_subscriber(key), "commit": per_commit(key),
                        "all": key(whole) / (subscribers * commits)}
    groups["all"] = {
        "delivery": per_subscriber(lambda counts: counts.total), "commit": per_commit(lambda counts: counts.total),
        "all": whole.total / (subscribers * commits)}
    allocations = {"delivery": per_subscriber(lambda counts: counts.allocations),
                   "commit": per_commit(lambda counts: counts.allocations),
                   "all": whole.allocations / (subscribers * commits)}
    table(
        f"instructions: user instructions of the server, {subscribers} synced subscribers, {commits} commits, one "
        "after the other",
        ["", "each delivery", "each commit", "all / deliveries"],
        [[name, *(f"{row[key]:,.0f}" for key in ("delivery", "commit", "all"))] for name, row in groups.items()]
        + [["allocations", *(f"{allocations[key]:,.1f}" for key in ("delivery", "commit", "all"))]])

    top = sorted(
        ((per_subscriber(lambda counts, name=name: counts.functions[name]), name) for name in whole.functions),
        reverse=True)[:TOP]
    demangled = _demangled([name[1] for _, name in top])
    table(
        f"instructions: the {len(top)} functions that take the most of a delivery, themselves",
        ["function", "whose", "each delivery"],
        [[text[:100], callgrind.group(*name), f"{count:,.0f}"] for (count, name), text in zip(top, demangled)])
    return {
        "subscribers": subscribers, "commits": commits, "groups": groups, "allocations": allocations,
        "updates": paced["updates"], "deliveries": paced["deliveries"],
        "functions": [{"function": name[1], "binary": name[0], "delivery": count} for count, name in top],
        "noisy": [],
    }


def _demangled(names):
    mangled = [name for name in names if name.startswith("$s")]
    if not mangled or not shutil.which("swift-demangle"):
        return names
    readable = run_program(
        ["swift-demangle", "--simplified", "--compact", "--", *mangled], 60, capture_output=True).splitlines()
    known = dict(zip(mangled, readable))
    return [known.get(name, name) for name in names]

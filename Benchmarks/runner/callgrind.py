"""Reads what callgrind wrote: instructions of each function itself, and who is called how often."""

import collections
import re

from .processes import Failure

NAME = re.compile(r"\((\d+)\)(?: (.*))?$")
# Where memory comes from. C and Swift's runtime end here.
ALLOCATORS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"}


class Counts:
    """What was counted between two dumps: a counter by (object, function), and calls of allocators."""

    def __init__(self, functions=None, allocations=0):
        self.functions = functions or collections.Counter()
        self.allocations = allocations

    def __add__(self, other):
        return Counts(self.functions + other.functions, self.allocations + other.allocations)

    @property
    def total(self):
        return sum(self.functions.values())

    def by_group(self):
        groups = collections.Counter()
        for (binary, function), count in self.functions.items():
            groups[group(binary, function)] += count
        return groups


def read(path):
    counts, names = Counts(), {"ob": {}, "fn": {}}
    binary = function = called = ""
    skipping, total = False, None

    def name(kind, text):
        number, given = NAME.match(text).groups()
        if given is not None:
            names[kind][number] = given
        return names[kind].get(number, "???")

    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            key, sign, rest = line.rstrip("\n").partition("=")
            if sign and key in ("ob", "cob"):
                found = name("ob", rest)
                binary = found if key == "ob" else binary
            elif sign and key == "fn":
                function = name("fn", rest)
            elif sign and key == "cfn":
                called = name("fn", rest)
            elif sign and key == "calls":
                # The line that follows is what the called function took.
                skipping = True
                # Allocators call each other within their library; that is one allocation.
                if called in ALLOCATORS and function not in ALLOCATORS:
                    counts.allocations += int(rest.split()[0])
            elif line.startswith("totals:"):
                total = int(line.split()[1])
            elif line[:1].isdigit() or line[:1] in "+-*":
                words = line.split()
                if not skipping and len(words) > 1:
                    counts.functions[(binary, function)] += int(words[1])
                skipping = False
    if counts.total != total:
        raise Failure(f"{path}: functions add up to {counts.total} instructions, and callgrind says {total}")
    return counts


def module(symbol):
    """The module of a mangled Swift name; `Swift` for the standard library's, empty for what isn't Swift."""
    if not symbol.startswith(("$s", "$S")):
        return ""
    found = re.match(r"(\d+)(.*)", symbol[2:])
    if not found:
        return "Swift"
    return found.group(2)[:int(found.group(1))]


OURS, NIO, SQLITE, RUNTIME, LIBC, OTHER = (
    "ours", "SwiftNIO", "SQLite", "Swift's runtime and libraries", "libc and kernel entry", "other")
GROUPS = (OURS, NIO, SQLITE, RUNTIME, LIBC, OTHER)


def group(binary, function):
    """Whose code a function is. What was inlined or specialized counts where it went, by the name that it got."""
    library = binary.rsplit("/", 1)[-1]
    if library.startswith("libsqlite3"):
        return SQLITE
    if library.startswith(("libswift", "lib_", "libFoundation", "libdispatch", "libBlocksRuntime", "libstdc++")):
        return RUNTIME
    if library.startswith(("libc.", "libc-", "libm.", "libpthread", "ld-linux", "libgcc")):
        return LIBC
    name = function.split("'")[0]
    owner = module(name)
    if owner.startswith("Marquee") or owner.startswith("CMarquee") or owner == "marquee_server":
        return OURS
    if "marquee" in name.lower() or name.startswith(("XXH", "protobuf_c_")):
        return OURS
    if owner.startswith(("NIO", "_NIO", "CNIO")) or name.lower().startswith(("cnio", "c_nio", "catomics")):
        return NIO
    if owner.startswith("GRDB"):
        return SQLITE
    if owner in ("Swift", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization"):
        return RUNTIME
    return OTHER

"""Names the public declarations of a symbol graph that have no documentation, and fails if there are any.

What a protocol demands is documented with the protocol: `description`, `hash(into:)`, literals, raw values.
"""

import json
import sys

DEMANDED = {
    "description", "debugDescription", "hash(into:)", "encode(to:)", "init(from:)", "rawValue", "init(rawValue:)",
    "==(_:_:)", "<(_:_:)", "init(stringLiteral:)", "init(integerLiteral:)", "init(booleanLiteral:)",
    "init(floatLiteral:)", "id", "makeAsyncIterator()", "next()", "next(isolation:)", "Element", "Failure",
    "AsyncIterator", "AllCases", "allCases", "RawValue", "errorDescription", "makeIterator()",
}


def missing(path):
    with open(path) as file:
        symbols = json.load(file)["symbols"]
    for symbol in symbols:
        name = symbol["pathComponents"][-1]
        if "docComment" in symbol or name in DEMANDED or "location" not in symbol:
            continue
        if symbol["kind"]["identifier"] == "swift.enum.case":
            # A case whose name says all may go without; the enumeration itself may not.
            continue
        place = symbol["location"]
        yield f"{place['uri'].removeprefix('file://')}:{place['position']['line'] + 1}: " + ".".join(
            symbol["pathComponents"])


def main():
    found = sorted(set(missing(sys.argv[1])))
    for line in found:
        print(f"{line} has no documentation", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

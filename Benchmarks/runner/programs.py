"""Benchmarks that are programs of their own in Sources/: they measure our code beside that of others in one process.

`NameBenchmark` prints tables, with `Measuring.Table`; the runner asks for the same tables as JSON by naming a file in
MARQUEE_BENCH_TABLES. `NameBenchmark count TIMES` does each thing TIMES times between two calls of `callgrind_toggle`
and says its name by `callgrind_name`, for instructions.sh.
"""

import json
import os
import pathlib
import re
import shutil

from . import build, systems
from .processes import Failure, run, say
from .report import table

PROGRAM_SECONDS = 900
# How long a client does nothing.
IDLE_SECONDS = 30
COUNT_SECONDS = 900


def found():
    """The programs that no row below names, by the names of their own rows."""
    folders = sorted((build.REPOSITORY / "Benchmarks" / "Sources").glob("*Benchmark"))
    names = {folder.name.removesuffix("Benchmark").lower(): folder.name for folder in folders}
    return {name: program for name, program in names.items() if name not in ("layout", "screens", "client")}


def tables(program, arguments, folder):
    """Runs a program and returns its tables."""
    file = folder / "tables.ndjson"
    file.unlink(missing_ok=True)
    run([build.benchmark(program), *arguments], PROGRAM_SECONDS,
        env={**os.environ, "MARQUEE_BENCH_TABLES": str(file)})
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def instructions(title, times, program, arguments=()):
    """Counts instructions, and returns them by what was done."""
    if not shutil.which("valgrind"):
        raise Failure("valgrind is not installed")
    script = build.REPOSITORY / "Benchmarks" / "instructions.sh"
    printed = run([script, title, times, build.benchmark(program), "count", *arguments], COUNT_SECONDS,
                  capture_output=True)
    print(printed, end="", flush=True)
    counts = re.findall(r"^  (.*\S) +([\d,]+)$", printed, re.MULTILINE)
    return {"title": title, "instructions": {name: int(count.replace(",", "")) for name, count in counts}}


def row(program, title, times):
    """The row of one program."""
    def measure(_, folder):
        return {"tables": tables(program, [], folder), "counts": [instructions(title, times, program)]}
    return measure


def screens(options, folder):
    outcome = {"tables": tables("ScreensBenchmark", ["commits", *options.records], folder), "counts": []}
    for records in options.records:
        outcome["counts"].append(
            instructions(f"One change among {records} records", 100, "ScreensBenchmark", [str(records)]))
    outcome["tables"] += tables("ScreensBenchmark", ["windows", *options.records], folder)
    outcome["tables"] += tables("ScreensBenchmark", ["catalogue", options.records[-1]], folder)
    outcome["tables"] += tables("ScreensBenchmark", ["store", options.stored, folder / "store"], folder)
    return outcome


def _sizes():
    """The sample app that leaves the presets out, in release: as it was linked, and stripped."""
    options = ["--package-path", "Samples/Embedding", "--scratch-path", ".build/benchmarks/embedding", "-c", "release",
               "--product", "Records"]
    say("swift build " + " ".join(options))
    run(["swift", "build", *options], cwd=build.REPOSITORY, stdout=2)
    place = run(["swift", "build", *options, "--show-bin-path"], cwd=build.REPOSITORY, capture_output=True).strip()
    linked = pathlib.Path(place) / "Records"
    stripped = linked.with_suffix(".stripped")
    run(["strip", "-o", stripped, linked], 60)
    return {"linked": linked.stat().st_size, "stripped": stripped.stat().st_size}


def client(options, folder):
    outcome = {"tables": tables("ClientBenchmark", [options.seconds] if options.seconds else [], folder)}
    with systems.MARQUEE.serving(folder) as server:
        outcome["tables"] += tables("ClientBenchmark", ["idle", server.port, IDLE_SECONDS], folder)
    outcome["counts"] = [instructions("Client", 10, "ClientBenchmark")]
    outcome["sample"] = _sizes()
    table("client: Samples/Embedding's Records in release, MiB",
          ["", "MiB"], [[name, f"{size / 2**20:.2f}"] for name, size in outcome["sample"].items()])
    return outcome

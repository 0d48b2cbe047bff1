"""The start of a server on a large data folder, beside SQLite reading the same rows; and the import of a known data
set, beside SQLite's shell importing the same files."""

import csv
import gzip
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import time

from . import build
from .processes import Failure, Server, cpu_seconds, run as run_program, say
from .report import base, median, ratio, table, values

RECORDS = 100_000
GENRES = range(1, 20)
# Looks for the ready line this often; the start of a small folder takes a few hundredths of a second.
POLL_SECONDS = 0.002
READY_SECONDS = 300
IMPORT_SECONDS = 3600

SQLITE, MARQUEE = "sqlite3", "marquee"

WORDS = (
    "silent river winter crown letter garden shadow summer north mirror stone paper night harbour golden empty second "
    "last hidden road"
).split()


def _in(clock):
    """A function that runs another one and returns its seconds and CPU seconds, by a clock that has both."""
    def measure(work):
        before = clock()
        work()
        return tuple(after - start for start, after in zip(before, clock()))
    return measure


def _own_clock():
    return time.monotonic(), time.process_time()


def _children_clock():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime


# MARK: - The start

def _films(records):
    """Rows of about half a kilobyte, the same ones each time."""
    numbers = random.Random(1)
    for number in range(1, records + 1):
        title = " ".join(numbers.choices(WORDS, k=3))
        yield {
            "id": number, "title": title, "korean": f"영화 {number}", "original_title": title, "original_language": "en",
            "release_date": f"{1950 + number % 75}-{number % 12 + 1:02}-{number % 28 + 1:02}",
            "runtime": 80 + number % 80, "genres": "|".join(map(str, numbers.sample(GENRES, 3))), "countries": "US",
            "popularity": numbers.random() * 100, "revenue": numbers.randrange(10 ** 9),
            "vote_average": numbers.randrange(100) / 10, "vote_count": numbers.randrange(30_000),
            "overview": " ".join(numbers.choices(WORDS, k=48)),
        }


def _filled(records, folder):
    data, file = folder / f"records-{records}", folder / "films.csv"
    say(f"start: importing {records} records")
    with open(file, "w", encoding="utf-8", newline="") as output:
        films = _films(records)
        first = next(films)
        writer = csv.DictWriter(output, first)
        writer.writeheader()
        writer.writerow(first)
        writer.writerows(films)
    began = time.monotonic()
    run_program(
        [build.server(), "import", "records", file, "--type", "movie", "--types",
         build.REPOSITORY / "Samples/catalogue/types.yaml", "--map", "title[en]=title", "--map", "title[ko]=korean",
         "--split", "genres=|", "--split", "countries=|", "--data", data],
        IMPORT_SECONDS, capture_output=True)
    file.unlink()
    return data, time.monotonic() - began


def _serve(data, folder):
    """Seconds and CPU seconds from the start of the process until the server says that it is ready."""
    arguments = [
        build.server(), "serve", "--data", data, "--programme", build.REPOSITORY / "Samples/catalogue/programme.yaml",
        "--listen", "127.0.0.1:0",
    ]
    start = time.monotonic()
    with Server(arguments, folder / "marquee.log", ready_seconds=READY_SECONDS, poll_seconds=POLL_SECONDS) as server:
        return time.monotonic() - start, cpu_seconds(server.pid)


def _read(data):
    """Every row of the records, all columns."""
    rows = [0]

    def read():
        database = sqlite3.connect(f"file:{data / 'catalogue.sqlite'}?mode=ro", uri=True)
        rows[0] = sum(1 for _ in database.execute("SELECT * FROM record"))
        database.close()
    return _in(_own_clock)(read), rows[0]


def measure_start(records, rounds, folder):
    data, filling = _filled(records, folder)
    # The programme is new to the folder this time, and the files to the system's cache.
    _serve(data, folder)
    measured = []
    for number in range(rounds):
        say(f"start: {records} records, round {number + 1} of {rounds}")
        (seconds, cpu), rows = _read(data)
        if rows != records:
            raise Failure(f"the data folder has {rows} records, not {records}")
        measured.append({"round": number, "system": SQLITE, "seconds": seconds, "cpu_s": cpu})
        seconds, cpu = _serve(data, folder)
        measured.append({"round": number, "system": MARQUEE, "seconds": seconds, "cpu_s": cpu})
    shutil.rmtree(data)
    return measured, filling


# MARK: - The import

# Columns that hold JSON lists, by table.
LISTS = {
    "movies": ("genres", "keywords", "production_companies", "production_countries", "spoken_languages"),
    "credits": ("cast", "crew"),
}


def _sqlite_script(files):
    lines = ["PRAGMA journal_mode = WAL;", "PRAGMA synchronous = FULL;", ".mode csv"]
    lines += [f".import \"{file}\" {name}" for name, file in files.items()]
    lines.append("BEGIN;")
    for name, columns in LISTS.items():
        key = "id" if name == "movies" else "movie_id"
        for column in columns:
            lines.append(
                f"CREATE TABLE {name}_{column} AS "
                f"SELECT {name}.{key} AS movie, entry.key AS place, entry.value AS value "
                f"FROM {name}, json_each({name}.\"{column}\") AS entry;")
    return "\n".join([*lines, "COMMIT;"]) + "\n"


def _known_data():
    """The files of the data set TMDB 5000, or why there are none."""
    folder = os.environ.get("MARQUEE_DATA")
    if not folder:
        return None, "MARQUEE_DATA names no folder of data"
    if not shutil.which("sqlite3"):
        return None, "sqlite3 is not installed"
    found = {}
    for name, pattern in (("movies", "*movies.csv*"), ("credits", "*credits*.csv*"), ("certification", "certif*.csv*")):
        files = sorted((pathlib.Path(folder) / "tmdb5000").glob(pattern))
        if not files:
            return None, f"{folder} has no tmdb5000/{pattern}"
        found[name] = files[0]
    return found, ""


def _plain(sources, folder):
    """Copies that aren't compressed, as SQLite's shell reads nothing else."""
    files = {}
    for name, source in sources.items():
        files[name] = folder / f"{name}.csv"
        with (gzip.open if source.suffix == ".gz" else open)(source, "rb") as given, open(files[name], "wb") as plain:
            shutil.copyfileobj(given, plain)
    return files


def _import_sqlite(files, folder):
    for old in folder.glob("plain.sqlite*"):
        old.unlink()
    script = folder / "import.sql"
    script.write_text(_sqlite_script(files), encoding="utf-8")
    with open(script, encoding="utf-8") as commands:
        return _in(_children_clock)(lambda: run_program(
            ["sqlite3", "-batch", "-bail", folder / "plain.sqlite"], IMPORT_SECONDS, stdin=commands,
            capture_output=True))


def _import_marquee(files, folder):
    data = folder / "imported"
    shutil.rmtree(data, ignore_errors=True)
    arguments = [
        build.server(), "import", "tmdb5000", files["movies"], files["credits"], "--certification",
        files["certification"], "--data", data,
    ]
    printed = []
    times = _in(_children_clock)(
        lambda: printed.append(run_program(arguments, IMPORT_SECONDS, capture_output=True)))
    return times, printed[0].strip()


def measure_import(sources, rounds, folder):
    files, measured, printed = _plain(sources, folder), [], ""
    for number in range(rounds):
        say(f"start: import, round {number + 1} of {rounds}")
        seconds, cpu = _import_sqlite(files, folder)
        measured.append({"round": number, "system": SQLITE, "seconds": seconds, "cpu_s": cpu})
        (seconds, cpu), printed = _import_marquee(files, folder)
        measured.append({"round": number, "system": MARQUEE, "seconds": seconds, "cpu_s": cpu, "said": printed})
    return measured


# MARK: - The row

def run(options, folder):
    rounds, noisy = options.rounds or 5, []
    outcome = {"sizes": [], "import": [], "noisy": noisy}
    for records in options.start_records:
        measured, filling = measure_start(records, rounds, folder)
        outcome["sizes"].append({"records": records, "filled_seconds": filling, "rounds": measured})
        noisy += _print(f"start: a data folder of {records:,} records, until the ready line", f"{records} records",
                        "its rows, read", measured, rounds, options.noise_bound)
    sources, reason = _known_data()
    if sources is None:
        say(f"the import is left out: {reason}")
        return outcome
    outcome["import"] = measure_import(sources, rounds, folder)
    noisy += _print("start: the import of TMDB 5000", "import", "its shell and json_each", outcome["import"], rounds,
                    options.noise_bound)
    return outcome


def _print(title, short, what, measured, rounds, bound):
    noisy = []
    limits = {key: base(values(measured, key, system=SQLITE), f"{short}, {word}: sqlite3's", bound, noisy)
              for key, word in (("seconds", "seconds"), ("cpu_s", "CPU"))}
    rows = []
    for name in (SQLITE, MARQUEE):
        seconds, cpu = (median(values(measured, key, system=name)) for key in ("seconds", "cpu_s"))
        rows.append([
            f"{name}, {what}" if name == SQLITE else name, f"{seconds:.3f}", ratio(seconds, limits["seconds"]),
            f"{cpu:.3f}", ratio(cpu, limits["cpu_s"]),
        ])
    table(f"{title}; medians of {rounds} rounds", ["", "seconds", "× sqlite3", "CPU s", "× sqlite3"], rows)
    return noisy

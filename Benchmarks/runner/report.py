"""Medians, spreads, tables, and the file of results."""

import datetime
import json
import os
import platform
import statistics
import subprocess

from . import build

RESULTS = build.FOLDER / "results.json"


def median(values):
    return statistics.median(values) if values else None


def spread(values):
    """The widest distance between two measurements, as a share of the median. One alone says nothing about others."""
    if len(values) < 2:
        return float("inf")
    return (max(values) - min(values)) / statistics.median(values) if statistics.median(values) else 0.0


def apart(share):
    """In words."""
    return "are too few" if share == float("inf") else f"are {share:.0%} apart"


def values(measured, key, **which):
    """The values of a key in the entries that match, without those that are missing."""
    return [entry[key] for entry in measured
            if entry[key] is not None and all(entry[field] == wanted for field, wanted in which.items())]


def base(found, whose, bound, noisy):
    """The median to compare with. `None` if the rounds are further apart than the bound; `noisy` then gets the reason."""
    distance = spread(found)
    if distance <= bound:
        return median(found)
    noisy.append(f"{whose} own rounds {apart(distance)}")
    return None


def text(value, digits=1):
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,.{digits}f}"


def ratio(value, base):
    return f"{value / base:,.2f} ×" if value is not None and base else "–"


def table(title, columns, rows):
    cells = [columns] + [[text(cell) for cell in row] for row in rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(columns))]
    lines = [title, ""]
    for row in cells:
        padded = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  " + "  ".join(padded).rstrip())
    print("\n" + "\n".join(lines) + "\n", flush=True)


def machine():
    model = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "")
    except OSError:
        pass
    return {
        "processor": model, "processors": os.cpu_count(), "system": platform.platform(),
        "load": list(os.getloadavg()),
    }


def _commit():
    result = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=build.REPOSITORY, text=True, capture_output=True, check=False)
    return result.stdout.strip()


def save(name, outcome):
    """Stores a row's outcome beside those of other rows, each with the commit that it belongs to."""
    try:
        results = json.loads(RESULTS.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        results = {}
    rows = results.setdefault("rows", {})
    rows[name] = {
        "commit": _commit(), "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": machine(), **outcome,
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

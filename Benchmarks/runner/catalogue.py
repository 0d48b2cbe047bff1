"""The catalogue that is served: one screen of twenty records, or more. It is made once, and each run gets a copy."""

import json
import shutil

from . import build
from .processes import run

RECORDS = 20
TEXT_BYTES = 144
# An import of a million records takes a minute or two.
IMPORT_SECONDS = 900

PROGRAMME = """\
locales: [en]
screens:
  home:
    title: Home
    sections:
      - id: all
        kind: list
        source: {records: {type: movie, sort: title, limit: %d}}
        body: {card: {title: $title, text: $overview}}
search:
  of: [movie]
  body: {movie: {card: {title: $title, text: $overview}}}
"""


def _changes(records):
    for number in range(1, records + 1):
        record = {"id": number, "title": {"en": f"Record {number:02}"}, "overview": "." * TEXT_BYTES}
        yield {"put": {"type": "movie", "id": str(number), "record": record}}


def _folder(records):
    return build.FOLDER / f"catalogue-{records}"


def _made(records):
    folder = _folder(records)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    changes = folder / "changes.ndjson"
    with open(changes, "w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(change) + "\n" for change in _changes(records))
    for source in (["types", "Samples/catalogue/types.yaml"], ["ndjson", changes]):
        run([build.server(), "import", *source, "--data", folder / "data"], IMPORT_SECONDS, cwd=build.REPOSITORY,
            capture_output=True)
    return folder / "data"


def programme(records=RECORDS, shown=None):
    """The file for `serve --programme`. All records are shown unless `shown` says how many."""
    file = _folder(records) / "programme.yaml"
    file.write_text(PROGRAMME % (shown or records), encoding="utf-8")
    return file


_sources = {}


def catalogue(records):
    """Returns the data folder that copies are made of."""
    if records not in _sources:
        _sources[records] = _made(records)
    return _sources[records]


def changes_file(records=RECORDS):
    """The records as `import ndjson` takes them."""
    catalogue(records)
    return _folder(records) / "changes.ndjson"


def catalogue_copy(folder, records=RECORDS):
    """Returns a data folder below `folder` that nobody has changed yet."""
    copy = folder / "data"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(catalogue(records), copy)
    return copy

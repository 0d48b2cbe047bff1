"""The catalogue that is served: twenty records on one screen. It is made once, and each run gets a copy."""

import json
import shutil

from . import build
from .processes import run

RECORDS = 20
TEXT_BYTES = 144

PROGRAMME = """\
locales: [en]
screens:
  home:
    title: Home
    sections:
      - id: all
        kind: list
        source: {records: {type: movie, sort: title, limit: 20}}
        body: {card: {title: $title, text: $overview}}
"""


def _changes():
    for number in range(1, RECORDS + 1):
        record = {"id": number, "title": {"en": f"Record {number:02}"}, "overview": "." * TEXT_BYTES}
        yield {"put": {"type": "movie", "id": str(number), "record": record}}


def _made():
    folder = build.FOLDER / "catalogue"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    changes = folder / "changes.ndjson"
    changes.write_text("".join(json.dumps(change) + "\n" for change in _changes()), encoding="utf-8")
    for source in (["types", "Samples/catalogue/types.yaml"], ["ndjson", changes]):
        run([build.server(), "import", *source, "--data", folder / "data"], 120, cwd=build.REPOSITORY,
            capture_output=True)
    return folder / "data"


def programme():
    """The file for `serve --programme`."""
    file = build.FOLDER / "catalogue" / "programme.yaml"
    file.write_text(PROGRAMME, encoding="utf-8")
    return file


_source = []


def catalogue_copy(folder):
    """Returns a data folder below `folder` that nobody has changed yet."""
    if not _source:
        _source.append(_made())
    copy = folder / "data"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(_source[0], copy)
    return copy

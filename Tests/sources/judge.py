"""The judge of rows, records and mirrors. Nothing in here is the server's own code: rows are read by psql, records from
the store's table by Google's protobuf, and screens by the second implementation of the protocol."""

from __future__ import annotations

import base64
import contextlib
import json
import sqlite3
import subprocess
import threading
import time
from decimal import Decimal
from pathlib import Path

import shop
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from postgres import Postgres

LIMIT = 20  # differences and mistakes that are told


def messages(server: str, types: Path, folder: Path) -> dict:
    """The classes of the types' messages, by alias."""
    proto = subprocess.run([server, "types", str(types), "--proto"], check=True, capture_output=True, text=True).stdout
    (folder / "records.proto").write_text(proto)
    subprocess.run(["protoc", f"--proto_path={folder}", f"--descriptor_set_out={folder}/records.desc", "records.proto"],
                   check=True)  # fmt: skip
    files = descriptor_pb2.FileDescriptorSet.FromString((folder / "records.desc").read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    found = {}
    for file in files.file:
        for message in file.message_type:
            name = f"{file.package}.{message.name}" if file.package else message.name
            found[message.name.lower()] = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    return found


class Store:
    """A server's catalogue, read while it runs."""

    def __init__(self, data: Path, classes: dict) -> None:
        self._file, self._classes = data / "catalogue.sqlite", classes

    def open(self) -> contextlib.closing:
        return contextlib.closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True, timeout=10))

    def values(self, type_: str, data: bytes) -> tuple:
        record = self._classes[type_].FromString(data)
        return tuple(_field(record, name) for name in shop.COLUMNS[type_])

    def records(self, type_: str) -> dict[str, tuple]:
        with self.open() as store:
            rows = store.execute("SELECT id, bytes FROM record WHERE type = ?", (type_,))
            return {id_: self.values(type_, data) for id_, data in rows}


def _field(record: object, name: str) -> object:
    field = record.DESCRIPTOR.fields_by_name[name]
    if field.has_presence and not record.HasField(name):
        return None
    value = getattr(record, name)
    return float(value) if isinstance(value, float) else (value if value != "" else None)


def rows(postgres: Postgres, table: str, columns: list[str]) -> dict[str, tuple]:
    """Of a table; columns that it hasn't are empty."""
    there = set(postgres.query(f"SELECT attname FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0 "
                               "AND NOT attisdropped"))  # fmt: skip
    list_ = ", ".join(f"{name}::text" if name in there else "NULL" for name in columns)
    found = {}
    condition = shop.CONDITIONS.get(table, "true")
    for line in postgres.query(f"SELECT json_build_array({list_}) FROM {table} WHERE {condition}"):
        texts = json.loads(line)
        values = tuple(_value(name, text) for name, text in zip(columns, texts))
        found[str(values[columns.index(shop.KEYS[table])])] = values
    return found


def _value(name: str, text: str | None) -> object:
    if text is None or text == "":
        return None
    if name == "price":
        return float(Decimal(text))
    return int(text) if name in ("stock", "id", "n", "twice") else text


def differences(postgres: Postgres, store: Store) -> list[str]:
    """Every record beside its row."""
    found = []
    for table, columns in shop.COLUMNS.items():
        ours, theirs = store.records(table), rows(postgres, table, columns)
        for id_ in sorted(ours.keys() | theirs.keys()):
            if ours.get(id_) != theirs.get(id_) and len(found) < LIMIT:
                found.append(f"{table}/{id_} is {_short(ours.get(id_))}, and its row {_short(theirs.get(id_))}")
    return found


def _short(values: tuple | None) -> str:
    return "absent" if values is None else str(tuple(str(one)[:12] for one in values))


class Auditor(threading.Thread):
    """Reads every commit. Tallies only grow, so one that doesn't was applied twice, or is older than what was shown."""

    def __init__(self, store: Store) -> None:
        super().__init__(daemon=True)
        self._store, self._ended, self._lock = store, threading.Event(), threading.Lock()
        self._tallies: dict[str, int] = {}
        self._positions: set[str] = set()
        self._end = (0, -1)
        self._revision = 0
        self._allowed = False
        self.commits = self.changes = self.counted = self.missed = 0
        self.mistakes: list[str] = []

    def restored(self) -> None:
        """The database has gone back, and so may what follows. Its log comes to places where it was before."""
        with self._lock:
            self._allowed = True
            self._positions.clear()

    def judge_again(self) -> None:
        with self._lock:
            self._allowed = False
            # One that is no record at present has its old value here.
            self._tallies.clear()

    def end(self) -> None:
        self._ended.set()
        self.join()

    def run(self) -> None:
        while not self._ended.wait(0.2):
            self.look()
        self.look()

    def look(self) -> None:
        with self._lock:
            try:
                with self._store.open() as store:
                    commits = store.execute("SELECT revision, changes FROM commit_log WHERE revision > ? "
                                            "ORDER BY revision LIMIT 2000", (self._revision,)).fetchall()  # fmt: skip
            except sqlite3.OperationalError:
                return
            for revision, changes in commits:
                self._take(revision, json.loads(changes))

    def _take(self, revision: int, changes: list) -> None:
        if self._revision and revision != self._revision + 1:
            self.missed += revision - self._revision - 1
        self._revision = revision
        self.commits += 1
        for change in changes:
            (kind, value), = change.items()
            self.changes += kind in ("put", "remove")
            if kind == "put" and value["type"] in shop.GROWING:
                self._count(revision, value)
            elif kind == "source":
                self._move(revision, value["source"], value["position"])

    def _count(self, revision: int, value: dict) -> None:
        name = f"{value['type']}/{value['id']}"
        n = self._store.values(value["type"], base64.b64decode(value["bytes"]))[1] or 0
        last = self._tallies.get(name, -1)
        self.counted += 1
        if n <= last and not self._allowed:
            self._wrong(f"revision {revision}: {name} was {last} and is {n}")
        self._tallies[name] = n

    def _move(self, revision: int, source: str, position: str) -> None:
        if position in self._positions and not self._allowed:
            self._wrong(f"revision {revision}: the source was at '{position}' before")
        self._positions.add(position)
        if source == "scores":
            return  # each has a random number of its own
        end = position.split(" ")[4].split("/")
        rows_ = next((int(word[5:]) for word in position.split(" ") if word.startswith("rows=")), 0)
        now = (int(end[0], 16) << 32 | int(end[1], 16), rows_)
        if now < self._end and not self._allowed and now[0] < self._end[0]:
            self._wrong(f"revision {revision}: the source went back to '{position}'")
        self._end = now

    def _wrong(self, line: str) -> None:
        if len(self.mistakes) < LIMIT:
            self.mistakes.append(line)


def eventually(what: str, seconds: float, holds) -> object:
    """Waits until something is true. Raises TimeoutError with what it was last."""
    deadline = time.monotonic() + seconds
    while True:
        last = holds()
        if last is True:
            return True
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds} s: {what}: {last}")
        time.sleep(0.2)

"""A shop whose tables are followed, and those who write to it."""

from __future__ import annotations

import random
import subprocess
import threading
import time

from postgres import Postgres

TALLIES = 20
TYPES = """\
types:
  product:
    id: sku
    fields: {sku: text, title: text, price: number, stock: integer, notes: text, colour: text}
    sorts: [price, title]
  category: {id: id, fields: {id: integer, name: text}, sorts: [name]}
  visit: {id: id, fields: {id: integer, region: text, product: text}}
  tally: {id: id, fields: {id: integer, n: integer}, sorts: [n]}
  gauge: {id: id, fields: {id: integer, n: integer, notes: text}}
  offer: {id: id, fields: {id: integer, n: integer, twice: integer}}
  score: {id: id, fields: {id: integer, n: integer}}
"""
PROGRAMME = """\
screens:
  home:
    title: Shop
    sections:
      - id: top
        kind: rank
        source: {records: {type: product, sort: -price, limit: 10}}
        body: {card: {title: $title, facts: [{label: Price, value: $price}, {label: Stock, value: $stock}]}}
      - id: tallies
        kind: list
        source: {records: {type: tally, sort: -n, limit: 20}}
        body: {card: {title: $n}}
      - id: categories
        kind: list
        source: {records: {type: category, sort: name, limit: 50}}
        body: {card: {title: $name}}
"""
# The columns that are compared, by table.
COLUMNS = {
    "product": ["sku", "title", "price", "stock", "notes", "colour"],
    "category": ["id", "name"],
    "visit": ["id", "region", "product"],
    "tally": ["id", "n"],
    "gauge": ["id", "n", "notes"],
    "offer": ["id", "n", "twice"],
    "score": ["id", "n"],
}
KEYS = {"product": "sku", "category": "id", "visit": "id", "tally": "id", "gauge": "id", "offer": "id", "score": "id"}
# Those whose n only grows. The log has each tally whole, a gauge mostly without its notes, and an offer never whole: it is
# read again, as it is later, and must not go back then. Scores come by an outbox.
GROWING = ("tally", "gauge", "offer", "score")
CONDITIONS = {"offer": "active"}
SCHEMA = """
CREATE TYPE shade AS ENUM ('red', 'green', 'blue');
CREATE TABLE product (sku text PRIMARY KEY, title text, price numeric(10, 2), stock int, notes text, secret text);
ALTER TABLE product ALTER COLUMN notes SET STORAGE EXTERNAL;
CREATE TABLE category (id int PRIMARY KEY, name text);
CREATE TABLE visit (id int PRIMARY KEY, region text, product text) PARTITION BY HASH (id);
CREATE TABLE visit_0 PARTITION OF visit FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE visit_1 PARTITION OF visit FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE tally (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE gauge (id int PRIMARY KEY, n int NOT NULL, notes text);
ALTER TABLE gauge ALTER COLUMN notes SET STORAGE EXTERNAL;
CREATE TABLE offer (id int PRIMARY KEY, n int NOT NULL, twice int GENERATED ALWAYS AS (n * 2) STORED, active bool);
CREATE TABLE score (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE unwatched (id int, text text);
INSERT INTO product SELECT 'p' || i, 'Product ' || i, (i::int8 * 7919 %% 100000) / 100.0, i %% 90, NULL, 's'
    FROM generate_series(1, %(rows)d) i;
INSERT INTO category SELECT i, 'Category ' || i FROM generate_series(1, 20) i;
INSERT INTO visit SELECT i, 'north', 'p' || i FROM generate_series(1, 100) i;
INSERT INTO tally SELECT i, 0 FROM generate_series(0, %(tallies)d) i;
INSERT INTO gauge SELECT i, 0, repeat('g', 9000) FROM generate_series(1, %(tallies)d) i;
INSERT INTO score SELECT i, 0 FROM generate_series(1, %(tallies)d) i;
INSERT INTO offer (id, n, active) SELECT i, 0, true FROM generate_series(1, %(tallies)d) i;
CREATE ROLE follower LOGIN REPLICATION;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO follower;
CREATE PUBLICATION marquee FOR TABLE product, category, visit, tally, gauge, offer WITH (publish_via_partition_root = true);
"""


def source(url: str) -> str:
    return f"""\
source: shop
types: types.yaml
postgres: {{url: "{url}"}}
tables:
  product: {{type: product}}
  category: {{type: category}}
  visit: {{type: visit}}
  tally: {{type: tally}}
  gauge: {{type: gauge}}
  offer: {{type: offer, where: active}}
"""


def outbox(url: str) -> str:
    return f'source: scores\ntypes: types.yaml\npostgres: {{url: "{url}", outbox: marquee_outbox}}\n'


PUT_SCORE = ("SELECT marquee_publish(jsonb_build_object('put', jsonb_build_object('type', 'score', 'id', id::text, "
             "'record', jsonb_build_object('id', id, 'n', n)))) FROM score")  # fmt: skip


class Writer(threading.Thread):
    """Makes seeded transactions, one after the other, through a `psql` of its own."""

    def __init__(self, postgres: Postgres, seed: int, number: int, rows: int, pause: float) -> None:
        super().__init__(daemon=True)
        self._postgres, self._random = postgres, random.Random(f"{seed}-{number}")
        self._number, self._rows, self._pause = number, rows, pause
        self._may_write, self._is_resting = threading.Event(), threading.Event()
        self._ended = False
        self._psql: subprocess.Popen | None = None
        self._fresh = 0
        self.transactions = 0
        self._is_resting.set()

    def resume(self) -> None:
        self._is_resting.clear()
        self._may_write.set()

    def rest(self) -> None:
        self._may_write.clear()
        self._is_resting.wait()

    def end(self) -> None:
        self._ended = True
        self._may_write.set()
        self.join()
        if self._psql is not None:
            self._psql.kill()
            self._psql.wait()

    def run(self) -> None:
        while True:
            if not self._may_write.is_set():
                self._is_resting.set()
                self._may_write.wait()
            if self._ended:
                self._is_resting.set()
                return
            if self._transaction(self._statements()):
                self.transactions += 1
            time.sleep(self._pause)

    def _transaction(self, sql: str) -> bool:
        """Whether it was answered: what was in flight when the database died may have happened or not."""
        try:
            if self._psql is None:
                self._psql = subprocess.Popen(
                    self._postgres.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, text=True)  # fmt: skip
                if self._number % 2:
                    self._psql.stdin.write("SET synchronous_commit = off;\n")
            self._psql.stdin.write(sql + "\n\\echo done\n")
            self._psql.stdin.flush()
            while (line := self._psql.stdout.readline()) != "done\n":
                if not line:
                    raise BrokenPipeError
            return True
        except (BrokenPipeError, OSError):
            if self._psql is not None:
                self._psql.kill()
                self._psql.wait()
            self._psql = None
            time.sleep(0.1)
            return False

    def _statements(self) -> str:
        chance = self._random
        some = lambda: f"p{int(self._rows * chance.random() ** 3) + 1}"  # noqa: E731
        statements = [f"UPDATE tally SET n = n + 1 WHERE id = {chance.randrange(TALLIES)};"]
        if chance.random() < 0.5:
            notes = f", notes = repeat('{chance.choice('ghi')}', 9000)" if chance.random() < 0.3 else ""
            statements.append(f"UPDATE gauge SET n = n + 1{notes} WHERE id = {chance.randint(1, 4)};")
        if chance.random() < 0.3:
            active = ", active = NOT active" if chance.random() < 0.3 else ""
            statements.append(f"UPDATE offer SET n = n + 1{active} WHERE id = {chance.randint(1, 4)};")
        for _ in range(chance.choice((0, 0, 1, 1, 3))):
            id_ = chance.randint(1, TALLIES)
            statements.append(f"UPDATE score SET n = n + 1 WHERE id = {id_}; {PUT_SCORE} WHERE id = {id_};")
        for _ in range(chance.randint(1, 4)):
            kind = chance.randrange(10)
            if kind < 5:
                statements.append(f"UPDATE product SET price = {chance.randrange(10**5)} / 100.0, "
                                  f"stock = {chance.randrange(90)} WHERE sku = '{some()}';")  # fmt: skip
            elif kind == 5:
                self._fresh += 1
                sku = f"n{self._number}-{self._fresh}"
                statements.append(f"INSERT INTO product (sku, title, price) VALUES ('{sku}', 'New', 5) "
                                  "ON CONFLICT (sku) DO NOTHING;")  # fmt: skip
            elif kind == 6:
                statements.append(f"DELETE FROM product WHERE sku = '{some()}';")
            elif kind == 7:
                statements.append(f"UPDATE product SET notes = repeat('{chance.choice('abc')}', 9000), "
                                  f"secret = 't' WHERE sku = '{some()}';")  # fmt: skip
            elif kind == 8:
                # Another key, and back again later.
                old = some()
                statements.append(f"UPDATE product SET sku = CASE WHEN sku LIKE 'r%' THEN substr(sku, 2) ELSE 'r' || sku "
                                  f"END WHERE sku IN ('{old}', 'r{old}') AND (SELECT count(*) FROM product "
                                  f"WHERE sku IN ('{old}', 'r{old}')) = 1;")  # fmt: skip
            else:
                id_ = chance.randint(1, 150)
                statements.append(f"INSERT INTO visit VALUES ({id_}, 'south', '{some()}') ON CONFLICT (id) DO UPDATE "
                                  f"SET region = 'east', product = excluded.product;")  # fmt: skip
        # A deadlock ends one of the two; locks in one order would make a rarer mixture.
        return " ".join(["BEGIN;", *statements, "ROLLBACK;" if chance.random() < 0.05 else "COMMIT;"])

"""The rows of a SQLite database.

The database is copied first, together with its journal: opening it in place could roll the journal back, which is
for the commands under audit to do.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

SIGNATURE = b"SQLite format 3\0"
COMPANIONS = ("-journal", "-wal", "-shm")


def row_entries(path: Path) -> Iterator[tuple[str, str]]:
    """`table(values)` with how often the row is there; raises sqlite3.Error for a broken database."""
    with TemporaryDirectory() as directory:
        copy = Path(directory) / "copy.db"
        for suffix in ("", *COMPANIONS):
            source = path.with_name(path.name + suffix)
            if source.is_file():
                shutil.copyfile(source, copy.with_name(copy.name + suffix))
        with closing(sqlite3.connect(copy)) as database:
            yield from _rows(database)


def _rows(database: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    tables = database.execute("select name, sql from sqlite_master where type = 'table' order by name").fetchall()
    for table, sql in tables:
        yield f"table {table}", str(sql)
        quoted = '"' + table.replace('"', '""') + '"'
        rows = database.execute(f"select * from {quoted}").fetchall()  # noqa: S608 - the name comes from the database
        for row, count in Counter(map(repr, rows)).items():
            yield f"{table}{row.replace(',)', ')')}", str(count)

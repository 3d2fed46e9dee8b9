import sqlite3
from contextlib import closing


class Events:
    def __init__(self, path):
        self.db = sqlite3.connect(path)

    def save(self, event):
        self.db.execute("insert into events values (?)", (event,))
        self.db.commit()

    async def keep(self, event):
        self.save(event)  # RH

    async def by_cursor(self, event):
        cursor = self.db.cursor()
        cursor.execute("insert into events values (?)", (event,))  # RH


async def names(path):
    with sqlite3.connect(path) as connection:
        return connection.execute("select name from users").fetchall()  # RH


async def ages(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("select age from users").fetchall()  # RH

import asyncio
import sqlite3

import aiosqlite


class Events:
    def __init__(self, path):
        self.db = sqlite3.connect(path, check_same_thread=False)

    def save(self, event):
        self.db.execute("insert into events values (?)", (event,))
        self.db.commit()

    async def keep(self, event):
        await asyncio.to_thread(self.save, event)


async def names(path):
    async with aiosqlite.connect(path) as connection:
        await connection.execute("delete from users")
        await connection.commit()


async def somewhere_else(connection):
    connection.execute("select 1")

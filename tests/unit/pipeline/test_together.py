"""Many findings about one field become one, which names all the places."""

from pathlib import Path

import pytest

from racehound.pipeline.hunt import hunt

HEAD = """
import threading

class Sessions:
    def __init__(self):
        self._lock = threading.Lock()
        self._open = {}

    def add(self, key, value):
        with self._lock:
            self._open[key] = value
"""
LOOP = """
    def loop_{number}(self):
        for key in self._open:
            print(key)
"""


@pytest.mark.parametrize(("loops", "findings"), [(1, 1), (3, 3), (4, 1), (7, 1)])
def test_more_than_a_few_loops_over_one_field_are_told_once(tmp_path: Path, loops: int, findings: int) -> None:
    path = tmp_path / "sessions.py"
    path.write_text(HEAD + "".join(LOOP.format(number=number) for number in range(loops)), "utf-8")

    found, _, _ = hunt([path], select=["RH103"])

    assert len(found) == findings
    places = {access.location.line for item in found for access in (item.first, *item.further)}
    lines = path.read_text("utf-8").splitlines()
    assert {number for number, line in enumerate(lines, 1) if "for key" in line} <= places


STATE = """
import asyncio

class Client:
    def __init__(self):
        {made}

    async def change(self):
        {first}
        await asyncio.sleep(1)
        {last}

async def main():
    client = Client()
    await asyncio.gather(client.change(), client.change())
"""


@pytest.mark.parametrize(("fields", "findings"), [(1, 1), (2, 2), (3, 1)])
def test_state_that_crosses_one_await_is_told_once(tmp_path: Path, fields: int, findings: int) -> None:
    names = [f"field_{number}" for number in range(fields)]
    made = "; ".join(f"self.{name} = 0" for name in names)
    first = "; ".join(f"{name} = self.{name}" for name in names)
    last = "\n        ".join(f"self.{name} = {name} + 1" for name in names)
    path = tmp_path / "client.py"
    path.write_text(STATE.format(made=made, first=first, last=last), "utf-8")

    found, _, _ = hunt([path], select=["RH301"])

    assert len(found) == findings

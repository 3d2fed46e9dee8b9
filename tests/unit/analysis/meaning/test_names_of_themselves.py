"""Variables that are made of themselves: following where they come from has to end."""

import pytest

from racehound.pipeline.hunt import hunt_text

TURNS = """
import asyncio
class Gate:
    def __init__(self):
        self._waiting = []
    async def enter(self):
        turn = asyncio.Future()
        turn = (turn, turn)
        self._waiting.append(turn)
        await turn
    def leave(self):
        self._waiting.pop(0).set_result(None)
"""

PATHS = """
import os
def clear(cache):
    for name in os.listdir(cache):
        path = name
        path = os.path.join(path, path)
        os.remove(path)
"""


@pytest.mark.parametrize(("text", "code"), [(TURNS, "RH316"), (PATHS, "RH407")])
def test_following_a_name_ends(text: str, code: str) -> None:
    findings, _, _ = hunt_text(text.encode(), "program.py", select=[code])

    assert [finding.rule for finding in findings] == [code]

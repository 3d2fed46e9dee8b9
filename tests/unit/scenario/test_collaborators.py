"""Objects that a class is given to work with."""

import asyncio
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Verdict
from racehound.pipeline.prove import prove_target, replay_token
from racehound.scenario.collaborators import is_made_up, stand_in

TOKENS = """
    import asyncio

    class Tokens:
        def __init__(self, client):
            self._client = client
            self._lock = asyncio.Lock()
            self._token = None
            self.asked = 0

        async def token(self):
            {guard}
                if self._token is None:
                    self.asked += 1
                    self._token = await self._client.ask()
            return self._token
"""


class Reporter:
    def __init__(self, sink, channel, name, table) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        self.sink = sink
        self._channel = channel
        self.name = name
        self.table = table

    async def tell(self) -> None:
        self.sink.emit(self.name.upper())
        await self._channel.send(self.table.get("a"))


def made(parameter: str) -> str | None:
    return stand_in(Reporter.__init__, parameter, Reporter, {"asyncio": asyncio})


def test_a_stand_in_has_what_is_called_on_it() -> None:
    assert made("sink") == "type('StandIn', (), {'emit': (lambda *args, **kwargs: 'a')})()"
    assert made("channel") == "type('StandIn', (), {'send': (lambda *args, **kwargs: asyncio.sleep(0, 'a'))})()"


@pytest.mark.parametrize("parameter", ["name", "missing"])
def test_nothing_stands_in_for_what_a_plain_value_can_be(parameter: str) -> None:
    assert made(parameter) is None


def test_what_is_looked_up_by_keys_is_a_dictionary_that_has_them() -> None:
    assert made("table") == "{'a': 'a'}"


def test_stand_ins_are_known_again() -> None:
    assert is_made_up(f"Reporter({made('sink')})")
    assert not is_made_up("Reporter('a')")


@pytest.mark.parametrize(
    ("guard", "verdict"), [("if True:", Verdict.RACE), ("async with self._lock:", Verdict.SAMPLED)]
)
def test_a_class_is_raced_with_a_stand_in_and_never_safe(guard: str, verdict: Verdict, tmp_path: Path) -> None:
    path = tmp_path / "tokens.py"
    path.write_text(dedent(TOKENS.format(guard=guard)), encoding="utf-8")

    proof = prove_target(f"{path}::Tokens", budget=20.0)

    assert proof.verdict is verdict
    if proof.token is None:
        assert "an object that the code is given was made up" in proof.reason
    else:
        assert replay_token(proof.token).verdict is Verdict.RACE


GUARDED = """
    class Stock:
        def __init__(self, gate):
            self._gate = gate
            self.left = 0

        def add(self):
            {before}
            {taking}
            self.left = left + 1 if {outside} else self.left + 1
            {giving}
"""
WAYS = {
    "acquire": ("self._gate.acquire()", "self._gate.release()"),
    "from a call": ("held = self._gate.lock('left'); held.acquire()", "held.release()"),
    "from two calls": ("held = self._gate.place().lock('left'); held.acquire()", "held.release()"),
    "lock": ("self._gate.lock()", "self._gate.unlock()"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("outside", "verdict"), [(True, Verdict.RACE), (False, Verdict.SAMPLED)])
def test_a_lock_that_is_made_up_keeps_others_out(
    way: str, outside: bool, verdict: Verdict, tmp_path: Path
) -> None:
    taking, giving = WAYS[way]
    text = GUARDED.format(before="left = self.left", taking=taking, giving=giving, outside=outside)
    path = tmp_path / "stock.py"
    path.write_text(dedent(text), encoding="utf-8")

    assert prove_target(f"{path}::Stock", budget=20.0).verdict is verdict

"""Classes with coroutine methods are raced on the controlled loop, from their source alone."""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Verdict
from racehound.pipeline.prove import prove_target, replay_token

SOURCE = """
    import asyncio

    class Wallet:
        def __init__(self) -> None:
            self.coins = 0
            self.lock = asyncio.Lock()

        async def earn(self) -> None:
            coins = self.coins
            await asyncio.sleep(0)
            self.coins = coins + 1

    class Purse:
        def __init__(self) -> None:
            self.coins = 0
            self.lock = asyncio.Lock()

        async def earn(self) -> None:
            async with self.lock:
                coins = self.coins
                await asyncio.sleep(0)
                self.coins = coins + 1

        def empty(self) -> int:
            coins, self.coins = self.coins, 0
            return coins

    total = 0

    async def add(amount: int) -> None:
        global total
        before = total
        await asyncio.sleep(0)
        total = before + amount
"""


@pytest.fixture(name="path")
def _path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "wallet.py"
    path.write_text(dedent(SOURCE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return path


@pytest.mark.measured_children
def test_coroutine_methods_of_a_class_are_raced(path: Path) -> None:
    proof = prove_target("wallet.py::Wallet", budget=10)

    assert proof.verdict is Verdict.RACE
    assert proof.scenario is not None
    assert proof.scenario.tasks == (("await subject.earn()",), ("await subject.earn()",))
    assert proof.token is not None
    assert replay_token(proof.token).verdict is Verdict.RACE


def test_locked_coroutine_methods_are_safe_and_plain_ones_beside_them_are_not_forgotten(path: Path) -> None:
    proof = prove_target("wallet.py::Purse", budget=10, operations=["await subject.earn()"])

    assert (proof.verdict, proof.reason) == (
        Verdict.SAFE,
        f"{proof.executions} executions exhausted every interleaving of 1 scenario",
    )


@pytest.mark.measured_children
def test_coroutine_functions_race_on_the_state_of_their_module(path: Path) -> None:
    proof = prove_target("wallet.py::add", budget=10)

    assert proof.verdict is Verdict.RACE
    assert proof.scenario is not None
    assert proof.scenario.tasks[0] == ("await add(1)",)


def test_written_test_fails_as_long_as_the_race_is_there(path: Path) -> None:
    proof = prove_target("wallet.py::Wallet", budget=10)
    test = path.with_name("test_wallet.py")
    test.write_text(proof.test, encoding="utf-8")

    assert "async def task_0(subject):\n    return await subject.earn()\n" in proof.test
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)],
        capture_output=True,
        text=True,
        check=False,
        cwd=path.parent,
    )
    assert run.returncode == 1, run.stdout
    assert "race:" in run.stdout

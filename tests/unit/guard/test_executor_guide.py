"""The guide to parallel strategies does what it says."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from racehound.guard import ParallelStrategyExecutor
from racehound.guard.executor import Mode, Status

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "parallel-strategies.md"
TEXT = GUIDE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture
def names() -> Iterator[dict[str, Any]]:
    """What the examples take for granted. Pools of processes and clusters have tests of their own."""
    made: list[ParallelStrategyExecutor] = []

    def executor(*arguments: Any, **options: Any) -> ParallelStrategyExecutor:
        made.append(ParallelStrategyExecutor(*arguments, **options))
        return made[-1]

    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(1))
        yield {
            "ParallelStrategyExecutor": executor,
            "search_index": str.upper,
            "walk_graph": str.lower,
            "ask_model": len,
            "question": "Question",
            "strategies": {"length": len},
            "pages": iter,
            "ProcessPoolExecutor": ThreadPoolExecutor,
            "loky": SimpleNamespace(get_reusable_executor=lambda: ThreadPoolExecutor(1)),
            "client": SimpleNamespace(get_executor=lambda *, pure: pool),
        }
        for each in made:
            each.shutdown()


def test_its_examples_run(names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    for block in BLOCKS:
        code = block.replace("import CircuitBreaker, ParallelStrategyExecutor", "import CircuitBreaker")
        exec(compile(code, str(GUIDE), "exec"), names)  # noqa: S102 - our own guide

    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("index ok QUESTION None ")
    assert second.startswith("graph ok question None ")
    assert third.startswith("model ok 8 None ")
    assert names["left"] == ()


def test_its_crawler_stops_when_nobody_waits(names: dict[str, Any]) -> None:
    (block,) = (block for block in BLOCKS if "def crawl" in block)
    exec(compile(block, str(GUIDE), "exec"), names)  # noqa: S102 - our own guide
    with ParallelStrategyExecutor({"crawl": names["crawl"], "fast": len}, mode=Mode.FIRST_SUCCESS) as executor:
        outcomes = executor.run(["page"] * 1000)

    assert {name: str(outcome.status) for name, outcome in outcomes.items()} == {
        "crawl": "cancelled",
        "fast": "ok",
    }
    assert executor.stragglers() == ()


def test_it_names_every_status_and_every_mode() -> None:
    assert [status for status in Status if f"| `{status}` |" not in TEXT] == []
    assert all(hasattr(Mode, mode) for mode in re.findall(r"Mode\.(\w+)", TEXT))

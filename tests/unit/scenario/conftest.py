"""Modules written for one test, loaded under observation and forgotten afterwards."""

import importlib
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.instrument.loader import instrumenting
from racehound.primitives.mirrors import installed

Load = Callable[[str], types.ModuleType]


@pytest.fixture(name="load")
def _load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    loaded: list[str] = []

    def load(source: str) -> types.ModuleType:
        name = f"observed_{tmp_path.name.replace('-', '_')}_{len(loaded)}"
        (tmp_path / f"{name}.py").write_text(dedent(source), encoding="utf-8")
        loaded.append(name)
        return importlib.import_module(name)

    monkeypatch.syspath_prepend(str(tmp_path))
    with installed(), instrumenting([tmp_path]):
        yield load
    for name in loaded:
        sys.modules.pop(name, None)

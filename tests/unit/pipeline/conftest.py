"""Programs that tests race."""

import importlib.util
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture(name="load")
def _load(tmp_path: Path) -> Iterator[Callable[[str], types.ModuleType]]:
    def load(source: str) -> types.ModuleType:
        path = tmp_path / "raced_program.py"
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("raced_program", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[module.__name__] = module
        spec.loader.exec_module(module)
        return module

    yield load
    sys.modules.pop("raced_program", None)

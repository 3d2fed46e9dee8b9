import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.observed import operations, run_task
from racehound.instrument.kinds import INSTRUMENTED
from racehound.instrument.loader import instrumenting


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    package = tmp_path / "inside" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from shop.till import Till\n", encoding="utf-8")
    (package / "till.py").write_text("class Till:\n    n = 0\n    def add(self): self.n += 1\n", encoding="utf-8")
    (tmp_path / "outside.py").write_text("def read(till): return till.n\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "inside"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_modules_below_the_root_are_instrumented_and_others_are_not(root: Path) -> None:
    with instrumenting([root / "inside"]):
        shop, outside = importlib.import_module("shop"), importlib.import_module("outside")

    assert INSTRUMENTED in vars(shop)
    assert INSTRUMENTED in vars(sys.modules["shop.till"])
    assert INSTRUMENTED not in vars(outside)
    kinds = [operation.kind.value for operation in operations(run_task(shop.Till().add))]
    assert kinds == ["read", "write"]


def test_byte_code_of_instrumented_modules_is_not_kept(root: Path) -> None:
    with instrumenting([root / "inside"]):
        importlib.import_module("shop")

    assert not list((root / "inside").rglob("*.pyc"))


def test_source_can_be_given_in_place_of_the_file(root: Path) -> None:
    override = {str(root / "inside" / "shop" / "till.py"): "class Till:\n    patched = True\n"}
    with instrumenting([root / "inside"], override):
        shop = importlib.import_module("shop")

    assert shop.Till.patched


def test_imports_are_plain_again_afterwards(root: Path) -> None:
    with instrumenting([root]):
        pass

    assert INSTRUMENTED not in vars(importlib.import_module("outside"))


def test_module_that_is_missing_is_the_importers_error(root: Path) -> None:
    with instrumenting([root]), pytest.raises(ModuleNotFoundError):
        importlib.import_module("no_such_module_anywhere")


def test_syntax_error_is_the_importers(root: Path) -> None:
    (root / "broken.py").write_text("def f(:\n", encoding="utf-8")

    with instrumenting([root]), pytest.raises(SyntaxError):
        importlib.import_module("broken")

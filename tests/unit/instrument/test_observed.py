"""The modules under observation, whatever is loaded, removed or replaced in between."""

import sys
import types

import pytest

from racehound.instrument.observed import ObservedModules


@pytest.fixture(name="observed")
def _observed() -> ObservedModules:
    observed = ObservedModules()
    observed.all()
    return observed


def loaded(monkeypatch: pytest.MonkeyPatch, name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def test_marked_module_is_known_at_once(observed: ObservedModules, monkeypatch: pytest.MonkeyPatch) -> None:
    module = loaded(monkeypatch, "some_module")
    observed.all()

    observed.mark(module, "some_module.py")

    assert module in observed.all()


def test_module_that_runs_its_own_code_again_is_not(
    observed: ObservedModules, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = loaded(monkeypatch, "some_module")
    observed.mark(module, "some_module.py")
    observed.all()

    observed.unmark(module)

    assert module not in observed.all()


def test_module_that_was_removed_while_another_came_is_forgotten(
    observed: ObservedModules, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = loaded(monkeypatch, "some_module")
    observed.mark(module, "some_module.py")
    assert module in observed.all()

    monkeypatch.delitem(sys.modules, "some_module")
    loaded(monkeypatch, "another_module")

    assert module not in observed.all()


def test_module_that_was_marked_before_it_is_loaded_is_known_then(
    observed: ObservedModules, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = types.ModuleType("some_module")
    observed.mark(module, "some_module.py")
    assert module not in observed.all()

    monkeypatch.setitem(sys.modules, "some_module", module)

    assert module in observed.all()

"""Sandboxes below a directory of the test, so that tests in parallel share nothing, and none leaves anything.

Starting a keeper takes as long as most tests: one per backend serves a whole file of tests, emptied after each.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from racehound.processes import procfs
from racehound.processes.backend import NAMES
from racehound.processes.sandbox import Sandbox
from racehound.processes.trees import empty_directory

Boxes = Callable[[str], Sandbox]


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boxes]:
    """A sandbox per name of a backend, made when first asked for."""
    base = tmp_path_factory.mktemp("sandboxes")
    found: dict[str, Sandbox] = {}
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setattr(tempfile, "tempdir", str(base))

        def box(backend: str) -> Sandbox:
            if backend not in found:
                found[backend] = stack.enter_context(Sandbox(backend=backend))
            return found[backend]

        yield box
    assert list(base.iterdir()) == []


def emptied(box: Sandbox) -> Iterator[Sandbox]:
    """The sandbox as it was when it was made; no process of any run is left in it."""
    yield box
    assert procfs.descendants(box.keeping.process) == []
    for place in (box.work, box.home):
        empty_directory(place)
    box.keep_as_golden()


@pytest.fixture
def sandbox(boxes: Boxes) -> Iterator[Sandbox]:
    """Observed as is usual here."""
    yield from emptied(boxes(""))


@pytest.fixture(params=NAMES)
def each_sandbox(request: pytest.FixtureRequest, boxes: Boxes) -> Iterator[Sandbox]:
    """One after the other observed by each backend."""
    box = boxes(request.param)
    missing = {backend.name: backend.why_not for backend in box.backends() if not backend.works}
    if request.param in missing:
        pytest.skip(f"{request.param} does not work here: {missing[request.param]}")
    yield from emptied(box)


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where sandboxes are made that a test opens itself."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path

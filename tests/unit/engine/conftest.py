from collections.abc import Iterator

import pytest

from racehound.engine.explorer import Explorer


@pytest.fixture(name="explorer")
def _explorer() -> Iterator[Explorer]:
    explorer = Explorer()
    yield explorer
    explorer.close()

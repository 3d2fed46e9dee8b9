"""What Python has compiled need not be parsed to know that it is Python."""

import os
import py_compile
from pathlib import Path

import pytest

from racehound.source import damage
from racehound.source.compiled import is_compiled
from racehound.source.damage import is_accepted

SOURCE = b"x = 1\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "module.py"
    path.write_bytes(SOURCE)
    py_compile.compile(str(path), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)
    return path


def test_compiled_file_is_known(source: Path) -> None:
    assert is_compiled(str(source), len(SOURCE))


def test_compiled_file_is_not_looked_at_again(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "symtable", None)

    assert is_accepted(SOURCE, str(source))


def test_file_that_was_not_compiled_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_bytes(b"x = \n")

    assert not is_compiled(str(path), 5)
    assert not is_accepted(b"x = \n", str(path))


def test_change_of_the_size_is_noticed(source: Path) -> None:
    status = source.stat()
    source.write_bytes(b"x = (\n\n")
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert not is_compiled(str(source), 7)


def test_content_of_another_size_than_that_of_the_file_is_none_of_it(source: Path) -> None:
    assert not is_compiled(str(source), len(SOURCE) + 1)


def test_change_of_the_time_is_noticed(source: Path) -> None:
    source.write_bytes(b"x = (\n")
    os.utime(source, (1, 1))

    assert not is_compiled(str(source), 6)


def test_file_that_goes_by_its_digest_is_looked_at(source: Path) -> None:
    py_compile.compile(str(source), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)

    assert not is_compiled(str(source), len(SOURCE))


def test_name_that_nothing_is_compiled_to_is_no_error() -> None:
    assert not is_compiled("", 0)
    assert not is_compiled("nul\0", 0)

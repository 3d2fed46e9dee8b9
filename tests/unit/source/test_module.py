from pathlib import Path

import pytest

from racehound.model.report import Diagnostic
from racehound.source.module import SourceModule, display_path


def read(path: Path, data: bytes) -> SourceModule | Diagnostic:
    path.write_bytes(data)
    return SourceModule.from_path(path)


def test_module_is_read_in_the_encoding_it_declares(tmp_path: Path) -> None:
    module = read(tmp_path / "latin.py", "# -*- coding: latin-1 -*-\nname = 'é'\r\n".encode("latin-1"))

    assert isinstance(module, SourceModule)
    assert module.text == "# -*- coding: latin-1 -*-\nname = 'é'\n"


def test_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    module = read(tmp_path / "marked.py", b"\xef\xbb\xbfx = 1\n")

    assert isinstance(module, SourceModule)
    assert module.text == "x = 1\n"


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"x = 1\ndef f(:\n", "not valid Python", 2),
        (b"print 'two'\n", "not valid Python", 1),
        (b"x = '\0'\n", "not valid Python", None),
        (b"x = '\xff'\n", "cannot be decoded", 0),
        (b"# coding: nonsense\n", "cannot be decoded", 0),
        (b"# coding: raw_unicode_escape\nx = '\\ud800'\n", "not valid Python", None),
        (b"x = " + b"(" * 1000 + b")" * 1000 + b"\n", "", None),
        (b"x = " + b"-" * 100_000 + b"1\n", "nested too deeply", None),
    ],
    ids=[
        "syntax",
        "python-2",
        "null-byte",
        "not-utf-8",
        "unknown-encoding",
        "lone-surrogate",
        "brackets",
        "too-deep",
    ],
)
def test_file_that_is_not_python_gives_one_line(
    tmp_path: Path, data: bytes, message: str, line: int | None
) -> None:
    result = read(tmp_path / "bad.py", data)

    assert isinstance(result, Diagnostic)
    assert message in result.message
    assert line is None or result.line == line
    assert "\n" not in str(result)


def test_file_that_cannot_be_opened_gives_one_line(tmp_path: Path) -> None:
    result = SourceModule.from_path(tmp_path / "gone.py")

    assert isinstance(result, Diagnostic)
    assert result.message == "cannot be read: No such file or directory"


def test_warnings_about_the_code_are_not_ours() -> None:
    assert SourceModule.from_text("x = '\\d' is 1\n").text == "x = '\\d' is 1\n"


def test_path_is_shown_from_where_the_hunt_began(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert display_path(tmp_path / "pkg" / "a.py") == "pkg/a.py"
    assert display_path(Path("./pkg/../b.py")) == "b.py"
    assert display_path(tmp_path.parent / "c.py") == (tmp_path.parent / "c.py").as_posix()

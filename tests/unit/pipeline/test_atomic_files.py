from pathlib import Path

import pytest

from racehound.errors import UsageError
from racehound.pipeline.files import write_atomically


def test_a_temporary_name_that_is_taken_is_left_to_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("racehound.pipeline.files.token_hex", lambda size: "x" * size)
    theirs = tmp_path / ".f.xxxx"
    theirs.write_text("theirs")

    with pytest.raises(UsageError, match="cannot write"):
        write_atomically(tmp_path / "f", "mine")

    assert theirs.read_text() == "theirs"

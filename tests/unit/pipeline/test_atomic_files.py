import errno
import os
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


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, "all of it")

        assert os.read(reader, 100) == b"all of it"
        assert pipe.is_fifo()
    finally:
        os.close(reader)


def test_a_device_that_takes_nothing_is_complained_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    device = tmp_path / "device"
    os.mkfifo(device)
    monkeypatch.setattr(Path, "write_bytes", refuse)

    with pytest.raises(UsageError, match="No space left"):
        write_atomically(device, "much")

    assert device.is_fifo()

import os
import tempfile
import uuid
from pathlib import Path

DEFAULT = "/tmp/input.txt"


def reads():
    return open(DEFAULT).read()


def unique(data):
    path = f"/tmp/{uuid.uuid4()}"
    with open(path, "w") as file:
        file.write(data)


def given(directory, data):
    with open(os.path.join(directory, "x"), "w") as file:
        file.write(data)


def sometimes(path=None):
    target = path or "/tmp/x"
    other = compute()
    with open(other, "w") as file:
        file.write(target)


def own_directory(data):
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "x").write_text(data)


def number(a, b):
    with open(a / b, "w") as file:
        file.write("")

import os
from pathlib import Path


def expected(name):
    try:
        if os.path.exists(name):
            os.remove(name)
    except OSError:
        pass


def other_path(name, other):
    if os.path.exists(name):
        os.remove(other)


def own(tmp_path):
    if os.path.exists(tmp_path):
        os.remove(tmp_path)


def only_looks(name):
    return os.path.exists(name)


def removed_elsewhere(name):
    if not os.path.exists(name):
        return
    with lock:
        print(name)


def under_a_lock(name, file_lock):
    with file_lock:
        if not os.path.exists(name):
            os.mkdir(name)


def other_branch(name):
    if os.path.exists(name):
        print("there")
        return
    elif name:
        print("none")


def forgiving(name):
    if Path(name).exists():
        Path(name).unlink(missing_ok=True)


def queryset(rows):
    if rows.exists():
        rows.delete()


def remote(server, name):
    if not server.exists(name):
        server.mkdir(name)


def before(name):
    os.mkdir(name)
    if os.path.exists(name):
        print("made")


def text(value):
    if value.exists():
        return value.replace("a", "b")

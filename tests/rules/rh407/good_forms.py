import contextlib
import os
import tempfile
from pathlib import Path


def clear_sessions(directory: Path):
    for entry in directory.iterdir():
        entry.unlink(missing_ok=True)


def purge_cache(cache_directory):
    for name in os.listdir(cache_directory):
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(cache_directory, name))


def remove_one(cache_directory, name):
    print(os.listdir(cache_directory))
    os.remove(os.path.join(cache_directory, name))


def in_own_directory():
    cache = tempfile.mkdtemp()
    for name in os.listdir(cache):
        os.remove(os.path.join(cache, name))

"""Which file holds the settings: the nearest one, from the files under analysis upwards."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from racehound.config.read import PROJECT, has_section, read_settings
from racehound.config.settings import Settings

NAMES = (".racehound.toml", "racehound.toml", PROJECT)
"""In one directory, the earlier one counts."""


def settings_for(paths: Iterable[str]) -> Settings:
    """Those of the nearest file in the common directory of all paths or above; none where there is no file."""
    for file in _candidates(_common(paths)):
        if file.name != PROJECT or has_section(file):
            return read_settings(file)
    return Settings()


def _candidates(start: Path) -> Iterator[Path]:
    for directory in (start, *start.parents):
        for name in NAMES:
            if os.path.isfile(directory / name):  # noqa: PTH113 - does not raise
                yield directory / name


def _common(paths: Iterable[str]) -> Path:
    places = [Path(os.path.abspath(path)) for path in paths] or [Path.cwd()]  # noqa: PTH100 - links stay as they are
    folders = [place if os.path.isdir(place) else place.parent for place in places]  # noqa: PTH112 - does not raise
    return Path(os.path.commonpath(folders))

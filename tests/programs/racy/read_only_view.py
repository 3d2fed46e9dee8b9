"""Readers have a view that they cannot write to; it changes all the same."""

import types


class Settings:
    def __init__(self) -> None:
        self._values = {"host": "a", "port": "1"}
        self.values = types.MappingProxyType(self._values)

    def move(self) -> None:
        self._values["host"] = "b"
        self._values["port"] = "2"

    def address(self) -> str:
        return self.values["host"] + self.values["port"]


setup = Settings
WORKERS = [Settings.move, Settings.address]

"""A frozen dataclass that bumps its own field."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Version:
    number: int = 0

    def bump(self) -> None:
        object.__setattr__(self, "number", self.number + 1)


setup = Version
WORKERS = [Version.bump, Version.bump]

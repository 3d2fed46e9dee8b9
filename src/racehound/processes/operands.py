"""Where a system call names its files."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """A path in argument `path`, relative to the directory in argument `directory` or to the working directory."""

    path: int
    directory: int | None = None
    follow: bool = False
    """Whether a symbolic link at the end is followed."""


@dataclass(frozen=True, slots=True)
class Descriptor:
    argument: int


Operand = Name | Descriptor

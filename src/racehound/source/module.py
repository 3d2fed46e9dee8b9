"""One file of Python, read and parsed, or the one line that says why not."""

import ast
import io
import os
import sys
import tokenize
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from racehound.model.report import Diagnostic
from racehound.source.notebook import notebook_source

NOTEBOOK = ".ipynb"
_NOT_PYTHON = f"not valid Python {sys.version_info.major}.{sys.version_info.minor}"
"""Newer syntax is no mistake: it wants a newer interpreter to read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceModule:
    """Text and syntax tree of a module; `path` is how findings name it."""

    path: str
    text: str
    tree: ast.Module

    @classmethod
    def from_text(cls, text: str, path: str = "module.py") -> Self:
        """Raises SyntaxError (and what else `ast.parse` raises) where the text is not Python."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes and the like are the author's business
            return cls(path=path, text=text, tree=ast.parse(text))

    @classmethod
    def from_path(cls, path: Path) -> Self | Diagnostic:
        name = display_path(path)
        try:
            data = path.read_bytes()
        except OSError as error:
            return Diagnostic(path=name, message=f"cannot be read: {error.strerror or error}")
        return cls.from_bytes(data, name)

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> Self | Diagnostic:
        try:
            text = decoded(data, name)
        except (SyntaxError, ValueError, LookupError, RecursionError) as error:
            return Diagnostic(path=name, message=f"cannot be decoded: {_in_one_line(error)}")
        return cls._parse(text, name)

    @classmethod
    def _parse(cls, text: str, name: str) -> Self | Diagnostic:
        try:
            return cls.from_text(text, name)
        except SyntaxError as error:
            return Diagnostic(path=name, message=f"{_NOT_PYTHON}: {error.msg}", line=error.lineno or 0)
        except ValueError as error:
            return Diagnostic(path=name, message=f"{_NOT_PYTHON}: {error}")
        except (RecursionError, MemoryError):
            return Diagnostic(path=name, message="nested too deeply to be parsed")


def display_path(path: Path) -> str:
    """Relative to the current directory where the file lies below it, with forward slashes everywhere."""
    if not path.is_absolute():
        return Path(os.path.normpath(path)).as_posix()
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def home_path(path: str | Path, root: str) -> str:
    """Relative to the root of the project; empty where that is how it is displayed, or the file lies elsewhere."""
    if not root:
        return ""
    home = os.path.relpath(path, root).replace(os.sep, "/")
    is_elsewhere = home == ".." or home.startswith("../")
    return "" if is_elsewhere or home == display_path(Path(path)) else home


def decoded(data: bytes, name: str) -> str:
    """The text of a file, or the code of a notebook, with the line ends of Python."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    text = data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    return notebook_source(text) if name.endswith(NOTEBOOK) else text


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__

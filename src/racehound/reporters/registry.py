"""The formats by name; each is loaded when it is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from racehound.model.report import Report

FORMATS = {
    "text": "text",
    "markdown": "markdown",
    "json": "json_format",
    "sarif": "sarif",
    "html": "html_format",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
}
"""From the name of a format to its module, which has a function `render`."""

DETAILED = frozenset({"sarif", "html"})
"""Formats that show the pages of the rules and the source around the findings."""


class Render(Protocol):
    def __call__(self, report: "Report", /) -> str: ...


def reporter(name: str) -> Render:
    module = import_module(f"racehound.reporters.{FORMATS[name]}")
    return cast("Render", module.render)  # a test holds that each module of FORMATS has it

"""The formats of an audit by name; each is loaded when it is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from racehound.model.audit import Audit

FORMATS = {"text": "audit_text", "markdown": "audit_markdown", "json": "audit_json", "html": "audit_html"}


class Render(Protocol):
    def __call__(self, audit: "Audit", /) -> str: ...


def reporter(name: str) -> Render:
    module = import_module(f"racehound.reporters.{FORMATS[name]}")
    return cast("Render", module.render)  # a test holds that each module of FORMATS has it

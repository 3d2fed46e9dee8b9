"""From flag, environment or chance to the id that names a session."""

from __future__ import annotations

import os

from racehound.guard.errors import SessionRefused
from racehound.guard.places import why_unsafe

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping

GENERIC_VARIABLE = "TOOL_SESSION_ID"
FLAG = "--session-id"


def tool_variable(tool: str) -> str:
    """The environment variable of one tool: `my-tool` reads `MY_TOOL_SESSION_ID`."""
    return tool.upper().replace("-", "_") + "_SESSION_ID"


def resolve(tool: str, given: str | None, environment: Mapping[str, str]) -> str:
    """The flag wins over the tool's own variable, that over the general one, that over chance."""
    if given is not None:
        return checked(given, FLAG)
    for variable in (tool_variable(tool), GENERIC_VARIABLE):
        if variable in environment:
            return checked(environment[variable], variable)
    return f"run-{os.urandom(8).hex()}"


def checked(session_id: str, source: str) -> str:
    reason = why_unsafe(session_id)
    if reason:
        raise SessionRefused(
            f"The session id from {source} is refused: {reason}",
            suggestion="Use 1 to 128 ASCII letters, digits and . _ - + @ =, beginning with a letter or digit",
            detail=f"source={source}",
        )
    return session_id

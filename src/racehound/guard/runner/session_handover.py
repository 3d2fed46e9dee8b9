"""The session id that a command finds in its environment."""

from collections.abc import Sequence
from pathlib import PurePath

from racehound.guard.session_id import GENERIC_VARIABLE, tool_variable


def session_variables(argv: Sequence[str], session_id: str) -> dict[str, str]:
    """`TOOL_SESSION_ID`, and the variable of the program's own name where that can be one."""
    own = tool_variable(PurePath(argv[0]).name)
    return dict.fromkeys((GENERIC_VARIABLE, GENERIC_VARIABLE if "=" in own else own), session_id)

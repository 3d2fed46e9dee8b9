"""The session id that a command finds in its environment."""

import re
from collections.abc import Sequence
from pathlib import PurePath


def session_variables(argv: Sequence[str], session_id: str) -> dict[str, str]:
    """`TOOL_SESSION_ID`, and the same with the name of the program in place of `TOOL`."""
    prefix = re.sub(r"\W", "_", PurePath(argv[0]).name, flags=re.ASCII).upper()
    return {"TOOL_SESSION_ID": session_id, f"{prefix}_SESSION_ID": session_id}

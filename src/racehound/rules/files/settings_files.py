"""Files of settings and states: each start of a program reads them, whether or not that can be seen."""

import re

from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall

_SETTINGS = re.compile(r"config|(?<![a-z])(conf|cfg|prefs)(?![a-z])|settings?(?![a-z])|preferences", re.IGNORECASE)
_KEEPS = re.compile(r"_*(save|write|store|dump|persist|update|set|put)(_?(to_)?(file|disk|json|yaml|toml))?")
_KEEPS_SETTINGS = re.compile(
    r"_*(save|write|store|dump|persist|update|set)_(\w+_)?(config|conf|cfg|settings?|preferences|prefs)(_(file|value|option|key))?"
)
_DUMPERS = frozenset({"dump", "dumps", "safe_dump", "dump_all", "safe_dump_all"})


def is_of_settings(function: FunctionFacts, call: FileCall) -> bool:
    """True if a name says so: of the file itself, of the function that saves it, or of the class it belongs to."""
    home = function.qualified_name.rpartition(".")[0]
    keeps = _SETTINGS.search(home) is not None and _KEEPS.fullmatch(function.name) is not None
    return keeps or is_named_for_settings(function, call)


def is_named_for_settings(function: FunctionFacts, call: FileCall) -> bool:
    own = call.path.rpartition(".")[2] if re.fullmatch(r"[\w.]+", call.path) else call.path
    return _SETTINGS.search(own) is not None or _KEEPS_SETTINGS.fullmatch(function.name) is not None


def puts_into_form(function: FunctionFacts, call: FileCall) -> bool:
    """True for `json.dump(settings, file)`: half of what is written is no shorter text, but an error."""
    return any(
        isinstance(event, Call) and event.method in _DUMPERS and event.span.line >= call.span.line - 2
        for event in function.events
    )

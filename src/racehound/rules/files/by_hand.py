"""What a person runs by hand, one at a time: commands, generators of code and pages, first steps of a project."""

import re
from functools import lru_cache

from racehound.analysis.locking.locksets import is_constructor
from racehound.rules.files.file_names import binds
from racehound.rules.files.file_steps import is_lasting, is_program, is_script
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall

_DIRECTORIES = frozenset(
    {"cli", "commands", "command", "sphinxext", "docs", "scaffolding", "templates", "quickstart"}
)
_MODULES = re.compile(
    r"_*(cli|commands?|main|__main__|quickstart|scaffold\w*|\w*sphinx\w*|\w*(doc|stub|code)_?gen\w*)"
)
_FUNCTIONS = re.compile(
    r"(prepare_metadata_for_)?build_(wheel|sdist|editable)"
    r"|(upgrade|downgrade)"
    r"|_*(init|generate_\w+|gen_\w+|scaffold\w*|start_?(project|app)|\w*(template|skeleton)s?)"
)
_ASKS = re.compile(r"(\w+_)?(input|prompt|confirm|ask)(_\w+)?")
_ARGUMENTS = re.compile(
    r"(parsed_?)?(args|arguments|opts|options|namespace|ns|flags|cmd_?line|known_args)", re.IGNORECASE
)
_COMMON = re.compile(
    r"config|setting|cach|home|log(s|ging)?(?![a-z])|state|session|data_?(dir|path)|storage|(?<!re)store|lock|pid|socket"
    r"|user_?dir|runtime|profile|credential|token(?!i[sz])|cred|persist(er|ence)|spool",
    re.IGNORECASE,
)
"""Names of what all who start the program have in common."""
_COMMON_PLACE = re.compile(r"upload|download|media", re.IGNORECASE)
"""So have directories of this name; a function that downloads does so to where its caller says."""


_PREPARES = re.compile(
    r"_*(ensure|mkdirs?|make_?dirs?|prepare|(create|make|check|init)\w*_(dirs?|director(y|ies)|folders?|paths?))(_\w+)?"
)
_RESULTS = re.compile(
    r"(?<![a-z])(out|output|outputs|results?)(_?(dir|path|folder|file)\w*)?(?![a-z])", re.IGNORECASE
)
"""Whoever makes the object says where what it finds out is put."""
_SHORT = 10
"""Events of a function that does nothing else."""


def is_prepared_for_all(function: FunctionFacts, call: FileCall) -> bool:
    """True for a directory that all have in common, and for a step that is there to make directories.

    What a function writes where its caller says is most often written by one.
    """
    if function.calls_of("getcwd") or function.calls_of("cwd"):
        return False  # whoever works there
    if function.is_module_body or (is_lasting(function, call.path) and is_constructor(function)):
        return not _RESULTS.search(_name_of(call.path))
    if _PREPARES.fullmatch(function.name) and len(function.events) <= _SHORT:
        return True
    if _COMMON_PLACE.search(call.path) or _COMMON.search(_name_of(call.path)):
        return True
    return any(map(_COMMON.search, (function.qualified_name, function.module.path.rpartition("/")[2])))


def _name_of(path: str) -> str:
    """The path without what keeps it: `SCREENSHOTS` of `settings.SCREENSHOTS`."""
    return path.rpartition(".")[2] if re.fullmatch(r"[\w.]+", path) else path


def is_by_hand(function: FunctionFacts, call: FileCall) -> bool:
    if is_alone_at_it(function, call):
        return True
    if _COMMON.search(call.path) or _COMMON_PLACE.search(call.path):
        return False
    return is_command(function) or (_is_argument(function, call) and not _COMMON.search(function.qualified_name))


def is_alone_at_it(function: FunctionFacts, call: FileCall) -> bool:
    """True for a file of all runs where nobody starts two: a person is asked first, or names or owns the file."""
    if _START_FILE.search(call.path):
        return True
    return is_script(function.module) or _is_asked_first(function, call) or _is_typed(call)


_START_FILE = re.compile(r"(?<![a-z])((ba|z|k|c|tc)?shrc|rc)(?![a-z])", re.IGNORECASE)
"""What shells begin with is the user's, and changed once, when something is installed."""


def is_command(function: FunctionFacts) -> bool:
    *directories, name = function.module.path.replace("\\", "/").split("/")
    if not _DIRECTORIES.isdisjoint(directories) or _MODULES.fullmatch(name.removesuffix(".py")):
        return True
    return (
        _FUNCTIONS.fullmatch(function.name) is not None or is_program(function.module) or _is_build_step(function)
    )


def _is_build_step(function: FunctionFacts) -> bool:
    """True for a command of a build: a class of the kind that setuptools runs."""
    owner = function.owner
    return owner is not None and any((base.root, *base.attributes)[-1] == "Command" for base in owner.bases)


def _is_asked_first(function: FunctionFacts, call: FileCall) -> bool:
    """True if somebody is at the keyboard."""
    asked = _first_asked(function)
    return asked is not None and asked < call.at


@lru_cache(maxsize=4)
def _first_asked(function: FunctionFacts) -> int | None:
    events = enumerate(function.events if Call in function.holds else ())
    return next((at for at, event in events if isinstance(event, Call) and _ASKS.fullmatch(event.method)), None)


def _is_typed(call: FileCall) -> bool:
    """True for `options.profile` itself: whoever types the command says which."""
    place = call.value.place
    return place is not None and bool(place.attributes) and _ARGUMENTS.fullmatch(place.root) is not None


def _is_argument(function: FunctionFacts, call: FileCall) -> bool:
    """True for `args.output`, also by way of a local variable: whoever types the command says where."""
    place = call.value.place
    if place is None:
        return False
    given = [
        item.place for event in binds(function, place.root) for item in event.values if item.place is not None
    ]
    return any(_ARGUMENTS.fullmatch(item.root) and item.attributes for item in (place, *given))

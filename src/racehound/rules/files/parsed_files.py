"""Files that are no mere text to their reader: half of one raises."""

from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall

_PARSERS = frozenset(
    {
        *("load", "loads", "load_all", "safe_load", "full_load", "unsafe_load", "safe_load_all", "load_yaml"),
        *("parse", "parse_string", "fromstring", "read_file", "read_string", "model_validate_json", "parse_raw"),
        *("from_json", "from_string", "decode", "unpack", "unpackb", "Unpickler", "read_json", "parse_file"),
    }
)
_READERS = frozenset({"read", "loadtxt", "read_csv", "read_parquet", "read_pickle"})
"""What opens the file itself: `parser.read(path)`."""


def makes_sense_of(reader: FunctionFacts, read: FileCall) -> bool:
    """True for `json.load(file)`: what is empty or cut off is an error there, and no shorter text."""
    following = reader.events[read.at :]
    if any(isinstance(event, Call) and event.method in _READERS for event in following[:1]):
        return True
    return any(isinstance(event, Call) and event.method in _PARSERS for event in following)

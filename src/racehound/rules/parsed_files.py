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


def makes_sense_of(reader: FunctionFacts, read: FileCall) -> bool:
    """True for `json.load(file)`: what is empty or cut off is an error there, and no shorter text."""
    return any(isinstance(event, Call) and event.method in _PARSERS for event in reader.events[read.at :])

"""Configuration as INI; comments, order and spelling survive.

Sections hold text. Anything else is turned into text when it is written: true, 1, 2.5.
"""

from __future__ import annotations

from configparser import ConfigParser
from configparser import Error as ParserError

from racehound.guard import ini_lines

TYPE_CHECKING = False

if TYPE_CHECKING:
    from racehound.guard.keys import Config


def load(text: str) -> Config:
    parser = _parser()
    try:
        parser.read_string(text)
    except ParserError as error:
        raise ValueError(str(error).replace("\n", " ")) from error
    return {section: dict(parser[section]) for section in parser.sections()}


def dump(config: Config, old: str) -> str:
    """The old text, with the lines of changed keys exchanged.

    Raises:
        ValueError: for values that would read back as something else.
    """
    wanted = {section: _texts(section, values) for section, values in config.items()}
    text = ini_lines.edit(old, load(old), wanted)
    if load(text) != wanted:
        raise ValueError("INI cannot hold a name or value with such line breaks, blanks or signs")
    return text


def _parser() -> ConfigParser:
    parser = ConfigParser(interpolation=None, default_section="", empty_lines_in_values=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # the documented way to keep the case of keys
    return parser


def _texts(section: str, values: object) -> dict[str, str]:
    if not isinstance(values, dict):
        raise TypeError(f"INI has values in sections only: give {section!r} as section.key")
    for name, value in values.items():
        if isinstance(value, dict):
            raise TypeError(
                f"INI has no sections in sections: give ['{section}.{name}', 'key'] for a name with a dot"
            )
    return {name: _text(value) for name, value in values.items()}


def _text(value: object) -> str:
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case _:
            raise TypeError(f"INI has no {type(value).__name__}")

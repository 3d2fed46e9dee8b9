"""How code without a name of its own is called in a sentence: `<module>` and `<lambda:12:8>` are for machines."""

import re

MODULE = "the body of the module"
_NAMELESS = re.compile(r"`(?:[\w.<>:]*\.)?<(?:lambda:(\d+):\d+|module)>`")
_AT_THE_START = re.compile(r"(?:^|(?<=\. ))the (?=body of the module|lambda in line)")


def in_words(text: str) -> str:
    """The text with a lambda called by its line, and with the top level of a module called that."""
    if "<" not in text:
        return text
    named = _NAMELESS.sub(lambda match: f"the lambda in line {match[1]}" if match[1] else MODULE, text)
    return _AT_THE_START.sub("The ", named)


def doer(qualified_name: str) -> str:
    """What does an operation, for the beginning of a sentence: `Stock.take`, or a lambda in something."""
    outer, _, inner = qualified_name.rpartition(".<locals>.")
    if inner.startswith("<lambda:"):
        return f"a lambda in {MODULE if outer == '<module>' else f'`{outer}`'}"
    return MODULE if qualified_name == "<module>" else f"`{qualified_name}`"

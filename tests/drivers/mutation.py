"""Real Python files, damaged: what a hunt must survive."""

import io
import random
import tokenize
from collections.abc import Callable, Iterator

FRAGMENTS = (
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\t", b"(", b")", b"[", b"{", b":", b"\\\n", b'"""', b"'", b"#"),
    *(b"async ", b"await ", b"yield ", b"lambda: ", b"with lock:\n    ", b"global x\n", b"nonlocal y\n", b"del "),
    *(b"import threading\n", b"self.", b"threading.Lock()", b"return\n", b"class ", b"def f(", b"match x:\n"),
    *(
        b"# racehound: ignore[",
        b"# guarded_by: ",
        b"Annotated[int, guarded_by('x')]",
        b"# -*- coding: utf-16 -*-\n",
    ),
)


def mutants(data: bytes, *, seed: int, count: int) -> Iterator[bytes]:
    """Damaged copies, each by a few mutations; the same seed gives the same ones."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    kinds: tuple[Callable[[bytes, random.Random], bytes], ...] = (_bytes, _lines, _tokens)
    for _ in range(count):
        mutant = data
        for _ in range(chance.randint(1, 4)):
            mutant = chance.choice(kinds)(mutant, chance)
        yield mutant


def _bytes(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((0, 1, 1, 5, 40, 400)))
    inserted = chance.choice((*FRAGMENTS, b"", data[start:end] * 2, bytes([chance.randrange(256)])))
    return data[:start] + inserted + data[end:]


def _lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = b"    " + lines[at]
        case _:
            lines[at] = lines[at].removeprefix(b"    ")
    return b"".join(lines)


def _tokens(data: bytes, chance: random.Random) -> bytes:
    """One token becomes another of the same kind: most of the results are still Python."""
    if b"\0" in data:  # on which the tokenizer of Python 3.13.0 fails in a way of its own
        return _bytes(data, chance)
    try:
        found = list(tokenize.generate_tokens(io.StringIO(data.decode()).readline))
    except (tokenize.TokenError, SyntaxError, UnicodeDecodeError):
        return _bytes(data, chance)
    named = [token for token in found if token.type in {tokenize.NAME, tokenize.OP, tokenize.NUMBER}]
    if not named:
        return data
    token = chance.choice(named)
    other = chance.choice([item for item in named if item.type == token.type])
    lines = data.decode().split("\n")
    (line, start), (_, end) = token.start, token.end
    text = lines[line - 1]
    lines[line - 1] = text[:start] + other.string + text[end:]
    return "\n".join(lines).encode()

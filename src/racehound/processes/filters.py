"""Programs for the kernel's packet filter that choose which calls stop.

Classic BPF only jumps forward, and at most 255 instructions far: every question about arguments is a block of its
own that ends in an answer, so that no jump has to leave it.
"""

import struct
from collections.abc import Mapping, Sequence

from racehound.processes.conditions import AnyBit, Condition, NoBit, OneOf

ALLOW = 0x7FFF0000
NOTIFY = 0x7FC00000
TRACE = 0x7FF00000

LOAD, RETURN = 0x20, 0x06
JUMP_EQUAL, JUMP_ABOVE, JUMP_AT_LEAST, JUMP_ANY_BIT = 0x15, 0x25, 0x35, 0x45
NUMBER, ARCHITECTURE, CALLER, ARGUMENTS = 0, 4, 8, 16
FOREIGN_BIT = 0x40000000
"""Set in the numbers of the x32 ABI."""

Instruction = tuple[int, int, int, int]


def assemble(
    architecture: int, traps: Mapping[int, Sequence[Condition]], action: int, spared: range = range(0)
) -> bytes:
    """Stops at the calls in `traps` whose conditions hold, and at every call of a foreign architecture.

    Calls from code at the `spared` addresses pass. The numbers are asked for first: the kernel remembers which
    numbers always pass, and asks no more for those.
    """
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, action),
        (LOAD, 0, 0, NUMBER),
        (JUMP_AT_LEAST, 0, 1, FOREIGN_BIT),
        (RETURN, 0, 0, action),
    ]
    for number, conditions in sorted(traps.items()):
        block = [*_spare(spared), *_block(conditions, action)]
        program += [(JUMP_EQUAL, 0, len(block), number), *block]
    program.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _spare(addresses: range) -> list[Instruction]:
    """Lets calls from these addresses pass; the two halves of an address have to be asked for one by one."""
    asked: list[Instruction] = []
    start = addresses.start
    while start < addresses.stop:
        high = start >> 32
        end = min(addresses.stop, (high + 1) << 32)
        asked += [
            (LOAD, 0, 0, CALLER + 4),
            (JUMP_EQUAL, 0, 4, high),
            (LOAD, 0, 0, CALLER),
            (JUMP_AT_LEAST, 0, 2, start & 0xFFFFFFFF),
            (JUMP_ABOVE, 1, 0, (end - 1) & 0xFFFFFFFF),
            (RETURN, 0, 0, ALLOW),
        ]
        start = end
    return asked


def _block(conditions: Sequence[Condition], action: int) -> list[Instruction]:
    body: list[Instruction] = [(RETURN, 0, 0, action)]
    if conditions:
        body.append((RETURN, 0, 0, ALLOW))
    for condition in reversed(conditions):
        body = [*_question(condition, allow=len(body) - 1), *body]
    return body


def _question(condition: Condition, allow: int) -> list[Instruction]:
    """Falls through where the condition holds, else jumps `allow` instructions further."""
    load = (LOAD, 0, 0, ARGUMENTS + 8 * condition.argument)
    match condition:
        case AnyBit(mask=mask):
            return [load, (JUMP_ANY_BIT, 0, allow, mask)]
        case NoBit(mask=mask):
            return [load, (JUMP_ANY_BIT, allow, 0, mask)]
        case OneOf(values=values):
            last = len(values) - 1
            return [
                load,
                *((JUMP_EQUAL, last - i, allow if i == last else 0, value) for i, value in enumerate(values)),
            ]

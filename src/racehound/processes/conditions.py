"""What a filter in the kernel can ask about a call: numbers among its arguments, never what a pointer leads to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnyBit:
    argument: int
    mask: int


@dataclass(frozen=True, slots=True)
class NoBit:
    argument: int
    mask: int


@dataclass(frozen=True, slots=True)
class OneOf:
    argument: int
    values: tuple[int, ...]


Condition = AnyBit | NoBit | OneOf


def holds(condition: Condition, arguments: tuple[int, ...]) -> bool:
    """The same question, asked outside the kernel by the backend that stops at every call."""
    value = arguments[condition.argument] & 0xFFFFFFFF
    match condition:
        case AnyBit(mask=mask):
            return bool(value & mask)
        case NoBit(mask=mask):
            return not value & mask
        case OneOf(values=values):
            return value in values

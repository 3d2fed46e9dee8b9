"""Filters stop at exactly the calls whose conditions hold, as an interpreter of their instructions shows."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as some

from racehound.processes.calls import Detail
from racehound.processes.conditions import AnyBit, NoBit, OneOf, holds
from racehound.processes.filters import ALLOW, NOTIFY, assemble
from racehound.processes.syscalls import AUDIT_ARCHITECTURE, by_number, traps

WORD = 0xFFFFFFFF
numbers = some.integers(min_value=0, max_value=460)
words = some.integers(min_value=0, max_value=2**64 - 1) | some.sampled_from(
    [0, 1, 2, 6, 7, 37, 0x40049409, 0o102, 0x21]
)
arguments = some.tuples(words, words, words, words, words, words)


def decide(program: bytes, *, architecture: int, number: int, arguments: tuple[int, ...], caller: int = 0) -> int:
    """What the kernel would do."""
    data = struct.pack("=iIQ6Q", number, architecture, caller, *arguments)
    instructions = list(struct.iter_unpack("=HBBI", program))
    at, value = 0, 0
    while True:
        code, yes, no, operand = instructions[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("=I", data, operand)
            case 0x06:
                return int(operand)
            case 0x15:
                at += yes if value == operand else no
            case 0x25:
                at += yes if value > operand else no
            case 0x35:
                at += yes if value >= operand else no
            case 0x45:
                at += yes if value & operand else no
            case _:
                pytest.fail(f"unknown instruction {code:#x}")


@pytest.mark.slow
@pytest.mark.parametrize("machine", AUDIT_ARCHITECTURE)
@pytest.mark.parametrize("detail", Detail)
@given(number=numbers, arguments=arguments)
def test_a_call_stops_if_all_its_conditions_hold(
    machine: str, detail: Detail, number: int, arguments: tuple[int, ...]
) -> None:
    wanted = traps(machine, detail, afterwards=True)
    program = assemble(AUDIT_ARCHITECTURE[machine], wanted, NOTIFY)

    action = decide(program, architecture=AUDIT_ARCHITECTURE[machine], number=number, arguments=arguments)

    stops = number in wanted and all(holds(condition, arguments) for condition in wanted[number])
    assert action == (NOTIFY if stops else ALLOW)


@given(
    start=some.integers(min_value=0, max_value=2**47), length=some.integers(min_value=1, max_value=2**33), at=words
)
def test_calls_from_the_spared_addresses_pass(start: int, length: int, at: int) -> None:
    spared = range(start, start + length)
    program = assemble(1, {257: ()}, NOTIFY, spared)

    for caller in (at, start - 1 & 2**64 - 1, start, start + length - 1, start + length):
        action = decide(program, architecture=1, number=257, arguments=(0,) * 6, caller=caller)
        assert action == (ALLOW if caller in spared else NOTIFY)


def test_calls_of_another_architecture_stop() -> None:
    program = assemble(1, {}, NOTIFY)

    assert decide(program, architecture=2, number=39, arguments=(0,) * 6) == NOTIFY
    assert decide(program, architecture=1, number=0x40000000, arguments=(0,) * 6) == NOTIFY
    assert decide(program, architecture=1, number=39, arguments=(0,) * 6) == ALLOW


def test_conditions_look_at_the_low_half_of_an_argument() -> None:
    high = (1 << 40, 0, 0, 0, 0, 0)

    assert not holds(AnyBit(0, WORD), high)
    assert holds(NoBit(0, WORD), high)
    assert holds(OneOf(0, (0,)), high)


@pytest.mark.parametrize("machine", AUDIT_ARCHITECTURE)
def test_more_detail_stops_at_more(machine: str) -> None:
    changes, opens, everything = (traps(machine, detail) for detail in Detail)

    assert set(changes) == set(opens) < set(everything) <= set(by_number(machine))
    assert [number for number in opens if opens[number] != changes[number]]

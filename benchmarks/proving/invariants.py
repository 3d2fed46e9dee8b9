"""What must hold after the racy programs that have no invariant of their own.

racehound needs none of these; the peer does. Programs whose state is not what `setup` returns are not in the list.
"""

from collections.abc import Callable
from typing import Any


def nothing_to_check(_: object) -> bool:
    """The failure is an exception or a deadlock."""
    return True


INVARIANTS: dict[str, Callable[[Any], bool]] = {
    "abba_deadlock": nothing_to_check,
    "buried": lambda worker: worker.done == 2,
    "check_then_delete": nothing_to_check,
    "dining_deadlock": nothing_to_check,
    "duplicate_identifiers": lambda tickets: tickets.last == 3,
    "flag_before_value": nothing_to_check,
    "iterate_while_growing": nothing_to_check,
    "lock_of_its_own": lambda score: score.points == 2,
    "lost_update": lambda counter: counter.value == 2,
    "registered_half_made": nothing_to_check,
    "semaphore_of_two": lambda printer: printer.pages == 2,
    "semaphores_crosswise": nothing_to_check,
    "shrinking_list": nothing_to_check,
    "split_critical_section": lambda stock: stock.left >= 0,
    "stale_read_under_lock": lambda balance: balance.amount == 3,
    "transfer": lambda bank: bank.accounts["a"] >= 0,
    "try_lock_gives_up": lambda log: len(log.lines) == 2,
    "wrong_lock": lambda meter: meter.value == 0,
}

"""Which schedules are tried, and in which order."""

from dataclasses import replace

import pytest

from drivers.audited import a_run, a_serial, calls
from racehound.audit.drawing import drawn
from racehound.audit.locks import changed_outside, lock_files, locks_taken, only_appended, only_grown
from racehound.audit.plan import schedules_in
from racehound.audit.points import CHANGES, changing_points, shared_paths, switch_points, telling
from racehound.processes.outcome import Interleaving, Step

STEPS = ("open-read work/c", "open-exclusive work/t1", "write work/t1", "rename work/t1 -> work/c", "chmod work/c")
UPDATE = calls(*STEPS)
OTHER_UPDATE = calls(*(step.replace("t1", "t9") for step in STEPS))
PRIVATE = calls("open-create work/private", "open-read work/read-by-both")


def test_the_first_change_of_a_file_that_was_read_comes_first() -> None:
    points = switch_points(UPDATE, frozenset({"work/c"}))

    assert [str(item.point) for item in points] == ["rename work/c #1", "chmod work/c #1", "open-read work/c #1"]


def test_only_paths_that_both_touch_and_one_changes_are_shared() -> None:
    other = calls("open-read work/c", "open-read work/read-by-both", "open-write /dev/null")

    assert shared_paths([*UPDATE, *PRIVATE, *calls("open-write /dev/null")], other) == {"work/c"}


def test_many_calls_alike_are_thinned() -> None:
    many = calls(*["write work/c"] * 50)

    assert len(switch_points(many, frozenset({"work/c"}))) == 4


def test_of_many_locks_the_last_are_kept_as_well() -> None:
    """As of a database, which locks for each of its statements."""
    many = calls(*["fcntl-lock work/c", "fcntl-unlock work/c"] * 40)
    points = [item.point for item in switch_points(many, frozenset({"work/c"}))]

    assert [point.occurrence for point in points if point.call == "fcntl-unlock"] == [1, 2, 3, 4]
    assert [point.occurrence for point in points if point.call == "fcntl-lock"][::11] == [1, 40]


def first_schedules(*steps: str) -> list[str]:
    trace = calls(*steps)
    return [str(item) for item in schedules_in(a_serial(first=trace, second=trace), locks=frozenset())][:3]


def test_where_a_database_is_locked_once_more_comes_early() -> None:
    lock = ("fcntl-lock work/c", "fcntl-unlock work/c")
    change = ("fcntl-lock work/c", "write work/c", "fcntl-unlock work/c")

    assert "A before fcntl-lock work/c #12" in first_schedules(*change, *lock * 10, *change)


@pytest.mark.parametrize(("order", "place"), [("ba", 2), ("ab", None)])
def test_where_locks_are_taken_in_another_order_comes_early(order: str, place: int | None) -> None:
    change = ("open-read work/c", "open-read work/d", "open-truncate work/c", "open-truncate work/d")
    first, second = (calls(*(f"flock work/{name}.lock" for name in names), *change) for names in ("ab", order))
    schedules = schedules_in(a_serial(first=first, second=second), locks=frozenset())
    found = [str(item) for item in schedules[:3]]

    assert (found.index("A before flock work/b.lock #1") if place else None) == place
    assert place or "A before flock work/b.lock #1" not in found


def test_where_a_file_is_locked_after_it_was_read_comes_early() -> None:
    steps = ("open-read work/c", "open-exclusive work/c.lock", "write work/c.lock", "rename work/c.lock -> work/c")

    assert "A before open-exclusive work/c.lock #1" in first_schedules(*steps)
    assert "A before open-exclusive work/c.lock #1" not in first_schedules(steps[1], steps[0], *steps[2:])


def test_where_both_fill_and_use_one_temporary_file_comes_early() -> None:
    made = ("open-create work/c", "open-truncate work/t", "write work/t")

    assert "A before write work/t #1" in first_schedules(*made, "rename work/t -> work/c")
    assert "A before open-read work/t #1" in first_schedules(*made, "open-read work/t", "write work/c")


def test_a_file_that_is_made_if_it_is_missing_and_then_read_is_changed_by_what_comes_next() -> None:
    first = first_schedules("open-create work/c", "utime work/c", "open-read work/c", "open-append work/c")

    assert first[0] == "A before open-append work/c #1"


OPENED = ("open-read work/c", "open-create work/c")
"""As a database opens its file: first to see what it is."""


def test_a_database_that_is_opened_for_both_is_not_changed_by_that() -> None:
    locked = ("fcntl-lock work/c", "fcntl-unlock work/c", "fcntl-lock work/c")
    first = first_schedules(*OPENED, *locked, "write work/c", "fcntl-unlock work/c")

    assert first[0] == "A before write work/c #1"


def test_where_another_process_opens_what_was_read_before_comes_first() -> None:
    later = [call._replace(process=2, occurrence=2) for call in calls(*OPENED)]
    trace = [*calls(*OPENED), *later, *calls("write work/c")]

    schedules = schedules_in(a_serial(first=trace, second=trace), locks=frozenset())

    assert str(schedules[0]) == "A before open-create work/c #2"


def test_a_lock_directory_is_taken_away_from_where_it_is_opened_on() -> None:
    steal = ("open-read work/l/pid", "open-read work/l", "unlink work/l/pid", "rmdir work/l", "mkdir work/l")
    use = ("open-truncate work/l/pid", "open-read work/c", "open-truncate work/c")
    trace = calls("mkdir work/l", *steal, *use, "unlink work/l/pid", "rmdir work/l")
    serial = replace(a_serial(first=trace, second=trace), base={"work/l/": "", "work/l/pid": ""})

    first = [str(item) for item in schedules_in(serial, locks=frozenset())][:5]

    assert "A before open-read work/l #1, then B before open-truncate work/c #1" in first


def test_of_several_files_that_are_only_written_the_second_comes_first() -> None:
    steps = ("unlink work/d", "mkdir work/d", "open-truncate work/d/a", "write work/d/a", "open-truncate work/d/b")

    assert first_schedules(*steps, "write work/d/b")[0] == "A before open-truncate work/d/b #1"
    assert first_schedules("open-read work/d/a", *steps)[0] == "A before open-truncate work/d/a #1"


def test_a_line_that_is_appended_is_no_second_file() -> None:
    steps = ("open-truncate work/pid", "write work/pid", "open-append work/log", "write work/log")

    assert first_schedules(*steps)[0] == "A before open-truncate work/pid #1"


def test_a_directory_that_was_removed_is_made_anew() -> None:
    trace = calls("mkdir work/l", "rmdir work/l", "mkdir work/l")

    kept = telling(trace, folders=frozenset({"work/l"}), locks=frozenset())

    assert [call.name for call in kept] == ["rmdir", "mkdir"]


def test_calls_without_effect_are_left_out() -> None:
    trace = calls("mkdir home/d", "mkdir home/new", "write home/x.lock", "write home/data")

    kept = telling(trace, folders=frozenset({"home/d"}), locks=frozenset({"home/x.lock"}))

    assert [str(call) for call in kept] == ["mkdir home/new", "write home/data"]


def test_a_home_that_is_there_is_not_made_by_whoever_tries_all_parents() -> None:
    trace = calls("mkdir /tmp/box", "mkdir home", "mkdir home/.tool", "open-truncate home/.tool/id")

    schedules = schedules_in(a_serial(first=trace, second=trace), locks=frozenset())

    assert {str(item.point) for item in schedules} == {"mkdir home/.tool #1", "open-truncate home/.tool/id #1"}


def test_crash_points_follow_names_that_are_drawn_anew() -> None:
    again = calls("open-read work/c", "open-exclusive work/t2", "write work/t2", "rename work/t2 -> work/c")

    points = changing_points(UPDATE, again, most=30)

    assert [str(point) for point in points] == [
        "open-exclusive work/* #1",
        "write work/* #1",
        "rename work/c #1",
    ]


def test_crash_points_are_spread_where_there_are_too_many() -> None:
    trace = calls(*(f"write work/{number}" for number in range(100)))

    points = changing_points(trace, trace, most=5)

    assert [point.path for point in points] == ["work/0", "work/25", "work/50", "work/74", "work/99"]


def test_a_name_without_counterpart_becomes_any_name_in_its_folder() -> None:
    points = changing_points(calls("write work/x", "flock-unlock work/x"), [], most=3)

    assert [str(point) for point in points] == ["write work/* #1"]


def test_both_commands_are_stopped_in_turn_and_alike_ones_only_where_it_tells() -> None:
    alike = a_serial(first=UPDATE, second=OTHER_UPDATE)
    different = a_serial(first=UPDATE, second=calls("open-truncate work/c", "write work/c"))

    assert [str(item) for item in schedules_in(alike, locks=frozenset())] == [
        "A before rename work/c #1",
        "B before rename work/c #1",
        "A before chmod work/c #1",
        "A before open-read work/c #1",
    ]
    assert [str(item) for item in schedules_in(different, locks=frozenset())][1::2] == [
        "B before open-truncate work/c #1",
        "B before write work/c #1",
    ]


def test_fewer_ranks_leave_out_reads_and_locks() -> None:
    serial = a_serial(first=UPDATE, second=OTHER_UPDATE)

    assert not any("open-read" in str(item) for item in schedules_in(serial, locks=frozenset(), ranks=CHANGES))


def test_a_lock_that_is_made_and_removed_is_tried_with_two_switches() -> None:
    trace = calls(
        "open-create work/c.lock", "open-read work/c", "open-truncate work/c", "write work/c", "unlink work/c.lock"
    )

    serial = a_serial(first=trace, second=trace)
    nested, deep = (
        [item for item in schedules_in(serial, locks=frozenset(), deep=deep) if item.then]
        for deep in (False, True)
    )

    assert str(nested[0]) == "A before open-create work/c.lock #1, then B before open-truncate work/c #1"
    assert len(nested) <= 6
    assert deep[: len(nested)] == nested, "what tells most comes first however much is tried"
    assert len(deep) == len(set(deep))


def test_a_lock_file_that_is_looked_for_and_then_made_breaks_on_the_third_schedule() -> None:
    checked = calls("open-create work/pid", "open-read work/c", "open-truncate work/c", "unlink work/pid")
    exclusive = calls("open-exclusive work/pid", "open-read work/c", "open-truncate work/c", "unlink work/pid")
    journal = calls("fcntl-lock work/c", "open-create work/c-journal", "write work/c", "unlink work/c-journal")

    early, late, last = (
        [bool(item.then) for item in schedules_in(a_serial(first=trace, second=trace), locks=frozenset())]
        for trace in (checked, exclusive, journal)
    )

    assert early[:4] == [False, False, True, True]
    assert late == sorted(late), "one switch shows whether such a lock keeps the other out"
    assert last == sorted(last)


def test_taking_away_a_forgotten_lock_is_tried_before_the_other_points() -> None:
    trace = calls(
        "open-exclusive work/c.lock", "unlink work/c.lock", "open-exclusive work/c.lock",
        "open-read work/c", "open-truncate work/c", "unlink work/c.lock",
    )  # fmt: skip

    schedules = [str(item) for item in schedules_in(a_serial(first=trace, second=trace), locks=frozenset())]

    assert schedules[2].startswith("A before unlink work/c.lock #1, then B before ")


def test_deep_schedules_pair_every_point_with_every_other() -> None:
    serial = a_serial(first=UPDATE, second=OTHER_UPDATE)

    deep = schedules_in(serial, locks=frozenset(), deep=True)

    assert sum(bool(item.then) for item in deep) == 2 * 3 * 3


def test_a_lock_file_is_locked_and_named_for_it() -> None:
    trace = calls("flock home/x.lock", "fcntl-lock home/a.db", "open-read uv.lock", "open-exclusive home/.c.lock")

    assert lock_files(trace) == {"home/x.lock"}
    assert locks_taken(trace) == {"home/x.lock", "home/a.db", "home/.c.lock"}


def test_what_is_removed_before_it_is_made_is_replaced_and_no_lock() -> None:
    replaced = calls("unlink work/current", "symlink work/current", "rmdir work/cache", "mkdir work/cache")
    broken = calls("unlink work/busy", "open-exclusive work/busy", "write work/state", "unlink work/busy")

    assert locks_taken(replaced) == frozenset()
    assert locks_taken(broken) == {"work/busy"}


def test_the_clock_of_ids_belongs_to_the_system() -> None:
    made = [
        *calls("open-create /var/lib/libuuid/clock.txt", "open-create /var/lib/tool/state"),
        *calls("write work/f"),
    ]

    assert changed_outside([call._replace(outside=call.path.startswith("/")) for call in made]) == {
        "/var/lib/tool/state"
    }


def test_a_file_that_only_grows_is_recognised() -> None:
    grown = calls("open-append work/log", "write work/log", "open-truncate work/c", "write work/c")
    rewritten = calls("open-write work/a.tar", "write work/a.tar")

    assert only_appended([*grown, *rewritten]) == {"work/log"}


def test_a_file_that_is_read_and_appended_to_grows_but_the_order_of_its_lines_may_tell() -> None:
    counted = calls("open-append work/log", "write work/log", "open-read work/log")
    locked = calls("flock work/tally", "open-append work/tally", "write work/tally")

    assert only_grown([*counted, *locked]) == {"work/log"}
    assert only_appended([*counted, *locked]) == frozenset()


def test_a_file_that_is_opened_for_both_grows_unless_it_is_written_that_way() -> None:
    looked_at = calls("open-write work/log", "open-append work/log", "write work/log")
    patched = calls("open-append work/old", "write work/old", "open-write work/old", "write work/old")

    assert only_grown([*looked_at, *patched]) == {"work/log"}


def test_an_interleaving_is_drawn_by_command_with_repeated_calls_folded() -> None:
    first, second = calls("open-read work/c", "write work/c", "write work/c"), calls("write work/c")
    steps = (
        Step("first", first[0]),
        Step("second", second[0]),
        Step("first", first[1], stopped=True),
        Step("first", first[2]),
    )
    meeting = Interleaving(
        first=a_run(calls=first), second=a_run(calls=second), reached=True, second_waited=False, steps=steps
    )

    assert [(call.task, call.call, call.switch) for call in drawn(meeting, exchanged=False)] == [
        (0, "open-read", False),
        (1, "write", True),
        (0, "write", True),
    ]
    assert [call.task for call in drawn(meeting, exchanged=True)] == [1, 0, 1]

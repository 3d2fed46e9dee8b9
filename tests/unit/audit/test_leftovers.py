"""What an ended call leaves behind: in somebody's way, or in nobody's."""

from drivers.audited import a_run, calls
from racehound.audit.leftovers import new_files, under_common_names, without
from racehound.audit.temporary import lasting, without_litter

KNOWN = {("work/c.json", ""): 1, ("work/c.json: a", "1"): 1}
LEFT = {("work/c.tmp", ""): 1, ("work/c.tmp: a", "1"): 1, ("work/parts/", ""): 1, ("work/parts/1", ""): 1}


def test_new_files_are_those_of_no_known_state() -> None:
    assert new_files({**KNOWN, **LEFT, ("home/app.log", ""): 1}, KNOWN) == (
        "work/c.tmp",
        "work/parts/",
        "work/parts/1",
    )


def test_what_is_left_behind_is_taken_away_with_all_that_it_holds() -> None:
    assert without({**KNOWN, **LEFT}, ("work/c.tmp", "work/parts/")) == KNOWN
    assert without({("work/c.tmpl", ""): 1}, ("work/c.tmp",)) == {("work/c.tmpl", ""): 1}


def test_a_name_of_ones_own_is_in_nobodys_way() -> None:
    other = a_run(calls=calls("open-truncate work/c.tmp"))

    assert under_common_names(("work/c.tmp", "work/c.4711"), other) == ("work/c.tmp",)


def test_temporary_files_with_drawn_names_do_not_last() -> None:
    assert lasting({("tmp/run-*: a", "1"): 1, ("tmp/fixed", ""): 1}) == {("tmp/fixed", ""): 1}


def test_temporary_files_that_the_other_call_does_not_touch_are_litter() -> None:
    other = a_run(calls=calls("open-truncate tmp/result"))
    wanted = {("tmp/run-*/", ""): 1}
    state = {("tmp/run-*/", ""): 2, ("tmp/4711: line 'x'", "1"): 1, ("tmp/result", ""): 1, ("work/t", ""): 1}

    assert without_litter(state, wanted, other) == {**wanted, ("tmp/result", ""): 1, ("work/t", ""): 1}

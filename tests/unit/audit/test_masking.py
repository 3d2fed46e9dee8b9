from itertools import pairwise

import pytest

from racehound.audit.masking import Mask


def test_a_value_that_differs_between_equal_runs_is_not_compared() -> None:
    mask = Mask().widened({"f: time": "1", "f: k": "1"}, {"f: time": "2", "f: k": "1"})

    assert mask.apply({"f: time": "3", "f: k": "1"}) == mask.apply({"f: time": "4", "f: k": "1"})
    assert mask.apply({"f: time": "3", "f: k": "1"}) != mask.apply({"f: time": "3", "f: k": "2"})
    assert mask.listed == ("f: time",)


def test_a_random_name_becomes_a_pattern_and_a_missing_file_is_still_noticed() -> None:
    mask = Mask().widened({"d/x1a.json": ""}, {"d/b7c.json": ""})

    assert mask.listed == ("d/*.json",)
    assert mask.apply({"d/q9.json": ""}) == mask.apply({"d/r8.json": ""})
    assert mask.apply({"d/q9.json": ""}) != mask.apply({"d/q9.json": "", "d/r8.json": ""})
    assert mask.apply({}) != mask.apply({"d/q9.json": ""})


def test_the_content_of_a_file_with_a_random_name_is_not_listed_line_by_line() -> None:
    one, other = ({f"tmp/a{number}": "", f"tmp/a{number}: line 'x'": "1"} for number in "12")

    assert Mask().widened(one, other).listed == ("tmp/*",)


def test_values_under_random_names_are_compared_unless_they_differ_too() -> None:
    same = Mask().widened({"d/x1": "v"}, {"d/y2": "v"})
    different = Mask().widened({"d/x1": "v"}, {"d/y2": "w"})

    assert same.apply({"d/z": "v"}) != same.apply({"d/z": "other"})
    assert different.apply({"d/z": "v"}) == different.apply({"d/z": "other"})


def test_names_of_different_shape_are_masked_between_their_common_ends() -> None:
    mask = Mask().widened({"log: 1-2 done": ""}, {"log: 33 done": ""})

    assert mask.apply({"log: 4-5-6 done": ""}) == mask.apply({"log: 7 done": ""})
    assert mask.apply({"log: 4 begun": ""}) != mask.apply({"log: 4 done": ""})


def test_names_with_nothing_in_common_at_their_end_are_masked_to_the_end() -> None:
    mask = Mask().widened({"log: a-b": ""}, {"log: c": ""})

    assert mask.listed == ("log: **",)


def test_a_name_that_comes_and_goes_is_left_out() -> None:
    mask = Mask().widened({"a": "", "b": ""}, {"a": ""})

    assert mask.apply({"a": "", "b": ""}) == mask.apply({"a": ""})


def test_a_mask_grows_with_each_pair_of_equal_runs() -> None:
    mask = Mask().widened({"t": "1"}, {"t": "2"}).widened({"u": "1", "t": "7"}, {"u": "2", "t": "8"})

    assert mask.listed == ("t", "u")


def lines(second: str, *, fraction: str = "1") -> dict[str, str]:
    return {f"log: {second}.{fraction} {what} {key}": "1" for what in ("start", "end") for key in ("k1", "k2")}


def test_times_in_lines_are_masked_also_when_the_second_changes_later() -> None:
    mask = Mask().widened(lines("17", fraction="1"), lines("17", fraction="2")).widened(lines("17"), lines("18"))

    assert set(mask.listed) == {f"log: *.* {what} {key}" for what in ("start", "end") for key in ("k1", "k2")}
    assert mask.apply(lines("17")) == mask.apply(lines("99"))
    missing = {name: value for name, value in lines("99").items() if not name.endswith("end k2")}
    assert mask.apply(missing) != mask.apply(lines("17"))


def test_very_many_names_are_paired_in_their_order() -> None:
    one, other = ({f"d/{word}{number:04}": "" for number in range(300)} for word in "xy")

    assert Mask().widened(one, other).listed == ("d/*",)


def test_drawn_text_is_one_text_into_however_many_words_it_falls() -> None:
    drawn = ["aB3-xY", "Zz9q0", "q-W-e", "pQ+r="]
    mask = Mask()
    for one, other in pairwise(drawn):
        mask = mask.widened({f"work/c.json: {one}": "k1"}, {f"work/c.json: {other}": "k1"})

    states = [mask.apply({f"work/c.json: {text}": "k1"}) for text in (*drawn, "n3w-_-T", "n3w")]
    assert states == [{("work/c.json: **", "k1"): 1}] * 6


def test_lines_with_drawn_text_are_told_apart_by_the_rest() -> None:
    one, other = (
        {f"work/f: line '{key} {text}'": "1" for key, text in zip(("k1", "k2"), texts, strict=True)}
        for texts in (("aB+c", "dEf"), ("gH", "i+J+k"))
    )

    assert set(Mask().widened(one, other).patterns) == {"work/f: line 'k1 **'", "work/f: line 'k2 **'"}


@pytest.mark.parametrize("line", ["* {} k1", "*/5 * * * * run-{}", "**{}** k1", "note * {} * k1"])
def test_a_star_in_what_equal_runs_have_in_common_stands_for_itself(line: str) -> None:
    first, second, later = ({f"work/log: line '{line.format(time)}'": "1"} for time in ("1001", "1002", "1417"))
    mask = Mask().widened(first, second)

    assert mask.apply(first) == mask.apply(second) == mask.apply(later)
    assert mask.apply(first) != mask.apply({})


def test_content_in_any_order_counts_where_its_order_is_drawn() -> None:
    one = {"work/b: (content)": "1", "work/b: (content in any order)": "8"}
    shuffled = {**one, "work/b: (content)": "2"}

    assert list(Mask().apply(one)) == [("work/b: (content)", "1")]
    assert ("work/b: (content in any order)", "8") in Mask().widened(one, shuffled).apply(one)


def test_what_is_new_in_a_file_of_a_drawn_name_is_said_of_that_file() -> None:
    mask = Mask().widened(
        {"tmp/run-a1/x": "", "tmp/run-a1/x: k": "1"}, {"tmp/run-b2/x": "", "tmp/run-b2/x: k": "1"}
    )

    assert mask.name("tmp/run-c3/x: (empty)") == "tmp/run-*/x: (empty)"
    assert mask.name("tmp/other/x: (empty)") == "tmp/other/x: (empty)"

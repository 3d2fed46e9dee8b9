import ast
from textwrap import dedent

import pytest

from racehound.source.suppressions import END_OF_FILE, Suppression, suppressions


def found(text: str) -> tuple[Suppression, ...]:
    code = dedent(text).lstrip("\n")
    return suppressions(code, ast.parse(code))


def lines(text: str) -> tuple[int, int]:
    (item,) = found(text)
    return item.first, item.last


def test_comment_names_codes_and_a_reason() -> None:
    (item,) = found("n += 1  # racehound: ignore[RH102, rh107] only one thread writes\n")

    assert (item.line, item.first, item.last) == (1, 1, 1)
    assert item.codes == ("RH102", "rh107")
    assert item.reason == "only one thread writes"
    assert item.problem == ""


def test_one_comment_may_speak_twice() -> None:
    first, second = found("n += 1  # racehound: ignore[RH102] a # racehound: benign[RH107] b\n")

    assert (first.codes, first.reason) == (("RH102",), "a")
    assert (second.codes, second.reason) == (("RH107",), "b")


def test_comment_without_codes_speaks_of_all_rules() -> None:
    (item,) = found("n += 1  # noqa: X1  # racehound: ignore  # more\n")

    assert item.codes == ()
    assert item.reason == ""


def test_comment_on_a_line_of_its_own_speaks_of_the_next_statement() -> None:
    text = """
        # racehound: benign[RH102] statistics

        # another comment
        total = (
            n + 1
        )
        n = 2
        """

    assert lines(text) == (4, 6)


def test_comment_at_the_end_of_the_file_speaks_of_nothing() -> None:
    assert lines("x = 1\n# racehound: ignore[RH102]") == (3, 3)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_comment_speaks_of_all_lines_of_its_statement(place: int) -> None:
    code = ["total = (", "    n +", "    1)"]
    code[place - 1] += "  # racehound: ignore[RH102]"

    assert lines("\n".join(code)) == (1, 3)


@pytest.mark.parametrize(
    "text",
    [
        "# racehound: ignore[RH102]\n@decorated\ndef f():\n    x = 1\n    y = 2\n",
        "@decorated  # racehound: ignore[RH102]\ndef f():\n    x = 1\n    y = 2\n\n",
        "@decorated\n\nclass C:  # racehound: ignore[RH102]\n    x = 1\n    y = 2\nz = 1\n",
        "async def f(  # racehound: ignore[RH102]\n    x,\n):\n    y = 2\n",
    ],
)
def test_comment_at_the_head_of_a_definition_speaks_of_all_of_it(text: str) -> None:
    code = text.splitlines()
    first, last = lines(text)

    assert code[first - 1].startswith(("@", "async def"))
    assert code[last - 1].strip() == "y = 2"


def test_comment_at_the_head_of_another_block_speaks_of_the_head() -> None:
    assert lines("# racehound: ignore[RH204]\nwith (\n    a,\n    b\n):\n    x = 1\n") == (2, 5)
    assert lines("if x: y = 1  # racehound: ignore[RH204]\n") == (1, 1)


def test_comment_in_a_clause_speaks_of_its_line() -> None:
    assert lines("try:\n    x = 1\nexcept E:  # racehound: ignore[RH312]\n    y = 1\n") == (3, 3)


def test_comment_can_speak_of_the_whole_file() -> None:
    assert lines("x = 1\n# racehound: ignore-file[RH402] a script\n") == (1, END_OF_FILE)


def test_finding_is_reached_within_the_lines_or_around_the_comment() -> None:
    item = Suppression(line=5, first=4, last=6)

    assert item.reaches(4, 4)
    assert item.reaches(6, 9)
    assert item.reaches(1, 5)
    assert not item.reaches(1, 4)
    assert not item.reaches(7, 9)


@pytest.mark.parametrize(
    ("comment", "problem"),
    [
        ("ignroe[RH101]", "did you mean `ignore`?"),
        ("bening[RH101] x", "did you mean `benign`?"),
        ("ignore[RH101 because", "the bracket is not closed"),
        ("ignore[]", "the brackets name no rule"),
        ("ignore[ , ]", "the brackets name no rule"),
        ("ignore(RH101)", "rules stand in square brackets"),
        ("ignore: RH101", "rules stand in square brackets"),
        ("ignore=RH101,RH102", "rules stand in square brackets"),
        ("benign RH101 a count", "rules stand in square brackets"),
        ("ignore-file: rh101", "rules stand in square brackets"),
        ("guarded-by(_lock)", "did you mean `guarded_by`?"),
        ("gaurded_by: _lock", "did you mean `guarded_by`?"),
        ("confine", "did you mean `confined`?"),
        ("guarded_by[_lock]", "`guarded_by` names no lock"),
        ("guarded_by _lock", "`guarded_by` names no lock"),
        ("guarded_by()", "`guarded_by` names no lock"),
    ],
)
def test_comment_that_means_nothing_says_why(comment: str, problem: str) -> None:
    (item,) = found(f"x = 1  # racehound: {comment}\n")

    assert problem in item.problem


@pytest.mark.parametrize(
    "text",
    [
        "# racehound: a tool\n",
        "# racehound: guarded_by(_lock)\n",
        "# racehound: guarded_by: _lock\n",
        "# racehound: guarded_by('self._lock')\n",
        "# racehound: confined to one loop\n",
        "# racehound: confidence is low\n",
        "x = '# racehound: ignore[RH101]'\n",
        '"""\n# racehound: ignore-file\n"""\n',
        "x = 1\n",
    ],
)
def test_words_about_the_tool_are_no_suppression(text: str) -> None:
    assert found(text) == ()


def test_text_that_ends_in_the_middle_keeps_the_comments_before() -> None:
    assert len(suppressions("x = 1  # racehound: ignore\ny = (", ast.parse("x = 1"))) == 1


@pytest.mark.parametrize(
    "comment",
    [
        "# Racehound: ignore[RH102] other case",
        "# RACEHOUND: IGNORE[RH102]",
        "# racehound : ignore",
        "# racehound ignore[RH102] no colon",
        "# Racehound: confined",
    ],
)
def test_comment_that_begins_nearly_as_it_should_is_a_problem(comment: str) -> None:
    (item,) = found(f"n += 1  {comment}\n")

    assert item.problem.endswith("means nothing; write `racehound:`, in small letters and with a colon")


@pytest.mark.parametrize(
    "comment", ["# Racehound ignores this", "# racehound ignore lists are long", "# RACEHOUND: see above"]
)
def test_prose_that_names_the_tool_is_no_suppression(comment: str) -> None:
    assert found(f"n += 1  {comment}\n") == ()


def test_brackets_of_benign_may_hold_the_reason() -> None:
    (item,) = found("n += 1  # racehound: benign[statistics only]\n")

    assert (item.codes, item.reason, item.problem) == ((), "statistics only", "")

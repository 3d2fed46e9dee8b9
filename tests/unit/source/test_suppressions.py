from racehound.source.suppressions import suppressions


def test_comment_names_codes_and_a_reason() -> None:
    (found,) = suppressions("n += 1  # racehound: ignore[RH102, rh107] only one thread writes\n")

    assert found.line == 1
    assert found.codes == {"RH102", "RH107"}
    assert found.reason == "only one thread writes"


def test_comment_on_a_line_of_its_own_speaks_of_the_next_line() -> None:
    (found,) = suppressions("x = 1\n    # racehound: benign[RH102] statistics\n    n += 1\n")

    assert found.covers("RH102", 3, 3)
    assert not found.covers("RH102", 2, 2)


def test_other_codes_and_lines_are_not_covered() -> None:
    (found,) = suppressions("n += 1  # racehound: ignore[RH102] reason\n")

    assert found.covers("RH102", 1, 0)
    assert not found.covers("RH107", 1, 1)
    assert not found.covers("RH102", 2, 4)


def test_words_about_the_tool_are_no_suppression() -> None:
    assert suppressions("# racehound: a tool\n") == ()
    assert suppressions("x = 1\n") == ()

"""States in which calls do something else than before."""

from racehound.scenario.stages import DEEPEST, MOST, NOTHING, Seen, Stage, new_stages, raced_at

NEXT = {("new", "pay"): "paid", ("paid", "ship"): "shipped", ("paid", "refund"): "refunded"}
CALLS = ["pay", "ship", "refund", "look"]


def order(before: tuple[str, ...], call: str) -> Seen | None:
    state = "new"
    for each in before:
        state = NEXT.get((state, each), state)
    after = NEXT.get((state, call), state)
    refused = call not in ("look", NOTHING) and after == state
    return Seen(
        "raised Refused: no" if refused else state if call == "look" else "None", frozenset({("state", after)})
    )


def counter(before: tuple[str, ...], call: str) -> Seen | None:
    count = sum(each == "add" for each in before)
    return Seen(str(count), frozenset({("count", str(count + (call == "add")))}))


def test_every_state_in_which_calls_do_something_new_is_found_once() -> None:
    assert [stage.before for stage in new_stages(CALLS, order)] == [(), ("pay",), ("pay", "ship")]


def test_what_only_another_number_tells_from_before_is_nothing_new() -> None:
    assert [stage.before for stage in new_stages(["add", "look"], counter)] == [(), ("add",)]


def test_pairs_that_change_nothing_are_left_out() -> None:
    paid = next(stage for stage in new_stages(CALLS, order) if stage.before == ("pay",))

    assert list(paid.pairs()) == [
        *(("pay", "ship"), ("pay", "refund")),
        *(("ship", "ship"), ("ship", "refund"), ("ship", "look"), ("refund", "refund"), ("refund", "look")),
    ]


def test_what_waits_is_raced() -> None:
    stage = Stage((), frozenset(), {"take": None, "look": Seen("None", frozenset())})

    assert list(stage.pairs()) == [("take", "take"), ("take", "look")]


def test_it_comes_to_an_end() -> None:
    asked: set[tuple[str, ...]] = set()

    def endless(before: tuple[str, ...], call: str) -> Seen | None:
        asked.add(before)
        return Seen(f"raised Refused{len(before)}", frozenset({("calls", ".".join((*before, call)))}))

    assert max(len(stage.before) for stage in new_stages(["a", "b", "c"], endless)) <= DEEPEST
    assert len(asked) <= MOST


def test_states_that_cannot_be_reached_are_passed_over() -> None:
    def failing(before: tuple[str, ...], call: str) -> Seen | None:
        return None if "bad" in before else Seen("None", frozenset({("calls", ".".join((*before, call)))}))

    assert all("bad" not in stage.before for stage in new_stages(["bad", "good"], failing))


def test_it_is_raced_there_and_where_it_was_all_done_for_two_things() -> None:
    taken: dict[str, Seen | None] = {
        "take('a')": Seen("None", frozenset({("left", "0")})),
        "look('a')": Seen("1", frozenset()),
    }
    stage = Stage(("make('a')", "fill('a')"), frozenset(), taken)
    found = list(raced_at(stage, ["take('a')"], {"make('a')": "make('b')", "take('a')": "take('b')"}, {}))
    pairs = [("take('a')", "take('a')"), ("take('a')", "look('a')")]

    assert found == [
        *((("make('a')", "fill('a')"), pair) for pair in pairs),
        *((("make('a')", "make('b')", "fill('a')"), pair) for pair in (*pairs, ("take('a')", "take('b')"))),
    ]


def test_after_one_call_only_what_is_not_tried_anyway_is_raced() -> None:
    stage = Stage(("make()",), frozenset(), {"put('a', 1)": Seen("None", frozenset({("a", "1")}))})
    rivals = {"put('a', 1)": "put('a', 2)"}

    assert list(raced_at(stage, ["put('a', 1)"], {}, rivals)) == [(("make()",), ("put('a', 1)", "put('a', 2)"))]
    assert list(raced_at(stage, ["other()"], {}, rivals)) == []

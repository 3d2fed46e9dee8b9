import pytest

from racehound.scenario.request import Request

NOW = 1000.0


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("racehound.scenario.request.monotonic", lambda: NOW)


def request(until: float | None) -> Request:
    return Request(
        path="a.py", shown_path="a.py", class_name=None, functions=(), pair=None, fields=(), seconds=8, until=until
    )


def test_late_search_has_a_part_of_its_budget_anyway() -> None:
    assert request(None).left == 8
    assert request(NOW + 6).left == 6
    assert request(NOW + 3.5).left == 4


def test_late_search_takes_no_more_than_a_moment_after_the_end_of_its_budget() -> None:
    assert request(NOW + 1).left == 1.7
    assert request(NOW - 9).left == 0.8

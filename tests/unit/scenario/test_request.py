from racehound.scenario.request import Request


def request(until: float | None) -> Request:
    return Request(
        path="a.py", shown_path="a.py", class_name=None, functions=(), pair=None, fields=(), seconds=8, until=until
    )


def test_late_search_has_a_part_of_its_budget_anyway() -> None:
    assert request(None).left == 8
    assert request(0.0).left == 4

"""What a scenario races, by name."""

import pytest

from racehound.model.proof import ScenarioText
from racehound.scenario.raced import operations_of


@pytest.mark.parametrize(
    ("calls", "names"),
    [
        (("subject.take()", "subject.restock(1)"), {"take", "restock"}),
        (("subject[0].move(subject[1])",), {"move"}),
        (("await subject.get()",), {"get"}),
        (("register('name', dict())",), {"register"}),
        (("setattr(subject, 'limit', 1)",), {"setattr"}),
        (("subject[1]",), {"subject[1]"}),
    ],
)
def test_operations_go_by_their_names(calls: tuple[str, ...], names: set[str]) -> None:
    assert operations_of(ScenarioText(setup="Stock()", prefix=("subject.fill()",), tasks=(calls,))) == names

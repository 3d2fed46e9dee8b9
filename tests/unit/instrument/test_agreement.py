"""Instrumented code does what plain code does: results, exceptions, order of evaluation, lines of tracebacks."""

import sys

import pytest
from hypothesis import HealthCheck, given, settings

from drivers.forms import FORMS, FORMS_SINCE_3_12
from drivers.observed import observed_inside, observed_outside, plain
from drivers.programs import programs

pytestmark = pytest.mark.usefixtures("unmeasured")

CASES = FORMS | (FORMS_SINCE_3_12 if sys.version_info >= (3, 12) else {})
THOROUGH = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("name", CASES)
def test_form_means_the_same_outside_an_execution(name: str) -> None:
    assert observed_outside(CASES[name]) == plain(CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_form_means_the_same_inside_an_execution(name: str) -> None:
    assert observed_inside(CASES[name]) == plain(CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_form_is_not_a_trivial_program(name: str) -> None:
    outcome = plain(CASES[name])

    assert outcome.log or outcome.result not in {"None", "()"}
    assert not outcome.result.startswith(("SyntaxError", "NameError"))


@pytest.mark.slow
@THOROUGH
@given(program=programs())
def test_generated_program_means_the_same_outside_an_execution(program: str) -> None:
    assert observed_outside(program) == plain(program), program


@pytest.mark.slow
@THOROUGH
@given(program=programs())
def test_generated_program_means_the_same_inside_an_execution(program: str) -> None:
    assert observed_inside(program) == plain(program), program

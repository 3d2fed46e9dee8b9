"""Events as metrics."""

import pytest

from racehound.guard import BreakerEvent, CircuitBreaker
from racehound.guard.breaker import EventKind, State
from racehound.guard.breaker.listeners.newest import Newest
from racehound.guard.breaker.listeners.opentelemetry import LEVEL, opentelemetry_listener
from racehound.guard.breaker.listeners.prometheus import prometheus_listener

NAME = "backend"


def event(version: int, state: State = State.CLOSED) -> BreakerEvent:
    return BreakerEvent(kind=EventKind.FAILURE, name=NAME, state=state, version=version, failures=1)


def test_an_event_that_was_overtaken_is_not_the_newest() -> None:
    newest = Newest()

    assert [newest.includes(event(version)) for version in (1, 3, 2, 3, 4)] == [True, True, False, True, True]


def test_prometheus_shows_events_failures_and_state() -> None:
    client = pytest.importorskip("prometheus_client")
    registry = client.CollectorRegistry()
    listener = prometheus_listener(registry)
    breaker = CircuitBreaker(2, listeners=[listener])
    for _ in range(2):
        breaker.record_failure(NAME)
    listener(event(0))

    def shown(metric: str, **labels: str) -> float | None:
        value: float | None = registry.get_sample_value(metric, {"circuit": NAME, **labels})
        return value

    assert shown("racehound_circuit_events_total", kind="failure") == 3
    assert shown("racehound_circuit_events_total", kind="opened") == 1
    assert shown("racehound_circuit_failures") == 2
    assert shown("racehound_circuit_state", state="open") == 1
    assert shown("racehound_circuit_state", state="closed") == 0


def test_opentelemetry_shows_events_failures_and_state() -> None:
    sdk = pytest.importorskip("opentelemetry.sdk.metrics")
    export = pytest.importorskip("opentelemetry.sdk.metrics.export")
    reader = export.InMemoryMetricReader()
    listener = opentelemetry_listener(sdk.MeterProvider([reader]).get_meter("test"))
    breaker = CircuitBreaker(2, listeners=[listener])
    for _ in range(2):
        breaker.record_failure(NAME)
    listener(event(0))

    points = {
        (metric.name, point.attributes.get("kind")): point.value
        for resource in reader.get_metrics_data().resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
        for point in metric.data.data_points
    }
    assert points == {
        ("racehound.circuit.events", "failure"): 3,
        ("racehound.circuit.events", "opened"): 1,
        ("racehound.circuit.failures", None): 2,
        ("racehound.circuit.state", None): 2,
    }


def test_every_state_has_its_level() -> None:
    assert set(LEVEL) == set(State)

from typing import TYPE_CHECKING

from racehound.guard.breaker.events import BreakerEvent, Listener
from racehound.guard.breaker.listeners.newest import Newest
from racehound.guard.breaker.period import State

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


def prometheus_listener(registry: "CollectorRegistry | None" = None) -> Listener:
    """Counts events and shows the state of every circuit; without `registry`, in the default one.

    `racehound_circuit_events_total{circuit, kind}`, `racehound_circuit_failures{circuit}`, and
    `racehound_circuit_state{circuit, state}`, which is 1 for the current state and 0 for the others.
    """
    import prometheus_client  # noqa: PLC0415 - an extra, needed by this listener alone

    home = registry or prometheus_client.REGISTRY
    events = prometheus_client.Counter(
        "racehound_circuit_events", "Events of a circuit", ["circuit", "kind"], registry=home
    )
    failures = prometheus_client.Gauge(
        "racehound_circuit_failures", "Failures since the last success", ["circuit"], registry=home
    )
    states = prometheus_client.Gauge(
        "racehound_circuit_state", "1 for the state the circuit is in", ["circuit", "state"], registry=home
    )
    newest = Newest()

    def listen(event: BreakerEvent) -> None:
        events.labels(event.name, event.kind.value).inc()
        if newest.includes(event):
            failures.labels(event.name).set(event.failures)
            for state in State:
                states.labels(event.name, state.value).set(state is event.state)

    return listen

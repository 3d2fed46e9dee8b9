from typing import TYPE_CHECKING

from racehound.guard.breaker.events import BreakerEvent, Listener
from racehound.guard.breaker.listeners.newest import Newest
from racehound.guard.breaker.period import State

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter

LEVEL = {
    State.DISABLED: 0,
    State.METRICS_ONLY: 0,
    State.CLOSED: 0,
    State.HALF_OPEN: 1,
    State.OPEN: 2,
    State.FORCED_OPEN: 2,
}


def opentelemetry_listener(meter: "Meter | None" = None) -> Listener:
    """Counts events and shows the state of every circuit; without `meter`, by that of the global provider.

    `racehound.circuit.events` by circuit and kind, `racehound.circuit.failures` and
    `racehound.circuit.state` (0 admits all, 1 probes, 2 refuses) by circuit.
    """
    from opentelemetry import metrics  # noqa: PLC0415 - an extra, needed by this listener alone

    used = meter or metrics.get_meter("racehound.guard")
    events = used.create_counter("racehound.circuit.events", description="Events of a circuit")
    failures = used.create_gauge("racehound.circuit.failures", description="Failures since the last success")
    states = used.create_gauge("racehound.circuit.state", description="0 admits all, 1 probes, 2 refuses")
    newest = Newest()

    def listen(event: BreakerEvent) -> None:
        circuit = {"circuit": event.name}
        events.add(1, {**circuit, "kind": event.kind.value})
        if newest.includes(event):
            failures.set(event.failures, circuit)
            states.set(LEVEL[event.state], circuit)

    return listen

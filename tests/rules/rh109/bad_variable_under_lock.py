import threading

_lock = threading.Lock()
_seats = 3


def book():
    global _seats
    with _lock:
        free = _seats > 0
    if free:
        with _lock:
            _seats -= 1  # RH

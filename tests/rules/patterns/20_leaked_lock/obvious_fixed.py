import threading

lock = threading.Lock()


def update(value):
    lock.acquire()
    try:
        if value is None:
            return
        apply(value)
    finally:
        lock.release()

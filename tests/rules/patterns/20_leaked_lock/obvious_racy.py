import threading

lock = threading.Lock()


def update(value):
    lock.acquire()  # RH
    if value is None:
        return
    apply(value)
    lock.release()

import threading

_lock = threading.Lock()
_jobs = {}


def add(job):
    with _lock:
        _jobs[job.name] = job


def remove(name):
    with _lock:
        del _jobs[name]


def run_all():
    for job in _jobs.values():  # RH
        job.run()


def registry():
    lock = threading.Lock()
    listeners = {}

    def listen(name, listener):
        with lock:
            listeners[name] = listener

    def leave(name):
        with lock:
            del listeners[name]

    def tell(event):
        for listener in listeners.values():  # RH
            listener(event)

    return listen, leave, tell

import threading

_lock = threading.Lock()
_running = {}
_names = set()


def begin(name, job):
    with _lock:
        if name in _running:
            raise RuntimeError(name)
        _running[name] = job
    try:
        job()
    finally:
        with _lock:
            del _running[name]


def claim(name, job):
    with _lock:
        if name in _names:
            return
        _names.add(name)
    job()
    with _lock:
        _names.remove(name)


def main(jobs):
    for name, job in jobs:
        threading.Thread(target=begin, args=(name, job)).start()
        threading.Thread(target=claim, args=(name, job)).start()

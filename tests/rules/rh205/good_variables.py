import queue
import threading

_lock = threading.Lock()
_jobs = queue.Queue()
_count = 0
_worker = None
_other = None


def offer(job):
    """Whoever gives does not need the lock."""
    _jobs.put(job)


def take():
    with _lock:
        return _jobs.get()


def _run():
    global _count
    with _lock:
        _count += 1


def _rest():
    serve()


def start():
    global _worker, _other
    _worker = threading.Thread(target=_run)
    _worker.start()
    _other = threading.Thread(target=_rest)
    _other.start()


def stop():
    with _lock:
        worker = _worker
    worker.join()


def stop_other():
    """What it runs takes no lock."""
    with _lock:
        _other.join()


def stop_given(_worker):
    """A name of its own hides the variable."""
    with _lock:
        _worker.join()

import queue
import threading

_lock = threading.Lock()
_jobs = queue.Queue()
_count = 0
_worker = None


def offer(job):
    with _lock:
        _jobs.put(job)


def take():
    with _lock:
        return _jobs.get()  # RH


def _run():
    global _count
    with _lock:
        _count += 1


def start():
    global _worker
    _worker = threading.Thread(target=_run)
    _worker.start()


def stop():
    with _lock:
        _worker.join()  # RH

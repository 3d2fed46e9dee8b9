import _thread
import threading

COUNT = 0
HITS = {}
GUARDED = 0
LOCK = threading.Lock()


def count():
    global COUNT
    COUNT += 1  # RH


def hit(key):
    HITS[key] = HITS.get(key, 0) + 1  # RH


def guarded():
    global GUARDED
    with LOCK:
        GUARDED += 1


def unguarded():
    global GUARDED
    GUARDED += 1  # RH


def main():
    while True:
        _thread.start_new_thread(count, ())
        threading.Thread(target=hit, args=("x",)).start()

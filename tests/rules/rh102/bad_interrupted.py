import signal

_reloads = 0


def weigh(size):
    return size // 1024


class Buffer:
    """Counts what there is; one that goes is counted off between the read and the write of another."""

    living = 0

    def __init__(self, size):
        self.size = size
        Buffer.living = Buffer.living + weigh(size)  # RH

    def __del__(self):
        Buffer.living = Buffer.living - weigh(self.size)


def reloaded(number, frame):
    global _reloads
    _reloads += 1


def halve():
    global _reloads
    _reloads = _reloads - weigh(_reloads)  # RH


signal.signal(signal.SIGHUP, reloaded)

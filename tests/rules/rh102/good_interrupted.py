import signal

_reloads = 0


class Buffer:
    """Nothing comes between a read and a write with no call between them, nor does it matter to its own fields."""

    living = 0

    def __init__(self, size):
        self.size = size
        Buffer.living += size

    def shrink(self, by):
        self.size = self.size - by.weigh()

    def __del__(self):
        Buffer.living -= self.size
        self.size = 0


def reloaded(number, frame):
    global _reloads
    _reloads = _reloads + int(number)


def reloads():
    return _reloads


signal.signal(signal.SIGHUP, reloaded)

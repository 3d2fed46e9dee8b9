import threading

import feeds

_lock = threading.Lock()
_pages = {}


def refresh(address):
    _lock.acquire()  # RH
    _pages[address] = feeds.download(address)
    _lock.release()


class Printer:
    def __init__(self, device):
        self._turn = threading.Lock()
        self._device = device

    def emit(self, text):
        if not text:
            raise ValueError("nothing to print")
        self._device.write(text)

    def print_line(self, text):
        self._turn.acquire()  # RH
        self.emit(text)
        self._turn.release()

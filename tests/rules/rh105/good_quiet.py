import threading


class Locked:
    def __init__(self):
        self._lock = threading.Lock()
        self._client = None
        self._length = None
        self._stopped = None
        self._mode = "off"
        self.text = ""

    def client(self):
        with self._lock:
            if self._client is None:
                self._client = Client()
            return self._client

    def checked_twice(self):
        if self._client is None:
            with self._lock:
                if self._client is None:
                    self._client = Client()
        return self._client

    def checked_in_helper(self):
        if self._client is None:
            with self._lock:
                self._make()
        return self._client

    def _make(self):
        if self._client is None:
            self._client = Client()

    def length(self):
        if self._length is None:
            self._length = len(self.text)
        return self._length

    def stop(self):
        if self._stopped is None:
            self._stopped = True

    def switch(self):
        if self._mode == "off":
            self._mode = Client()


class Alone:
    def __init__(self):
        self._client = None

    def client(self):
        if self._client is None:
            self._client = Client()
        return self._client


class Client:
    pass

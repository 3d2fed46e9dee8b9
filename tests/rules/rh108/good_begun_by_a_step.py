import functools
import time


class traced:
    def __init__(self, view):
        functools.update_wrapper(self, view)
        self.view = view
        self.name = None

    def _begin(self):
        self.name = "view"
        return time.perf_counter()

    def _end(self, started):
        print(self.name, time.perf_counter() - started)

    def __call__(self, request):
        started = self._begin()
        response = self.view(request)
        self._end(started)
        return response

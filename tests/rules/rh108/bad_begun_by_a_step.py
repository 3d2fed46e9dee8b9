import functools
import time


class traced:
    def __init__(self, view):
        functools.update_wrapper(self, view)
        self.view = view
        self.started = None

    def _begin(self):
        self.started = time.perf_counter()  # RH

    def _end(self):
        print(time.perf_counter() - self.started)

    def __call__(self, request):
        self._begin()
        response = self.view(request)
        self._end()
        return response

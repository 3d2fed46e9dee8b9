import functools
import time
from contextlib import ContextDecorator


class Timed(ContextDecorator):
    def __enter__(self):
        self._begin = time.monotonic()  # RH
        return self

    def __exit__(self, *exc):
        record(time.monotonic() - self._begin)


class Traced:
    def __init__(self, function):
        self._function = function

    def __call__(self, *args):
        self.arguments = args  # RH
        result = self._function(*args)
        self._report(result)
        return result

    def _report(self, result):
        print(self.arguments, result)


class Logged:
    def __call__(self, function):
        def logged(request):
            self.request = dict(request)  # RH
            answer = function(request)
            self._write(answer)
            return answer

        wrapped = functools.wraps(function)(logged)
        return wrapped

    def _write(self, answer):
        print(self.request, answer)

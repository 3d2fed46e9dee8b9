from functools import wraps


class Decorating:
    def __call__(self, function):
        @wraps(function)
        def wrapper(*args, **kwargs):
            self.arguments = args  # RH
            self.before()
            return function(*args, **kwargs)

        return wrapper

    def before(self):
        pass


class Printing(Decorating):
    def before(self):
        print(self.arguments)


class Rewinding:
    """Signs a request, and once more when the server asks for it."""

    def __init__(self, key):
        self.key = key
        self.position = None

    def __call__(self, request):
        self.position = request.body.tell()  # RH
        request.register_hook("response", self.again)
        return request

    def again(self, response):
        response.request.body.seek(self.position)
        return response

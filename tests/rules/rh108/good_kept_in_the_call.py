from functools import partial, wraps


class Decorating:
    def __call__(self, function):
        @wraps(function)
        def wrapper(*args, **kwargs):
            self.before(args)
            return function(*args, **kwargs)

        return wrapper

    def before(self, arguments):
        pass


class Printing(Decorating):
    def before(self, arguments):
        print(arguments)


class Rewinding:
    def __init__(self, key):
        self.key = key

    def __call__(self, request):
        position = request.body.tell()
        request.register_hook("response", partial(self.again, position))
        request.register_hook("closed", self.forget)
        return request

    def again(self, position, response):
        response.request.body.seek(position)
        return self.key

    def forget(self, request):
        return self.key

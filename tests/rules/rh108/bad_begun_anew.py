from concurrent.futures import ThreadPoolExecutor

from flask import Flask

app = Flask(__name__)


class Validator:
    def __init__(self, rules):
        self.rules = rules
        self.errors = []

    def validate(self, data):
        self.errors = []  # RH
        for rule in self.rules:
            if not rule(data):
                self.errors.append(rule)
        return self.errors


class Retry:
    def __init__(self, attempts):
        self.attempts = attempts
        self.attempt = 0

    def __call__(self, work, item):
        self.attempt = 0  # RH
        while self.attempt < self.attempts:
            try:
                return work(item)
            except OSError:
                self.attempt += 1
        return None


validator = Validator([bool])
retry = Retry(3)


@app.post("/")
def order():
    return validator.validate({})


def upload_all(items):
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda item: retry(len, item), items))

import threading


class Validator:
    def __init__(self):
        self.errors = []

    def _check(self, field, value):
        if not value:
            self.errors.append(field)

    def __call__(self, form):
        self.errors = []  # RH
        for field, value in form.items():
            self._check(field, value)
        return self.errors


class Step:
    def __call__(self, item):
        me = self
        me.item = item  # RH
        return self.process()


class Upper(Step):
    def process(self):
        return self.item.text.upper()


def main(forms):
    validate, step = Validator(), Upper()
    for form in forms:
        threading.Thread(target=validate, args=(form,)).start()
        threading.Thread(target=step, args=(form,)).start()

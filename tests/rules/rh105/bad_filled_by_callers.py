import threading


class Journal:
    def __init__(self):
        self.rows = []

    def write(self, text):
        self.rows.append(text)


class Late:
    def __init__(self):
        self._journal = None

    def _ensure(self):
        if self._journal is None:  # RH
            self._journal = self._build()
        return self._journal

    def _build(self):
        raise NotImplementedError


class Translator(Late):
    def _build(self):
        return Journal()

    def translate(self, text):
        self._ensure().write(text)


translator = Translator()
for _ in range(3):
    threading.Thread(target=translator.translate, args=("text",)).start()

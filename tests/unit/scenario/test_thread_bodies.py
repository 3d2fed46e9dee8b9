import threading

from racehound.scenario.thread_bodies import begun_by, is_thread_body


class Watch:
    def __init__(self) -> None:
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.wait(1.0):
            self.look()

    def look(self) -> None: ...

    def start(self) -> None:
        threading.Thread(target=self.run).start()
        threading.Thread(target=self.look).start()


class Beat(threading.Thread):
    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.stopped = False

    def run(self) -> None:
        while not self.stopped:
            self.beat()

    def beat(self) -> None: ...

    def ensure_started(self) -> None:
        if not self.is_alive():
            self.start()


class Bare(threading.Thread):
    def run(self) -> None:
        while self.is_alive():
            self.join(1.0)


class Once(threading.Thread):
    def run(self) -> None:
        self.done = True


def attempt() -> None: ...


def test_a_loop_that_is_handed_to_a_thread_is_its_body() -> None:
    assert is_thread_body(Watch.run, Watch)
    assert not is_thread_body(Watch.look, Watch)
    assert not is_thread_body(attempt, None)


def test_the_loop_of_an_object_that_is_a_thread_is_its_body() -> None:
    assert is_thread_body(Beat.run, Beat)
    assert not is_thread_body(Beat.beat, Beat)
    assert not is_thread_body(Once.run, Once)


def test_a_body_is_begun_by_what_starts_its_thread() -> None:
    assert begun_by(("ensure_started", "run"), Beat) == ("ensure_started",)
    assert begun_by(("look", "run"), Watch) == ("look", "start")
    assert begun_by(("run",), Bare) == ("start",)
    assert begun_by(("run", "join"), Once) == ("run", "join")
    assert begun_by(("attempt",), None) == ("attempt",)

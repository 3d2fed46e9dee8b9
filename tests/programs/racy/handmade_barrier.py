"""The last one to arrive opens the gate, but two may each believe that the other was last."""

import threading


class Meeting:
    def __init__(self) -> None:
        self._all_here = threading.Event()
        self.arrived = 0

    def join(self) -> None:
        self.arrived += 1
        if self.arrived == 2:
            self._all_here.set()
        self._all_here.wait()


setup = Meeting
WORKERS = [Meeting.join, Meeting.join]


def invariant(meeting: Meeting) -> bool:
    return meeting.arrived == 2

"""A dictionary whose `__missing__` makes what is not there yet."""


class Rooms(dict[str, list[str]]):
    def __missing__(self, name: str) -> list[str]:
        self[name] = guests = []
        return guests


class Hotel:
    def __init__(self) -> None:
        self.rooms = Rooms()

    def check_in(self) -> None:
        self.rooms["blue"].append("guest")


setup = Hotel
WORKERS = [Hotel.check_in, Hotel.check_in]


def invariant(hotel: Hotel) -> bool:
    return len(hotel.rooms["blue"]) == 2

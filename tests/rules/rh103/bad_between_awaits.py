from weakref import WeakSet

LISTENERS = {}


def listen(name, callback):
    LISTENERS[name] = callback


async def tell(event):
    for callback in LISTENERS.values():  # RH
        await callback(event)


class Room:
    def __init__(self):
        self.members = set()
        self.guests = WeakSet()

    async def join(self, member):
        self.members.add(member)
        self.guests.add(member)

    def leave(self, member):
        self.members.discard(member)

    async def say(self, text):
        for member in self.members:  # RH
            if member.is_away:
                continue
            for device in member.devices:
                await device.send(text)

    async def greet(self):
        for guest in self.guests:  # RH
            await guest.greet()

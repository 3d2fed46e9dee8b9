"""What is started is not what the list holds."""

import asyncio
import threading


class Job:
    async def work(self):
        await asyncio.sleep(1)

    def run(self):
        loop = asyncio.get_event_loop()
        loop.run_until_complete(self.work())


class Clock:
    def run(self):
        print("tick")


def start(clocks):
    for clock in clocks:
        threading.Thread(target=clock.run).start()


def main():
    start([Clock()])
    Job().run()

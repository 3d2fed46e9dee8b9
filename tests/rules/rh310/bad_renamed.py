import time

pause = time.sleep


async def poll(source):
    wait = time.sleep
    while True:
        await source.check()
        pause(5)  # RH
        wait(5)  # RH

"""Small command-line tools that the tests run; each changes the file `state` in its working directory."""

import sys

from racehound.processes.command import Command


def python(code: str, *arguments: str) -> Command:
    """A Python program, started as bare as possible."""
    return Command((sys.executable, "-I", "-S", "-c", code, *arguments))


ADD = """
import sys
text = open('state').read()
open('state', 'w').write(text + sys.argv[1] + '\\n')
"""

ADD_UNDER_FLOCK = """
import fcntl, sys
lock = open('lock', 'a')
fcntl.flock(lock, fcntl.LOCK_EX)
text = open('state').read()
open('state', 'w').write(text + sys.argv[1] + '\\n')
"""

ADD_UNDER_RECORD_LOCK = ADD_UNDER_FLOCK.replace("fcntl.flock(", "fcntl.lockf(")

ADD_UNDER_LOCK_FILE = """
import os, sys, time
while True:
    try:
        os.close(os.open('lock', os.O_CREAT | os.O_EXCL))
        break
    except FileExistsError:
        time.sleep(0.01)
text = open('state').read()
open('state', 'w').write(text + sys.argv[1] + '\\n')
os.unlink('lock')
"""

ADD_WHEN_NO_LOCK_FILE_IS_SEEN = """
import os, sys, time
while os.path.exists('lock'):
    time.sleep(0.01)
open('lock', 'x').close()
text = open('state').read()
open('state', 'w').write(text + sys.argv[1] + '\\n')
os.unlink('lock')
"""

REFUSE_WHEN_LOCKED = """
import fcntl, sys, time
lock = open('lock', 'a')
for _ in range(20):
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        break
    except BlockingIOError:
        time.sleep(0.02)
else:
    sys.exit(4)
text = open('state').read()
open('state', 'w').write(text + sys.argv[1] + '\\n')
"""

ADD_UNDER_MKDIR = """
while ! mkdir lock 2>/dev/null; do sleep 0.02; done
text=$(cat state)
echo "$text {}" > state
rmdir lock
"""

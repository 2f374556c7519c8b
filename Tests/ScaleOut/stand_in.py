#!/usr/bin/env python3
"""A `cameo worker` that misbehaves on request: stand_in.py COMMAND…

Lines go to the real worker one at a time. What the line's "input" says happens when its turn comes: CRASH kills the
whole worker, HANG makes it silent for ever, EXIT0 ends it early as if all were well, ONCE0 does so the first time alone.
BANNER in the environment prints a banner before the first answer. FAULT in the environment names a file: who creates it, and all who are started in the
same folder as that one, have a machine at fault, and exit with 3.
"""
import json
import os
import signal
import subprocess
import sys
import time


def has_met(line):
    """Whether this is not the first time that the line's turn comes, as a file beside its input remembers."""
    try:
        os.close(os.open(json.loads(line)["input"] + ".met", os.O_CREAT | os.O_EXCL))
        return False
    except FileExistsError:
        return True


if "FAULT" in os.environ:
    try:
        file = os.open(os.environ["FAULT"], os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        os.write(file, os.getcwd().encode())
    except FileExistsError:
        pass
    time.sleep(0.2)
    with open(os.environ["FAULT"], encoding="utf-8") as file:
        if file.read() == os.getcwd():
            sys.exit(3)
if "BANNER" in os.environ:
    print("*** welcome to the worker ***\n{}\n[1]\n", flush=True)
worker = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    if b"CRASH" in line:
        worker.kill()
        os.kill(os.getpid(), signal.SIGKILL)
    if b"HANG" in line:
        time.sleep(3600)
    if b"EXIT0" in line or (b"ONCE0" in line and not has_met(line)):
        worker.kill()
        sys.exit(0)
    worker.stdin.write(line)
    worker.stdin.flush()
    sys.stdout.buffer.write(worker.stdout.readline())
    sys.stdout.buffer.flush()
worker.stdin.close()
sys.exit(worker.wait())

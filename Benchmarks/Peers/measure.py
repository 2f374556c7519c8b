"""Running one command and measuring it: wall time, CPU time, memory."""
from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SAMPLE_EVERY = 0.020  # seconds between two looks at the process tree's memory
TICK = os.sysconf("SC_CLK_TCK")
# Not every kernel lists a process's children; without that only one process could be seen, so no sum is given.
TREES_ARE_VISIBLE = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists()
# Settings of ours that would change how a peer works. Each peer gets only those that its own entry asks for.
TUNING = re.compile(r"^(VIPS|MAGICK|OMP|OPENCV|MALLOC|GLIBC|PYTHON|LD_PRELOAD|G_SLICE|CAMEO)")


@dataclass(frozen=True)
class Command:
    argv: list[str]
    names: list[str] = field(default_factory=list)  # given on standard input, each ended by a zero byte
    env: dict[str, str] = field(default_factory=dict)
    is_worker: bool = False  # speaks the protocol of worker.py: "ready", wait for "go", "done"


@dataclass(frozen=True)
class Measurement:
    wall: float  # seconds
    cpu: float  # seconds of user and system time, children included
    tree_mb: float | None  # the most that the resident sizes of all processes came to together
    largest_mb: float  # the most that any one process held
    others: float  # cores' worth of CPU that the rest of the machine used meanwhile: a measure of the noise
    startup: float | None = None  # workers only: interpreter and imports, which `wall` leaves out
    versions: dict[str, str] | None = None


class RunError(Exception):
    """The command failed; the text is the reason."""


def run(command: Command, folder: Path, logs: Path, timeout: float) -> Measurement:
    """Run a command in `folder`; what it prints goes to `logs`/stdout and `logs`/stderr."""
    logs.mkdir(parents=True, exist_ok=True)
    names = logs / "names"
    names.write_bytes(b"".join(os.fsencode(n) + b"\0" for n in command.names))
    environment = {k: v for k, v in os.environ.items() if not TUNING.match(k)} | command.env
    busy = _machine_busy()
    # A session of its own, so that whatever the command starts can be ended with it, and nothing else.
    with open(names, "rb") as stdin, open(logs / "stdout", "wb") as out, open(logs / "stderr", "wb") as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command.argv, cwd=folder, env=environment, start_new_session=True, stderr=err,
            stdin=subprocess.PIPE if command.is_worker else stdin,
            stdout=subprocess.PIPE if command.is_worker else out)
    watch = _Watch(process, time.monotonic() + timeout)
    try:
        measured = _drive_worker(watch, start, command.names) if command.is_worker else _drive_program(watch, start)
    except RunError as error:
        said = _tail(logs / "stderr")
        raise RunError(f"{error}: {said}" if said else str(error)) from None
    finally:
        watch.end()
    elapsed = time.perf_counter() - start
    others = max(0.0, _machine_busy() - busy - watch.cpu) / elapsed
    return Measurement(tree_mb=watch.tree_mb, largest_mb=watch.largest_mb(), others=others, **measured)


def _drive_program(watch: _Watch, start: float) -> dict[str, Any]:
    stop = watch.wait(watch.pidfd)
    watch.reap()
    return {"wall": stop - start, "cpu": watch.cpu}


def _drive_worker(watch: _Watch, start: float, names: list[str]) -> dict[str, Any]:
    stdin, stdout = watch.process.stdin, watch.process.stdout
    assert stdin and stdout

    def line(expected: str) -> tuple[float, dict[str, Any]]:
        moment = watch.wait(stdout.fileno())
        word, _, rest = stdout.readline().decode().partition(" ")
        if word != expected:
            raise RunError(f"the worker ended before it was {expected}")
        return moment, json.loads(rest)

    try:
        stdin.write("".join(n + "\n" for n in names).encode() + b"\n")
        stdin.flush()
        ready, versions = line("ready")
        begin = time.perf_counter()
        stdin.write(b"go\n")
        stdin.flush()
        stop, result = line("done")
        stdin.close()
    except BrokenPipeError:
        raise RunError("the worker ended early") from None
    watch.wait(watch.pidfd)
    watch.reap()
    return {"wall": stop - begin, "cpu": result["cpu"], "startup": ready - start, "versions": versions}


class _Watch:
    """One running process: waits for it, and looks at its tree's memory while it waits.

    One thread does both. A second one, woken every 20 ms, would need the interpreter's lock just when the first
    wants to read the clock.
    """

    def __init__(self, process: subprocess.Popen[bytes], deadline: float) -> None:
        self.process = process
        self.pidfd = os.pidfd_open(process.pid)
        self.deadline = deadline
        self.cpu = 0.0
        self.tree_mb: float | None = None
        self._seen_mb = 0.0  # the highest mark of any one process, as seen by looking
        self._told_mb = 0.0  # the same as the kernel tells it at the end
        self._floor_mb = _high_water(os.getpid())[1]
        self._reaped = False

    def wait(self, descriptor: int) -> float:
        """The moment at which `descriptor` became readable; samples memory until then."""
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        while not poll.poll(SAMPLE_EVERY * 1000):
            self._sample()
            if time.monotonic() > self.deadline:
                raise RunError("it took too long and was ended")
        return time.perf_counter()

    def _sample(self) -> None:
        total = 0.0
        for pid in _tree(self.process.pid):
            resident, highest = _high_water(pid)
            total += resident
            self._seen_mb = max(self._seen_mb, highest)
        if TREES_ARE_VISIBLE:
            self.tree_mb = max(self.tree_mb or 0.0, total)

    def reap(self) -> None:
        _, status, usage = os.wait4(self.process.pid, 0)
        self._reaped = True
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.cpu = usage.ru_utime + usage.ru_stime
        self._told_mb = usage.ru_maxrss / 1024
        if self.process.returncode != 0:
            raise RunError(f"it ended with status {self.process.returncode}")

    def largest_mb(self) -> float:
        """The largest process's resident size.

        The kernel's figure at the end is exact, but a child inherits its parent's mark across exec: below this
        driver's own size it says nothing, and what was seen while it ran has to do.
        """
        return self._told_mb if self._told_mb > self._floor_mb + 1 else self._seen_mb

    def end(self) -> None:
        """Make sure that nothing is left running; harmless when all is over."""
        if not self._reaped:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            self._reaped = True
        for stream in (self.process.stdin, self.process.stdout):
            if stream and not stream.closed:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1


def _tree(pid: int) -> list[int]:
    """A process and all its descendants. Any thread may have started a child, so every thread is asked."""
    found, todo = [], [pid]
    while todo:
        current = todo.pop()
        found.append(current)
        try:
            for thread in os.listdir(f"/proc/{current}/task"):
                with open(f"/proc/{current}/task/{thread}/children", "rb") as file:
                    todo.extend(map(int, file.read().split()))
        except OSError:  # it ended while we looked
            continue
    return found


def _high_water(pid: int) -> tuple[float, float]:
    """A process's resident size now, and the highest it has been, in MB."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            text = file.read()
    except OSError:
        return 0.0, 0.0
    highest = re.search(rb"VmHWM:\s+(\d+)", text)
    now = re.search(rb"VmRSS:\s+(\d+)", text)
    return (int(now[1]) / 1024, int(highest[1]) / 1024) if now and highest else (0.0, 0.0)


def _machine_busy() -> float:
    """Seconds of CPU that the whole machine has used, time stolen by other machines included."""
    try:
        with open("/proc/stat", "rb") as file:
            user, nice, system, _idle, _io, irq, soft, steal = map(int, file.readline().split()[1:9])
    except (OSError, ValueError):
        return 0.0
    return (user + nice + system + irq + soft + steal) / TICK


def _tail(path: Path) -> str:
    text = path.read_text(errors="replace").strip()
    return " / ".join(text.splitlines()[-3:])[-300:]

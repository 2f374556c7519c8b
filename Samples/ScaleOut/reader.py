"""Drives one `cameo worker` for an engine that hands out lines: every line gets exactly one answer, whatever happens.

Standard library only, so that it goes to the machines of a cluster as one file.
"""
import collections
import json
import os
import queue
import signal
import subprocess
import threading

# What `cameo worker` exits with, and a shell or a loader where it cannot start one.
USAGE, MACHINE, DRAINED = 2, 3, 75
NOT_STARTED = 126, 127


class MachineFault(Exception):
    """This machine cannot do it: the engine is to try another."""


class Worker:
    """A worker process; its answers come out of `answers`, None when there will be no more.

    What it started itself is in a session with it, and may hold its pipes: nobody but their own threads waits at those.
    """

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self.answers = queue.Queue()
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._write, daemon=True).start()

    def _read(self):
        with self.process.stdout as answers:
            for line in answers:
                self.answers.put(line)
        self.answers.put(None)

    def _write(self):
        try:
            with self.process.stdin as lines:
                for line in iter(self.lines.get, None):
                    lines.write(line)
                    lines.flush()
        except OSError:
            pass  # It has ended; the end of its answers tells.

    def send(self, line):
        """Has a line sent to it, without a wait for its being read."""
        self.lines.put(line)

    def end(self, kill=False):
        """Ends it. Its exit status, negative for a signal."""
        self.lines.put(None)
        # Not once it was waited for: its number may be another's then.
        if kill and self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        return self.process.wait()


class Ending:
    """How a worker came to its end: its exit status, and whether that was because it was silent for too long."""

    def __init__(self, status, is_silent=False):
        self.status, self.is_silent = status, is_silent


class Reader:
    """Has `lines` done by one worker after another."""

    def __init__(self, lines, command, ahead=16, patience=120.0):
        self.lines = enumerate(lines)
        self.command, self.ahead, self.patience = command, ahead, patience
        self.waiting = collections.deque()  # Numbered lines that are to be sent again.
        self.sent = collections.deque()  # Those that were sent and have no answer.
        self.suspect = None  # The number of the line that is tried alone.
        self.worker = None

    def answers(self):
        """Yields an answer, a dict, for each line, in their order.

        A worker that ends too early, crashes, or is silent for `patience` seconds is replaced, and what it had not
        answered is sent again: the first of those lines alone, and if it ends its worker alone too, it is answered
        with "crashed", or "timedOut" where it was silence. Raises MachineFault where the machine is at fault, and where
        a worker ends well twice and has not answered that line: it never read it, so no picture is to blame.
        """
        try:
            while self._fill():
                answer, ending = self._next()
                if answer is not None:
                    _, line = self.sent.popleft()
                    self.suspect = None
                    yield _restored(answer, line)
                    continue
                failure = self._recover(ending)
                if failure is not None:
                    yield failure
        finally:
            if self.worker is not None:
                self.worker.end(kill=bool(self.sent))

    def _fill(self):
        """Sends lines, as many as may be under way. Whether any are."""
        limit = self.ahead if self.suspect is None else 1
        while len(self.sent) < limit:
            item = self.waiting.popleft() if self.waiting else next(self.lines, None)
            if item is None:
                break
            self.worker = self.worker or self._started()
            self.sent.append(item)
            self.worker.send(_numbered(item[1], item[0]))
        return bool(self.sent)

    def _started(self):
        try:
            return Worker(self.command)
        except OSError as error:
            raise MachineFault(f"{os.uname().nodename}: the worker cannot be started: {error}") from error

    def _next(self):
        """The answer to the first line sent, or how the worker ended."""
        while True:
            try:
                line = self.worker.answers.get(timeout=self.patience)
            except queue.Empty:
                return None, Ending(self.worker.end(kill=True), is_silent=True)
            if line is None:
                return None, Ending(self.worker.end())
            try:
                answer = json.loads(line)
            except ValueError:
                continue  # A banner, or a line that was torn.
            if isinstance(answer, dict) and answer.get("id") == self.sent[0][0]:
                return answer, None

    def _recover(self, ending):
        """Makes ready for another worker. The answer to a line that is given up."""
        self.worker = None
        self.waiting.extendleft(reversed(self.sent))
        self.sent.clear()
        number, line = self.waiting[0]
        is_again = self.suspect == number
        if ending.status in (USAGE, MACHINE, *NOT_STARTED) or (ending.status == DRAINED and is_again):
            raise MachineFault(f"{os.uname().nodename}: the worker exited with {ending.status}; see its standard error")
        if not is_again:
            self.suspect = number
            return None
        if ending.status == 0 and not ending.is_silent:
            raise MachineFault(
                f"{os.uname().nodename}: the worker ended with status 0 and no answer: the command is no worker, or does "
                "not get its input")
        self.waiting.popleft()
        self.suspect = None
        return _failure(line, ending)


def _numbered(line, number):
    """The line with a number for its id, which is sure to be its own. What is no object is the worker's to refuse."""
    try:
        request = json.loads(line)
        request["id"] = number
        return json.dumps(request).encode() + b"\n"
    except (ValueError, TypeError):
        return b'{"id":%d,!\n' % number


def _caller(line):
    """The id and the input that the caller's line has."""
    try:
        request = json.loads(line)
        return request.get("id"), request.get("input", "")
    except (ValueError, AttributeError):
        return None, ""


def _restored(answer, line):
    answer["id"], _ = _caller(line)
    answer.pop("line", None)  # It counts the lines of one worker process.
    return answer


def _failure(line, ending):
    identifier, source = _caller(line)
    kind, what = ("timedOut", "was silent") if ending.is_silent else ("crashed", f"ended with {ending.status}")
    error = {"kind": kind, "stage": "decode", "retryable": ending.is_silent}
    error["message"] = f"{source}: its worker {what}, alone too"
    return {"id": identifier, "input": source, "status": "failed", "error": error}

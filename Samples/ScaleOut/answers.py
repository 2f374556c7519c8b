#!/usr/bin/env python3
"""What run-parallel has to know of manifests and answers.

answers.py todo MANIFEST PART            the lines of MANIFEST that PART has no answer for
answers.py faults LOG                    fails with 3 where GNU parallel's job log tells of a machine at fault, or is missing
answers.py crashed TODO PART LOG         answers for the lines of TODO that broke their own worker
answers.py finish MANIFEST PART RESULTS  writes RESULTS, one answer a line, once all are there

A manifest that cannot be read, or has lines without ids of their own, ends them with 2.
"""
import json
import os
import sys

# What `cameo worker` exits with, a shell where it cannot start one, and ssh where it does not get through.
USAGE, MACHINE, DRAINED, UNREACHABLE = 2, 3, 75, 255
NOT_STARTED = 126, 127


def key(value):
    """An id as something to look up, whatever JSON it is."""
    return json.dumps(value, sort_keys=True)


def identified(path):
    """The lines of a file of JSON with their ids. What is no whole object, a line that was torn, is passed over."""
    with open(path, "rb") as file:
        for line in file:
            try:
                yield key(json.loads(line)["id"]), line
            except (ValueError, KeyError, TypeError):
                continue


def refusal(path, count, distinct):
    """Why a manifest of so many lines, with so many ids, cannot be done, or None. Every line needs one of its own."""
    return None if count == distinct else f"{path}: of {count} lines, {count - distinct} have no id of their own"


def wanted(path):
    """The manifest's lines by id."""
    try:
        lines = dict(identified(path))
        with open(path, "rb") as file:
            count = sum(1 for _ in file)
    except OSError as error:
        refused = f"{path}: {error.strerror}"
    else:
        refused = refusal(path, count, len(lines))
    if refused:
        print(refused, file=sys.stderr)
        sys.exit(USAGE)
    return lines


def todo(manifest, part):
    answered = {identifier for identifier, _ in identified(part)}
    for identifier, line in wanted(manifest).items():
        if identifier not in answered:
            sys.stdout.buffer.write(line)


def jobs(log):
    """Exit status and signal of each job, by its number, which counts from 1."""
    with open(log) as file:
        for line in list(file)[1:]:
            fields = line.split("\t")
            yield int(fields[0]), int(fields[6]), int(fields[7])


def faults(log):
    if not os.path.exists(log):
        print("run-parallel: GNU parallel did not begin; run again once that is mended", file=sys.stderr)
        sys.exit(MACHINE)
    statuses = {status for _, status, _ in jobs(log)}
    reasons = {USAGE: "the worker does not understand its options", MACHINE: "a machine is at fault"}
    reasons |= dict.fromkeys(NOT_STARTED, "a machine cannot start the worker")
    for status, reason in reasons.items():
        if status in statuses:
            print(f"run-parallel: {reason}; run again once that is mended", file=sys.stderr)
            sys.exit(MACHINE)


def crashed(todo_path, part, log):
    answered = {identifier for identifier, _ in identified(part)}
    with open(todo_path, "rb") as file:
        lines = list(file)
    # Where nothing was to do there is no log of it.
    last = {number: (status, signal) for number, status, signal in jobs(log)} if lines else {}
    silent = 0
    for number, (status, signal) in sorted(last.items()):
        line = json.loads(lines[number - 1])
        # No picture is to blame for a machine that was switched off.
        if key(line["id"]) in answered or status in (DRAINED, UNREACHABLE):
            continue
        # A worker answers every line it reads before it ends well: this one never read its own.
        if status == 0 and signal == 0:
            silent += 1
            continue
        reason = f"signal {signal or status - 128}" if signal or status > 128 else f"status {status}"
        error = {"kind": "crashed", "stage": "decode", "retryable": False}
        error["message"] = f"{line.get('input', '')}: its worker ended with {reason}, alone too"
        print(json.dumps({"id": line["id"], "input": line.get("input", ""), "status": "failed", "error": error}))
    if silent:
        print(
            f"run-parallel: {silent} lines went to workers that ended with status 0 and no answer: the command is no "
            "worker, or a machine does not hand it its input", file=sys.stderr)


def finish(manifest, part, results):
    lines = wanted(manifest)
    rows = {}
    for identifier, line in identified(part):
        if identifier in lines:
            rows.setdefault(identifier, line)
    if len(rows) != len(lines):
        print(f"{results}: {len(lines) - len(rows)} of {len(lines)} lines have no answer", file=sys.stderr)
        sys.exit(MACHINE)
    with open(results + ".new", "wb") as file:
        file.writelines(rows[identifier] for identifier in lines)
        file.flush()
        os.fsync(file.fileno())
    os.rename(results + ".new", results)
    print(f"{results}: {len(rows)} answers")


if __name__ == "__main__":
    commands = {"todo": todo, "faults": faults, "crashed": crashed, "finish": finish}
    commands[sys.argv[1]](*sys.argv[2:])

"""What the measurements were made on, for the report."""
from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

# Those that are installed are reported. The codec matters most, and the Python wheels bring their own.
LIBRARIES = (
    "libvips42", "libvips42t64", "libjpeg62-turbo", "libjpeg-turbo8", "libgdk-pixbuf-2.0-0",
    "libgraphicsmagick-q16-3", "libgraphicsmagick-q16-3t64", "libmagickcore-6.q16-6", "libmagickcore-6.q16-7t64", "libc6")


def cores() -> int:
    return len(os.sched_getaffinity(0))


def load() -> float:
    return round(os.getloadavg()[0], 2)


def _field(path: str, pattern: str) -> str | None:
    try:
        found = re.search(pattern, Path(path).read_text(), re.MULTILINE)
    except OSError:
        return None
    return found[1].strip().strip('"') if found else None


def _installed() -> dict[str, str]:
    try:
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *LIBRARIES], capture_output=True, text=True)
    except OSError:
        return {}
    return dict(line.split(" ", 1) for line in asked.stdout.splitlines() if not line.endswith(" "))


def describe() -> dict[str, object]:
    memory = _field("/proc/meminfo", r"^MemTotal:\s+(\d+)")
    return {
        "cpu": _field("/proc/cpuinfo", r"^model name\s*:\s*(.+)$") or platform.machine(),
        "cores": cores(),
        "memoryGB": round(int(memory) / 1024**2, 1) if memory else None,
        "architecture": platform.machine(),
        "kernel": platform.release(),
        "os": _field("/etc/os-release", r"^PRETTY_NAME=(.+)$") or platform.system(),
        "python": platform.python_version(),
        "libraries": _installed(),
    }

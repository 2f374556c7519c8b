"""Getting what is missing: Debian packages by apt-get, Python packages into a virtual environment of our own.

Nothing here raises when something cannot be had: the caller reports the peer as absent and goes on.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

# The name to install by, and the name to import by.
IMPORT_NAMES = {"pyvips": "pyvips", "Pillow": "PIL", "opencv-python-headless": "cv2", "numpy": "numpy", "piexif": "piexif"}


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "cameo-benchmarks"


def venv_python() -> Path:
    return cache_folder() / "venv" / "bin" / "python"


def _succeeds(command: list[str], folder: str | None = None) -> bool:
    try:
        done = subprocess.run(
            command, cwd=folder, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:
        print(f"  {command[0]}: {error}", file=sys.stderr)
        return False
    if done.returncode != 0:
        print(f"  {' '.join(command[:4])} … failed: {done.stdout.strip()[-300:]}", file=sys.stderr)
    return done.returncode == 0


# Debian packages

@lru_cache(maxsize=None)
def _as_root() -> tuple[str, ...] | None:
    """What to put before a command to run it as root, or None when there is no way to."""
    if os.geteuid() == 0:
        return ()
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ("sudo", "-n")
    return None


@lru_cache(maxsize=None)
def _update_lists() -> bool:
    """`apt-get update`, at most once a run."""
    root = _as_root()
    return root is not None and _succeeds([*root, "apt-get", "-q", "update"])


def install_packages(packages: list[str]) -> bool:
    root = _as_root()
    if not shutil.which("apt-get") or root is None:
        return False
    print(f"installing {' '.join(packages)}", file=sys.stderr)
    command = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-qq", "--no-install-recommends", *packages]
    return _succeeds(command) or (_update_lists() and _succeeds(command))


def unpack_packages(packages: list[str], root: Path) -> bool:
    """Unpack packages' files below `root` without installing them, and without being root."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        return False
    print(f"unpacking {' '.join(packages)}", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=root.parent) as folder:
        command = ["apt-get", "-q", "download", *packages]
        if not _succeeds(command, folder) and not (_update_lists() and _succeeds(command, folder)):
            return False
        return all(_succeeds(["dpkg-deb", "-x", str(file), str(root)]) for file in sorted(Path(folder).glob("*.deb")))


# Python packages

def has_module(package: str) -> bool:
    python = venv_python()
    if not python.exists():
        return False
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({IMPORT_NAMES[package]!r}) is None)"
    return subprocess.run([str(python), "-c", code], capture_output=True).returncode == 0


def _make_venv() -> bool:
    python = venv_python()
    if python.exists() and subprocess.run([str(python), "-m", "pip", "--version"], capture_output=True).returncode == 0:
        return True
    # --clear also mends one whose interpreter has been upgraded away.
    print(f"making a virtual environment in {python.parent.parent}", file=sys.stderr)
    made = _succeeds([sys.executable, "-m", "venv", "--clear", str(python.parent.parent)])
    if not made:
        print("  (on Debian the venv module is the package python3-venv)", file=sys.stderr)
    return made


def add_modules(packages: list[str]) -> list[str]:
    """Put packages into the virtual environment; returns those that cannot be had.

    One command for each, so that one that has no wheel for this machine does not take the others with it.
    """
    missing = [p for p in packages if not has_module(p)]
    if not missing or not _make_venv():
        return missing
    absent = []
    for package in missing:
        print(f"installing {package} into the virtual environment", file=sys.stderr)
        command = [str(venv_python()), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:", package]
        # pyvips itself comes as source, a few Python files; it needs no compiler.
        if package == "pyvips":
            command[-3:-1] = []
        if not _succeeds(command):
            absent.append(package)
    return absent

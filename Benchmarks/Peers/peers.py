"""The peers: what each is called, what it needs, and the command that thumbnails the photos with it.

To add one, write a function that returns a `Peer` and put it into `known_peers`; the README says how.
"""
from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import provision
from measure import Command

HERE = Path(__file__).resolve().parent
QUALITY = 80
BASELINE = "vipsthumbnail"  # what every ratio is against
OUTPUT_SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}


@dataclass(frozen=True)
class Job:
    """One peer's task in one round."""
    names: list[str]  # of the photos, in the folder the command starts in
    out: Path  # an empty folder, absolute
    private: Path  # another empty folder, for caches and the like
    size: int
    workers: int
    workers_are_chosen: bool  # by --workers; otherwise each program may count the cores itself

    @property
    def share(self) -> int:
        """How many photos each process gets when every process gets equally many."""
        return math.ceil(len(self.names) / self.workers)


@dataclass(frozen=True)
class Peer:
    name: str
    how: str  # one line for the list and the report
    command: Callable[[Job], Command]
    version: Callable[[], str | None]  # None: it is not on this machine
    packages: tuple[str, ...] = ()  # Debian packages that bring it
    modules: tuple[str, ...] = ()  # Python packages that bring it
    verify: Callable[[str], str | None] = field(default=lambda printed: None)  # what is wrong with what it printed
    is_cameo: bool = False

    def make_available(self, may_install: bool) -> str | None:
        """None when the peer can be run, otherwise why not."""
        if self.version():
            return None
        if self.is_cameo:
            return "there is no such program; build it (swift build -c release) or name one with --cameo"
        wanted = ", ".join(self.packages + self.modules)
        if not may_install:
            return f"not installed (needs {wanted})"
        # A Python package may only lack the system library beneath it, so both kinds are seen to.
        if self.modules and provision.add_modules(list(self.modules)):
            return f"not installed, and the Python packages cannot be had ({wanted})"
        if not self.version() and self.packages:
            provision.install_packages(list(self.packages))
        return None if self.version() else f"not installed, and cannot be ({wanted})"


# Finding programs

def _first_line(argv: list[str]) -> str | None:
    try:
        said = subprocess.run(argv, capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = said.stdout.strip().splitlines()
    return lines[0].strip() if said.returncode == 0 and lines else None


def _imagemagick() -> list[str] | None:
    """ImageMagick's batch program, made sure of by its version: other programs answer to `convert` and `mogrify`."""
    for argv in (["magick", "mogrify"], ["mogrify-im6.q16"], ["mogrify"]):
        line = _first_line([*argv, "-version"]) if shutil.which(argv[0]) else None
        if line and line.startswith("Version: ImageMagick"):
            return argv
    return None


def _dpkg_version(package: str) -> str | None:
    line = _first_line(["dpkg-query", "-W", "-f", "${Version}", package])
    return f"{package} {line}" if line else None


def _module_version(library: str) -> Callable[[], str | None]:
    """Asks the worker itself: having a package is not enough, it must import."""
    def ask() -> str | None:
        if not provision.venv_python().exists():
            return None
        argv = [str(provision.venv_python()), str(HERE / "worker.py"), library, "256", "1", os.devnull]
        asked = subprocess.run(argv, input="\n", capture_output=True, text=True)
        word, _, rest = asked.stdout.partition(" ")
        return ", ".join(f"{k} {v}" for k, v in json.loads(rest).items()) if word == "ready" else None
    return ask


# The peers

def cameo(name: str, program: Path | None, isolation: str | None = None) -> Peer:
    def command(job: Job) -> Command:
        argv = [str(program), "thumbnails", *job.names, "-o", str(job.out), "--size", str(job.size), "--json"]
        if isolation:
            argv += ["--isolate", isolation]
        if job.workers_are_chosen:
            argv += ["--workers", str(job.workers)]
        # Caches of its own each round: a thumbnail kept from an earlier round would not be work.
        homes = ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
        return Command(argv, env={home: str(job.private / home.lower()) for home in homes})

    def verify(printed: str) -> str | None:
        results = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
        other = [r for r in results if r.get("status") != "rendered"]
        return f"{len(other)} results are not \"rendered\", the first: {json.dumps(other[0])[:200]}" if other else None

    where = "" if program is None else f" ({_readable(program)})"
    return Peer(
        name, f"cameo thumbnails{f' --isolate {isolation}' if isolation else ''}{where}", command, verify=verify, is_cameo=True,
        version=lambda: _first_line([str(program), "--version"]) if program else None)


def _readable(program: Path) -> str:
    """A path that says nothing of the machine when the program lies in this repository."""
    try:
        return str(program.relative_to(HERE.parents[1]))
    except ValueError:
        return program.name


def vipsthumbnail() -> Peer:
    def command(job: Job) -> Command:
        env = {"VIPS_CONCURRENCY": str(job.workers)} if job.workers_are_chosen else {}
        return Command(["vipsthumbnail", *job.names, *_vips_options(job)], env=env)

    return Peer(
        BASELINE, "vipsthumbnail, one process for all photos", command,
        version=lambda: _first_line(["vipsthumbnail", "--version"]), packages=("libvips-tools",))


def vipsthumbnail_xargs() -> Peer:
    def command(job: Job) -> Command:
        # One thread a process: with a process on every core, more of them only get in each other's way.
        return _xargs(job, ["vipsthumbnail", *_vips_options(job)], job.share, {"VIPS_CONCURRENCY": "1"})

    return Peer(
        "vipsthumbnail-xargs", "vipsthumbnail, a process on each core with an equal share of the photos", command,
        version=lambda: _first_line(["vipsthumbnail", "--version"]), packages=("libvips-tools",))


def _vips_options(job: Job) -> list[str]:
    # The output must be absolute: a relative one would be taken from the photo's folder.
    return ["--size", f"{job.size}x{job.size}>", "-o", f"{job.out}/%s.jpg[Q={QUALITY},strip]"]


def _xargs(job: Job, argv: list[str], share: int, env: dict[str, str]) -> Command:
    return Command(["xargs", "-0", "-P", str(job.workers), "-n", str(share), *argv], job.names, env)


# Both Magicks thumbnail before they turn the picture upright: the box is square, so the result is the same and the
# turning is cheaper. `mogrify` with many photos beats one `convert` a photo, and one thread a process beats several.

def graphicsmagick() -> Peer:
    def command(job: Job) -> Command:
        hint = f"{2 * job.size}x{2 * job.size}"
        argv = ["gm", "mogrify", "-size", hint, "-output-directory", str(job.out), *_magick_options(job)]
        return _xargs(job, argv, job.share, {"OMP_NUM_THREADS": "1"})

    return Peer(
        "graphicsmagick", "gm mogrify with a size hint, a process on each core", command,
        version=lambda: _first_line(["gm", "version"]), packages=("graphicsmagick",))


def imagemagick() -> Peer:
    def command(job: Job) -> Command:
        hint = f"jpeg:size={2 * job.size}x{2 * job.size}"
        argv = [*(_imagemagick() or ["mogrify"]), "-define", hint, "-path", str(job.out), *_magick_options(job)]
        return _xargs(job, argv, job.share, {"OMP_NUM_THREADS": "1"})

    def version() -> str | None:
        argv = _imagemagick()
        return _first_line([*argv, "-version"]) if argv else None

    return Peer(
        "imagemagick", "ImageMagick's mogrify with a size hint, a process on each core", command,
        version=version, packages=("imagemagick",))


def _magick_options(job: Job) -> list[str]:
    return ["-thumbnail", f"{job.size}x{job.size}>", "-auto-orient", "-strip", "-quality", str(QUALITY)]


def gdk_pixbuf() -> Peer:
    def command(job: Job) -> Command:
        # It takes one photo a process and always writes PNG.
        argv = ["gdk-pixbuf-thumbnailer", "-s", str(job.size), "{}", f"{job.out}/{{}}.png"]
        return Command(["xargs", "-0", "-P", str(job.workers), "-I{}", *argv], job.names)

    def version() -> str | None:
        # The program does not tell its version; its package does, where there is one.
        if not shutil.which("gdk-pixbuf-thumbnailer"):
            return None
        return _dpkg_version("libgdk-pixbuf2.0-bin") or "unknown version"

    return Peer(
        "gdk-pixbuf", "gdk-pixbuf-thumbnailer, a process for each photo, one on each core; writes PNG", command,
        version=version, packages=("libgdk-pixbuf2.0-bin",))


def _library(name: str, how: str, modules: tuple[str, ...], packages: tuple[str, ...] = (),
             env: dict[str, str] | None = None) -> Peer:
    def command(job: Job) -> Command:
        argv = [str(provision.venv_python()), str(HERE / "worker.py")]
        argv += [name, str(job.size), str(job.workers), str(job.out)]
        return Command(argv, job.names, env or {}, is_worker=True)

    return Peer(name, how, command, version=_module_version(name), modules=modules, packages=packages)


def pyvips() -> Peer:
    how = "libvips's thumbnail from Python, a thread on each core"
    return _library("pyvips", how, ("pyvips",), ("libvips-tools",), {"VIPS_CONCURRENCY": "1"})


def pillow() -> Peer:
    return _library("pillow", "Pillow with draft mode, a thread on each core", ("Pillow",))


def opencv() -> Peer:
    return _library("opencv", "OpenCV's reduced read and INTER_AREA, a thread on each core", ("numpy", "opencv-python-headless"))


def known_peers(cameos: list[str], isolation: list[str], repository: Path) -> list[Peer]:
    """Every peer, each build of cameo first. `cameos` holds PATH or NAME=PATH, as --cameo takes it, and `isolation`
    NAME=HOW, as --isolate does. Where none are named, the newest build is measured without and with isolation."""
    newest = newest_build(repository)
    programs = dict(_named(text) for text in cameos) or {"cameo": newest, "isolated": newest}
    if len(programs) < len(cameos):
        raise ValueError("two builds have one name; tell them apart with --cameo NAME=PATH")
    hows = {} if cameos else {"cameo": "none", "isolated": "auto"}
    for text in isolation:
        name, equals, how = text.partition("=")
        if not equals or name not in programs:
            raise ValueError(f"--isolate {text}: it takes NAME=HOW, with the name of a build")
        hows[name] = how
    builds = [cameo(name, program, hows.get(name)) for name, program in programs.items()]
    peers = builds + [
        vipsthumbnail(), vipsthumbnail_xargs(), graphicsmagick(), imagemagick(), gdk_pixbuf(), pyvips(), pillow(), opencv()]
    names = [p.name for p in peers]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice:
        raise ValueError(f"two peers are called {twice}; tell builds apart with --cameo NAME=PATH")
    return peers


def _named(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not equals or not re.fullmatch(r"[\w.+-]+", name):
        name, path = "cameo", text
    return name, Path(os.path.abspath(os.path.expanduser(path)))


def newest_build(repository: Path) -> Path | None:
    builds = [p for pattern in (".build/release/cameo", ".build/*/release/cameo") for p in repository.glob(pattern) if p.is_file()]
    return max(builds, key=lambda p: p.stat().st_mtime, default=None)


def select(peers: list[Peer], wanted: str | None) -> list[Peer]:
    """The peers named in a list such as `cameo,pyvips`; `cameo` stands for every build of it."""
    if not wanted:
        return peers
    names = [n.strip() for n in wanted.split(",") if n.strip()]
    known = {p.name for p in peers} | {"cameo"}
    unknown = [n for n in names if n not in known]
    if unknown:
        raise ValueError(f"no such peer: {', '.join(unknown)} (there are {', '.join(sorted(known))})")
    return [p for p in peers if p.name in names or (p.is_cameo and "cameo" in names)]


def outputs(folder: Path) -> dict[str, Path]:
    """What a peer wrote, by the photo's name without its ending."""
    return {p.name.split(".")[0]: p for p in folder.rglob("*") if p.suffix.lower() in OUTPUT_SUFFIXES and p.is_file()}

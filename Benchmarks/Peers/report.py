"""From measurements to a table, a list of bars and one JSON object."""
from __future__ import annotations

from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any, Callable

from measure import Measurement
from peers import BASELINE, Peer


NOISE = 0.2  # cores' worth of other programs' work from which a reader should be told


@dataclass
class Entry:
    """A peer and all that was learnt about it. With a reason in `absent` it was not, or not wholly, measured."""
    peer: Peer
    version: str | None = None
    absent: str | None = None
    rounds: list[Measurement] = field(default_factory=list)
    quality: dict[str, Any] | None = None

    def figures(self, value: Callable[[Measurement], float]) -> list[float]:
        return [value(r) for r in self.rounds]

    def wall(self) -> list[float]:
        return self.figures(lambda r: r.wall)

    def peak_mb(self) -> float:
        """The most memory in any round. The kernel's own mark counts too: it misses no moment between two looks."""
        return max(max(r.tree_mb or 0, r.largest_mb) for r in self.rounds)


@dataclass(frozen=True)
class Bar:
    name: str
    passed: bool | None  # None: it does not apply here
    detail: str


@dataclass(frozen=True)
class Limits:
    min_speedup: float
    min_lead: float  # over the best of the peers that use every core
    max_slower: float  # percent
    max_rss: float  # MB
    max_ssim_loss: float
    max_isolation_cost: float  # percent


# What a build has to reach on photos of a kind: times as fast as one vipsthumbnail process, and as the best of the peers
# that use every core. On any others, as much as the first version had to.
SPEED_BARS = {"baseline": (4.0, 1.9), "progressive": (30.0, 12.0)}
OTHER_SPEED_BAR = (1.65, 1.0)
FASTEST_PEER = "opencv"  # of all that were measured; without it the best of the others says too little
ISOLATED = "isolated"


def speedups(entry: Entry, against: Entry) -> list[float]:
    """How many times as fast, round by round: a slow stretch of the machine tends to hold a whole round, so to slow both."""
    return [b / a for a, b in zip(entry.wall(), against.wall())]


def measured(entries: list[Entry], name: str) -> Entry | None:
    return next((e for e in entries if e.peer.name == name and not e.absent), None)


# The table

HEAD = ("peer", "ms/photo", "(min..max)", "photos/s", "ratio", "(min..max)", "CPU ms", "peak MB", "SSIM mean", "worst", "KB", "start ms")


def table(entries: list[Entry], photos: int) -> str:
    baseline = measured(entries, BASELINE)
    shown = sorted((e for e in entries if not e.absent), key=lambda e: median(e.wall()))
    rows = [HEAD] + [_row(e, baseline, photos) for e in shown]
    widths = [max(len(r[i]) for r in rows) for i in range(len(HEAD))]
    lines = ["  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(r, widths))).rstrip() for r in rows]
    lines.insert(1, "  ".join("-" * w for w in widths))
    lines += [f"{e.peer.name}: absent: {e.absent}" for e in entries if e.absent]
    return "\n".join(lines)


def _row(entry: Entry, baseline: Entry | None, photos: int) -> tuple[str, ...]:
    wall = [w * 1000 / photos for w in entry.wall()]
    ratio = speedups(entry, baseline) if baseline else []
    starts = [r.startup for r in entry.rounds if r.startup is not None]
    quality = entry.quality or {}
    return (
        entry.peer.name,
        f"{median(wall):.1f}", f"{min(wall):.1f}..{max(wall):.1f}", f"{1000 / median(wall):.1f}",
        f"{median(ratio):.2f}" if ratio else "-", f"{min(ratio):.2f}..{max(ratio):.2f}" if ratio else "-",
        f"{median(entry.figures(lambda r: r.cpu)) * 1000 / photos:.1f}",
        f"{entry.peak_mb():.0f}",
        f"{quality['mean']:.4f}" if quality.get("mean") is not None else "-",
        f"{quality['worst']:.4f}" if quality.get("worst") is not None else "-",
        f"{quality['meanBytes'] / 1000:.1f}" if quality.get("meanBytes") else "-",
        f"{median(starts) * 1000:.0f}" if starts else "in wall",
    )


def remarks(entries: list[Entry]) -> list[str]:
    """What a reader should know before believing the table."""
    said = []
    others = [r.others for e in entries for r in e.rounds]
    noisy = sum(o > NOISE for o in others)
    if noisy:
        said.append(f"noise: in {noisy} of {len(others)} runs other programs kept more than {NOISE} cores busy (at most {max(others):.2f}); "
                    "a peer that uses every core loses more by that than one that uses a single core. See --redo-noisy.")
    for e in entries:
        if e.quality and e.quality["wrongSize"]:
            said.append(f"{e.peer.name}: {len(e.quality['wrongSize'])} of {e.quality['checked']} pictures are missing or not of the right size.")
    return said


# The bars

def bars(entries: list[Entry], name: str, limits: Limits) -> list[Bar]:
    """Whether the build of cameo called `name` is where it should be. What was not measured has not passed."""
    cameo = measured(entries, name)
    if cameo is None:
        reason = next((e.absent for e in entries if e.peer.name == name), None)
        return [Bar(f"{name} was measured", False, reason or "not selected")]
    slack = 1 - limits.max_slower / 100
    return [
        _speed_bar(entries, cameo, BASELINE, limits.min_speedup),
        _speed_bar(entries, cameo, "vipsthumbnail-xargs", slack),
        _speed_bar(entries, cameo, "pyvips", slack),
        _lead_bar(entries, cameo, limits.min_lead),
        _memory_bar(cameo, limits.max_rss),
        *_quality_bars(entries, cameo, limits.max_ssim_loss),
        _isolation_bar(entries, cameo, limits.max_isolation_cost),
    ]


def _speed_bar(entries: list[Entry], cameo: Entry, name: str, least: float) -> Bar:
    title = f"at least {least:g} x {name}"
    other = measured(entries, name)
    if other is None:
        return Bar(title, False, f"{name} was not measured")
    ratio = median(speedups(cameo, other))
    return Bar(title, ratio >= least, f"{ratio:.3f} x")


def _lead_bar(entries: list[Entry], cameo: Entry, least: float) -> Bar:
    title = f"at least {least:g} x the best peer on all cores"
    others = [e for e in entries if not (e.absent or e.peer.is_cameo or e.peer.name == BASELINE)]
    if measured(others, FASTEST_PEER) is None:
        return Bar(title, False, f"{FASTEST_PEER}, the fastest so far, was not measured")
    ratio, name = min((median(speedups(cameo, e)), e.peer.name) for e in others)
    return Bar(title, ratio >= least, f"{ratio:.3f} x {name}")


def _memory_bar(cameo: Entry, most: float) -> Bar:
    peak = cameo.peak_mb()
    return Bar(f"at most {most:g} MB", peak <= most, f"{peak:.1f} MB")


def _isolation_bar(entries: list[Entry], cameo: Entry, most: float) -> Bar:
    title = f"isolation costs at most {most:g} % of the throughput"
    isolated = next((e for e in entries if e.peer.name == ISOLATED), None)
    if isolated is None or cameo.peer.name == ISOLATED:
        return Bar(title, None, f"no build is called {ISOLATED}")
    if isolated.absent:
        return Bar(title, False, isolated.absent)
    cost = 100 * (1 - median(speedups(isolated, cameo)))
    return Bar(title, cost <= most, f"{cost:.1f} %, {isolated.peer.name} against {cameo.peer.name}")


def _quality_bars(entries: list[Entry], cameo: Entry, most_loss: float) -> list[Bar]:
    sizes, closeness = "every picture there and of the right size", f"mean SSIM at most {most_loss:g} below {BASELINE}'s"
    if cameo.quality is None:
        return [Bar(sizes, False, "quality was not measured"), Bar(closeness, False, "quality was not measured")]
    wrong = len(cameo.quality["wrongSize"])
    found = [Bar(sizes, wrong == 0, f"{wrong} of {cameo.quality['checked']} wrong")]
    other = measured(entries, BASELINE)
    theirs = other.quality["mean"] if other and other.quality else None
    ours = cameo.quality["mean"]
    if theirs is None or ours is None:
        return found + [Bar(closeness, False, "not measured")]
    return found + [Bar(closeness, theirs - ours <= most_loss, f"{ours:.4f} against {theirs:.4f}")]


def bar_lines(found: list[Bar]) -> list[str]:
    words = {True: "pass", False: "FAIL", None: "n/a "}
    return [f"{words[b.passed]}  {b.name}: {b.detail}" for b in found]


# JSON

def as_json(entry: Entry, baseline: Entry | None, photos: int) -> dict[str, Any]:
    result: dict[str, Any] = {"name": entry.peer.name, "how": entry.peer.how, "version": entry.version, "absent": entry.absent}
    if entry.absent or not entry.rounds:
        return result
    wall = entry.wall()
    starts = [r.startup for r in entry.rounds if r.startup is not None]
    ratio = speedups(entry, baseline) if baseline else []
    result |= {
        "msPerPhoto": _spread([w * 1000 / photos for w in wall]),
        "photosPerSecond": _spread([photos / w for w in wall]),
        "speedup": _spread(ratio) if ratio else None,
        "cpuMsPerPhoto": _spread([r.cpu * 1000 / photos for r in entry.rounds]),
        "peakMB": round(entry.peak_mb(), 1),
        "treeMB": _spread([r.tree_mb for r in entry.rounds if r.tree_mb is not None]),
        "largestProcessMB": _spread([r.largest_mb for r in entry.rounds]),
        "startupMs": _spread([s * 1000 for s in starts]) if starts else None,
        "quality": entry.quality,
        "rounds": [{k: v for k, v in asdict(r).items() if v is not None and k != "versions"} for r in entry.rounds],
    }
    return result


def _spread(values: list[float]) -> dict[str, float] | None:
    if not values:
        return None
    return {"median": round(median(values), 4), "min": round(min(values), 4), "max": round(max(values), 4)}

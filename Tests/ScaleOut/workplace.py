"""What the tests of scaling out share: manifests of real pictures, the right outputs, and a check of what came."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "Samples" / "ScaleOut"
CAMEO = os.environ.get("CAMEO", str(ROOT / ".build" / "debug" / "cameo"))
STAND_IN = str(pathlib.Path(__file__).with_name("stand_in.py"))
# Small outputs: what is tested is the way there.
LOOK = ["--size", "48"]
sys.path.insert(0, str(SAMPLES))
# What else is set on this machine would have a word in what is tested: proxies, keys, and the drivers' own variables.
OTHERS = {"PARALLEL", "PARALLEL_SSH", "SSHLOGINS", "JOBS", "CHUNK", "TIMEOUT", "LINE_TIMEOUT", "BANNER", "FAULT"}
for name in list(os.environ):
    if name in OTHERS or name.lower().endswith("_proxy") or name.startswith(("AWS_", "SPARK_")):
        del os.environ[name]


class Workplace(unittest.TestCase):
    """A folder that is gone when the test is."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cameo-scale-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.output = self.folder / "out"
        self.worker = [CAMEO, "worker", "-o", str(self.output), *LOOK]

    def manifest(self, count, mischief=(), broken=()):
        """A manifest of `count` lines over the sample photos. Where `mischief`, (number, word), says so, the input's
        name holds the word; `broken` lines name pictures that are none."""
        photos = sorted(str(path) for path in (ROOT / "Samples" / "Photos" / "Portraits").glob("*.jpg"))
        text = self.folder / "words.jpg"
        text.write_text("no picture")
        lines = []
        for number in range(count):
            source = str(text) if number in broken else photos[number % len(photos)]
            lines.append({"id": f"n{number}", "input": source, "output": f"{number % 50}/{number}"})
        for number, word in mischief:
            link = self.folder / f"{word}-{number}.jpg"
            os.symlink(photos[0], link)
            lines[number]["input"] = str(link)
        path = self.folder / "manifest.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path, lines

    def check(self, lines, answers, crashed=(), kinds=("crashed",), was_killed=False):
        """Every line has one answer; every output is there, whole, and what a single run makes, byte for byte. A worker
        that was killed may leave what it was writing, by another name."""
        self.assertEqual(sorted(line["id"] for line in lines), sorted(answer["id"] for answer in answers))
        by_id = {answer["id"]: answer for answer in answers}
        single = self.folder / "single"
        whole = [line for line in lines if line["id"] not in crashed]
        run = subprocess.run(
            [CAMEO, "thumbnails", "--manifest", "-", "-o", str(single), "--json", *LOOK], capture_output=True,
            input="".join(json.dumps(line) + "\n" for line in whole).encode(), check=False)
        right = {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}
        self.assertEqual(len(right), len(whole))
        for line in lines:
            answer = by_id[line["id"]]
            if line["id"] in crashed:
                self.assertIn(answer["error"]["kind"], kinds)
                continue
            self.assertEqual(answer["status"] == "failed", right[line["id"]]["status"] == "failed", answer)
            for made, expected in zip(answer.get("outputs", []), right[line["id"]].get("outputs", []), strict=True):
                self.assertEqual(pathlib.Path(made["path"]).read_bytes(), pathlib.Path(expected["path"]).read_bytes())
        files = [path for path in self.output.rglob("*") if path.is_file()
                 and not (was_killed and path.name.startswith(".cameo-") and path.suffix == ".tmp")]
        self.assertEqual(
            len(files), sum(len(answer.get("outputs", [])) for answer in answers), "an output that nobody tells of")

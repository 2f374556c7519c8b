"""Apache Spark driving workers that crash, hang and are killed."""
import contextlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from workplace import SAMPLES, STAND_IN, Workplace

SPARK = importlib.util.find_spec("pyspark")
HOME = pathlib.Path(SPARK.submodule_search_locations[0]) if SPARK else None
# Both executors are on this one machine, so what is left out after a failure is the executor alone.
SAME_MACHINE = [
    "--conf", "spark.excludeOnFailure.task.maxTaskAttemptsPerNode=7",
    "--conf", "spark.excludeOnFailure.task.maxTaskAttemptsPerExecutor=1",
    "--conf", "spark.excludeOnFailure.stage.maxFailedTasksPerExecutor=1",
    "--conf", "spark.excludeOnFailure.stage.maxFailedExecutorsPerNode=9",
    "--conf", "spark.excludeOnFailure.application.maxFailedExecutorsPerNode=9",
    # A task that failed before the other executor was there would have nowhere to go. Spark waits half a minute for it
    # by itself, which may be too short for a busy machine.
    "--conf", "spark.scheduler.maxRegisteredResourcesWaitingTime=300s",
]


class DriverTests(Workplace):
    """What the driver does before and beside Spark's part, without Spark."""

    def setUp(self):
        super().setUp()
        path = SAMPLES / "run-spark.py"
        spec = importlib.util.spec_from_loader("run_spark", importlib.machinery.SourceFileLoader("run_spark", str(path)))
        self.driver = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.driver)

    def test_every_manifest_has_a_folder_of_its_own(self):
        names = [self.driver.name(name) for name in ("d/p.jsonl", "q.json", "m.00", "m.01", "./m.2024.jsonl", "m")]
        self.assertEqual(names, ["p", "q", "m.00", "m.01", "m.2024", "m"])

    def test_two_manifests_of_one_name_are_refused_before_anything_is_done(self):
        for other in ("b/p.jsonl", "a/p"):
            run = subprocess.run(
                [sys.executable, str(SAMPLES / "run-spark.py"), str(self.folder / "results"), "a/p.jsonl", other, "--",
                 *self.worker], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(f"a/p.jsonl and {other}", run.stderr)
        self.assertFalse((self.folder / "results").exists())
        self.assertIsNone(self.driver.twins(["a/p.jsonl", "./a/p.jsonl", "q.jsonl"]))

    def test_lines_without_ids_of_their_own_are_refused_before_anything_is_done(self):
        manifest, lines = self.manifest(2)
        left = self.folder / "results" / "manifest.part"
        left.mkdir(parents=True)
        for broken in (["{", "no line"], ['{"id":null}', "{"], [json.dumps(lines[0])]):
            manifest.write_text("\n".join([*map(json.dumps, lines), *broken, "", ""]))
            # There is no Spark that could be asked.
            problem = self.driver.run(None, str(manifest), str(left.parent), self.worker, 100, 20)
            # A null is an id, too, as long as it is the only one.
            bad = len(broken) - ("null" in broken[0])
            self.assertEqual(
                problem, f"{manifest}: of {2 + len(broken)} lines, {bad} have no id of their own")
        self.assertTrue(left.exists())

    def test_an_id_that_is_no_unicode_is_answered_and_can_be_written(self):
        line = json.dumps({"id": "\udcff", "input": "/no/such\udcff"})
        answers = list(self.driver.partition(self.worker, 15)([line]))
        self.assertEqual([json.loads(answer.encode())["id"] for answer in answers], ["\udcff"])


@unittest.skipUnless(SPARK, "pyspark is not installed")
@unittest.skipUnless(shutil.which("java"), "there is no Java runtime")
class SparkTests(Workplace):
    def setUp(self):
        super().setUp()
        self.environment = {
            **os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_DIRS": str(self.folder / "spark"), "SPARK_WORKER_DIR": str(self.folder / "work"),
        }
        self.results = self.folder / "results"

    def submit(self, master, manifest, *command, lines=100, patience=20, machines=2):
        log = open(self.folder / "spark.log", "ab")
        self.addCleanup(log.close)
        return subprocess.Popen(
            [str(HOME / "bin" / "spark-submit"), "--master", master, "--executor-memory", "600m", "--driver-memory",
             "600m", "--conf", "spark.ui.enabled=false", *SAME_MACHINE, "--conf", f"spark.cores.max={machines}",
             str(SAMPLES / "run-spark.py"), "--lines-a-task", str(lines), "--patience", str(patience),
             str(self.results), str(manifest), "--", *command],
            env=self.environment, cwd=self.folder, stdout=log, stderr=log)

    def assert_done(self, job):
        status = job.wait(timeout=600)
        self.assertEqual(status, 0, (self.folder / "spark.log").read_text()[-9000:])

    def rows(self):
        parts = (self.results / "manifest").glob("part-*")
        return [json.loads(line) for part in parts for line in part.read_bytes().splitlines()]

    def daemon(self, name, *arguments):
        log = open(self.folder / f"{name}.log", "ab")
        self.addCleanup(log.close)
        process = subprocess.Popen(
            [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name.lower()}.{name}", "--host", "127.0.0.1",
             "--webui-port", "0", *arguments], env=self.environment, cwd=self.folder, stdout=log, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def master(self):
        """The address of a master, which looks for a port itself."""
        log = self.folder / "Master.log"
        process = self.daemon("Master", "--port", "0")
        while not (found := re.search(r"at (spark://127\.0\.0\.1:[0-9]+)\n", log.read_text())):
            self.assertIsNone(process.poll(), log.read_text())
            time.sleep(0.1)
        return found.group(1)

    def test_2000_inputs_on_a_cluster_with_a_machine_killed_in_the_middle_and_a_rerun(self):
        master = self.master()
        machines = [self.daemon("Worker", "--cores", "1", "--memory", "700m", master) for _ in range(2)]
        manifest, lines = self.manifest(2000, broken=range(5, 2000, 200))
        job = self.submit(master, manifest, *self.worker)
        while sum(len(files) for _, _, files in os.walk(self.output)) < 500:
            self.assertIsNone(job.poll(), (self.folder / "spark.log").read_text()[-30000:])
            time.sleep(0.1)
        for victim in [*self.children(machines[0].pid), machines[0].pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        self.assert_done(job)
        self.check(lines, self.rows(), was_killed=True)
        # A finished manifest is passed over.
        before = sorted((path, path.stat().st_mtime_ns) for path in self.results.rglob("*"))
        self.assert_done(self.submit(master, manifest, *self.worker, machines=1))
        self.assertEqual(before, sorted((path, path.stat().st_mtime_ns) for path in self.results.rglob("*")))

    def children(self, parent):
        """All that a process has started, and what they have."""
        listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        pairs = [tuple(map(int, line.split())) for line in listing.splitlines()]
        found = [parent]
        for ancestor in found:
            found += [process for process, its_parent in pairs if its_parent == ancestor]
        return found[1:]

    def test_crashes_silence_early_exits_and_banners_cost_only_their_own_line(self):
        mischief = [(0, "CRASH"), (7, "ONCE0"), (30, "HANG"), (99, "CRASH")]
        manifest, lines = self.manifest(120, mischief)
        self.assert_done(self.submit(
            "local-cluster[2,1,1024]", manifest, "env", "BANNER=1", STAND_IN, *self.worker, lines=30, patience=15))
        crashed = {f"n{number}" for number, word in mischief if word != "ONCE0"}
        self.check(lines, self.rows(), crashed, ("crashed", "timedOut"))

    def test_a_command_that_is_no_worker_blames_no_picture_and_ends_with_3(self):
        manifest, _ = self.manifest(3)
        job = self.submit("local[1]", manifest, "/bin/true")
        log = self.folder / "spark.log"
        self.assertEqual(job.wait(timeout=600), 3, log.read_text()[-9000:])
        self.assertIn("the worker ended with status 0 and no answer", log.read_text())
        self.assertFalse((self.results / "manifest").exists())

    def test_a_machine_at_fault_is_left_to_itself(self):
        manifest, lines = self.manifest(200)
        fault = self.folder / "fault"
        self.assert_done(self.submit(
            "local-cluster[2,1,1024]", manifest, "env", f"FAULT={fault}", STAND_IN, *self.worker, lines=20))
        self.assertTrue(fault.exists())
        self.check(lines, self.rows())


if __name__ == "__main__":
    unittest.main()

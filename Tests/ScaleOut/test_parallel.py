"""GNU parallel driving workers that crash, hang and are killed."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest
import unittest.mock

from workplace import SAMPLES, STAND_IN, Workplace


@unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
class ParallelTests(Workplace):
    def setUp(self):
        super().setUp()
        # Where GNU parallel looks for options of its user's; in all of them.
        home = self.folder / "home"
        home.mkdir()
        self.enterContext(unittest.mock.patch.dict(
            os.environ, HOME=str(home), PARALLEL_HOME=str(home), XDG_CONFIG_HOME=str(home), XDG_CONFIG_DIRS=str(home)))

    def command(self, manifest, *worker, results="results.jsonl"):
        return [str(SAMPLES / "run-parallel"), str(manifest), str(self.folder / results), *worker]

    def drive(self, manifest, *worker, chunk=500, **more):
        environment = {**os.environ, "JOBS": "2", "CHUNK": str(chunk), **more}
        return subprocess.run(
            self.command(manifest, *worker), env=environment, capture_output=True, text=True, check=False)

    def rows(self):
        return [json.loads(line) for line in (self.folder / "results.jsonl").read_bytes().splitlines()]

    def test_2000_lines_with_broken_ones_and_kills_at_every_level_and_a_rerun(self):
        broken = range(5, 2000, 200)
        manifest, lines = self.manifest(2000, broken=broken)
        part = self.folder / "results.jsonl.part"
        environment = {**os.environ, "JOBS": "2", "CHUNK": "250"}
        for after in (100, 700):
            # The whole driver is killed, in the middle, with all that it started.
            driver = subprocess.Popen(
                self.command(manifest, *self.worker), env=environment, start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not part.exists() or part.read_bytes().count(b"\n") < after:
                self.assertIsNone(driver.poll())
                time.sleep(0.05)
            os.killpg(driver.pid, signal.SIGKILL)
            driver.wait()
        # A torn line, as a kill may leave it.
        with part.open("ab") as file:
            file.write(b'{"id":"n1999","inp')
        driver = subprocess.Popen(
            self.command(manifest, *self.worker), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        killed = 0
        while driver.poll() is None:
            # A worker now and then.
            time.sleep(0.7)
            for worker in self.workers():
                # One that has just ended counts for none.
                with contextlib.suppress(ProcessLookupError):
                    if killed < 3:
                        os.kill(worker, signal.SIGKILL)
                        killed += 1
        self.assertEqual(driver.returncode, 0)
        self.check(lines, self.rows(), was_killed=True)
        self.assertFalse(part.exists())
        self.assertIn("done already", self.drive(manifest, *self.worker).stdout)

    def workers(self):
        """The numbers of this test's own workers."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = pathlib.Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if str(self.output).encode() in words and words[1] == b"worker":
                yield int(name)

    def test_crashes_and_silence_cost_only_their_own_line(self):
        mischief = [(0, "CRASH"), (33, "CRASH"), (50, "HANG")]
        manifest, lines = self.manifest(60, mischief)
        # On a busy machine a worker takes seconds to start; a good line that is alone must not be blamed for them.
        run = self.drive(
            manifest, STAND_IN, *self.worker, chunk=20, TIMEOUT="12", LINE_TIMEOUT="12", BANNER="1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.check(lines, self.rows(), {f"n{number}" for number, _ in mischief})

    def test_a_chunk_that_never_reached_its_worker_is_given_out_again(self):
        manifest, lines = self.manifest(3)
        lossy = self.folder / "lossy"
        # What the first worker is given is lost; it ends well and says nothing.
        lossy.write_text(
            "#!/bin/bash\n"
            f'echo >> "{self.folder}/started"\n'
            f'if (($(wc -l < "{self.folder}/started") == 1)); then cat > /dev/null; exit 0; fi\nexec "$@"\n')
        lossy.chmod(0o755)
        run = self.drive(manifest, str(lossy), *self.worker, JOBS="1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.check(lines, self.rows())

    def test_a_line_alone_reaches_its_worker_as_it_is_by_ssh_too(self):
        manifest, lines = self.manifest(4)
        for number, word in enumerate(["two  blanks ", "$HOME `id` {} {#}", "'\"\\ \u00e9 *", "tab\t\x7f"]):
            link = self.folder / f"{word}.jpg"
            os.symlink(lines[number]["input"], link)
            lines[number].update(id=word, input=str(link))
        manifest.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        # Does lines alone, and loses chunks.
        single = self.folder / "single-lines"
        single.write_text(
            '#!/bin/bash\nread -r line\n[ -n "$(head -c 1)" ] && exit 0\nprintf "%s\\n" "$line" | "$@"\n')
        single.chmod(0o755)
        for results, logins in (("here.jsonl", {}), ("there.jsonl", {"SSHLOGINS": "2/alpha"})):
            run = subprocess.run(
                self.command(manifest, str(single), *self.worker, results=results), capture_output=True, text=True,
                env={**os.environ, "JOBS": "2", "PARALLEL_SSH": str(self.ssh()), **logins}, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            answers = [json.loads(line) for line in (self.folder / results).read_bytes().splitlines()]
            self.check(lines, answers)

    def test_a_worker_that_ends_well_without_an_answer_blames_no_picture(self):
        manifest, lines = self.manifest(2)
        run = self.drive(manifest, "/bin/true")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("2 lines went to workers that ended with status 0 and no answer", run.stderr)
        self.assertEqual(self.drive(manifest, *self.worker).returncode, 0)
        self.check(lines, self.rows())

    def test_a_worker_that_ends_badly_without_an_answer_is_blamed_on_the_picture(self):
        manifest, lines = self.manifest(2)
        run = self.drive(manifest, "/bin/false")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual({row["error"]["kind"] for row in self.rows()}, {"crashed"})
        self.assertEqual(sorted(row["id"] for row in self.rows()), [line["id"] for line in lines])

    def test_a_worker_that_cannot_be_started_is_blamed_on_the_machine(self):
        manifest, lines = self.manifest(2)
        for status in (126, 127):
            cannot = self.folder / f"cannot-{status}"
            cannot.write_text(f"#!/bin/sh\nexit {status}\n")
            cannot.chmod(0o755)
            run = self.drive(manifest, str(cannot), *self.worker)
            self.assertEqual(run.returncode, 3, run.stderr)
            self.assertIn("cannot start the worker", run.stderr)
            self.assertEqual((self.folder / "results.jsonl.part").read_bytes(), b"")
        self.assertEqual(self.drive(manifest, *self.worker).returncode, 0)
        self.check(lines, self.rows())

    def started(self, manifest):
        """The driver with a GNU parallel that waits, and says in `told` that it began and which signal it got."""
        told = self.folder / "told"
        shim = self.folder / "bin" / "parallel"
        shim.parent.mkdir()
        shim.write_text(
            "#!/usr/bin/env python3\nimport os, signal, sys\n"
            "def tell(word):\n"
            f"    os.write(os.open({str(told)!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND), word.encode() + b' ')\n"
            "def end(number, _):\n    tell(signal.Signals(number).name)\n    os._exit(255)\n"
            "signal.signal(signal.SIGINT, end)\nsignal.signal(signal.SIGTERM, end)\n"
            "if '--version' in sys.argv:\n    sys.exit(print('GNU parallel 0'))\n"
            "tell('began')\nsignal.pause()\n")
        shim.chmod(0o755)
        # Where this runs in the background, SIGINT is ignored, and would be there.
        driver = subprocess.Popen(
            ["env", "--default-signal=INT", *self.command(manifest, *self.worker)], start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "PATH": f"{shim.parent}:{os.environ['PATH']}"})
        self.addCleanup(driver.wait)
        self.addCleanup(self.kill_all, driver)
        while not told.exists():
            self.assertIsNone(driver.poll())
            time.sleep(0.02)
        return driver, told

    def kill_all(self, driver):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(driver.pid, signal.SIGKILL)

    def test_ctrl_c_ends_it_and_starts_no_other_pass(self):
        driver, told = self.started(self.manifest(2)[0])
        os.killpg(driver.pid, signal.SIGINT)
        self.assertEqual(driver.wait(timeout=10), 130)
        self.assertEqual(told.read_text().count("began"), 1)

    def test_a_signal_to_it_alone_ends_what_it_started_first(self):
        driver, told = self.started(self.manifest(2)[0])
        driver.terminate()
        self.assertEqual(driver.wait(timeout=10), 143)
        self.assertEqual(told.read_text().split(), ["began", "SIGTERM"])

    def test_a_machine_at_fault_stops_it_and_blames_no_picture(self):
        manifest, lines = self.manifest(30)
        self.output.write_text("in the way of a folder")
        run = self.drive(manifest, *self.worker, chunk=10)
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("a machine is at fault", run.stderr)
        self.output.unlink()
        self.assertEqual(self.drive(manifest, *self.worker, chunk=10).returncode, 0)
        self.check(lines, self.rows())

    def ssh(self):
        """Takes options and a machine's name, and does the rest here, in the few variables that sshd sets and no
        other; the machine called gone does not answer."""
        ssh = self.folder / "ssh"
        ssh.write_text(
            "#!/bin/bash\n"
            "while [[ $1 == -* ]]; do case $1 in -o | -l | -S) shift 2 ;; *) shift ;; esac; done\n"
            f'echo "$1" >> "{self.folder}/asked"\n'
            '[[ $1 == gone ]] && exit 255\nshift\n[[ $1 == -- ]] && shift\n'
            f'exec env -i HOME="{self.folder}" USER=there LOGNAME=there SHELL=/bin/bash PATH=/usr/bin:/bin '
            '/bin/bash -c "$*"\n')
        ssh.chmod(0o755)
        return ssh

    def test_machines_by_ssh_one_of_which_is_gone(self):
        manifest, lines = self.manifest(60)
        ssh = self.ssh()
        run = self.drive(
            manifest, *self.worker, chunk=10, SSHLOGINS="1/alpha,1/gone,1/beta", PARALLEL_SSH=str(ssh), JOBS="")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.check(lines, self.rows())
        self.assertEqual(set((self.folder / "asked").read_text().split()), {"alpha", "beta", "gone"})

    def test_where_gnu_parallel_does_not_run_it_says_so_and_ends_with_3(self):
        manifest, _ = self.manifest(2)
        shim = self.folder / "bin" / "parallel"
        shim.parent.mkdir()
        # It cannot be run, is another program of that name, or ends before it begins.
        for script, reason in (("exit 127", "no GNU parallel"), ("echo 'parallel: invalid option'", "invalid option"),
                               ('[ "$1" = --version ] && echo GNU parallel 1', "did not begin")):
            shim.write_text(f"#!/bin/sh\n{script}\n")
            shim.chmod(0o755)
            run = self.drive(manifest, *self.worker, PATH=f"{shim.parent}:{os.environ['PATH']}")
            self.assertEqual((run.returncode, run.stdout), (3, ""), run.stderr)
            self.assertIn(reason, run.stderr)
            self.assertNotIn("Traceback", run.stderr)

    def test_a_manifest_that_is_not_there_is_wrong_usage(self):
        run = self.drive(self.folder / "none.jsonl", *self.worker)
        self.assertEqual((run.returncode, "none.jsonl: No such file" in run.stderr), (2, True), run.stderr)

    def test_lines_without_ids_of_their_own_are_refused(self):
        manifest, lines = self.manifest(3)
        manifest.write_text("".join(json.dumps({**line, "id": 1}) + "\n" for line in lines))
        run = self.drive(manifest, *self.worker)
        self.assertEqual(run.returncode, 2)
        self.assertIn("2 have no id of their own", run.stderr)


if __name__ == "__main__":
    unittest.main()

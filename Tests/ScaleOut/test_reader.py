"""The reader that engines run their workers with, against workers that misbehave."""
import json
import os
import signal
import time
import unittest

from workplace import STAND_IN, Workplace
from reader import MachineFault, Reader, Worker


class ReaderTests(Workplace):
    def answers(self, lines, command=None, **options):
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        reader = Reader(iter(texts), command or [STAND_IN, *self.worker], **options)
        return list(reader.answers())

    def test_every_line_has_its_answer_in_order_with_the_callers_id(self):
        _, lines = self.manifest(40, broken=(3, 4))
        answers = self.answers(lines, self.worker)
        self.assertEqual([line["id"] for line in lines], [answer["id"] for answer in answers])
        self.check(lines, answers)

    def test_crashes_early_exits_and_silence_cost_only_their_own_line(self):
        mischief = [(0, "CRASH"), (7, "ONCE0"), (8, "CRASH"), (20, "HANG"), (39, "CRASH")]
        _, lines = self.manifest(40, mischief)
        os.environ["BANNER"] = "1"
        self.addCleanup(os.environ.pop, "BANNER")
        # A busy machine may take seconds to start a worker; only the one that hangs is silent for so long.
        answers = self.answers(lines, patience=15)
        crashed = {f"n{number}" for number, word in mischief if word != "ONCE0"}
        self.check(lines, answers, crashed, ("crashed", "timedOut"))
        self.assertEqual([a["id"] for a in answers if a.get("error", {}).get("kind") == "timedOut"], ["n20"])

    def test_a_worker_that_ends_well_without_an_answer_blames_no_picture(self):
        _, lines = self.manifest(5, [(3, "EXIT0")])
        for command, done in ((["/bin/true"], 0), ([STAND_IN, *self.worker], 3)):
            answers = []
            with self.assertRaisesRegex(MachineFault, "status 0 and no answer"):
                answers.extend(Reader(map(json.dumps, lines), command).answers())
            # What came before is not lost; extend keeps it.
            self.assertEqual([answer["status"] for answer in answers], ["rendered"] * done)

    def test_a_worker_that_cannot_be_started_is_the_machines_fault(self):
        for command in (["sh", "-c", "exit 126"], ["sh", "-c", "exit 127"], ["/no/such/worker"]):
            with self.assertRaises(MachineFault):
                self.answers(["{}"], command)

    def test_a_worker_that_never_reads_has_no_more_patience_than_another(self):
        # More than a pipe holds, under way at once.
        reader = Reader([json.dumps({"id": 7, "more": "x" * 8192})] * 16, ["sleep", "1000"], patience=0.3)
        answers = reader.answers()
        answer = next(answers)
        answers.close()
        self.assertEqual((answer["id"], answer["error"]["kind"]), (7, "timedOut"))

    def test_a_worker_is_killed_with_what_it_started_and_not_waited_for_beyond_that(self):
        # The second one's grandchild is in a session of its own and holds the pipes.
        for command in ("sleep 1000; true", "setsid sleep 5; true"):
            worker = Worker(["sh", "-c", command])
            self.addCleanup(worker.process.kill)
            start = time.monotonic()
            self.assertEqual(worker.end(kill=True), -signal.SIGKILL)
            self.assertLess(time.monotonic() - start, 2)
            if "setsid" not in command:
                self.assertIsNone(worker.answers.get(timeout=2))

    def test_lines_that_are_no_objects_and_ids_of_any_kind(self):
        answers = self.answers(["{", "[1]", '{"id":{"a":1.5},"input":"/no/such"}', '{"input":"/no/such"}'], self.worker)
        self.assertEqual([answer["id"] for answer in answers], [None, None, {"a": 1.5}, None])
        self.assertTrue(all(answer["status"] == "failed" for answer in answers))

    def test_a_worker_that_is_killed_at_any_time_loses_nothing(self):
        _, lines = self.manifest(300)
        reader = Reader(map(json.dumps, lines), self.worker)
        answers = []
        for answer in reader.answers():
            answers.append(answer)
            if len(answers) % 37 == 0:
                # What it has been given and not answered is somewhere between its pipes and its outputs.
                reader.worker.process.kill()
        self.check(lines, answers)

    def test_a_machine_at_fault_is_the_engines_to_know(self):
        _, lines = self.manifest(5)
        os.environ["FAULT"] = str(self.folder / "fault")
        self.addCleanup(os.environ.pop, "FAULT", None)
        with self.assertRaises(MachineFault):
            self.answers(lines)
        del os.environ["FAULT"]
        self.check(lines, self.answers(lines))


if __name__ == "__main__":
    unittest.main()

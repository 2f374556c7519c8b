"""A worker and the network: servers on loopback that are slow, break off, are busy, or lead astray."""
import json
import pathlib
import socket
import ssl
import subprocess
import unittest
import urllib.parse

from remote import RemoteCase, StoreCase
from servers import PHOTO, SECRET, Server
from workplace import CAMEO


class WebTests(RemoteCase):
    @classmethod
    def setUpClass(cls):
        # A photo larger than the part that is asked for first.
        photo = PHOTO.read_bytes()
        cls.large = photo[:2] + (b"\xff\xe5\xff\xff" + bytes(0xFFFD)) * 12 + photo[2:]

    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Server(large=self.large))
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def assert_right(self, answers):
        right = self.single()
        for answer in answers:
            self.assertEqual(answer["status"], "rendered", answer)
            self.assertEqual(pathlib.Path(answer["outputs"][0]["path"]).read_bytes(), right)

    def test_pictures_come_whole_whatever_way_the_server_sends_them(self):
        names = ["photo", "large", "whole", "chunked", "changes", "busy", "resets"]
        answers = self.work([f"{self.base}/{name}/a.jpg?sig={SECRET}" for name in names])
        self.assert_right(answers)
        self.assertEqual(self.server.count[f"/large/a.jpg?sig={SECRET}"], 2)
        self.assertEqual(self.server.count[f"/busy/a.jpg?sig={SECRET}"], 3)
        self.assertTrue(all(answer["input"].endswith("/a.jpg") for answer in answers))

    def test_failures_are_typed_and_leave_nothing_behind(self):
        expected = {
            "down": ("unreadable", True), "breaks": ("unreadable", True), "stalls": ("timedOut", True),
            "gone": ("unreadable", False), "huge": ("tooLarge", False), "endless": ("tooLarge", False),
            "unending/404": ("unreadable", False), "unending/302": ("unreadable", False),
            "unending/500": ("unreadable", True), "circles": ("unreadable", False), "file": ("unreadable", False), "leads/photo": ("unreadable", False),
        }
        answers = self.work(
            [f"{self.base}/{name}?sig={SECRET}" for name in expected], "--retries", "1", "--stall", "4", "--max-bytes",
            "20000000", "--workers=2")
        for answer, (name, (kind, retryable)) in zip(answers, expected.items(), strict=True):
            error = answer["error"]
            self.assertEqual((error["kind"], error["stage"], error["retryable"]), (kind, "fetch", retryable), answer)
            self.assertIn(name.split("/")[0], error["message"])
        self.assertEqual(self.status, 0)
        counts = {name: self.server.count.get(f"/{name}?sig={SECRET}") for name in expected}
        twice = dict.fromkeys([name for name, (_, retryable) in expected.items() if retryable], 2)
        self.assertEqual(counts, {**dict.fromkeys(expected, 1), **twice})
        self.assertIn("the server answered 404", answers[list(expected).index("unending/404")]["error"]["message"])
        self.assertEqual([path for path in self.output.rglob("*") if path.is_file()], [])
        self.assertIn("private", answers[-1]["error"]["message"])
        self.assertNotIn("/photo", self.server.count)

    def test_what_is_no_picture_is_not_read_to_its_end(self):
        answers = self.work([f"{self.base}/words", f"{self.base}/empty"])
        self.assertEqual([answer["error"]["kind"] for answer in answers], ["notAnImage", "empty"])
        self.assertLess(self.server.sent, 400_000)

    def test_a_redirect_to_this_machine_is_followed_only_when_allowed(self):
        # A connection that is open already is no way round it.
        answers = self.work([f"{self.base}/photo", f"http://localhost:{self.server.server_port}/photo",
                             f"{self.base}/leads/photo"], "--ahead", "1")
        self.assertEqual([answer["status"] for answer in answers], ["rendered", "rendered", "failed"])
        self.assert_right(self.work([f"{self.base}/leads/photo"], "--allow-private"))
        # One that never ends, five times.
        (answer,) = self.work([f"{self.base}/circles"], "--allow-private")
        self.assertIn("more than 5 times", answer["error"]["message"])
        self.assertEqual(self.server.count["/circles"], 6)

    def test_retries_are_as_many_as_allowed(self):
        for retries in range(3):
            (answer,) = self.work([f"{self.base}/down/{retries}"], "--retries", str(retries))
            self.assertTrue(answer["error"]["retryable"])
            self.assertEqual(self.server.count[f"/down/{retries}"], retries + 1)

    def test_a_proxy_is_asked_for_addresses_and_not_for_what_redirects_lead_to(self):
        through = {"http_proxy": self.base, "no_proxy": ""}
        self.assert_right(self.work(["http://pictures.invalid/photo"], environment=through))
        # The proxy is at a private address itself, and would reach others that only it can see.
        self.server.asked.clear()
        (answer,) = self.work(["http://pictures.invalid/away/photo"], "--retries", "0", environment=through)
        self.assertIn("cannot be reached", answer["error"]["message"])
        self.assertEqual(self.server.asked, ["http://pictures.invalid/away/photo"])
        self.assert_right(self.work(["http://pictures.invalid/away/photo"], "--allow-private", environment=through))
        self.assertEqual(self.server.asked[-1], "http://pictures.invalid/photo")

    def test_a_line_has_one_deadline_for_all_of_it(self):
        answers = self.work([f"{self.base}/drips", f"{self.base}/photo"], "--timeout", "5")
        self.assertEqual([self.failure(answer) for answer in answers], [("timedOut", "fetch"), (None, None)])
        # It has no time left to ask again, as it would after the server had broken off.
        self.assertEqual(self.server.count["/drips"], 1)

    def test_deadlines_on_silent_servers_never_wear_a_worker_out(self):
        # libcurl looks up about once a second while nothing comes. The photo's time has to do for a nursery's start, too.
        names = [f"silent/{number}" for number in range(12)] + ["photo"]
        answers = self.work([f"{self.base}/{name}" for name in names], "--timeout", "3", "--stall", "60", "--ahead", "6")
        failures = [self.failure(answer) for answer in answers]
        self.assertEqual((self.status, failures), (0, [("timedOut", "fetch")] * 12 + [(None, None)]), self.errors)

    def failure(self, answer):
        error = answer.get("error", {})
        return error.get("kind"), error.get("stage")

    def test_sigterm_ends_what_is_being_fetched_and_leaves_its_line_to_another_worker(self):
        worker = subprocess.Popen(
            [*self.worker, "--timeout", "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(worker.communicate)
        self.addCleanup(worker.kill)
        worker.stdin.write(json.dumps({"input": f"{self.base}/flows"}).encode() + b"\n")
        worker.stdin.flush()
        self.assertTrue(self.server.flows.wait(60))
        worker.terminate()
        self.assertEqual(worker.wait(60), 75)
        self.assertEqual(worker.stdout.read(), b"")
        self.assertEqual([path for path in self.output.rglob("*") if path.is_file()], [])

    def test_addresses_that_are_none_fail_alone_and_show_no_password(self):
        answers = self.work([f"http://user:{SECRET}@127.0.0.1/a.jpg", "http:///x", "http://127.0.0.1:1/a.jpg"], "--retries=0")
        self.assertEqual([answer["error"]["retryable"] for answer in answers], [False, False, True])

    def test_outputs_are_put(self):
        answers = self.work([str(PHOTO)], output=f"{self.base}/busy/thumbs")
        self.assertEqual(answers[0]["outputs"][0]["path"], f"{self.base}/busy/thumbs/0.jpg")
        self.assertEqual(self.server.stored, {"/busy/thumbs/0.jpg": self.single()})
        answers = self.work([str(PHOTO)], "--retries", "1", output=f"{self.base}/down")
        error = answers[0]["error"]
        self.assertEqual((error["kind"], error["stage"], error["retryable"]), ("notWritable", "write", True))
        # Whether it breaks off or is silent, nothing is told of as written, and nothing is left here.
        (answer,) = self.work([str(PHOTO)], "--retries", "1", output=f"{self.base}/breaks")
        self.assertEqual((self.failure(answer), answer["error"]["retryable"]), (("notWritable", "write"), True))
        (answer,) = self.work([str(PHOTO)], "--timeout", "1", "--stall", "60", output=f"{self.base}/silent")
        self.assertEqual((self.failure(answer), answer["error"]["retryable"]), (("timedOut", "write"), True))
        counts = [self.server.count[f"/{name}/0.jpg"] for name in ("breaks", "silent")]
        self.assertEqual((counts, list(self.folder.rglob("*.jpg"))), ([2, 1], [self.folder / "single" / "Amara.jpg"]))
        self.assertFalse({"/breaks/0.jpg", "/silent/0.jpg"} & set(self.server.stored))
        # What a store says of what it has, or has not, taken is not listened to for ever.
        answers = self.work([str(PHOTO)], output=f"{self.base}/unending/200")
        self.assertEqual(answers[0]["status"], "rendered", self.errors)
        answers = self.work([str(PHOTO)], output=f"{self.base}/unending/409")
        self.assertIn("the server answered 409", answers[0]["error"]["message"])
        # A store that takes nothing from here is no picture's fault.
        self.assertEqual(self.work([str(PHOTO)], output=f"{self.base}/refuses"), [])
        self.assertEqual(self.status, 3)

    def test_an_output_store_that_cannot_be_reached_or_trusted_is_the_machines_fault(self):
        # Bound and not listened at: nobody else gets the port meanwhile.
        unheard = self.enterContext(socket.socket())
        unheard.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{unheard.getsockname()[1]}"
        key = self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=nobody", "-keyout",
             str(key), "-out", str(key)], capture_output=True, check=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(key)
        stranger = Server()
        stranger.server.socket = context.wrap_socket(stranger.server.socket, server_side=True)
        stranger = self.enterContext(stranger)
        untrusted = f"https://127.0.0.1:{stranger.server_port}"
        for place, reason in ((closed, "cannot be reached"), (untrusted, "certificate is not trusted")):
            for naming in ("line", "content"):
                self.assertEqual(
                    self.work([str(PHOTO)], "--name", naming, "--retries", "1", output=f"{place}/thumbs"), [])
                self.assertEqual(self.status, 3)
                self.assertIn(reason, self.errors)
            # As an input it is one line's trouble alone.
            answers = self.work([f"{place}/a.jpg", str(PHOTO)], "--retries", "1")
            self.assertEqual(([a["status"] for a in answers], self.status), (["failed", "rendered"], 0), self.errors)

    def test_what_is_there_is_seen_by_its_beginning(self):
        (answer,) = self.work([str(PHOTO)], "--name", "content", output=f"{self.base}/kept")
        self.assertEqual((answer["status"], answer["outputs"][0]["bytes"]), ("current", len(self.server.photo) + 2_000_000))
        self.assertEqual((self.server.sent, self.server.stored), (256 << 10, {}))

    def test_what_a_line_tells_the_stamp_of_is_looked_for_once(self):
        line = json.loads(subprocess.run([CAMEO, "manifest", str(PHOTO)], capture_output=True, check=True).stdout)
        for place, status, requests in (("kept", "current", 1), ("unlisted", "rendered", 3)):
            self.server.count.clear()
            (answer,) = self.work(
                [str(PHOTO)], "--name", "content", output=f"{self.base}/{place}", stamp=line["stamp"])
            # Where it is not, neither as a JPEG nor as a PNG, it is made and put.
            self.assertEqual((answer["status"], sum(self.server.count.values())), (status, requests), self.server.count)

    def test_a_store_that_does_not_tell_what_is_there_ends_with_the_lines_deadline(self):
        answers = self.work(
            [str(PHOTO)] * 6, "--name", "content", "--timeout", "1", "--stall", "60", "--workers", "6",
            output=f"{self.base}/silent")
        self.assertEqual([self.failure(answer) for answer in answers], [("timedOut", "write")] * 6)
        self.assertEqual((self.status, self.server.stored), (0, {}), self.errors)

    def test_only_what_a_store_denies_is_made_again(self):
        # One that shows nothing to who may only write still takes it.
        (answer,) = self.work([str(PHOTO)], "--name", "content", output=f"{self.base}/unlisted")
        self.assertEqual(answer["status"], "rendered")
        self.assertEqual(list(self.server.stored.values()), [self.single()])
        self.assertEqual(self.work([str(PHOTO)], "--name", "content", output=f"{self.base}/refuses"), [])
        self.assertEqual(self.status, 3)
        self.server.count.clear()
        (answer,) = self.work([str(PHOTO)], "--name", "content", "--retries", "1", output=f"{self.base}/down")
        error = answer["error"]
        self.assertEqual((error["kind"], error["stage"], error["retryable"]), ("notWritable", "write", True))
        self.assertEqual(list(self.server.count.values()), [2])  # Asked for twice, and never sent.

    def test_content_names_by_the_entity_tag(self):
        for expected in ("rendered", "current"):
            answers = self.work([f"{self.base}/photo?sig={SECRET}"], "--name", "content")
            self.assertEqual(answers[0]["status"], expected)
        stamped = [self.work([f"{self.base}/photo"], "--name", "content", stamp="v1") for _ in range(2)]
        self.assertEqual([answers[0]["status"] for answers in stamped], ["rendered", "current"])
        self.assertEqual(self.server.count["/photo"], 1)


class StoreTests(StoreCase):
    def test_pictures_are_read_and_written_with_a_signature_that_holds(self):
        names = ["plain.jpg", "sub/b c+d&e=f?#%é~.jpg"]
        for name in names:
            self.assertEqual(self.request("PUT", "/pictures/" + urllib.parse.quote(name), PHOTO.read_bytes())[0], 200)
        inputs = [f"s3://pictures/{name}" for name in names]
        answers = self.work(inputs, output="s3://dotted.thumbs/small ones", environment=self.environment)
        self.assertEqual([answer["status"] for answer in answers], ["rendered"] * 2, self.errors)
        for number, answer in enumerate(answers):
            self.assertEqual(answer["outputs"][0]["path"], f"s3://dotted.thumbs/small ones/{number}.jpg")
            self.assertEqual(self.request("GET", f"/dotted.thumbs/small%20ones/{number}.jpg"), (200, self.single()))
        for expected in ("rendered", "current"):
            answers = self.work(
                inputs[:1], "--name", "content", output="s3://dotted.thumbs", environment=self.environment)
            self.assertEqual(answers[0]["status"], expected, self.errors)

    def test_wrong_keys_and_missing_things_are_told_as_what_they_are(self):
        self.request("PUT", "/pictures/a.jpg", PHOTO.read_bytes())
        answers = self.work(["s3://pictures/none.jpg", "s3://none/a.jpg"], environment=self.environment)
        self.assertEqual([answer["error"]["message"].split(": ", 1)[1] for answer in answers], ["the server answered 404"] * 2)
        wrong = {**self.environment, "AWS_SECRET_ACCESS_KEY": "wrong"}
        answers = self.work(["s3://pictures/a.jpg"], environment=wrong)
        self.assertEqual(answers[0]["error"]["message"], "s3://pictures/a.jpg: the server answered 403")
        self.assertEqual(self.work([str(PHOTO)], output="s3://dotted.thumbs", environment=wrong), [])
        self.assertEqual(self.status, 3)


if __name__ == "__main__":
    unittest.main()

"""`cameo inspect` of addresses: it shows what it shows of the file, and reads what that takes."""
import json
import os
import subprocess
import unittest

import progressive
from test_parts import PROBE, TAIL, PartCase
from remote import StoreCase
from servers import PHOTO, SECRET
from workplace import CAMEO, ROOT


class InspectTests(PartCase):
    def inspect(self, *arguments):
        (self.server.sent, self.server.ranges) = (0, [])
        run = subprocess.run([CAMEO, "inspect", *arguments], capture_output=True, check=False)
        self.status, self.errors = run.returncode, run.stderr.decode()
        self.assertNotIn(SECRET, run.stdout.decode() + self.errors)
        return run.stdout.decode()

    def assert_seen(self, name, data, *options):
        """What is shown of an address is what is shown of the file. The bytes that were sent."""
        self.add(name, data)
        path = self.folder / name
        path.write_bytes(data)
        url = f"{self.base}/of/{name}"
        for form in ([], ["--json"]):
            expected = self.inspect(*form, *options, str(path)).replace(str(path), url)
            if form:
                expected = expected.replace(str(path).replace("/", "\\/"), url.replace("/", "\\/"))
            self.assertEqual(self.inspect(*form, *options, f"{url}?sig={SECRET}"), expected)
        return self.server.sent

    def test_a_header_takes_the_beginning(self):
        photos = ROOT / "Samples" / "Photos"
        for name, data in (
            ("camera.jpg", self.camera), ("baseline.jpg", progressive.camera(PHOTO, interlace=False)),
            ("large.png", progressive.camera(PHOTO, 1000, 800, interlace=False, suffix="png")),
        ):
            self.assertGreater(len(data), 2 * PROBE)
            self.assertEqual(self.assert_seen(name, data, "--no-faces"), PROBE, name)
        heic = next(photos.rglob("*.heic")).read_bytes()
        # The box of media data comes last, and grows behind the EXIF data, which lie at its end here.
        place = heic.index(b"mdat") - 4
        length = int.from_bytes(heic[place:place + 4])
        grown = heic[:place] + (length + 900_000).to_bytes(4) + heic[place + 4:] + bytes(900_000)
        self.assertEqual(place + length, len(heic))
        self.assertEqual(self.assert_seen("grown.heic", grown, "--no-faces"), 2 * PROBE)

    def test_other_formats_and_headers_far_away_are_read_whole(self):
        photos = ROOT / "Samples" / "Photos"
        for path in [*photos.rglob("*.webp"), *photos.rglob("*.gif"), *photos.rglob("*.JPG"), *photos.rglob("*.heic")]:
            self.assert_seen(path.name.replace(" ", "-"), path.read_bytes(), "--no-faces")
        filler = (b"\xff\xe5\xff\xff" + bytes(0xFFFD)) * 12
        sent = self.assert_seen("far.jpg", self.camera[:2] + filler + self.camera[2:], "--no-faces")
        self.assertEqual(sent, PROBE << 2)

    def test_faces_are_found_in_the_first_scan_or_in_the_whole(self):
        self.assertEqual(self.assert_seen("camera.jpg", self.camera), PROBE + TAIL)
        data = PHOTO.read_bytes()
        self.assertEqual(self.assert_seen("portrait.jpg", data), len(data))
        cut = self.camera[:-2]
        self.assertEqual(self.assert_seen("cut.jpg", cut), len(cut))

    def test_failures_are_typed_and_leave_the_others_alone(self):
        self.add("words.jpg", b"no picture" * 100_000)
        names = [f"{self.base}/{name}?sig={SECRET}" for name in ("of/words.jpg", "gone/x", "of/camera.jpg")]
        path = str(PHOTO)
        text = self.inspect("--json", "--no-faces", names[0], path, names[1], "http:///x", names[2], "/nowhere.jpg")
        lines = [json.loads(line) for line in text.splitlines()]
        kinds = [(line.get("error") or {}).get("kind") for line in lines]
        self.assertEqual(kinds, ["notAnImage", None, "unreadable", "unreadable", None, "unreadable"])
        self.assertEqual([line["error"]["stage"] for line in lines if "error" in line], ["read", "fetch", "line", "read"])
        self.assertEqual(self.status, 1)
        self.assertEqual((lines[1]["input"], lines[4]["input"]), (path, names[2].split("?")[0]))

    def test_redirects_to_private_places_are_followed_only_when_allowed(self):
        url = f"{self.base}/leads/of/camera.jpg"
        self.assertEqual(self.inspect("--no-faces", url), "")
        self.assertIn("private", self.errors)
        self.assertIn("4032", self.inspect("--no-faces", "--allow-private", url))


class StoreTests(StoreCase):
    def test_of_a_store_too_no_more_is_read_than_it_takes(self):
        camera = progressive.camera(PHOTO)
        path = self.folder / "camera.jpg"
        path.write_bytes(camera)
        self.assertEqual(self.request("PUT", "/pictures/camera.jpg", camera)[0], 200)
        url = "s3://pictures/camera.jpg"
        self.server.sent = 0
        (answer,) = self.work([url], environment=self.environment)
        self.assertEqual((answer["status"], answer["warnings"]), ("rendered", []), self.errors)
        self.assertEqual(self.server.sent, PROBE + TAIL)
        with open(answer["outputs"][0]["path"], "rb") as output:
            self.assertEqual(output.read(), self.single(path))
        self.server.sent = 0
        shown = self.inspect(url, self.environment).stdout
        self.assertEqual(shown.replace(url, str(path)), self.inspect(str(path), {}).stdout)
        self.assertEqual(self.server.sent, PROBE)
        wrong = self.inspect(url, {**self.environment, "AWS_SECRET_ACCESS_KEY": "wrong"})
        self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
        self.assertIn(f"{url}: the server answered 403", wrong.stderr)

    def inspect(self, what, environment):
        run = subprocess.run(
            [CAMEO, "inspect", "--no-faces", what], capture_output=True, check=False, text=True,
            env={**os.environ, **environment})
        self.assertNotIn(SECRET, run.stdout + run.stderr)
        return run


if __name__ == "__main__":
    unittest.main()

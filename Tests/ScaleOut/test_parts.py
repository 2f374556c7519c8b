"""How little of an address is read where the first scan of a progressive JPEG is enough. Every answer and every output
has to be what a run by path gives, whatever the server does."""
import os
import pathlib
import unittest

import progressive
from remote import RemoteCase
from servers import PHOTO, SECRET, Handler, Server
from workplace import ROOT

PROBE = 256 << 10
TAIL = 1024


class PartHandler(Handler):
    """`/HOW/NAME` serves `server.files[NAME]`. `server.ranges` lists the parts that were asked for."""

    def do_GET(self):
        self.body = self.server.files.get(self.path.split("/")[-1].split("?")[0], b"")
        self.server.ranges.append((self.headers.get("Range") or "whole").removeprefix("bytes="))
        super().do_GET()

    def send_part(self, first, last, **headers):
        body = self.body[first:last + 1]
        self.answer(206, body, **{"Content_Range": f"bytes {first}-{last}/{len(self.body)}", **headers})

    def asked(self):
        first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
        return first, min(last, len(self.body) - 1)

    def do_of(self, _):
        self.part(self.body)

    def do_whole(self, _):
        self.answer(200, self.body, ETag='"1"')

    def do_dated(self, _):  # No tags, only times.
        if "Range" not in self.headers:
            return self.answer(200, self.body, Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")
        self.send_part(*self.asked(), Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")

    def do_bare(self, _):  # Nothing tells one content from another.
        self.send_part(*self.asked()) if "Range" in self.headers else self.answer(200, self.body)

    def do_weak(self, _):
        self.part(self.body, 'W/"1"')

    def do_swaps(self, seen):  # Another content from the second request on.
        if seen > 1:
            self.body = self.server.files["other.jpg"]
        self.part(self.body, f'"{min(seen, 2)}"')

    def do_swapsdated(self, seen):  # The same, told by its time alone.
        if seen > 1:
            self.body = self.server.files["other.jpg"]
        time = f"Mon, 01 Jan 2024 00:00:0{min(seen, 2)} GMT"
        if "Range" not in self.headers:
            return self.answer(200, self.body, Last_Modified=time)
        self.send_part(*self.asked(), Last_Modified=time)

    def do_swapslate(self, seen):  # The same from the third request on: the beginning and the end were of one content.
        if seen > 2:
            self.body = self.server.files["other.jpg"]
        self.part(self.body, f'"{1 + (seen > 2)}"')

    def do_once(self, seen):  # Knows parts only the first time.
        self.part(self.body) if seen == 1 else self.answer(200, self.body, ETag='"1"')

    def do_shifted(self, seen):  # Sends another part than it was asked for, and says so.
        if "Range" not in self.headers:
            return self.answer(200, self.body, ETag='"1"')
        first, last = self.asked()
        self.send_part(first, last, ETag='"1"') if seen == 1 else self.send_part(first - 9, last - 9, ETag='"1"')

    def do_short(self, seen):  # Sends less than it says, in an answer that is whole in itself.
        if "Range" not in self.headers:
            return self.answer(200, self.body, ETag='"1"')
        first, last = self.asked()
        span = f"bytes {first}-{last}/{len(self.body)}"
        self.answer(206, self.body[first:last + (1 if seen == 1 else -9)], ETag='"1"', Content_Range=span)

    def do_unnamed(self, _):  # Does not say which part it sends.
        if "Range" not in self.headers:
            return self.answer(200, self.body, ETag='"1"')
        first, last = self.asked()
        self.answer(206, self.body[first:last + 1], ETag='"1"')

    def do_shrinks(self, seen):  # Another total than before, under the same tag.
        if "Range" not in self.headers:
            return self.answer(200, self.body, ETag='"1"')
        first, last = self.asked()
        total = len(self.body) - (seen > 1)
        self.answer(206, self.body[first:last + 1], ETag='"1"', Content_Range=f"bytes {first}-{last}/{total}")

    def do_endless(self, seen):  # Parts that never end: from the second request on, or at once.
        if "Range" not in self.headers:
            return self.answer(200, self.body, ETag='"1"')
        first, last = self.asked()
        if seen == 1 and "late" in self.path:
            return self.part(self.body)
        self.send_response(206)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(self.body)}")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        sent = self.server.sent
        for _ in range(2000):
            self.write(b"%x\r\n%s\r\n" % (len(self.body[:9999]), self.body[:9999]))
            if self.server.sent == sent:
                break
            sent = self.server.sent
        self.close_connection = True


def padded(data, size):
    """A JPEG of `size` bytes that shows the same: segments that nobody reads stand before the others."""
    missing = size - len(data)
    filler = b""
    while missing > len(filler):
        length = min(60_000, missing - len(filler))
        if 0 < missing - len(filler) - length < 4:
            length -= 4
        filler += b"\xff\xe5" + (length - 2).to_bytes(2) + bytes(length - 4)
    return data[:2] + filler + data[2:]


def first_scan_end(data):
    """Where the entropy-coded data of a file's first scan end, and where they begin."""
    begin, marker = 2, 0
    while marker != 0xDA:
        marker = data[begin + 1]
        begin += 2 + int.from_bytes(data[begin + 2:begin + 4])
    end = begin
    while not (data[end] == 0xFF and data[end + 1] not in (0, *range(0xD0, 0xD8))):
        end += 1
    return begin, end


class PartCase(RemoteCase):
    @classmethod
    def setUpClass(cls):
        cls.camera = progressive.camera(PHOTO)
        cls.other = progressive.camera(ROOT / "Samples" / "Photos" / "Portraits" / "Mei.jpg", 3000, 2000)

    def setUp(self):
        super().setUp()
        files = {"camera.jpg": self.camera, "other.jpg": self.other}
        self.server = self.enterContext(Server(PartHandler, files=files, ranges=[]))
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        self.numbers = 0

    def add(self, name, data):
        self.server.files[name] = data
        return name

    def by_path(self, name, *options):
        """The answer to a file by its path, and the bytes of its output."""
        self.numbers += 1
        path = self.folder / f"{self.numbers}-{name}"
        path.write_bytes(self.server.files[name])
        output = self.folder / f"by-path-{self.numbers}"
        return self.seen(self.work([str(path)], *options, output=str(output)))

    def by_address(self, how, name, *options):
        self.numbers += 1
        (self.server.sent, self.server.ranges) = (0, [])
        output = self.folder / f"by-address-{self.numbers}"
        return self.seen(self.work([f"{self.base}/{how}/{self.numbers}/{name}?sig={SECRET}"], *options, output=str(output)))

    def seen(self, answers):
        """An answer without the places that it names, and the outputs."""
        (answer,) = answers
        outputs = [pathlib.Path(output.pop("path")).read_bytes() for output in answer.get("outputs", [])]
        place = answer.pop("input")
        if "error" in answer:
            answer["error"]["message"] = answer["error"]["message"].replace(place, "")
        return answer, outputs

    def assert_same(self, how, name, *options, of=None):
        """What an address gives is what the file gives. The bytes that were sent."""
        expected = self.by_path(of or name, *options)
        self.assertEqual(self.by_address(how, name, *options), expected, (how, name, self.server.ranges))
        return self.server.sent


class FirstScanTests(PartCase):
    def test_of_a_camera_photo_a_small_part_is_read(self):
        for how in ("of", "dated"):
            sent = self.assert_same(how, "camera.jpg")
            self.assertEqual(sent, PROBE + TAIL)
            self.assertLess(sent, 0.15 * len(self.camera))
            self.assertEqual(self.server.ranges, [f"0-{PROBE - 1}", f"{len(self.camera) - TAIL}-{len(self.camera) - 1}"])
        # In this process too, and for faces.
        self.assertEqual(self.assert_same("of", "camera.jpg", "--isolate", "none"), PROBE + TAIL)
        self.assertEqual(
            self.assert_same("of", "camera.jpg", "--size", "96", "--fill", "--focus", "faces"), PROBE + TAIL)

    def test_where_parts_are_not_enough_the_rest_is_read_and_nothing_twice(self):
        camera = len(self.camera)
        self.assertEqual(self.assert_same("of", "camera.jpg", "--size", "1000"), camera)
        self.assertEqual(self.assert_same("of", "camera.jpg", "--strict"), camera)
        baseline = self.add("baseline.jpg", progressive.camera(PHOTO, interlace=False))
        self.assertEqual(self.assert_same("of", baseline), len(self.server.files[baseline]))
        small = self.add("small.jpg", progressive.camera(PHOTO, 400, 300))
        self.assertEqual(self.assert_same("of", small), len(self.server.files[small]))

    def test_without_a_word_on_the_content_the_whole_is_read(self):
        for how in ("whole", "bare", "weak"):
            self.assertEqual(self.assert_same(how, "camera.jpg"), len(self.camera), how)

    def test_names_by_content_are_by_the_tag_or_by_all_of_it(self):
        for how, sent in (("of", PROBE + TAIL), ("bare", len(self.camera))):
            for expected in ("rendered", "current"):
                self.server.sent = 0
                (answer,) = self.work([f"{self.base}/{how}/camera.jpg"], "--name", "content")
                self.assertEqual((answer["status"], self.server.sent), (expected, sent))

    def test_a_header_or_a_scan_longer_than_the_first_part_is_followed(self):
        for blocks, parts in ((2, 2), (12, 3)):
            filler = (b"\xff\xe5\xff\xff" + bytes(0xFFFD)) * blocks
            name = self.add(f"{blocks}.jpg", self.camera[:2] + filler + self.camera[2:])
            sent = self.assert_same("of", name)
            self.assertEqual(len(self.server.ranges), parts + 1)
            self.assertEqual(sent, (PROBE << parts - 1) + TAIL)

    def test_a_file_that_ends_early_is_told_of(self):
        begin, end = first_scan_end(self.camera)
        size = len(self.camera)
        for cut in ((begin + end) // 2, end, end + 3, PROBE - 1, PROBE, PROBE + 1, size // 2, size - 3, size - 2, size - 1):
            name = self.add(f"{cut}.jpg", self.camera[:cut])
            self.assertEqual(self.assert_same("of", name), cut, cut)
            if cut != end + 3:  # Within a segment libjpeg gives up.
                self.assertEqual(self.by_address("of", name)[0]["warnings"], ["truncated"], cut)
        padded = self.add("padded.jpg", self.camera[:size // 2] + bytes(size // 2))
        self.assertEqual(self.assert_same("of", padded), size // 2 * 2)

    def test_what_follows_the_image_changes_nothing(self):
        size = len(self.camera)
        for number, garbage in enumerate((b"\0", b"\xff" * 3, b"maker's notes" * 50, self.other[:900])):
            name = self.add(f"garbage{number}.jpg", self.camera + garbage)
            self.assertEqual(self.assert_same("of", name), PROBE + TAIL, number)
        # Too much for the end to be seen.
        for number, garbage in enumerate((bytes(5000), self.other[:9000], os.urandom(3000))):
            name = self.add(f"much{number}.jpg", self.camera + garbage)
            self.assertLessEqual(self.assert_same("of", name), size + len(garbage), number)

    def test_a_content_that_changes_meanwhile_is_read_anew(self):
        for how in ("swaps", "swapsdated"):
            self.assert_same(how, "camera.jpg", of="other.jpg")
            self.assertEqual(self.server.ranges[-1], "whole")
        # One of the same size, which nothing but the time tells from the other.
        kept, self.server.files["other.jpg"] = self.other, padded(self.other, len(self.camera))
        self.assertEqual(len(self.server.files["other.jpg"]), len(self.camera))
        self.assert_same("swapsdated", "camera.jpg", of="other.jpg")
        self.server.files["other.jpg"] = kept
        # When the beginning was not enough after all.
        cut = self.add("cut.jpg", self.camera[:-2])
        self.assert_same("swapslate", cut, of="other.jpg")
        self.assertEqual(len(self.server.ranges), 4)
        # Its outputs are called by what they are made of.
        self.server.files["camera.jpg"], kept = self.camera[:-2], self.camera
        for how in ("swapslate/a", "swaps/b"):
            (answer,) = self.work([f"{self.base}/{how}/camera.jpg"], "--name", "content")
            self.assertEqual(answer["upright"], [3000, 2000])
        self.server.files["camera.jpg"] = kept

    def test_servers_that_lie_about_parts_are_asked_for_the_whole(self):
        for how in ("shifted", "short", "unnamed", "shrinks", "once"):
            self.assert_same(how, "camera.jpg")
            self.assertIn(len(self.server.ranges), (2, 3), how)
        for how in ("endless", "endless/late"):
            self.assertLess(self.assert_same(how, "camera.jpg"), len(self.camera) + 2 * PROBE + (8 << 20), how)

    def test_a_large_announcement_costs_nothing(self):
        limit = str(len(self.camera) - 1)
        answer, _ = self.by_address("of", "camera.jpg", "--max-bytes", limit)
        self.assertEqual((answer["error"]["kind"], answer["error"]["stage"]), ("tooLarge", "fetch"))
        self.assertEqual(self.server.ranges, [f"0-{PROBE - 1}"])


if __name__ == "__main__":
    unittest.main()

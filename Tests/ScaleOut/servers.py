"""Servers on loopback that are slow, break off, are busy, or lead astray, and one that checks S3's signatures."""
import contextlib
import hashlib
import hmac
import http.client
import http.server
import socket
import threading
import time

from workplace import ROOT

PHOTO = ROOT / "Samples" / "Photos" / "Portraits" / "Amara.jpg"
SECRET = "5ec7e7"


class Handler(http.server.BaseHTTPRequestHandler):
    """What happens is said by the first part of the path. `server.count` counts requests, `server.sent` body bytes."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if "://" in self.path:  # As a proxy is asked.
            self.server.asked.append(self.path)
            self.path = "/" + self.path.split("/", 3)[3]
        what = self.path.split("/")[1].split("?")[0]
        seen = self.server.count[self.path] = self.server.count.get(self.path, 0) + 1
        getattr(self, "do_" + what)(seen)

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.write(body)

    def write(self, body):
        self.server.send(self.wfile, body)

    def part(self, body, tag='"1"', total=None):
        span = self.headers.get("Range")
        if self.headers.get("If-Match", tag) != tag:
            return self.answer(412)
        if not span:
            return self.answer(200, body, ETag=tag)
        first, last = map(int, span.removeprefix("bytes=").split("-"))
        last = min(last, len(body) - 1)
        span = f"bytes {first}-{last}/{total or len(body)}"
        return self.answer(206, body[first:last + 1], ETag=tag, Content_Range=span)

    def do_photo(self, _):
        self.part(self.server.photo)

    def do_large(self, _):
        self.part(self.server.large)

    def do_whole(self, _):  # Knows no parts.
        self.answer(200, self.server.large)

    def do_chunked(self, _):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(self.server.photo), 9999):
            piece = self.server.photo[start:start + 9999]
            self.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.write(b"0\r\n\r\n")

    def do_changes(self, seen):  # The first part is of another content than the second.
        self.part(self.server.large, f'"{min(seen, 2)}"')

    def do_busy(self, seen):
        self.answer(503, b"busy", Retry_After="0") if seen <= 2 else self.part(self.server.photo)

    def do_down(self, _):
        self.answer(503)

    def do_resets(self, seen):
        if seen > 1:
            return self.part(self.server.photo)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.connection.close()
        self.close_connection = True

    def do_breaks(self, _):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.photo)))
        self.end_headers()
        self.write(self.server.photo[:20000])
        self.close_connection = True

    def do_stalls(self, _):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.photo)))
        self.end_headers()
        self.write(self.server.photo[:20000])
        time.sleep(20)
        self.close_connection = True

    def do_silent(self, _):  # Takes the request, and says nothing.
        time.sleep(30)
        self.close_connection = True

    def do_drips(self, _):  # Never silent for long, and never done.
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.photo)))
        self.end_headers()
        for byte in range(60):
            self.write(self.server.photo[byte:byte + 1])
            self.wfile.flush()
            time.sleep(0.2)
        self.close_connection = True

    def do_gone(self, _):
        self.answer(404)

    def do_unending(self, _):  # /unending/404: an error whose text has no end.
        self.send_response(int(self.path.split("/")[2].split("?")[0]))
        self.send_header("Location", "/photo")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.forever(b"%x\r\n%s\r\n" % (1024, bytes(1024)))

    def forever(self, piece):
        """Sends until the other end is closed."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(piece)
                self.server.raise_sent(len(piece))

    def do_flows(self, _):  # A picture that begins well and has no end, and is announced as short enough.
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.write(b"%x\r\n%s\r\n" % (len(self.server.photo), self.server.photo))
        self.server.flows.set()
        self.close_connection = True
        with contextlib.suppress(OSError):
            while not self.server.ends.wait(0.05):
                self.wfile.write(b"1\r\n\0\r\n")

    def do_empty(self, _):
        self.answer(416, Content_Range="bytes */0")

    def do_huge(self, _):  # Announces far more than may be read.
        self.part(self.server.photo, total=5 << 30)

    def do_endless(self, _):  # Announces nothing.
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for _ in range(500):
            self.write(b"%x\r\n%s\r\n" % (len(self.server.photo), self.server.photo))

    def do_words(self, _):
        self.part(b"no picture" * 500_000)

    def do_leads(self, _):  # /leads/photo → /photo on another name of this machine
        self.answer(302, Location=f"http://localhost:{self.server.server_port}/{self.path.split('/', 2)[2]}")

    def do_away(self, _):  # /away/photo → a host that nobody but a proxy knows
        self.answer(302, Location=f"http://pictures.invalid/{self.path.split('/', 2)[2]}")

    def do_circles(self, _):
        self.answer(302, Location=self.path)

    def do_file(self, _):
        self.answer(302, Location="file:///etc/passwd")

    # What is below lies in a store for outputs.

    def do_refuses(self, _):
        self.answer(403)

    do_unlisted = do_refuses

    def do_kept(self, _):  # Made long ago, and long.
        self.part(self.server.photo + bytes(2_000_000))

    def do_PUT(self):
        seen = self.server.count[self.path] = self.server.count.get(self.path, 0) + 1
        what = self.path.split("/")[1]
        if what == "breaks":  # In the middle of what is sent.
            self.rfile.read(100)
            return self.do_resets(1)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if what == "silent":
            self.close_connection = True
            return self.server.ends.wait(30)
        if what == "refuses":
            return self.answer(403)
        if what == "down" or (what == "busy" and seen <= 2):
            return self.answer(503)
        if what == "unending":
            return self.do_unending(seen)
        self.server.stored[self.path] = body
        return self.answer(200)


class Listener(http.server.ThreadingHTTPServer):
    """Answers each connection on a thread of its own, and counts the body bytes that it sends."""

    daemon_threads = True
    # Who knocks where too many wait already tries again only a second later.
    request_queue_size = 64

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.sent = 0
        self.counting = threading.Lock()

    def send(self, file, body):
        """Sends a body. Whoever has got it finds it counted; what did not go out is not."""
        self.raise_sent(len(body))
        try:
            file.write(body)
        except OSError:
            self.raise_sent(-len(body))

    def raise_sent(self, count):
        with self.counting:
            self.sent += count

    def handle_error(self, *_):
        pass  # Clients that go away are what is tested.


class Server:
    """A server on loopback, on a thread, as long as a `with` lasts."""

    def __init__(self, handler=Handler, **values):
        self.server = Listener(("127.0.0.1", 0), handler)
        defaults = {"asked": [], "count": {}, "stored": {}, "photo": PHOTO.read_bytes(),
                    "flows": threading.Event(), "ends": threading.Event()}
        for name, value in {**defaults, **values}.items():
            setattr(self.server, name, value)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self.server

    def __exit__(self, *_):
        self.server.ends.set()
        self.server.shutdown()
        self.server.server_close()


class Signed(http.server.BaseHTTPRequestHandler):
    """Stands before moto's server, which checks no signature, and checks it: AWS's signature, version 4."""

    protocol_version = "HTTP/1.1"
    key, secret, token, region = "AKIDTEST", SECRET + "/+x", "session" + SECRET, "eu-test-1"

    def log_message(self, *_):
        pass

    def is_signed(self):
        words = dict(
            word.strip(" ,").split("=", 1) for word in self.headers.get("Authorization", "").split(" ")[1:])
        if not words or self.headers.get("x-amz-security-token") != self.token:
            return False
        path, _, query = self.path.partition("?")
        names = words["SignedHeaders"].split(";")
        canonical = "\n".join([
            self.command, path, "&".join(sorted(query.split("&"))) if query else "",
            "".join(f"{name}:{' '.join(self.headers[name].split())}\n" for name in names), ";".join(names),
            self.headers["x-amz-content-sha256"]])
        day = self.headers["x-amz-date"][:8]
        scope = f"{day}/{self.region}/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", self.headers["x-amz-date"], scope,
                          hashlib.sha256(canonical.encode()).hexdigest()])
        key = ("AWS4" + self.secret).encode()
        for part in (day, self.region, "s3", "aws4_request", text):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        needed = {"host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"}
        return words["Credential"] == f"{self.key}/{scope}" and words["Signature"] == key.hex() and needed <= set(names)

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.count[self.command] = self.server.count.get(self.command, 0) + 1
        if not self.is_signed():
            status, headers, body = 403, [], b"<Error><Code>SignatureDoesNotMatch</Code></Error>"
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.server.moto)
            connection.request(self.command, self.path, body, dict(self.headers))
            response = connection.getresponse()
            status, headers, body = response.status, response.getheaders(), response.read()
        self.send_response(status)
        for name, value in headers:
            if name.lower() in ("etag", "content-range", "last-modified"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.server.send(self.wfile, body)

    do_GET = do_PUT = forward

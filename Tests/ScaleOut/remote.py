"""What the tests of a worker on a network share: lines to answer, and a store of pictures."""
import http.client
import importlib.util
import json
import logging
import os
import subprocess
import unittest

from servers import PHOTO, SECRET, Server, Signed
from workplace import CAMEO, LOOK, Workplace


class RemoteCase(Workplace):
    def work(self, paths, *options, output=None, environment=None, **more):
        """The answers to lines whose inputs are `paths`; texts are names below the output folder."""
        lines = [{"id": number, "input": path, "output": str(number), **more} for number, path in enumerate(paths)]
        run = subprocess.run(
            [CAMEO, "worker", "-o", output or str(self.output), *LOOK, *options], capture_output=True, check=False,
            input="".join(json.dumps(line) + "\n" for line in lines).encode(),
            env={**os.environ, **(environment or {})})
        self.status, self.errors = run.returncode, run.stderr.decode()
        self.text = run.stdout.decode()
        self.assertNotIn(SECRET, self.text + self.errors)
        return [json.loads(line) for line in self.text.splitlines()]

    def single(self, path=PHOTO):
        """What a single run makes of a file."""
        folder = self.folder / "single"
        subprocess.run([CAMEO, "thumbnails", str(path), "-o", str(folder), *LOOK], capture_output=True, check=True)
        return (folder / (path.stem + ".jpg")).read_bytes()


@unittest.skipUnless(importlib.util.find_spec("moto"), "moto, the S3 server, is not installed")
class StoreCase(RemoteCase):
    def setUp(self):
        super().setUp()
        from moto.server import ThreadedMotoServer
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        moto = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        moto.start()
        self.addCleanup(moto.stop)
        self.moto = moto.get_host_and_port()[1]
        # Nothing is there of the test before.
        self.request("POST", "/moto-api/reset")
        self.request("PUT", "/pictures")
        self.request("PUT", "/dotted.thumbs")
        self.server = self.enterContext(Server(Signed, moto=self.moto))
        self.environment = {
            "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{self.server.server_port}", "AWS_REGION": Signed.region,
            "AWS_ACCESS_KEY_ID": Signed.key, "AWS_SECRET_ACCESS_KEY": Signed.secret, "AWS_SESSION_TOKEN": Signed.token,
        }

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.moto)
        # moto wants to know whose it is, and believes anything.
        connection.request(method, path, body, {"Authorization": "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/s3/aws4_request"})
        response = connection.getresponse()
        return response.status, response.read()

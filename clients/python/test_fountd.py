# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""Tries fountd.py with one answer of a server: python -m unittest"""

import http.server
import itertools
import json
import os
import socket
import threading
import traceback
import unittest
from unittest import mock

import fountd


class FountdTest(unittest.TestCase):
    def serve(self, status, body, kind="application/json"):
        """Have a server give each request this answer, and keep its members."""
        test = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                test.asked = self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Retry-After", "7")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *args):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, args=[0.01]).start()
        os.environ["FOUNTD_URL"] = f"http://127.0.0.1:{server.server_port}"

    def test_match(self):
        self.serve(200, '{"match": true, "hash": "new"}')
        self.assertEqual(fountd.verify("€", "stored", "192.0.2.1"), (True, "new"))
        path, members = self.asked
        self.assertEqual(path, "/v1/verify")
        self.assertLessEqual(members.pop("deadline_ms"), 1000)
        self.assertEqual(
            members, {"password_b64": "4oKs", "hash": "stored", "principal": "192.0.2.1", "renew": True})

    def test_mismatch(self):
        self.serve(200, '{"match": false}')
        self.assertEqual(fountd.verify("guess", None, "192.0.2.1"), (False, None))

    def test_hash(self):
        self.serve(200, '{"hash": "made"}')
        self.assertEqual(fountd.hash("new", "192.0.2.1"), "made")

    def test_overloaded(self):
        self.serve(503, "")
        with self.assertRaisesRegex(fountd.Unavailable, "fountd: 503") as raised:
            fountd.verify("any", "stored", "192.0.2.1")
        self.assertEqual(raised.exception.retry_after, 7)

    def test_away(self):
        os.environ["FOUNTD_URL"] = "/nowhere"
        with self.assertRaises(fountd.Unavailable):
            fountd.verify("any", "stored", "192.0.2.1")

    def test_too_long(self):
        self.serve(422, '{"reason": "too_long"}', "application/problem+json")
        with self.assertRaisesRegex(fountd.InvalidPassword, "The password is too long."):
            fountd.hash("x" * 1025, "192.0.2.1")

    def test_another_server(self):
        for body in '{"match": "true"}', '{"match": 1}', '{"hash": "new"}', '{"match": true, "hash": 1}', "[]":
            with self.subTest(body):
                self.serve(200, body)
                with self.assertRaises(RuntimeError):
                    fountd.verify("any", "stored", "192.0.2.1")

    def test_trackers_of_errors_see_no_hash(self):
        os.environ["FOUNTD_URL"] = "/nowhere"
        try:  # assertRaises would clear the frames
            fountd.verify("any", "stored hash", "192.0.2.1")
        except fountd.Unavailable as e:
            frames = [frame for frame, _ in traceback.walk_tb(e.__traceback__)][1:]
            for frame in frames:
                seen = {name: value for name, value in frame.f_locals.items() if name not in ("password", "secret")}
                self.assertNotIn("stored hash", repr(seen))

    def test_handshake_has_the_time_left(self):
        seconds = []

        def wrap_socket(context, server, **_):
            seconds.append(server.gettimeout())
            raise ConnectionResetError

        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        os.environ["FOUNTD_URL"] = f"https://127.0.0.1:{server.getsockname()[1]}"
        with mock.patch("ssl.SSLContext.wrap_socket", wrap_socket), mock.patch("fountd.time") as time:
            time.monotonic.side_effect = itertools.count(step=0.25)  # each look takes as long
            with self.assertRaises(fountd.Unavailable):
                fountd.verify("any", "stored", "192.0.2.1")
        self.assertEqual(seconds[0], fountd.TIMEOUT - 2 * 0.25)  # connecting took one, this another


if __name__ == "__main__":
    unittest.main()

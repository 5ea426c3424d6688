# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

import sys

from app import app, users

password, stored, address = sys.argv[1:]
app.testing = True  # a defect goes through
client = app.test_client()
client.environ_base["REMOTE_ADDR"] = address
users["ada"] = stored
for path, name in ("login", "ada"), ("signup", "bob"), ("login", "bob"):
    reply = client.post(path, data={"name": name, "password": password})
    if reply.status_code == 503:
        sys.exit(print(f"try again in {reply.headers['Retry-After']} s"))
    if reply.status_code == 422:
        sys.exit(print(f"invalid: {reply.text}"))
    print(reply.status_code == 200, users[name])

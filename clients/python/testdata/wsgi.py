# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

"""app.py, with a user who signed up before gunicorn forks its workers."""

import fountd
from app import app, users

users["ada"] = fountd.hash("correct horse battery staple", "192.0.2.1")

# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

import sys

import fountd

password, stored, address = sys.argv[1:]
try:
    match, new = fountd.verify(password, stored, address)
    print(match, new, fountd.hash(password, address))
except fountd.Unavailable as e:
    print(f"try again in {e.retry_after} s")
except fountd.InvalidPassword as e:
    print(f"invalid: {e}")

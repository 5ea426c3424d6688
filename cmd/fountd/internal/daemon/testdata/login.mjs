// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

import { fountd, hash, verify, InvalidPassword, Unavailable } from './fountd.mjs'

const [password, stored, address] = process.argv.slice(2)
try {
  const [match, fresh] = await verify(password, stored, address)
  console.log(match, fresh, await hash(password, address))
} catch (e) {
  if (e instanceof Unavailable) console.log(`try again in ${e.retryAfter} s`)
  else if (e instanceof InvalidPassword) console.log(`invalid: ${e.message}`)
  else throw e
} finally {
  await fountd.close()
}

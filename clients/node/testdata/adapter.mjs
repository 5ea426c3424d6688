// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Answers the suite's requests by fountd.mjs.

import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { hash, verify, InvalidPassword, Unavailable } from '../fountd.mjs'

async function outcome (call) {
  const began = Date.now()
  const answer = await ask(call)
  return { ...answer, elapsed_ms: Date.now() - began }
}

async function ask (call) {
  for (const [name, value] of Object.entries({ URL: call.server, CA: call.ca, CERT: call.cert, KEY: call.key })) {
    delete process.env[`FOUNTD_${name}`]
    if (value) process.env[`FOUNTD_${name}`] = value
  }
  try {
    if (call.call === 'hash') return { outcome: 'match', hash: await hash(call.password, call.address) }
    const [match, fresh] = await verify(call.password, call.stored, call.address)
    return { outcome: match ? 'match' : 'mismatch', hash: fresh ?? null }
  } catch (e) {
    const text = inspect(e, { depth: 9, showHidden: true })
    if (e instanceof Unavailable) return { outcome: 'unavailable', retry_after: e.retryAfter, text }
    return { outcome: e instanceof InvalidPassword ? 'invalid' : 'defect', text }
  }
}

console.log(JSON.stringify({ client: `Node ${process.versions.node}`, unix: true, tls: true, batches: ['threads'] }))
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  const answer = request.batch ? { outcomes: await Promise.all(request.calls.map(outcome)) } : await outcome(request)
  console.log(JSON.stringify(answer))
}

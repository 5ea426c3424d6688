// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tries fountd.mjs with one answer of a server: node --test

import assert from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { hash, verify, InvalidPassword, Unavailable } from './fountd.mjs'

// serve has a server give each request this answer, and returns them as they come.
async function serve (t, status, body, type = 'application/json') {
  const asked = []
  const server = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request) text += chunk
    asked.push([request.url, JSON.parse(text)])
    reply.writeHead(status, { 'content-type': type, 'retry-after': '7' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  process.env.FOUNTD_URL = `http://127.0.0.1:${server.address().port}`
  return asked
}

test('match', async t => {
  const asked = await serve(t, 200, '{"match": true, "hash": "new"}')
  assert.deepEqual(await verify('€', 'stored', '192.0.2.1'), [true, 'new'])
  const [[path, { deadline_ms: deadline, ...members }]] = asked
  assert.equal(path, '/v1/verify')
  assert(deadline <= 1000)
  assert.deepEqual(members, { password_b64: '4oKs', hash: 'stored', principal: '192.0.2.1', renew: true })
})

test('mismatch', async t => {
  await serve(t, 200, '{"match": false}')
  assert.deepEqual(await verify('guess', null, '192.0.2.1'), [false, undefined])
})

test('hash', async t => {
  await serve(t, 200, '{"hash": "made"}')
  assert.equal(await hash('new', '192.0.2.1'), 'made')
})

test('overloaded', async t => {
  await serve(t, 503, '')
  await assert.rejects(verify('any', 'stored', '192.0.2.1'), e => e instanceof Unavailable && e.retryAfter === 7)
})

test('away', async () => {
  process.env.FOUNTD_URL = '/nowhere'
  await assert.rejects(verify('any', 'stored', '192.0.2.1'), Unavailable)
})

test('too long', async t => {
  await serve(t, 422, '{"reason": "too_long"}', 'application/problem+json')
  const isTooLong = e => e instanceof InvalidPassword && e.message === 'The password is too long.'
  await assert.rejects(hash('x'.repeat(1025), '192.0.2.1'), isTooLong)
})

test('another server', async t => {
  await serve(t, 200, '{"match": "true"}')
  await assert.rejects(verify('any', 'stored', '192.0.2.1'), /another server/)
})

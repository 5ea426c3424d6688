// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Passwords by fountd. Copy this file into your service:
//
//   const [match, fresh] = await verify(given, stored, address) // store fresh, unless undefined
//   const stored = await hash(given, address)
//
// The address is where the attempt comes from. For an unknown user, stored is '' or null.
//
// FOUNTD_URL says where fountd is: /run/fountd/fountd.sock if unset, another path, or http:// or
// https://HOST:PORT, for which FOUNTD_CA, FOUNTD_CERT and FOUNTD_KEY name TLS's files.

import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'

const timeout = 2000 // milliseconds for a whole call, of which fountd has 1000
const maxReply = 64 << 10 // bytes

const invalid = {
  too_long: 'The password is too long.',
  too_large: 'The password is too long.',
  empty: 'The password is empty.',
  nul: 'The password has a NUL character.'
}

// Unavailable: the password is neither right nor wrong. Answer 503 with Retry-After.
export class Unavailable extends Error {
  constructor (why, retryAfter = 1) {
    super(why)
    this.retryAfter = retryAfter // seconds
  }
}

// InvalidPassword: the password is too long, or a new one is empty. Tell the user.
export class InvalidPassword extends Error {}

// verify returns whether the password matches, and the hash to store, if any.
export async function verify (password, stored, address) {
  const answer = await ask('verify', password, address, { hash: stored ?? '', renew: true })
  return [answer.match, answer.hash]
}

export async function hash (password, address) {
  return (await ask('hash', password, address)).hash
}

async function ask (what, password, address, more) {
  if (typeof password !== 'string') throw new TypeError('the password is not a string')
  const bytes = Buffer.from(password)
  if (bytes.toString() !== password) throw new InvalidPassword('The password is not Unicode.') // half of a surrogate pair
  const members = { password_b64: bytes.toString('base64'), principal: address ?? '', ...more }
  const signal = AbortSignal.timeout(timeout)
  const deadline = performance.now() + timeout

  // A server that restarts ends connections unanswered: ask once more.
  let reply = await post(what, members, deadline, signal)
  if (reply.unanswered && !signal.aborted) reply = await post(what, members, deadline, signal)
  if (reply.why) throw new Unavailable(`fountd: ${reply.why}`)

  const { status, headers, body } = reply
  const type = headers['content-type']?.split(';')[0].trim().toLowerCase()
  const answer = type?.endsWith('json') ? decode(body) : {}
  if (status === 200) {
    const isOurs = what === 'verify'
      ? typeof answer.match === 'boolean' && typeof (answer.hash ?? '') === 'string'
      : typeof answer.hash === 'string'
    if (type === 'application/json' && isOurs) return answer
    throw new Error('fountd: an answer of another server')
  }

  // Whoever else answers at this address may repeat the password: none of its words goes on.
  const why = `fountd: ${status}`
  if ([429, 502, 503, 504].includes(status)) {
    const seconds = headers['retry-after']
    throw new Unavailable(why, /^[1-9]\d{0,4}$/.test(seconds) ? Number(seconds) : 1)
  }
  const words = type === 'application/problem+json' && Object.hasOwn(invalid, answer.reason) && invalid[answer.reason]
  if ([413, 422].includes(status) && words) throw new InvalidPassword(words)
  throw new Error(why) // a defect, of which fountd's log has more
}

// decode returns the members of a JSON object, or none.
function decode (body) {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

// post returns a reply, or why there is none and whether not one byte came.
function post (what, members, deadline, signal) {
  return new Promise(resolve => {
    const { FOUNTD_URL: at = '/run/fountd/fountd.sock', FOUNTD_CA: ca, FOUNTD_CERT: cert } = process.env
    const key = process.env.FOUNTD_KEY ?? cert
    const url = new URL(`/v1/${what}`, at.startsWith('/') ? 'http://fountd' : at)
    const left = Math.max(1, Math.min(1000, Math.floor(deadline - performance.now())))
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, agent: false, signal }
    if (at.startsWith('/')) options.socketPath = at
    for (const [name, path] of Object.entries({ ca, cert, key })) if (path) options[name] = readFileSync(path)

    let unanswered = true
    let replied = false
    const fail = e => resolve({ why: e.code ?? e.name, unanswered }) // not its text, nor its bytes
    const call = (url.protocol === 'https:' ? https : http).request(url, options)
    call.on('socket', socket => socket.prependOnceListener('data', () => { unanswered = false }))
    call.on('error', fail)
    call.on('close', () => { if (!replied) fail({ code: 'no answer' }) }) // as after 101
    call.on('response', async reply => {
      replied = true
      const chunks = []
      let bytes = 0
      try {
        for await (const chunk of reply) {
          bytes += chunk.length
          if (bytes > maxReply) throw Object.assign(new Error(), { code: 'more than 64 KiB' })
          chunks.push(chunk)
        }
        resolve({ status: reply.statusCode, headers: reply.headers, body: Buffer.concat(chunks) })
      } catch (e) {
        fail(e)
      }
    })
    call.end(JSON.stringify({ ...members, deadline_ms: left }))
  })
}

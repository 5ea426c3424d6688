// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Passwords by fountd, with undici. Copy this file into your service:
//
//   const [match, fresh] = await verify(given, stored, address) // store fresh, unless undefined
//   const stored = await hash(given, address)
//
// The address is where the attempt comes from. For an unknown user, stored is ''.

import { Pool } from 'undici'

// Over TCP: new Pool('https://hash.internal:8443', { connect: { ca, cert, key }, headersTimeout: 5000 })
export const fountd = new Pool('http://fountd', {
  socketPath: process.env.FOUNTD_SOCKET ?? '/run/fountd/fountd.sock',
  headersTimeout: 5000,
  bodyTimeout: 5000
})

// Unavailable: the password is neither right nor wrong. Answer 503 with Retry-After.
export class Unavailable extends Error {
  constructor (why, retryAfter = '1', options) {
    super(why, options)
    this.retryAfter = retryAfter // seconds
  }
}

// InvalidPassword: the password is too long, or a new one is empty. Tell the user.
export class InvalidPassword extends Error {}

// verify returns whether the password matches, and the hash to store, if any.
export async function verify (password, stored, address) {
  const answer = await ask('verify', password, address, { hash: stored, upgrade: true })
  return [take(answer, 'match', 'boolean'), answer.hash]
}

export async function hash (password, address) {
  return take(await ask('hash', password, address), 'hash', 'string')
}

// take returns a member of fountd's answer. That of a proxy has none.
function take (answer, name, type) {
  if (typeof answer[name] !== type) throw new Error(`fountd: an answer without ${name}`)
  return answer[name]
}

async function ask (what, password, address, more) {
  if (typeof password !== 'string') throw new TypeError('the password is not a string')
  const secret = Buffer.from(password).toString('base64')
  const request = { password_b64: secret, principal: address, deadline_ms: 1000, ...more }
  let reply, text
  try {
    reply = await fountd.request({
      method: 'POST',
      path: `/v1/${what}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request)
    })
    text = await reply.body.text()
  } catch (e) {
    throw new Unavailable(`fountd: ${e.message}`, '1', { cause: e })
  }
  const { statusCode, headers } = reply
  if (statusCode === 200) return JSON.parse(text)
  // Others that answer at this address may repeat the password, and say nothing of it.
  const problem = headers['content-type'] === 'application/problem+json' ? JSON.parse(text) : {}
  const why = `fountd: ${statusCode} ${problem.detail ?? ''}`
  if ([429, 502, 503, 504].includes(statusCode)) throw new Unavailable(why, headers['retry-after'])
  if (['too_large', 'too_long', 'empty', 'nul'].includes(problem.reason)) throw new InvalidPassword(problem.detail)
  throw new Error(why) // a defect
}

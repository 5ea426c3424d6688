// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A service with fountd.mjs beside it. A framework needs the same: two routes, and two errors.

import http from 'node:http'
import { text } from 'node:stream/consumers'
import { hash, verify, InvalidPassword, Unavailable } from './fountd.mjs'

const maxForm = 8 << 10 // bytes
const users = new Map() // a stored hash by name

const routes = {
  async '/signup' (name, password, address) {
    const stored = await hash(password, address)
    if (users.has(name)) return [409, 'That name is taken.']
    users.set(name, stored) // INSERT, where the name is a unique key
    return [200, 'Welcome.']
  },

  async '/login' (name, password, address) {
    const stored = users.get(name)
    const [match, fresh] = await verify(password, stored, address)
    if (fresh) users.set(name, fresh) // UPDATE users SET hash = fresh WHERE name = ... AND hash = stored
    return match ? [200, 'Welcome.'] : [403, 'The name or the password is wrong.']
  }
}

async function answer (request, response) {
  const isForm = request.method === 'POST' && Number(request.headers['content-length']) <= maxForm
  if (!isForm || !Object.hasOwn(routes, request.url)) return [404, 'There is no such page.']

  const form = new URLSearchParams(await text(request))
  try {
    return await routes[request.url](form.get('name') ?? '', form.get('password') ?? '', request.socket.remoteAddress)
  } catch (e) {
    if (e instanceof InvalidPassword) return [422, e.message]
    console.error(e.message)
    if (!(e instanceof Unavailable)) return [500, 'That is our fault.']
    response.setHeader('Retry-After', e.retryAfter)
    return [503, 'Please try again soon.']
  }
}

http.createServer(async (request, response) => {
  const [status, words] = await answer(request, response).catch(() => [400, 'The request ended.'])
  response.writeHead(status, { 'Content-Type': 'text/plain' }).end(words + '\n')
}).listen(process.env.PORT, 'localhost')

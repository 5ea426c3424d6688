// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Sign-ins and requests for /me, each at its own rate (an open loop), or with CLOSED as many sign-ins at once as it says (a closed
// loop, which finds the capacity). TestLoad runs it:
//
//   k6 run -e URL=http://localhost:8080 -e USERS=1000 -e PASSWORD=... -e RATE=100 -e ME=20 -e SECONDS=60 login.js

import { sleep } from 'k6';
import exec from 'k6/execution';
import { Gauge } from 'k6/metrics';
import { Outcomes, below, cookieOf, me as requestMe, openLoop, options as shared, signIn, summary, user } from './client.js';

const { USERS, PASSWORD, RATE, ME, SECONDS, CLOSED } = __ENV;

export const options = Object.assign({
  scenarios: CLOSED
    ? { login: { exec: 'login', executor: 'constant-vus', vus: Number(CLOSED), duration: `${SECONDS}s`, gracefulStop: '2s' } }
    : { login: openLoop('login', Number(RATE)), me: openLoop('me', Number(ME)) },
}, shared);

const logins = new Outcomes('login');
const requests = new Outcomes('me');
const ends = new Gauge('ends'); // when the load ends, in milliseconds since 1970

// setup signs somebody in before the load.
export function setup() {
  return cookieOf(signIn(user(0), PASSWORD, '192.0.2.1'));
}

export function login() {
  const response = signIn(user(below(Number(USERS))), PASSWORD, `10.0.${below(4)}.${1 + below(250)}`);
  logins.add(response);
  if (CLOSED && response.status !== 200) {
    sleep(0.1);
  }
}

export function me(cookie) {
  requests.add(requestMe(cookie));
  ends.add(exec.scenario.startTime + Number(SECONDS) * 1000);
}

export const handleSummary = summary;

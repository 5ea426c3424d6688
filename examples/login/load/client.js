// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the scripts beside this one share: a request with a timeout of a second, and what becomes of it.

import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';

const timeout = '1s';

// Outcomes counts the requests of one kind, and times them in milliseconds.
export class Outcomes {
  constructor(kind) {
    this.answered = new Trend(`${kind}_answered`, true); // 200
    this.wrong = new Trend(`${kind}_wrong`, true); // 401
    this.limited = new Trend(`${kind}_limited`, true); // 429
    this.refused = new Trend(`${kind}_refused`, true); // 503
    this.late = new Counter(`${kind}_late`); // no answer within the timeout
    this.failed = new Counter(`${kind}_failed`); // all else
  }

  add(response) {
    const t = response.timings;
    const took = t.blocked + t.connecting + t.duration;
    switch (response.status) {
      case 200: this.answered.add(took); break;
      case 401: this.wrong.add(took); break;
      case 429: this.limited.add(took); break;
      case 503: this.refused.add(took); break;
      default: (response.error_code === 1050 ? this.late : this.failed).add(1);
    }
  }
}

// signIn signs a user in, from an address that the service's proxy says, if one is given.
export function signIn(user, password, address) {
  const headers = address ? { 'X-Forwarded-For': address } : {};
  return http.post(`${__ENV.URL}/login`, { [__ENV.FIELD || 'email']: user, password }, { headers, timeout });
}

// me asks who is signed in.
export function me(cookie) {
  return http.get(`${__ENV.URL}/me`, { headers: { Cookie: cookie }, timeout });
}

// cookieOf returns the cookies of an answer. The service marks them Secure, so k6 would keep them from plain HTTP.
export function cookieOf(response) {
  return Object.values(response.cookies).map(([c]) => `${c.name}=${c.value}`).join('; ');
}

export const user = (i) => `user${i}@example.org`;

export const below = (n) => Math.floor(Math.random() * n);

// openLoop starts rate iterations a second, whatever becomes of those before.
export function openLoop(run, rate) {
  return {
    exec: run, executor: 'constant-arrival-rate', rate: Math.round(rate * 10), timeUnit: '10s',
    duration: `${__ENV.SECONDS}s`, gracefulStop: '2s', preAllocatedVUs: Math.ceil(rate * 1.1) + 20,
  };
}

export const options = {
  discardResponseBodies: true,
  systemTags: [],
  summaryTrendStats: ['count', 'med', 'p(99)', 'max'],
};

// summary prints all figures for the program that has started k6.
export function summary(data) {
  return { stdout: JSON.stringify(data.metrics) };
}

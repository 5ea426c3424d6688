// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Honest users, each at an address of their own, beside a flood of wrong passwords from as many addresses as BOTS says: for one account with
// ACCOUNTS=1, the first of the honest users', else for so many. TestFlood runs it.

import { Outcomes, below, openLoop, options as shared, signIn, summary, user } from './client.js';

const { PASSWORD, RATE, FLOOD, NETWORK, BOTS, ACCOUNTS, HONEST } = __ENV;

export const options = Object.assign({
  scenarios: { honest: openLoop('honest', Number(RATE)), flood: openLoop('flood', Number(FLOOD)) },
}, shared);

const addressOf = (i) => `10.0.0.${1 + i}`;

const signIns = new Outcomes('honest');
const guesses = new Outcomes('flood');

// setup has the honest users known to the service, if KNOWN is set: they signed in before, from where they are.
export function setup() {
  for (let i = 0; __ENV.KNOWN && i < Number(HONEST); i++) {
    signIn(user(i), PASSWORD, addressOf(i));
  }
}

export function honest() {
  const i = below(Number(HONEST));
  signIns.add(signIn(user(i), PASSWORD, addressOf(i)));
}

export function flood() {
  const i = below(Number(BOTS));
  guesses.add(signIn(user(below(Number(ACCOUNTS))), 'a guess', NETWORK + (1 + i)));
}

export const handleSummary = summary;

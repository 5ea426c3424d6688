// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package accountlimit slows the guessing of one account's password without locking its owner out
// of clients that he used before. It is not a limit on load, which is the pool's, and it does not
// stop somebody who tries one password on many accounts.
//
// A [Limiter] counts wrong passwords in buckets that refill with time:
//
//   - one for each account and client: 10 at once, then one every 6 minutes (240 a day). A client
//     is an address or a network ([password.PrincipalOf]), or a device's token;
//   - one for each account and all clients that it was not signed in from before: 100 at once, then
//     one every 15 minutes (96 a day, 35,000 a year).
//
// A client from which the account was signed in within 30 days is known: it has its own bucket and
// takes nothing from the account's. A right password costs nothing, and once a day forgives the
// client's wrong ones before it.
//
// While a botnet keeps an account's bucket empty, its owner can't sign in from a new client: let
// him in by another way, such as a link by mail, and call [Limiter.Trust]. A guesser behind the
// owner's own address counts as the owner: he has 10 guesses and 250 a day, and can use up the
// owner's. OWASP's device cookies tell the two apart: use their token as the client.
//
// NIST SP 800-63B (section 5.2.2) wants a password disabled after 100 consecutive failures. This
// package disables nothing: refuse the 35,000 most used passwords when one is chosen.
//
// Counts end with the process and have a fixed size. An account has four buckets, shared with other
// accounts, and the one with the fewest failures counts, so never fewer than its own. Strangers to
// all accounts are refused after 100 times Entries wrong passwords, and then get Entries more each
// 15 minutes; each is hashed first. When the table of clients is full, those with the fewest
// failures are forgotten and may guess anew, within their account's limit. Only right passwords
// displace a known client.
package accountlimit

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package accountlimit slows the guessing of one account's password without locking
// its owner out of where he signed in before. It is not a limit on load, which is the
// password pool's, and it does not stop somebody who tries one password on many accounts.
//
// A [Limiter] counts wrong passwords in buckets that refill with time:
//
//   - one for each account and client: 10 at once, then one each 6 minutes (240 a
//     day). A client is an address or a network ([password.PrincipalOf]), or the token
//     of a device;
//   - one for each account and all clients that it was not signed in from before:
//     100 at once, then one each 15 minutes (96 a day, 35,000 a year).
//
// A client from which the account was signed in within 30 days is known: it has a
// bucket of its own and no part in the account's. So while others guess, the owner
// signs in from where he did before. A right password costs nothing, and from a known
// client it forgives the wrong ones before it, once a day.
//
// # What it can't do
//
// While a botnet keeps an account's bucket empty, its owner can't sign in from a client
// that he has never used. Let him in by another way, such as a link by mail, and call
// [Limiter.Trust]. A guesser behind the owner's own address is known as he is: he has
// 10 guesses and 250 a day, and can use up the owner's. OWASP's device cookies tell the
// two apart: pass the cookie's token as the client. Behind a proxy whose address is taken
// for the client's, all are one client: see passwordhttp.Gate.Proxies.
//
// # Where the numbers come from
//
// NIST SP 800-63B (section 5.2.2) wants at most 100 consecutive failures for one
// account, and names waiting times and known addresses among the ways not to lock out
// the owner; a right password should forgive the failures from its own address. Its
// 100 has no time in it: after them the password is disabled until it is bound anew.
// This package disables nothing, it slows: 35,000 guesses a year find a password that
// is one of the 35,000 most used, so refuse those when a password is chosen. Who must
// follow the letter sets Rate.Every to months.
//
// OWASP advises against locking by account alone, as anybody can lock others out, and
// against locking by address alone, as guessers have many; its device cookies are what
// is done here, with a client in the cookie's place.
//
// # Memory
//
// The tables have a fixed size. When the accounts' is full a newcomer takes the place
// with the fewest failures and inherits them: so no account ever has fewer failures
// than were counted, and nobody resets a limit by filling the table (this is the
// Space-Saving algorithm of Metwally and others, 2005). What a flood of names can do is
// to have accounts begin with failures that are not theirs: F wrong passwords for more
// accounts than there are places, N, leave about F/N on each. To refuse strangers, who are not
// known, it takes 100 times N of them, 13 million, and then N each 15 minutes, 145 a
// second; each is hashed first.
//
// The clients' table inherits nothing: filling it gives a client 10 guesses more, all of
// them within its account's limit. Known clients lie in a table that only right
// passwords enter: whoever holds N accounts can fill it, and makes those unknown who
// were signed in longest ago.
//
// Counts are a process's own and end with it.
package accountlimit

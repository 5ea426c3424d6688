// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package lab is the house of everything that measures: a folder a study, each with its run, its result, its text and its
// picture.
//
//	doctor   the examination of a machine: what random values and password hashes cost on it, and what to do
//	why      whether a program needs the library, and on which lines
//	measure  the harness of all: Method, Plan, Sample, Histogram, tables, and files for benchstat
//	nonce    16-byte nonces by each method, and what to conclude; the seven of 2016
//	source   random integers; the cases of 2017
//	scale    on 1 to N cores, and how often a draw takes long; usl fits the law
//	logins   password checks under load
//	recovery how a login service comes back from an overload
//	iostats  what a program reads and writes, and how long it waits for random bytes
//	backoffplot  how calls spread that are tried again
//	files    processes that start at a slow device
//	model    simulated sockets
//	page     one HTML page, from the others' results alone
//	show     text for a terminal, and figure, plots as SVG
//	machine  what the machine is
//
// The program imports it and the library does not. It names no command or flag of the program: what a study needs of it, a
// study is handed. A process that measures for another is told what to do on its standard input, as JSON.
package lab

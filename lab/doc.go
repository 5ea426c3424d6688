// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package lab runs studies. A [Study] is handed a [Run], and what it found is a [Result]: text, JSON, benchstat lines and the
// page are made of that alone. Methods that take turns are given to [Run.Compare], which the harness of package measure
// measures and package internal/judge judges. A study that measures whole loads or processes by itself has [Run.Turns] call it
// for each row and round; what is computed, it gives to [Run.Add].
//
// Beside it stand a folder for each study, and
//
//	measure  the harness: Method, Plan, one turn
//	child    parts of a study in processes of their own
//	page     one HTML page of results
//	plot     lines and bars as SVG
//	show     text for a terminal
//	machine  what the machine is
//
// To add a study, write such a value in a folder of its own and name it in cmd/fount/internal/cli/studies.go. Package source is a
// short example: Run.Compare of the usual Run.Plan and some methods, the first of which is the base, each of them opened by
// measure.Stateless with a function that fills a slice of values.
//
// The program imports it and the library does not. It names no command or flag of the program but fount bench.
package lab

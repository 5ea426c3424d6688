// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Moves draws how a store of other makers' hashes moves by sign-ins. It measures nothing: it reads moves.txt, which
// TestMovesUnderLoad of examples/login has written, and writes moves.svg beside it. From the root of the checkout:
//
//	go run ./lab/moves
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fount/lab/show/figure"

	"golang.org/x/perf/benchfmt"
)

func main() { figure.Command("moves", "read and write in `DIR`", run) }

func run(dir string) error {
	name := filepath.Join(dir, "moves.txt")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	svg, err := plot(text, name)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "moves.svg"), svg, 0o666)
}

// plot draws the shares of the users, and the refusals, over the seconds of a move.
func plot(text []byte, name string) ([]byte, error) {
	seconds := figure.Axis{Label: "time (s)"}
	shares := figure.Lines{Title: "Share of the users", X: seconds, Y: figure.Axis{Label: "of all users", Max: 1.02}}
	refusals := figure.Lines{Title: "Sign-ins refused for the moment, which clients tried again", X: seconds, Y: figure.Axis{Label: "refusals/s"}}
	series := []struct {
		unit string
		in   *figure.Lines
		figure.Series
	}{
		{"signed-in", &shares, figure.Series{Name: "have signed in", Look: figure.Look{Color: figure.Orange, Plain: true}}},
		{"upgraded", &shares, figure.Series{Name: "have a new hash", Look: figure.Look{Color: figure.Blue, Strong: true, Plain: true}}},
		{"expected", &shares, figure.Series{Name: "signed in, by the model", Look: figure.Look{Color: figure.Gray, Dashed: true, Plain: true}}},
		{"refused", &refusals, figure.Series{Name: "refusals", Look: figure.Look{Color: figure.Vermilion, Plain: true}}},
	}
	var total *benchfmt.Result
	for in := benchfmt.NewReader(bytes.NewReader(text), name); in.Scan(); {
		result, ok := in.Result().(*benchfmt.Result)
		if !ok {
			return nil, fmt.Errorf("%s: %v", name, in.Result())
		}
		_, second, timed := strings.Cut(string(result.Name), "/second=")
		if !timed {
			total = result.Clone()
			continue
		}
		at, err := strconv.ParseFloat(second, 64)
		if err != nil {
			return nil, err
		}
		for i := range series {
			if y, ok := result.Value(series[i].unit); ok {
				series[i].Points = append(series[i].Points, figure.Point{X: at, Y: y})
			}
		}
	}
	if total == nil {
		return nil, errors.New(name + " has no line of the whole move")
	}
	for _, s := range series {
		s.in.Series = append(s.in.Series, s.Series)
	}
	value := func(unit string) float64 { v, _ := total.Value(unit); return v }
	return figure.Stack{
		Title:  fmt.Sprintf("%.0f users of Django and PHP move to argon2id by signing in", value("users")),
		Panels: []figure.Lines{shares, refusals},
		Caption: []string{
			fmt.Sprintf("Users come as they please for %.0f s, five times as many from 0.3 to 0.35 of that; at 0.6 the service is killed. Then all others sign in.", value("load-s")),
			fmt.Sprintf("%.0f of the hashes are dearer than the new policy's, so they stay.", value("stay")),
		},
	}.SVG()
}

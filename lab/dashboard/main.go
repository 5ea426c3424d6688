// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Dashboard draws the panels of deploy/grafana/fount.json, with the data of a Prometheus server, as SVG. It is for pictures where
// there is no Grafana: the queries, titles, units and legends are the dashboard's, the drawing is not Grafana's.
//
//	go run ./lab/dashboard -prometheus http://127.0.0.1:9090 -last 10m >dashboard.svg
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	var (
		server = flag.String("prometheus", "http://127.0.0.1:9090", "`URL` of a Prometheus server")
		file   = flag.String("board", "deploy/grafana/fount.json", "`FILE` of the dashboard")
		last   = flag.Duration("last", 10*time.Minute, "`TIME` up to now that is drawn")
		note   = flag.String("note", "", "`TEXT` below the picture")
		scrape = flag.Duration("scrape", 15*time.Second, "`TIME` between scrapes")
	)
	flag.Parse()
	if err := run(*server, *file, *note, *last, *scrape); err != nil {
		fmt.Fprintf(os.Stderr, "dashboard: %v\n", err)
		os.Exit(1)
	}
}

func run(server, file, note string, last, scrape time.Duration) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	b, err := parseBoard(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	end := time.Now()
	svg, err := b.draw(context.Background(), client{server}, span{end.Add(-last), end, scrape}, note)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(svg)
	return err
}

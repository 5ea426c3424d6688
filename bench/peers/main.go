// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Peers measures fount beside its competitors and prints a table for each kind of value.
//
//	go run ./bench/peers
//
// All take turns, in rounds, so that whatever else the machine does meets all alike: for 1 minute.
// -o writes lines for benchstat, which this module pins: go tool benchstat -row .name,/row FILE.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"

	"fount/lab"
	"fount/lab/show"
)

func main() {
	var o lab.Options
	flag.BoolVar(&o.Quick, "quick", false, "measure for a quarter of the time")
	flag.IntVar(&o.Count, "count", 0, "make `N` rounds")
	file := flag.String("o", "", "write all rounds for benchstat into `FILE`")
	flag.Func("only", "measure the rows whose \"table: row\" matches `RE`", func(s string) (err error) {
		o.Only, err = regexp.Compile(s)
		return err
	})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, *file); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o lab.Options, name string) (err error) {
	var file *os.File
	if name != "" { // known now and not after a minute
		if file, err = os.Create(name); err != nil {
			return err
		}
		defer file.Close()
	}
	r, err := study.Measure(ctx, o)
	r.Command = "go run ./bench/peers"
	fmt.Print(r.Text(show.StyleOf(os.Stdout)))
	if file != nil {
		err = errors.Join(err, lab.WriteBenchstat(file, []lab.Result{r}), file.Close())
	}
	return err
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package demo

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"fount/cmd/fountd/internal/trial"
	"fount/remote"
)

func TestParse(t *testing.T) {
	c, _, err := parse(strings.Fields("--workers 2,0.1 --load 0.5 --for 1m --deadline 2s --clients 7 --policy bcrypt,cost=4 --kill 3s --route queue --json"))
	if err != nil || len(c.workers) != 2 || c.workers[1] != 0.1 || c.load != 0.5 || c.lasts.Minutes() != 1 || c.deadline.Seconds() != 2 || c.clients != 7 ||
		c.policy.Cost != 4 || c.kill.Seconds() != 3 || c.route != remote.QueueGroup || !c.json {
		t.Errorf("%+v, %v", c, err)
	}
	for _, wrong := range []string{
		"--workers 0", "--workers 1,", "--workers 1,1,1,1,1,1,1,1,1,1", "--load 0", "--load NaN", "--for 1", "--for 999ms", "--deadline 31s", "--clients 0",
		"--policy md5", "--policy bcrypt,cost=3", "--kill -1s", "--route best", "--speed 2", "more",
	} {
		var out, errs strings.Builder
		if got := Main(strings.Fields(wrong), &out, &errs); got != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%s: status %d, %q; want 2 and one line", wrong, got, errs.String())
		}
	}
	const hash = "5f4dcc3b5aa765d61d8327deb882cf99"
	for _, args := range [][]string{{hash}, {"--policy", hash}} {
		if _, _, err := parse(args); err == nil || strings.Contains(err.Error(), hash) {
			t.Errorf("%q: %v; want an error without the hash", args, err)
		}
	}
	var out strings.Builder
	if got := Main([]string{"--help"}, &out, io.Discard); got != 0 || !strings.Contains(out.String(), "--workers CORES") {
		t.Errorf("--help: status %d, %s", got, out.String())
	}
}

func frame() trial.Frame {
	return trial.Frame{At: 7, Asked: 293.4, Answered: 97.6, Refused: 195.2, Expired: 0.5, AnswerP50: 412.3, AnswerP99: 934, RefusalP50: 1.26, RefusalP99: 4,
		Broker: trial.Up, BrokerCores: 0.05, ClientCores: 0.1, Workers: []trial.WorkerFrame{
			{Name: "1", State: trial.Down, Quota: 1}, {Name: "2", State: trial.Up, Quota: 0.5, Used: 0.47, Asked: 301, Answered: 28, InFlight: 12}}}
}

// A screen of any size holds what fits, and no character that the terminal does not show.
func TestScreenFits(t *testing.T) {
	for _, unicode := range []bool{false, true} {
		v := view{title: "294 calls/s, bcrypt,cost=10, 1s", keys: true, unicode: unicode}
		for range 300 {
			v.add(frame())
		}
		for width := range 120 {
			for _, height := range []int{0, 1, 5, 24} {
				lines := v.lines(width, height)
				if len(lines) > height {
					t.Fatalf("%d lines on a screen of %d", len(lines), height)
				}
				for _, line := range lines {
					if n := utf8.RuneCountInString(line); n > width || !unicode && n != len(line) {
						t.Fatalf("%d by %d, Unicode %v: %q", width, height, unicode, line)
					}
				}
			}
		}
	}
}

// What a reader looks for is on the screen, in 80 columns and in 40.
func TestScreenShows(t *testing.T) {
	v := view{title: "294 calls/s", keys: true}
	v.add(frame())
	for _, width := range []int{80, 40} {
		text := strings.Join(v.lines(width, 24), "\n")
		for _, want := range []string{"asked       293/s", "answered     98/s", "refused     195/s", "expired     0.5/s", "after 412, 934 ms", "after  1.3, 4 ms", "1 down", "0.47   0.50     28/s", "broker up   0.05", "quit"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d columns without %q:\n%s", width, want, text)
			}
		}
		v.color = true
		if colored := strings.Join(v.lines(width, 24), "\n"); !strings.Contains(colored, red+"  1 down") || strings.Count(colored, normal) < 4 {
			t.Errorf("no colour in %q", colored)
		}
		v.color = false
	}
}

func TestPlain(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(head)
	plain{&b}.frame(frame())
	lines := strings.Split(b.String(), "\n")
	if want := "   7 s   293/s     98/s   195/s   0.5/s         412, 934            1.3, 4  up, down up"; lines[1] != want {
		t.Errorf("got\n%s\n%s\nwant\n%s", lines[0], lines[1], want)
	}
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/lab/page"
)

// The page reads what the commands print today: package page has types of its own for that, and a field that
// gets another name would be empty on the page.
func TestReportReadsTheCommands(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this runs doctor, benchmarks and a load for 15 s")
	}
	dir := t.TempDir()
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var doctor bytes.Buffer
	if err := examine(&doctor, quick(), true, nil); err != nil {
		t.Fatal(err)
	}
	write("doctor.json", doctor.Bytes())
	write("report.json", []byte(`{"time": "2026-11-21T00:00:00Z", "version": "test", "failed": []}`))
	for name, args := range map[string]string{
		"nonce.json":                 "bench nonce --json --count 1 --benchtime 200x",
		"source.json":                "bench source --json --count 1 --benchtime 200x",
		"scale.json":                 "bench scale --json --quick --count 1 --benchtime 100us --goroutines 1 --mode threads",
		"tail.json":                  "bench scale --json --tail --time 1s",
		"logins-pool+lanes-0.5.json": "load password --json -m pool+lanes --cost 4 --rate 100 -d 100ms",
	} {
		var stdout, stderr bytes.Buffer
		if status := Main(strings.Fields(args), nil, &stdout, &stderr); status != statusOK {
			t.Fatalf("fount %s: status %d, %s", args, status, stderr.String())
		}
		write(name, stdout.Bytes())
	}
	if err := page.Make(dir, reportCommand); err != nil {
		t.Fatal(err)
	}
	html, err := os.ReadFile(filepath.Join(dir, page.Page))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"ns with crypto/rand, ",                               // of doctor
		`<th scope="row">ChannelRoundRobin</th><td>`, "1,120", // of bench nonce, and the post's beside
		`<th scope="row">CryptoRead</th><td>`, "735", // of bench source
		`<th scope="row">one mutex</th><td>`,                 // of bench scale
		`<th scope="row">clock alone</th><td>`,               // of its tail
		`<th scope="row">fount/password&#39;s Pool</th><td>`, // of load password
		"How far does it scale?",
	} {
		if !bytes.Contains(html, []byte(want)) {
			t.Errorf("the page has no %q", want)
		}
	}
	if empty := []byte(`</th><td></td><td></td><td></td>`); bytes.Contains(html, empty) {
		t.Error("a row of the page has no figures")
	}
}

func TestReportArgs(t *testing.T) {
	login := page.Step{Study: page.Logins, Mechanism: "pool+lanes", Rate: 40, For: 5 * time.Second, Cut: time.Second}
	for want, step := range map[string]page.Step{
		"doctor --json":             {Study: page.Doctor},
		"bench scale --tail --json": {Study: page.Tail},
		"load password -m pool+lanes --rate 40 -d 5s --cut 1s --json": login,
	} {
		if got := strings.Join(reportArgs(step), " "); got != want {
			t.Errorf("%s: %q, want %q", step.Study, got, want)
		}
	}
}

// The commands run in processes of their own: what they print comes back, an error is their first line, and an
// interrupt ends them.
func TestReportRunsThisProgram(t *testing.T) {
	fount, err := exec.LookPath("fount")
	if err != nil {
		t.Fatal(err) // TestMain put it there
	}
	run := func(ctx context.Context, args ...string) ([]byte, error) { return runProgram(ctx, fount, fount, args) }
	if out, err := run(t.Context(), "nonce"); err != nil || len(out) != 33 {
		t.Errorf("fount nonce: %q, %v; want 32 digits", out, err)
	}
	const want = `fount nonce: "now" is not the size of a nonce`
	if out, err := run(t.Context(), "nonce", "now"); len(out) > 0 || err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("fount nonce now: %q, %v; want none and %s", out, err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := run(ctx, "rand", "--forever", "--out", os.DevNull)
		ended <- err
	}()
	cancel()
	if err := <-ended; err == nil {
		t.Error("an endless command ended well")
	}
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// 10,000 connections, each idle after a verify, take less than 200 MiB, and serve their clients again.
func TestIdleConnections(t *testing.T) {
	const (
		conns = 10_000
		most  = 200 << 10 // KiB
	)
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this makes 10,000 connections, and hashes for each")
	}
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil || files.Max < conns+200 {
		t.Skipf("a process may have %d open files, %v; want %d", files.Max, err, conns+200)
	}
	p := start(t, nil)
	probe := p.client()
	before := resident(t, p)
	body := verifyBody(stored(t, cheap))
	request := post11(body)
	verify := func(c net.Conn) error {
		if _, err := io.WriteString(c, request); err != nil {
			return err
		}
		r, err := http.ReadResponse(bufio.NewReaderSize(c, 512), nil)
		if err != nil {
			return err
		}
		_, answer, err := text(r)
		if err == nil && !strings.Contains(answer, `"match":true`) {
			err = fmt.Errorf("%s: %s", r.Status, answer)
		}
		return err
	}
	all := make([]net.Conn, conns)
	var clients sync.WaitGroup
	for first := range 4 {
		clients.Go(func() {
			for i := first; i < conns; i += 4 {
				c, err := net.Dial("unix", p.socket)
				if err != nil {
					t.Error(err)
					return
				}
				all[i] = c
				if err := verify(c); err != nil {
					t.Errorf("connection %d: %v", i, err)
					return
				}
			}
		})
	}
	clients.Wait()
	defer func() {
		for _, c := range all {
			if c != nil {
				c.Close()
			}
		}
	}()
	if t.Failed() {
		return
	}
	eventually(t, "all are parked", func() bool { return gauge(t, probe, "fountd_http_connections_parked") >= conns })
	after := resident(t, p)
	t.Logf("%d KiB resident without connections, %d KiB with %d: %d B for each", before, after, conns, (after-before)<<10/conns)
	if after > most {
		t.Errorf("%d KiB are resident, want at most %d", after, most)
	}
	for i := range 100 {
		if err := verify(all[i*(conns/100)]); err != nil {
			t.Errorf("after its rest, connection %d: %v", i, err)
		}
	}
}

// resident is a process's resident memory in KiB.
func resident(t *testing.T, p *process) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmRSS:\s+([0-9]+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatalf("no VmRSS in %s", status)
	}
	kib, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kib
}

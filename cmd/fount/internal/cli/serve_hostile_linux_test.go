// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

package cli

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fount/internal/test/otheruser"
	"fount/internal/test/require"

	"9fans.net/go/plan9"
)

func init() { attacks["hostile"] = func(args []string) { hostile(args[0]) } }

// hostile takes all the memory that it can: as many connections and fids as it may have, and three
// answers each that it does not read. It says what it has, and keeps it.
func hostile(socket string) {
	fmt.Println("ready")
	conns, fids := 0, 0
	for {
		c, err := net.Dial("unix", socket)
		if err != nil {
			break // of its own limits, or the server's end
		}
		ask := func(f *plan9.Fcall) bool {
			if plan9.WriteFcall(c, f) != nil {
				return false
			}
			answer, err := plan9.ReadFcall(c)
			return err == nil && answer.Type != plan9.Rerror
		}
		const most = 128 << 10
		if !ask(&plan9.Fcall{Type: plan9.Tversion, Tag: plan9.NOTAG, Msize: most + 24, Version: "9P2000"}) {
			break // it has its share
		}
		ask(&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID})
		fid := uint32(1)
		for ask(&plan9.Fcall{Type: plan9.Twalk, Newfid: fid, Wname: []string{"random"}}) && ask(&plan9.Fcall{Type: plan9.Topen, Fid: fid}) {
			fid++
		}
		for range 3 { // the first fits into the socket, for the others the server waits
			plan9.WriteFcall(c, &plan9.Fcall{Type: plan9.Tread, Fid: 1, Count: most})
		}
		conns, fids = conns+1, fids+int(fid)
		defer c.Close()
	}
	fmt.Printf("%d connections, %d fids\n", conns, fids)
	io.Copy(io.Discard, os.Stdin)
}

// The worst client of another user, five times in a row, takes a part of the MemoryMax of the unit,
// and others are served.
func TestHostileClient(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: it takes 13 s")
	}
	otheruser.Need(t)
	socket := filepath.Join(otheruser.Dir(t), "files")
	s := serveFiles(t, "export GOMEMLIMIT=320MiB; ", "--listen", "unix!"+socket, "--mode", "0666")
	go io.Copy(io.Discard, s.stderr)
	for range 5 {
		a := otheruser.Start(t, "hostile", socket)
		if got, err := a.Line(); err != nil || got != "128 connections, 32768 fids" {
			t.Errorf("he has %q, %v", got, err)
		}
		if out, err := exec.Command("fount", "rand", "100", "--from", s.addr).Output(); err != nil || len(out) != 100 {
			t.Errorf("others have %d bytes, %v", len(out), err)
		}
		a.Stop()
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	require.NoError(t, err)
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kib int
	if _, err := fmt.Sscan(peak, &kib); err != nil || kib > 768<<10/8 {
		t.Errorf("the server had %d KiB, %v, more than an eighth of 768 MiB", kib, err)
	}
}

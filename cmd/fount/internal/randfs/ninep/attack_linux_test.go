// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// What another user of the machine can do, by programs that do it. Beside each is the way that was open to it once.

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fount/internal/test/otheruser"

	"9fans.net/go/plan9"
)

// TestMain has this binary attack as another user when it is started again for that.
func TestMain(m *testing.M) {
	if os.Getenv(otheruser.Variable) == "crowd" {
		crowd(os.Args[1])
	}
	os.Exit(m.Run())
}

func broken(err error) {
	if err != nil {
		fmt.Println("broken:", err)
		os.Exit(1)
	}
}

// crowd opens connections for ever, and keeps those that are not refused.
func crowd(addr string) {
	fmt.Println("ready")
	var kept []net.Conn
	for refused := 0; ; {
		c, err := Dial(addr)
		broken(err)
		b, _ := (&plan9.Fcall{Type: plan9.Tversion, Tag: noTag, Msize: 8192, Version: "9P2000"}).Bytes()
		c.Write(b)
		if f, err := plan9.ReadFcall(c); err != nil || f.Type == plan9.Rerror {
			c.Close()
			if refused++; refused%500 == 0 {
				fmt.Println("kept", len(kept))
			}
		} else {
			kept = append(kept, c)
		}
	}
}

// A user who takes all the connections that he can gets his share, and those of others are served, though nobody reads
// the log.
func TestCrowd(t *testing.T) {
	otheruser.Need(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	j := NewJournal(w)
	text := strings.Repeat("x", 2000)
	s := serveAt(t, "unix!"+filepath.Join(otheruser.Dir(t), "s"), 0o666, Limits{Conns: 80})
	s.Log = func(string, ...any) { j.Printf("%s", text) }
	a := otheruser.Start(t, "crowd", s.addr)
	for range 3 {
		if line, err := a.Line(); err != nil || line != "kept 10" {
			t.Errorf("he has %q of 80 connections, want 10; %v", line, err)
		}
		s.started(t).works()
	}
	a.Stop()
	r.Close() // else Close would wait for a second
	j.Close()
}

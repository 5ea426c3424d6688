// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/require"

	"golang.org/x/sys/unix"
)

// The usual programs, and all that they print, as a pattern. What fails ends with FAILED.
func TestPrograms(t *testing.T) {
	s := mounted(t)
	for _, c := range []struct{ command, want string }{
		{`ls`, "ctl\nrandom\nseed\nstats\nurandom\n"},
		{`stat -c '%A %h %u %g %s' ctl random seed`, "-rw-r--r-- 1 UID GID [0-9]+\n-r--r--r-- 1 UID GID 4611686018427387904\n--w------- 1 UID GID 0\n"},
		{`head -c 100 random | wc -c`, "100\n"},
		{`cat urandom | head -c 70000 | wc -c`, "70000\n"},
		{`dd if=random bs=100 skip=3 count=5 2>&1 | tail -c +501 | head -1`, "5\\+0 records in\n"},
		{`cmp random urandom`, "random urandom differ: .*\nFAILED"},
		{`cat stats | wc -l`, "7\n"},
		{`head -n 2 stats | tail -n 1`, "file +calls .*\n"},
		{`tail -n 1 stats`, "ctl .*\n"},
		{`cp ctl /dev/stdout | grep -c '^cipher '`, "1\n"},
		{`head -n 1000 ctl | tail -n 1`, "epoch .*\n"},
		{`cat seed`, "cat: seed: Permission denied\nFAILED"},
		{`rm -f random 2>&- || touch new 2>&- || mkdir new 2>&- || ln random new 2>&- || chmod 666 seed 2>&-`, "FAILED"},
		{`truncate -s 9 seed; stat -c %s seed`, "0\n"},
	} {
		got, err := s.sh(c.command)
		if err != nil {
			got += "FAILED"
		}
		want := strings.NewReplacer("UID", fmt.Sprint(os.Geteuid()), "GID", fmt.Sprint(os.Getegid())).Replace(c.want)
		if !regexp.MustCompile("^(?:" + want + ")$").MatchString(got) {
			t.Errorf("%s: %q, want %q", c.command, got, want)
		}
	}
}

// What is written to seed and ctl arrives.
func TestWrites(t *testing.T) {
	s := mounted(t)
	for _, c := range []struct {
		command string
		arrives []string // nothing: it fails
	}{
		{`echo hi > seed`, []string{`seed "hi\n"`}},
		{`echo ho >> seed`, []string{`seed "ho\n"`}},
		{`printf abcdef | dd of=seed bs=3 status=none`, []string{`seed "abc"`, `seed "def"`}},
		{`printf x | cp /dev/stdin seed`, []string{`seed "x"`}},
		{`yes s | tr -d '\n' | head -c 1048577 | dd of=seed bs=2M iflag=fullblock status=none`,
			[]string{fmt.Sprintf("seed %.100q", strings.Repeat("s", 100)), `seed "s"`}},
		{`echo reseed > ctl`, []string{"reseed"}},
		{`printf reseed > ctl`, []string{"reseed"}},
		{`echo reboot > ctl`, nil},
		{`echo last > seed`, []string{`seed "last\n"`}}, // so that nothing else came before
	} {
		out, err := s.sh(c.command)
		if (err != nil) != (c.arrives == nil) {
			t.Errorf("%s: %v %s, want %q", c.command, err, out, c.arrives)
		}
		s.wants(c.arrives...)
	}
}

// Signals neither break off a read nor make it short, as they do with /dev/urandom.
func TestSignals(t *testing.T) {
	s := mounted(t)
	fd, err := unix.Open(s.path("random"), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(fd)
	stop, stopped := make(chan struct{}), make(chan int)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				stopped <- n
				return
			default:
				_ = unix.Kill(os.Getpid(), syscall.SIGURG) // which the Go runtime takes for its own
			}
		}
	}()
	buf := make([]byte, 300<<10)
	for range 300 {
		if n, err := unix.Read(fd, buf); n != len(buf) || err != nil {
			t.Errorf("a read of %d bytes returned %d, %v", len(buf), n, err)
			break
		}
	}
	close(stop)
	if n := <-stopped; n < 300 {
		t.Errorf("only %d signals in 300 reads", n)
	}
}

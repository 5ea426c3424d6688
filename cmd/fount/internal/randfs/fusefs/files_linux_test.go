// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The usual programs, and the whole of what they print: a regular expression. What fails ends with FAILED.
func TestPrograms(t *testing.T) {
	s := mounted(t, Options{})
	for _, c := range []struct{ command, want string }{
		{`ls`, "ctl\nrandom\nseed\nstats\nurandom\n"},
		{`ls -a | wc -l`, "7\n"},
		{`stat -c '%A %h %u %g %s' ctl random seed`, "-rw-r--r-- 1 UID GID 65536\n-r--r--r-- 1 UID GID 4611686018427387904\n--w------- 1 UID GID 0\n"},
		{`stat -c '%a %s %F' . random`, "555 0 directory\n444 4611686018427387904 regular file\n"},
		{`df --output=fstype,size . | tail -1`, "fuse.fount +0\n"},
		{`head -c 100 random | wc -c`, "100\n"},
		{`cat urandom | head -c 70000 | wc -c`, "70000\n"},
		{`dd if=random bs=100 skip=3 count=5 2>&1 | tail -c +501 | head -1`, "5\\+0 records in\n"},
		{`cmp random urandom`, "random urandom differ: .*\nFAILED"},
		{`cat stats | grep -c '^file    '`, "5\n"},
		{`cp ctl /dev/stdout | grep -c '^cipher '`, "1\n"},
		{`head -c 4 stats`, "up 0"},
		{`head -n 1000 ctl | tail -n 1`, "epoch .*\n"},
		{`cat seed`, "cat: seed: Permission denied\nFAILED"},
		{`dd of=random`, "dd: failed to open 'random': Permission denied\nFAILED"},
		{`cat nothing`, "cat: nothing: No such file or directory\nFAILED"},
		{`rm -f random`, "rm: cannot remove 'random': REFUSED\nFAILED"},
		{`touch new`, "touch: cannot touch 'new': REFUSED\nFAILED"},
		{`mkdir new`, "mkdir: cannot create directory 'new': REFUSED\nFAILED"},
		{`mv random new`, "mv: cannot move 'random' to 'new': REFUSED\nFAILED"},
		{`ln random new`, "ln: failed to create hard link 'new' => 'random': REFUSED\nFAILED"},
		{`ln -s random new`, "ln: failed to create symbolic link 'new': REFUSED\nFAILED"},
		{`chmod 666 seed`, "chmod: changing permissions of 'seed': Operation not permitted\nFAILED"},
		{`truncate -s 9 seed; stat -c %s seed`, "0\n"},
	} {
		got, err := s.sh(c.command)
		if err != nil {
			got += "FAILED"
		}
		want := strings.NewReplacer(
			"UID", fmt.Sprint(os.Geteuid()), "GID", fmt.Sprint(os.Getegid()),
			"REFUSED", "(Operation not permitted|Permission denied)", // ours to root, the kernel's to others
		).Replace(c.want)
		if !regexp.MustCompile("^(?:" + want + ")$").MatchString(got) {
			t.Errorf("%s: %q, want %q", c.command, got, want)
		}
	}
}

// What is written to seed and ctl arrives.
func TestWrites(t *testing.T) {
	s := mounted(t, Options{})
	for _, c := range []struct {
		command string
		fails   bool
		says    []string
	}{
		{`echo hi > seed`, false, []string{`seed "hi\n"`}},
		{`echo ho >> seed`, false, []string{`seed "ho\n"`}},
		{`printf abcdef | dd of=seed bs=3 status=none`, false, []string{`seed "abc"`, `seed "def"`}},
		{`printf x | cp /dev/stdin seed`, false, []string{`seed "x"`}},
		{`echo reseed > ctl`, false, []string{"reseed"}},
		{`printf reseed > ctl`, false, []string{"reseed"}},
		{`echo reboot > ctl`, true, nil},
		{`echo last > seed`, false, []string{`seed "last\n"`}}, // so that nothing else came before
	} {
		out, err := s.sh(c.command)
		if (err != nil) != c.fails {
			t.Errorf("%s: %v %s, want a failure: %v", c.command, err, out, c.fails)
		}
		s.wants(c.says...)
	}
}

// A megabyte is one write, and more than one are several.
func TestLongWrite(t *testing.T) {
	s := mounted(t, Options{})
	f, err := os.OpenFile(s.path("seed"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, n := range []int{1, 5000, 1 << 20, 1<<20 + 1} {
		written := make(chan error, 1)
		go func() { // it ends when the server has said what it got
			_, err := f.Write(bytes.Repeat([]byte("s"), n))
			written <- err
		}()
		for got := 0; got < n; {
			line := s.line()
			if !strings.HasPrefix(line, `seed "`) {
				t.Fatalf("of %d bytes %d arrived, then %q", n, got, line)
			}
			got += strings.Count(line, "s") - 1
		}
		if err := <-written; err != nil {
			t.Fatalf("writing %d bytes: %v", n, err)
		}
	}
}

// Poll, select and epoll find the file ready at once, and a second time.
func TestPoll(t *testing.T) {
	s := mounted(t, Options{})
	fd, err := unix.Open(s.path("random"), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	for range 2 {
		set := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(set, int(time.Minute/time.Millisecond))
		if n != 1 || err != nil || set[0].Revents&unix.POLLIN == 0 {
			t.Errorf("poll: %d, %v, events %#x, want 1 and %#x", n, err, set[0].Revents, unix.POLLIN)
		}
	}
}

// What goes through the page cache, where two could share it, gives no byte; nor is there an offset to read at.
func TestNoPageCache(t *testing.T) {
	s := mounted(t, Options{})
	f, err := os.Open(s.path("random"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if n, err := unix.Sendfile(int(w.Fd()), int(f.Fd()), nil, 4096); n > 0 {
		t.Errorf("sendfile gave %d bytes, %v", n, err)
	}
	if b, err := unix.Mmap(int(f.Fd()), 0, 4096, unix.PROT_READ, unix.MAP_SHARED); err == nil {
		_ = unix.Munmap(b)
		t.Error("mmap shared it")
	}
	if n, err := unix.Pread(int(f.Fd()), make([]byte, 16), 5); err != unix.ESPIPE {
		t.Errorf("pread: %d, %v, want %v", n, err, unix.ESPIPE)
	}
	if _, err := unix.Seek(int(f.Fd()), 0, 0); err != unix.ESPIPE {
		t.Errorf("lseek: %v, want %v", err, unix.ESPIPE)
	}
}

// Stats name the process that reads.
func TestStatsNameReaders(t *testing.T) {
	s := mounted(t, Options{})
	dd := exec.Command("dd", "bs=1000", "if="+s.path("random"))
	out, err := dd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := dd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		out.Close() // ends dd
		_ = dd.Wait()
	}()
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.path("stats"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(fmt.Sprintf(`(?m)^client +dd:%d +[1-9][0-9]* +[1-9][0-9]*000 `, dd.Process.Pid))
	if !line.Match(text) {
		t.Errorf("no line matches %s in\n%s", line, text)
	}
}

// Signals that come all the time neither break off a read nor make it short, as they do with /dev/urandom.
func TestSignals(t *testing.T) {
	s := mounted(t, Options{})
	fd, err := unix.Open(s.path("random"), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
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

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package machine runs the tests' virtual machines: QEMU without hardware help, a Debian kernel,
// and the guest as the only program. It is not for use outside of tests.
package machine

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/cmd/internal/test/internal/wire"
	"fount/internal/test/require"
)

const emulator = "qemu-system-x86_64"

// Need skips the test unless FOUNT_LONG is set and there is QEMU.
func Need(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("boots virtual machines for up to some minutes; set FOUNT_LONG=1 to run it")
	}
	if _, err := exec.LookPath(emulator); err != nil {
		lack(t, "no QEMU (Debian: qemu-system-x86): %v", err)
	}
}

// lack skips the test, or fails it if FOUNT_REQUIRE has the name of the test's directory.
func lack(t *testing.T, format string, args ...any) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	require.Skip(t, filepath.Base(dir), fmt.Sprintf(format, args...))
}

// A Config is a machine to start.
type Config struct {
	Kernel, Initrd string
	Command        string        // role=R and other variables of the guest
	Limit          time.Duration // of its life
	Args           []string      // more of QEMU's
}

// A Machine is a running QEMU.
type Machine struct {
	cmd     *exec.Cmd
	in      io.Writer // the console
	out     *bufio.Reader
	console bytes.Buffer // all that was read of out
	cancel  context.CancelFunc
}

// Start starts a machine. The test ends it at the latest, and logs its console if it fails.
func Start(t *testing.T, c Config) *Machine {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), c.Limit)
	m := &Machine{cancel: cancel}
	// On a busy host the emulated timer is late for the kernel's test of it, which would stop.
	const command = "console=ttyS0 quiet panic=-1 no_timer_check "
	m.cmd = exec.CommandContext(ctx, emulator, append([]string{
		"-accel", "tcg", "-cpu", "max", "-nodefaults", "-nographic", "-no-reboot", "-serial", "stdio",
		"-kernel", c.Kernel, "-initrd", c.Initrd, "-append", command + c.Command}, c.Args...)...)
	in, err1 := m.cmd.StdinPipe()
	out, err2 := m.cmd.StdoutPipe()
	m.cmd.Stderr = m.cmd.Stdout
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	m.in, m.out = in, bufio.NewReader(io.TeeReader(out, &m.console))
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		m.cancel()
		console, _ := m.Wait()
		if t.Failed() {
			t.Logf("console:\n%s", console)
		}
	})
	return m
}

// Send sends a message to the guest.
func (m *Machine) Send(v any) error { return wire.Send(m.in, v) }

// Receive reads the guest's next message.
func (m *Machine) Receive(v any) error { return wire.Receive(m.out, v) }

// Wait waits until the machine has ended, and returns its console and how QEMU ended.
func (m *Machine) Wait() (console string, err error) {
	_, _ = io.Copy(io.Discard, m.out)
	err = m.cmd.Wait()
	return m.console.String(), err
}

// Run runs a machine whose guest sends one message, which it reads into v.
func Run(t *testing.T, c Config, v any) {
	t.Helper()
	for try := 1; ; try++ {
		m := Start(t, c)
		err := m.Receive(v)
		console, ended := m.Wait()
		if err == nil && ended == nil {
			return
		}
		if try == Tries || !Misemulated(console) {
			t.Fatalf("the guest: %v, %s: %v", err, emulator, ended)
		}
		t.Logf("%s emulates wrongly, console:\n%s", emulator, console)
	}
}

// Tries is how often a machine may be started that QEMU emulates wrongly.
const Tries = 3

// Misemulated reports whether the console shows the guest's kernel dying of a fault of QEMU:
//
// A processor met a breakpoint that the kernel had put over an instruction to patch it, and had
// removed. Processors never do (Intel SDM, volume 3, "Handling Self- and Cross-Modifying Code");
// QEMU's did in one of some hundred boots on a busy host.
//
// Or a processor's flags have reserved bits that no processor sets (volume 1, "EFLAGS Register"):
// QEMU once resumed a snapshot with the low half of a pointer in their place.
func Misemulated(console string) bool {
	if strings.Contains(console, "Oops: int3:") {
		return true
	}
	for _, flags := range eflags.FindAllStringSubmatch(console, -1) {
		if f, err := strconv.ParseUint(flags[1], 16, 64); err == nil && f&reserved != 1<<1 {
			return true
		}
	}
	return false
}

// eflags matches the flags behind a kernel's stack pointer, as Linux prints them.
var eflags = regexp.MustCompile(`RSP: [0-9a-f:]*ff[0-9a-f]{14} EFLAGS: ([0-9a-f]{8,16})\b`)

// reserved are the bits of EFLAGS that are always 0, and bit 1, which is always 1.
const reserved = 0xffc0_0000 | 1<<15 | 1<<5 | 1<<3 | 1<<1

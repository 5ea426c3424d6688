// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package v9fs tests fount's 9P server with the Linux kernel's client. It is not a library: it holds tests
// only.
//
// A Debian kernel with the modules of 9P boots in QEMU with one program, the guest, which mounts what
// fount serve files offers on the host, in every dialect that the kernel speaks, and then what fount offers
// in the guest itself, whose server is killed while it is mounted.
//
//	v9fs_test.go  the machine, and the server on the host
//	check_test.go what is asserted of a visit, and that each assertion can fail
//	wire          what test and guest say to each other
//	guest         the program in the machine
//
// It needs QEMU, apt with Debian bookworm's package lists, and the network once:
//
//	FOUNT_LONG=1 go test -count=1 -v ./test/v9fs
//
// With FOUNT_REQUIRE=v9fs it fails where one of them is missing.
package v9fs

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/test/internal/guest"
	"fount/test/v9fs/wire"
)

// deadline is for the machine, which takes 20 s on two idle CPUs and 5 min on two that six programs share.
const deadline = 10 * time.Minute

func TestKernelClient(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("boots a virtual machine for a quarter of a minute; set FOUNT_LONG=1 to run it")
	}
	guest.NeedEmulator(t)
	kernel, modules := guest.KernelWith(t, guest.Meta612Full, "6.12", "virtio_net", "9pnet_fd", "9p")
	fount := build(t)
	extra := [][2]string{{"fount", fount}}
	for _, m := range modules {
		extra = append(extra, [2]string{filepath.Base(m), m})
	}
	tcp := serve(t, fount)
	visits := boot(t, kernel, guest.Initrd(t, extra...), "tcp="+tcp, "nobody="+closedPort(t))
	if len(visits) != len(wire.Mounts) {
		t.Fatalf("%d visits, want %d", len(visits), len(wire.Mounts))
	}
	t.Logf("guest: Linux %s", visits[0].Kernel)
	for i, v := range visits {
		m := wire.Mounts[i]
		t.Logf("%s: %s", m.Name, v.Options)
		complaints := check(m, v)
		if m.Transport == "nobody" {
			// The negative control: there is no server, so what passed elsewhere must fail here.
			if !strings.HasPrefix(v.Failed, "mount: ") || len(complaints) == 0 {
				t.Errorf("a mount of a port that nobody listens on: failed %q, complaints %q", v.Failed, complaints)
			}
			continue
		}
		for _, c := range complaints {
			t.Errorf("%s: %s", m.Name, c)
		}
		if m.Transport == "unix" {
			t.Logf("a read after the server was killed: %s; the stats before:\n%s", v.Orphan, v.After)
		}
	}
}

// build makes the program, for the guest too.
func build(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "fount")
	cmd := exec.Command("go", "-C", "../../cmd/fount", "build", "-buildvcs=false", "-o", program, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return program
}

// serve starts the server on the host and returns its port. At the end it must stop as if nothing had been.
func serve(t *testing.T, fount string) (port string) {
	cmd := exec.Command(fount, "serve", "files", "--listen", "tcp!127.0.0.1!0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(stderr)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		rest, _ := said.ReadString(0)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v\n%s", cmd, err, rest)
		}
	})
	line, err := said.ReadString('\n')
	ready := regexp.MustCompile(`tcp!127\.0\.0\.1!([0-9]+)`).FindStringSubmatch(line)
	if ready == nil {
		t.Fatalf("%v says %q, %v", cmd, line, err)
	}
	return ready[1]
}

// closedPort returns a port on which nobody listens.
func closedPort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// commandLine has no_timer_check because on a busy host the emulated timer's interrupts may come too late
// for the kernel's test of them, after which it stops. The network keeps its old names without udev.
const commandLine = "console=ttyS0 quiet panic=-1 no_timer_check"

// boot runs the guest to its end and returns what it said.
func boot(t *testing.T, kernel, initrd string, parameters ...string) (visits []wire.Visit) {
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	out, err := guest.Run(ctx, t,
		"-accel", "tcg", "-cpu", "max", "-smp", "2", "-m", "512", "-nodefaults", "-nographic", "-no-reboot",
		"-netdev", "user,id=n0", "-device", "virtio-net-pci,netdev=n0",
		"-kernel", kernel, "-initrd", initrd, "-serial", "stdio",
		"-append", strings.Join(append([]string{commandLine}, parameters...), " "),
	)
	for line := range strings.Lines(string(out)) {
		if _, text, found := strings.Cut(line, wire.Mark); found {
			var v wire.Visit
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			visits = append(visits, v)
		}
	}
	if err != nil || len(visits) == 0 {
		t.Fatalf("%s: %v, console:\n%s", guest.Emulator, err, out)
	}
	return visits
}

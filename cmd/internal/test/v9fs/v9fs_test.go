// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package v9fs tests fount's 9P server with the Linux kernel's client. It is not a library: it
// holds tests only.
//
// A Debian kernel with the modules of 9P boots in QEMU. Its guest mounts what fount serve files
// offers on the host, in every dialect that the kernel speaks, and then what fount offers in the
// guest itself, whose server is killed while it is mounted.
//
// It needs QEMU, apt with Debian bookworm's package lists, and the network once:
//
//	FOUNT_LONG=1 go test -count=1 -v ./cmd/internal/test/v9fs
//
// With FOUNT_REQUIRE=v9fs it fails where one of them is missing.
package v9fs

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fount/cmd/internal/test/internal/machine"
	"fount/cmd/internal/test/internal/wire"
	"fount/internal/test/freeport"
)

func TestKernelClient(t *testing.T) {
	machine.Need(t)
	kernel, modules := machine.Kernel(t, machine.Linux612Full, "virtio_net", "9pnet_fd", "9p")
	fount := machine.Build(t, "fount/cmd/fount", filepath.Join(t.TempDir(), "fount"))
	var visits []wire.Visit
	machine.Run(t, machine.Config{
		Kernel: kernel, Initrd: machine.Initrd(t, append(modules, fount)...),
		Command: "role=v9fs tcp=" + serve(t, fount) + " nobody=" + freeport.Port(t),
		Limit:   10 * time.Minute, // 20 s on two idle CPUs, 5 min on two that six programs share
		Args:    []string{"-smp", "2", "-m", "512", "-netdev", "user,id=n0", "-device", "virtio-net-pci,netdev=n0"},
	}, &visits)
	if len(visits) != len(wire.Mounts) {
		t.Fatalf("%d visits, want %d", len(visits), len(wire.Mounts))
	}
	for i, v := range visits {
		m := wire.Mounts[i]
		t.Logf("%s: %s %s", m.Name, v.Options, v.Orphan)
		complaints := check(m, v)
		if m.Transport == "nobody" { // the negative control
			if !strings.HasPrefix(v.Failed, "mount: ") || len(complaints) == 0 {
				t.Errorf("a mount of a port that nobody listens on: failed %q, complaints %q", v.Failed, complaints)
			}
			continue
		}
		for _, c := range complaints {
			t.Errorf("%s: %s", m.Name, c)
		}
	}
}

// serve starts the server on the host and returns its port. At the end it must stop without an
// error.
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

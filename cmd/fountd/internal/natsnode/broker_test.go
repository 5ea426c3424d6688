// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

// Brokers for tests: the embedded one, and Debian's.

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
)

// A running is a broker at an address that it keeps when it is started again.
type running interface {
	start(t *testing.T, file string) (address string) // file "": none
	kill()
}

// eachBroker runs a test with each.
func eachBroker(t *testing.T, f func(t *testing.T, b running)) {
	t.Run("embedded", func(t *testing.T) { f(t, &embedded{}) })
	t.Run("debian", func(t *testing.T) {
		if _, err := exec.LookPath("nats-server"); err != nil {
			require.Skip(t, "nats", fmt.Sprintf("there is no nats-server (Debian: nats-server): %v", err))
		}
		f(t, &debian{})
	})
}

type embedded struct {
	broker *Broker
	listen string
}

func (e *embedded) start(t *testing.T, file string) string {
	t.Helper()
	if e.listen == "" {
		e.listen = "127.0.0.1:0"
		t.Cleanup(e.kill)
	}
	b, err := Start(BrokerOptions{Listen: e.listen, File: file, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	e.broker, e.listen = b, b.Address()
	return e.listen
}

func (e *embedded) kill() {
	if e.broker != nil {
		e.broker.Stop()
		e.broker = nil
	}
}

// debian is the nats-server in the PATH.
type debian struct {
	cmd     *exec.Cmd
	address string
}

func (d *debian) start(t *testing.T, file string) string {
	t.Helper()
	dir, port := t.TempDir(), "-1"
	if d.address == "" {
		t.Cleanup(d.kill)
	} else {
		_, port, _ = strings.Cut(d.address, ":")
	}
	args := []string{"--addr", "127.0.0.1", "--port", port, "--ports_file_dir", dir}
	if file != "" {
		args = append(args, "--config", file)
	}
	d.cmd = exec.Command("nats-server", args...)
	var log strings.Builder
	d.cmd.Stderr = &log
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var ports struct{ Nats []string }
	until(t, "nats-server listens", func() bool {
		files, _ := filepath.Glob(filepath.Join(dir, "*.ports"))
		if len(files) == 0 {
			return false
		}
		text, err := os.ReadFile(files[0])
		return err == nil && json.Unmarshal(text, &ports) == nil && len(ports.Nats) > 0
	})
	d.address = strings.TrimPrefix(ports.Nats[0], "nats://")
	return d.address
}

func (d *debian) kill() {
	if d.cmd != nil {
		d.cmd.Process.Kill()
		d.cmd.Wait()
		d.cmd = nil
	}
}

// until waits for what has no event.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// within fails if a thing that should come does not.
func within[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(time.Minute):
		t.Fatalf("not within a minute: %s", what)
	}
	return v
}

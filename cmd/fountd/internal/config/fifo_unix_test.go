// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A FIFO is refused, and not waited for. Somebody would write what can be read: so who waits fails and does not hang.
func TestFIFO(t *testing.T) {
	for name, read := range map[string]func(path string) error{
		"a configuration": func(path string) error {
			_, err := Load([]string{"--config", path, "--socket", "/nowhere"}, nil)
			return err
		},
		"a secret": func(path string) error {
			_, err := secretPath(path, func(string) string { return "" })
			return err
		},
	} {
		path := filepath.Join(t.TempDir(), "fifo")
		if err := unix.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		written := make(chan struct{})
		go func() {
			defer close(written)
			f, err := os.OpenFile(path, os.O_WRONLY, 0) // waits for a reader
			if err == nil {
				f.WriteString("workers = 2\n") // EPIPE if the reader has gone
				f.Close()
			}
		}()
		if err := read(path); err == nil || !strings.Contains(err.Error(), path+" is not a file") {
			t.Errorf("%s: %v", name, err)
		}
		reader, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		<-written
		reader.Close()
	}
}

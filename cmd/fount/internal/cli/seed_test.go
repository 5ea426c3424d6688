// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the parts of fount seed; testdata/script/seed*.txt run it.

package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// What is no device gets nothing: others may be able to read it. Nor is one made.
func TestKernelIsADevice(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "urandom")
	if err := tellKernel(path); err == nil {
		t.Error("a device that is not there: no error")
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("it is there now")
	}
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tellKernel(path); err == nil || err.Error() != path+" is not a device" {
		t.Errorf("a file: %v", err)
	}
	if b, err := os.ReadFile(path); string(b) != "before" || err != nil {
		t.Errorf("the file is %q, %v", b, err)
	}
}

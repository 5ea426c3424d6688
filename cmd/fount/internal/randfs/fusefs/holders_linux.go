// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// The processes that use a mount.

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const mostHolders = 5

// holders are up to five of the processes that have a file below dir open, or dir as their working directory. It
// follows no link, so that nothing is asked of what is mounted there.
func holders(dir string) (found []string) {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	self := "/proc/" + strconv.Itoa(os.Getpid()) // has the directory itself
	for _, process := range processes {
		if process == self || !holds(process, dir) {
			continue
		}
		if len(found) == mostHolders {
			return append(found, "others")
		}
		status, _ := os.ReadFile(process + "/status")
		found = append(found, statusField(status, "Name:")+":"+filepath.Base(process))
	}
	return found
}

func holds(process, dir string) bool {
	links := []string{process + "/cwd", process + "/root"}
	open, _ := os.ReadDir(process + "/fd")
	for _, fd := range open {
		links = append(links, process+"/fd/"+fd.Name())
	}
	return slices.ContainsFunc(links, func(link string) bool {
		path, err := os.Readlink(link)
		return err == nil && (path == dir || strings.HasPrefix(path, dir+"/"))
	})
}

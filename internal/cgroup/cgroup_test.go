// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cgroup

import (
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

// What can't be read counts as no limit.
func TestParseMax(t *testing.T) {
	for text, want := range map[string]float64{
		"max 100000\n":          0,
		"150000 100000\n":       1.5,
		"50000 100000":          0.5,
		"-1 100000":             0,
		"max":                   0,
		"":                      0,
		"1 0":                   0,
		"1 -5":                  0,
		"x 100000":              0,
		"1 2 3":                 0,
		"9223372036854775807 1": 0, // too many ns
	} {
		if got := parseMax(text).CPUs(); got != want {
			t.Errorf("parseMax(%q) has %v CPUs, want %v", text, got, want)
		}
	}
}

func TestParseGroups(t *testing.T) {
	for _, test := range []struct{ text, v2, v1 string }{
		{"0::/user.slice/a.scope\n", "/user.slice/a.scope", ""},
		{"9:pids:/x\n4:cpu,cpuacct:/docker/0f\n1:name=systemd:/\n0::/\n", "/", "/docker/0f"},
		{"4:cpuset:/a\n3:cpuacct:/b\n", "", ""}, // not the cpu controller
		{"0::/a:b\n", "/a:b", ""},               // a colon may be in a path
		{"0:/\n\nnonsense\n0::relative\n", "", ""},
	} {
		if v2, v1 := parseGroups(test.text); v2 != test.v2 || v1 != test.v1 {
			t.Errorf("parseGroups(%q) = %q, %q; want %q, %q", test.text, v2, v1, test.v2, test.v1)
		}
	}
}

func TestUpwards(t *testing.T) {
	for group, want := range map[string][]string{
		"":          nil,
		"/":         {"/"},
		"/a/b":      {"/a/b", "/a", "/"},
		"/../out":   {"/"},
		"/a//b/../": {"/a", "/"},
	} {
		if got := slices.Collect(upwards(group)); !slices.Equal(got, want) {
			t.Errorf("upwards(%q) = %q, want %q", group, got, want)
		}
	}
}

// The lowest quota on the way to the root holds, in either version.
func TestReadQuota(t *testing.T) {
	const ms = time.Millisecond
	v2 := map[string]string{
		"proc/self/cgroup":              "0::/pod/box\n",
		"sys/fs/cgroup/cpu.max":         "max 100000\n",
		"sys/fs/cgroup/pod/cpu.max":     "20000 50000\n",
		"sys/fs/cgroup/pod/box/cpu.max": "200000 100000\n",
	}

	v1 := map[string]string{
		"proc/self/cgroup":                           "4:cpuacct,cpu:/docker/0f\n0::/\n",
		"sys/fs/cgroup/cpu/cpu.cfs_quota_us":         "-1\n",
		"sys/fs/cgroup/cpu/cpu.cfs_period_us":        "100000\n",
		"sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us":  "50000\n",
		"sys/fs/cgroup/cpu/docker/cpu.cfs_period_us": "100000\n",
	}

	for name, test := range map[string]struct {
		files map[string]string
		want  Quota
		whole int
	}{
		"version 2, the parent's is lower": {files: v2, want: Quota{20 * ms, 50 * ms}, whole: 1},
		"version 1, the parent's only":     {files: v1, want: Quota{50 * ms, 100 * ms}, whole: 1},
		"in a namespace of its own": {
			files: map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"},
			want:  Quota{150 * ms, 100 * ms},
			whole: 2,
		},
		"version 1 shows the host's path, and the mount the container's": {
			files: map[string]string{
				"proc/self/cgroup":                    "4:cpu:/kubepods/pod1/c1\n",
				"sys/fs/cgroup/cpu/cpu.cfs_quota_us":  "300000\n",
				"sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
			},
			want:  Quota{300 * ms, 100 * ms},
			whole: 3,
		},
		"no period": {files: map[string]string{"proc/self/cgroup": "4:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "1\n"}},
		"nothing":   {files: nil},
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{}
			for path, text := range test.files {
				root[path] = &fstest.MapFile{Data: []byte(text)}
			}

			if got := ReadQuota(root); got != test.want || got.Whole() != test.whole {
				t.Errorf("%v, %d CPUs; want %v, %d", got, got.Whole(), test.want, test.whole)
			}
		})
	}
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test && amd64 && gc && !purego

package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fount"
	"fount/entropy"
	"fount/internal/processor"
	"fount/internal/test/recorded"
	"fount/lab/doctor"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/show"
)

// On each recorded processor fount doctor, fount entropy list and fount.Status say the same of its random instructions.
func TestDoctorOnRecordedProcessors(t *testing.T) {
	for _, name := range recorded.Names() {
		t.Run(name, func(t *testing.T) {
			p, arch := recorded.Read(name), "amd64"
			v := processor.View{RDRAND: p.RDRAND, RDSEED: p.RDSEED, Flags: processor.Flags(p.CPUInfo)}
			if name == "graviton3" {
				arch, v.RNDR = "arm64", true
			}
			verdict, here := processor.Judge(v), processor.CPUID()
			if verdict.RDRAND == "" && !here.RDRAND || verdict.RDSEED == "" && !here.RDSEED {
				t.Skip("the instructions would be asked, and this processor lacks one")
			}
			t.Cleanup(processor.Pretend(v))
			x := quick()
			x.Methods = []measure.Method{nonce.CryptoRand(), nonce.Fount()}
			x.Inspect = func() machine.Facts {
				return machine.InspectAs(arch, fstest.MapFS{"proc/cpuinfo": {Data: p.CPUInfo}}, v)
			}
			report, err := x.Run(show.Style{Width: 80}, func(string) error { return nil }, nil)
			if err != nil {
				t.Fatal(err)
			}
			var list struct{ Sources []sourceRow }
			var listed, stderr bytes.Buffer
			if status := Main([]string{"entropy", "list", "--json"}, nil, &listed, &stderr); status != 0 {
				t.Fatalf("exit status %d, %s", status, &stderr)
			}
			if err := json.Unmarshal(listed.Bytes(), &list); err != nil {
				t.Fatal(err)
			}
			var rows []entropy.SourceStatus
			for _, r := range list.Sources {
				rows = append(rows, r.SourceStatus)
			}
			for source, why := range map[string]string{"rdrand": verdict.RDRAND, "rdseed": verdict.RDSEED} {
				sayOfSource(t, report, source, why, arch == "amd64")
				for where, sources := range map[string][]entropy.SourceStatus{
					"doctor's status": report.Status.Sources, "fount.Status": fount.Status().Sources, "entropy list": rows,
				} {
					i := slices.IndexFunc(sources, func(s entropy.SourceStatus) bool { return s.Name == source })
					if s := sources[i]; s.Available != (why == "") || why != "" && s.Why != why {
						t.Errorf("%s: %+v, want %q", where, s, why)
					}
				}
			}
		})
	}
}

// sayOfSource checks what doctor's findings say of an instruction that must not be used because of why.
func sayOfSource(t *testing.T, r *doctor.Result, source, why string, x86 bool) {
	t.Helper()
	for _, f := range r.Findings {
		switch f.Name {
		case "CPU":
			has, lacks, _ := strings.Cut(f.Means, "; it lacks ")
			instruction := strings.ToUpper(source)
			if strings.Contains(has, instruction) != (why == "") || strings.Contains(lacks, instruction) != (x86 && why != "") {
				t.Errorf("%s: it says %q, want %q", source, f.Means, why)
			}
		case "sources":
			if strings.Contains(f.Value+f.Means, source) != (why == "") {
				t.Errorf("%s: of the sources it says %q, want %q", source, f.Value+". "+f.Means, why)
			}
		}
	}
}

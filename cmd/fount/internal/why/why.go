// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package why reads a CPU profile of a program and says whether it needs fount: what share of its
// CPU time makes random values and hashes passwords, on which lines, and what a change would save.
package why

import (
	"cmp"
	"errors"
	"path"
	"reflect"
	"slices"
	"strings"

	"fount/cmd/internal/lab"
	"fount/password"

	"github.com/google/pprof/profile"
)

// A Report is what there is to say of a program.
type Report struct {
	Program    string  `json:"program"`
	Seconds    float64 `json:"seconds"` // for which it was profiled; 0: not known
	CPUSeconds float64 `json:"cpu_seconds"`
	Samples    int64   `json:"samples"`
	Uses       []Use   `json:"uses"`            // the greatest share first
	Costs      *Costs  `json:"costs,omitempty"` // nil: no use would need them
}

// A Use is a call of something that makes random values or hashes passwords, at one line.
type Use struct {
	Family  string  `json:"family"`
	Call    string  `json:"call"`              // that the line calls, or what it ends in
	Through string  `json:"through,omitempty"` // what the line calls, of another module
	Func    string  `json:"func"`              // with the line
	File    string  `json:"file"`
	Line    int64   `json:"line"`
	Seconds float64 `json:"cpu_seconds"`
	Share   float64 `json:"cpu_share"` // of the program's CPU time
	Low     float64 `json:"cpu_share_low"`
	High    float64 `json:"cpu_share_high"` // 95 %, by the number of samples

	Advice string  `json:"advice"`
	Saves  float64 `json:"saves_share"` // of the program's CPU time
}

// Find makes a Report of a CPU profile, without costs and advice.
func Find(p *profile.Profile) (*Report, error) {
	cpu, err := valueOf(p, "cpu", "nanoseconds")
	if err != nil {
		return nil, err
	}

	samples, _ := valueOf(p, "samples", "count")
	r := &Report{Seconds: float64(max(0, p.DurationNanos)) / 1e9, Uses: []Use{}}
	if len(p.Mapping) > 0 {
		r.Program = path.Base(p.Mapping[0].File)
	}

	uses := make(map[Use]float64)
	for _, s := range p.Sample {
		if s.Value[cpu] <= 0 {
			continue
		}

		seconds := float64(s.Value[cpu]) / 1e9
		r.CPUSeconds += seconds
		if samples >= 0 {
			r.Samples += max(0, min(s.Value[samples], 1<<32)) // so that no sum of them overflows
		}

		if u, ok := useOf(s); ok {
			uses[u] += seconds
		}
	}

	if !(r.CPUSeconds > 0) || r.Samples == 0 {
		return nil, errors.New("it holds no sample: the program used no CPU time meanwhile")
	}

	for u, seconds := range uses {
		u.Seconds = seconds
		u.Share = seconds / r.CPUSeconds
		u.Low, u.High = lab.Wilson(u.Share, float64(r.Samples))
		r.Uses = append(r.Uses, u)
	}

	slices.SortFunc(r.Uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Call, b.Call), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return r, nil
}

// valueOf is the index of the values of a type, or -1.
func valueOf(p *profile.Profile, kind, unit string) (int, error) {
	var kinds []string
	for i, t := range p.SampleType {
		if t.Type == kind && t.Unit == unit {
			return i, nil
		}
		kinds = append(kinds, t.Type)
	}
	return -1, errors.New("it is a profile of " + strings.Join(kinds, ", ") + "; a CPU profile is wanted")
}

// useOf finds the outermost function of a sample that is a use, and the line that calls it. A hash
// that draws its salt is a hash, and a UUID that draws its bytes is a UUID.
func useOf(s *profile.Sample) (u Use, ok bool) {
	var lines []profile.Line // inner ones first
	for _, l := range s.Location {
		lines = append(lines, l.Line...)
	}
	lines = slices.DeleteFunc(lines, func(l profile.Line) bool { return l.Function == nil })

	for i, l := range slices.Backward(lines) {
		u.Call = l.Function.Name
		u.Family = familyOf(u.Call)
		if u.Family != "" {
			if slices.ContainsFunc(lines[:i+1], func(l profile.Line) bool { return l.Function.Name == pooledUUID }) {
				u.Call = pooledUUID
			}
			u.callFrom(lines[i+1:])
			return u, true
		}
	}
	return u, false
}

// callFrom sets the nearest line of the program itself among the callers, and through whose code it
// calls. Where there is none it is the nearest of a dependency, or else of the standard library.
func (u *Use) callFrom(callers []profile.Line) {
	for _, wanted := range []func(*profile.Function) bool{isOwn, isForeign, func(*profile.Function) bool { return true }} {
		i := slices.IndexFunc(callers, func(l profile.Line) bool { return wanted(l.Function) })
		if i < 0 {
			continue
		}
		f := callers[i].Function
		u.Func = f.Name
		u.File = f.Filename
		u.Line = callers[i].Line
		switch {
		case i > 0:
			u.Through = callers[i-1].Function.Name
		case !isOwn(f):
			u.Through = f.Name
		}
		return
	}
}

// isForeign reports whether a function is of Go and not of the standard library.
func isForeign(f *profile.Function) bool {
	pkg, _ := split(f.Name)
	return pkg != "" && !isStandard(pkg)
}

// isOwn guesses whether a function is of the program's main module: what is not the standard
// library, and not in a file of the module cache (path@version) or of a vendor directory.
func isOwn(f *profile.Function) bool {
	pkg, _ := split(f.Name)
	return pkg == "main" || isForeign(f) && !strings.Contains(path.Dir(f.Filename), "@v") && !strings.Contains(f.Filename, "/vendor/")
}

// The families of uses.
const (
	CryptoRand = "crypto/rand"
	Getrandom  = "getrandom"
	MathRand   = "math/rand's lock"
	UUID       = "UUID"
	Bcrypt     = "bcrypt"
	Argon2     = "argon2"
	Scrypt     = "scrypt"
	PBKDF2     = "PBKDF2"
	Fount      = "fount"           // its draws
	Pool       = "fount passwords" // its hashes
)

// An api is functions of one package. Methods are written as runtime.Frame does: (*Gen).NewV4.
type api struct {
	family, pkg string
	names       []string // a * at the end stands for any end; none: all functions
}

// has reports whether a name is one of the api's.
func (a api) has(name string) bool {
	return a.names == nil || slices.ContainsFunc(a.names, func(n string) bool {
		start, open := strings.CutSuffix(n, "*")
		return name == n || open && strings.HasPrefix(name, start)
	})
}

// Of the UUIDs those count that are random but for a time. What hashes a name or takes a node's
// address (versions 1, 3, 5 and 6) has no random twin, and what parses draws nothing.
var apis = []api{
	{Fount, library, nil},
	{UUID, "github.com/google/uuid", []string{"New", "NewString", "NewRandom", "NewV7"}},
	{UUID, "github.com/gofrs/uuid", gofrs},
	{UUID, "github.com/gofrs/uuid/v5", gofrs},
	{UUID, "github.com/satori/go.uuid", []string{"NewV4", "(*rfc4122Generator).NewV4"}},
	{UUID, "github.com/hashicorp/go-uuid", []string{"GenerateUUID"}},
	{UUID, "github.com/pborman/uuid", []string{"New", "NewRandom"}},
	{UUID, "github.com/oklog/ulid/v2", []string{"Make", "New", "MustNew", "MustNewDefault"}},
	{UUID, "github.com/segmentio/ksuid", []string{"New*"}},
	{UUID, "uuid", []string{"New", "NewV4", "NewV7"}}, // of Go 1.27
	{Bcrypt, "golang.org/x/crypto/bcrypt", nil},
	{Argon2, "golang.org/x/crypto/argon2", nil},
	{Scrypt, "golang.org/x/crypto/scrypt", nil},
	{PBKDF2, "golang.org/x/crypto/pbkdf2", nil},
	{PBKDF2, "crypto/pbkdf2", nil},
	{CryptoRand, "crypto/rand", nil},
	{CryptoRand, "crypto/internal/rand", nil},
	{CryptoRand, "crypto/internal/sysrand", nil},
	{CryptoRand, "crypto/internal/fips140/drbg", nil},
	{Getrandom, "internal/syscall/unix", []string{"GetRandom"}},
	{Getrandom, "golang.org/x/sys/unix", []string{"Getrandom"}},
	{Getrandom, "runtime", []string{"vgetrandom*"}},
	{MathRand, "math/rand", []string{"(*lockedSource)*"}},
}

var library = path.Dir(reflect.TypeFor[password.Policy]().PkgPath()) // whatever the module is published as
var gofrs = []string{"NewV4", "NewV7", "(*Gen).NewV4", "(*Gen).NewV7"}

// familyOf is the family of a function, "" if it is none.
func familyOf(function string) string {
	pkg, name := split(function)
	for _, a := range apis {
		if a.pkg == pkg && a.has(name) {
			return a.family
		}
	}
	if strings.HasPrefix(pkg+"/", library+"/password/") {
		return Pool
	}
	return ""
}

// split takes the package's path off a function's name: it ends at the first point after its last
// slash, outside of type arguments. The linker writes points in its last element as %2e.
func split(function string) (pkg, name string) {
	plain, _, _ := strings.Cut(function, "[")
	slash := strings.LastIndexByte(plain, '/') + 1
	point := strings.IndexByte(plain[slash:], '.')
	if point < 0 {
		return "", function // not of Go
	}
	return strings.ReplaceAll(function[:slash+point], "%2e", "."), function[slash+point+1:]
}

// standard are the first elements of the standard library's paths.
var standard = strings.Fields(`archive arena bufio builtin bytes cmp compress container context crypto database debug
	embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin
	reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time unicode unique unsafe
	uuid vendor weak`)

// isStandard reports whether a package is of the standard library.
func isStandard(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return slices.Contains(standard, first)
}

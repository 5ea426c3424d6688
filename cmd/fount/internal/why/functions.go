// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// The functions that are uses, and whose function one is. Names are as runtime.Frame has them.

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"fount/password"

	"github.com/google/pprof/profile"
)

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

// library is the path of package fount, whatever the module is published as.
var library = path.Dir(reflect.TypeFor[password.Policy]().PkgPath())

var gofrs = []string{"NewV4", "NewV7", "(*Gen).NewV4", "(*Gen).NewV7"}

// familyOf returns the family of a function, or "" if it has none.
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

// distance guesses how far the program's own makers are from a function: 0 if it is theirs, 1 if a
// dependency's, in a file of the module cache (path@version) or of a vendor directory, 2 if the
// standard library's or the system's.
func distance(f *profile.Function) int {
	pkg, _ := split(f.Name)
	isImported := strings.Contains(path.Dir(f.Filename), "@v") || strings.Contains(f.Filename, "/vendor/")
	switch {
	case pkg == "main":
		return 0
	case pkg == "" || isStandard(pkg):
		return 2
	case isImported:
		return 1
	}
	return 0
}

// pooledUUID is where google/uuid cuts from 256 bytes, after EnableRandPool.
const pooledUUID = "github.com/google/uuid.newRandomFromPool"

func isPooledUUID(l profile.Line) bool { return l.Function.Name == pooledUUID }

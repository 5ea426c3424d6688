// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// From stacks to uses: which line of the program calls what.

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"fount/internal/judge"
)

// A use's key: what makes two stacks the same use.
type key struct {
	family, call, through string
	site                  Site
}

// pooledUUID is where google/uuid cuts from 256 bytes, after EnableRandPool.
const pooledUUID = "github.com/google/uuid.newRandomFromPool"

// Of finds what there is to say of p, but for costs and the verdict.
func Of(p *Profile) (*Report, error) {
	r := &Report{
		Program: p.Program, Go: p.Go, Source: p.Source, Seconds: p.Elapsed.Seconds(),
		Uses: []Use{}, Waits: p.Waits, Lateness: p.Lateness, Notes: p.Notes,
	}
	if r.Waits == nil {
		r.Waits = []Wait{}
	}
	if r.Notes == nil {
		r.Notes = []string{}
	}
	uses := make(map[key]*Use)
	var collecting, allocating, squares float64
	for _, s := range p.Stacks {
		r.CPUSeconds += s.Seconds
		r.Samples += s.Samples
		squares += s.Seconds * s.Seconds / float64(max(1, s.Samples))
		if has(s.Frames, collector...) {
			collecting += s.Seconds
		}
		allocates := has(s.Frames, "runtime.mallocgc")
		if allocates {
			allocating += s.Seconds
		}
		k, ok := keyOf(s.Frames)
		if !ok {
			continue
		}
		u := uses[k]
		if u == nil {
			u = &Use{Family: k.family, Call: k.call, Through: k.through, Site: k.site}
			uses[k] = u
		}
		u.Samples += s.Samples
		u.Seconds += s.Seconds
		if isDraw(s.Frames) {
			u.Drawing += s.Seconds
		}
		if has(s.Frames, locks...) {
			u.Locks += s.Seconds
		}
		if allocates {
			u.Garbage += s.Seconds
		}
	}
	if r.Samples == 0 || !(r.CPUSeconds > 0) {
		return nil, ErrEmpty
	}
	if r.Seconds > 0 {
		r.Cores = r.CPUSeconds / r.Seconds
	}
	all := r.CPUSeconds
	r.equal = all * all / squares
	for _, u := range uses {
		u.Share = u.Seconds / all
		u.Drawing /= all
		u.Locks /= all
		if u.Garbage > 0 {
			u.Garbage *= collecting / allocating / all
		}
		u.Low, u.High = judge.Wilson(u.Share, r.equal)
		r.Uses = append(r.Uses, *u)
	}
	slices.SortFunc(r.Uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Call, b.Call), strings.Compare(a.Site.Func, b.Site.Func),
			cmp.Compare(a.Site.Line, b.Site.Line), strings.Compare(a.Family, b.Family), strings.Compare(a.Site.File, b.Site.File),
			strings.Compare(a.Through, b.Through))
	})
	return r, nil
}

// keyOf finds the outermost frame that is a use, and the line that calls it. A hash that draws its salt is a hash, and a
// UUID that draws its bytes is a UUID.
func keyOf(frames []Frame) (k key, ok bool) {
	for i := len(frames) - 1; i >= 0; i-- {
		if f := familyOf(frames[i].Func); f != "" {
			k.family, k.call = f, frames[i].Func
			k.site, k.through = siteOf(frames[i+1:])
			if slices.ContainsFunc(frames[:i], func(f Frame) bool { return f.Func == pooledUUID }) {
				k.call = pooledUUID
			}
			return k, true
		}
	}
	return k, false
}

// siteOf is the nearest line of the program itself among the callers, and through whose code it calls. Where there is none
// it is the nearest of a dependency, or else of the standard library.
func siteOf(callers []Frame) (site Site, through string) {
	if len(callers) == 0 {
		return Site{}, ""
	}
	for _, ok := range []func(Frame) bool{isOwn, isForeign} {
		if i := slices.IndexFunc(callers, ok); i >= 0 {
			if i > 0 {
				through = callers[i-1].Func
			}
			f := callers[i]
			return Site{f.Func, f.File, f.Line, isOwn(f)}, through
		}
	}
	f := callers[0]
	return Site{f.Func, f.File, f.Line, false}, f.Func
}

// isForeign reports whether a function is of Go and not of the standard library.
func isForeign(f Frame) bool {
	pkg, _ := split(f.Func)
	return pkg != "" && !isStandard(pkg)
}

// isOwn guesses whether a function is of the program's main module: what is not the standard library, and not in a file of
// the module cache or of a vendor directory.
func isOwn(f Frame) bool {
	pkg, _ := split(f.Func)
	return pkg == "main" || pkg != "" && !isStandard(pkg) && !isDependency(f.File)
}

// isDependency reports whether a source file lies in the module cache (path@version) or in a vendor directory.
func isDependency(file string) bool {
	return strings.Contains(path.Dir(file), "@v") || strings.Contains(file, "/vendor/")
}

// isDraw reports whether bytes are being drawn from the system, through crypto/rand or not.
func isDraw(frames []Frame) bool {
	return slices.ContainsFunc(frames, func(f Frame) bool {
		switch pkg, name := split(f.Func); familyOf(f.Func) {
		case CryptoRand:
			return pkg != "crypto/rand" || name == "Read" || strings.HasSuffix(name, ").Read")
		case Getrandom, Urandom:
			return true
		}
		return false
	})
}

// locks are the functions that wait for a lock.
var locks = []string{"sync.(*Mutex).", "internal/sync.(*Mutex).", "sync.(*RWMutex).", "runtime.lock2", "runtime.procyield", "runtime.futex",
	"runtime.semacquire", "runtime.semrelease", "runtime.osyield"}

// collector are the functions of the garbage collector's own goroutines.
var collector = []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge"}

// has reports whether one of the functions whose names begin so is in a stack.
func has(frames []Frame, functions ...string) bool {
	return slices.ContainsFunc(frames, func(f Frame) bool {
		return slices.ContainsFunc(functions, func(l string) bool { return strings.HasPrefix(f.Func, l) })
	})
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// What a survey found.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"fount/internal/policytext"
	"fount/password"
)

// A Report is the result. Names of fields stay; fields may be added. Times are of one core, for a password of 12 bytes.
type Report struct {
	Policy  string `json:"policy"`  // of the hashes to come
	Lines   int64  `json:"lines"`   // or rows
	Blank   int64  `json:"blank"`   // lines, those with a comment, names without a hash; NULL of a database
	Locked  int64  `json:"locked"`  // no password signs in: ! or *
	Read    int64  `json:"read"`    // hashes that are verified
	Upgrade int64  `json:"upgrade"` // of these, those that a login replaces
	Weak    int64  `json:"weak"`    // of these, those that password.Wrap takes
	Refused int64  `json:"refused"`

	Kinds    []Kind    `json:"kinds"`    // of Read, the most frequent first
	Refusals []Refusal `json:"refusals"` // the most frequent first

	Login    Login     `json:"login"`
	Unknown  Unknown   `json:"unknown"`
	Forecast *Forecast `json:"forecast,omitempty"`

	Measured bool `json:"measured"` // on this machine; else all times are of one that computes a bcrypt of cost 10 in 54 ms
}

// A Kind is all hashes of one form and cost.
type Kind struct {
	Name     string  `json:"name"`              // a policy, or a form and its cost, with a number if other works have the same
	Form     string  `json:"form,omitempty"`    // of another maker, in which it is stored
	PreHash  string  `json:"prehash,omitempty"` // what the password becomes before
	Count    int64   `json:"count"`
	Upgrade  int64   `json:"upgrade"` // of these, those that a login replaces
	MS       float64 `json:"ms"`
	Measured bool    `json:"measured"` // or estimated
	Memory   int64   `json:"memory_bytes"`
}

// A Login is what signing in takes.
type Login struct {
	Now    float64 `json:"ms_now"`        // a verify, in the mean of all users
	Equal  float64 `json:"ms_equal_time"` // the same by a pool that has Unknown's Stored and Samples: all hashes up to the user's
	First  float64 `json:"ms_first"`      // Now where it also makes a new hash, in the mean of those users
	Then   float64 `json:"ms_upgraded"`   // a hash of Policy
	Memory int64   `json:"memory_bytes"`  // the most that one holds: for a stored hash, or for the new one of Policy
}

// An Unknown is what a wrong password should take for all users, and for those that there are not.
type Unknown struct {
	MS      float64 `json:"ms"`      // with all that follows
	Stored  []Work  `json:"stored"`  // password.Options.Stored
	Samples []Work  `json:"samples"` // password.Options.Samples: one stored string, of nobody's password, of each
	Refused []Work  `json:"refused"` // that a pool does not take as Samples, as they take too long: their users stand out
	Apart   int64   `json:"apart"`   // users whose costs, or works beyond mostSamples, are too many to be listed: they stand out
}

// A Work is a hash that unknown users take too.
type Work struct {
	Name  string  `json:"name"`
	Count int64   `json:"count"` // users that have it
	MS    float64 `json:"ms"`    // that each wrong password takes for it
}

// Terms are what Report needs beside the store.
type Terms struct {
	Budget time.Duration // to time hashes; 0: estimates alone
	Logins float64       // a day, LeastLogins or more; 0: no forecast
}

// LeastLogins is the least rate of logins a day: a forecast from fewer says nothing of a store that is in use.
const LeastLogins = 1

// Report times the kinds, and returns what was found. It calls progress with a line for the screen.
func (s *Survey) Report(ctx context.Context, terms Terms, progress func(line string)) (*Report, error) {
	if terms.Logins != 0 && !(terms.Logins >= LeastLogins) {
		return nil, fmt.Errorf("survey: %v logins a day; want %d or more, or 0 for no forecast", terms.Logins, LeastLogins)
	}
	then, memory, err := s.measure(ctx, terms.Budget, progress)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Policy: policytext.Of(s.policy), Lines: s.lines, Blank: s.blank, Locked: s.locked, Measured: terms.Budget > 0,
		Kinds: []Kind{}, Refusals: []Refusal{}, Login: Login{Then: then},
	}
	r.addKinds(s)
	if r.Upgrade > 0 {
		r.Login.Memory = max(r.Login.Memory, memory)
	}
	for _, one := range s.refusals {
		r.Refused += one.Count
		r.Refusals = append(r.Refusals, *one)
	}
	slices.SortFunc(r.Refusals, func(a, b Refusal) int { return cmp.Or(-cmp.Compare(a.Count, b.Count), cmp.Compare(a.Reason, b.Reason)) })
	r.Unknown = s.unknown(r.Policy, then)
	var finally float64
	r.Login.Equal, finally = r.equal(then)
	if terms.Logins > 0 && r.Read > 0 {
		f := forecast(terms.Logins, r.Read, r.Upgrade)
		f.FirstDay = (terms.Logins*r.Login.Equal + f.Days[0].Upgraded*float64(r.Upgrade)*then) / 1000
		f.Finally = terms.Logins * finally / 1000
		r.Forecast = f
	}
	return r, nil
}

func (r *Report) addKinds(s *Survey) {
	var now, first float64
	for _, k := range s.ordered() {
		t := s.kinds[k]
		r.Kinds = append(r.Kinds, Kind{k.name(), formOf(k), k.prehash, t.count, t.upgrade, t.ms, t.measured, t.memory})
		r.Read += t.count
		r.Upgrade += t.upgrade
		if t.weak {
			r.Weak += t.count
		}
		r.Login.Memory = max(r.Login.Memory, t.memory)
		now += t.ms * float64(t.count)
		first += (t.ms + r.Login.Then) * float64(t.upgrade)
	}
	r.Login.Now = now / float64(max(1, r.Read))
	r.Login.First = first / float64(max(1, r.Upgrade))
}

// formOf is the form of a hash whose name is not the form's.
func formOf(k kind) string {
	if k.algorithm == password.Foreign {
		return ""
	}
	return k.form
}

// equal is the mean time of a verify by a pool with Stored and Samples: a password that matches takes the policy's hash first, and
// then those of the others up to its own. Finally is that time once a login has replaced all that it replaces, by a pool with what is left.
func (r *Report) equal(then float64) (now, finally float64) {
	left := map[string]int64{} // users, by name
	for _, k := range r.Kinds {
		left[k.Name] += k.Count - k.Upgrade
	}
	until, all := map[string]float64{r.Policy: then}, then
	untilLeft, allLeft := map[string]float64{r.Policy: then}, then
	for _, w := range slices.Concat(r.Unknown.Stored, r.Unknown.Samples) {
		all += w.MS
		until[w.Name] = all
		if left[w.Name] > 0 {
			allLeft += w.MS
			untilLeft[w.Name] = allLeft
		}
	}
	for _, k := range r.Kinds { // who is not listed takes one hash
		now += cmp.Or(until[k.Name], k.MS) * float64(k.Count)
		finally += then*float64(k.Upgrade) + cmp.Or(untilLeft[k.Name], k.MS)*float64(k.Count-k.Upgrade)
	}
	return now / float64(max(1, r.Read)), finally / float64(max(1, r.Read))
}

// unknown is the mix that makes a wrong password take one time for all: policy, then the others in the store, the most frequent
// first. Hashes of one algorithm and cost are one work, whatever form they are stored in.
func (s *Survey) unknown(policy string, then float64) Unknown {
	u := Unknown{MS: then, Stored: []Work{}, Samples: []Work{}, Refused: []Work{}}
	sample := map[string]string{} // of a name
	for _, k := range s.ordered() {
		t, list := s.kinds[k], &u.Stored
		switch {
		case k.others:
			u.Apart += t.count
			continue
		case k.sampled():
			list = &u.Samples
		}
		name := k.name()
		if name == policy {
			continue
		}
		i := slices.IndexFunc(*list, func(w Work) bool { return w.Name == name })
		if i < 0 {
			i = len(*list)
			*list = append(*list, Work{Name: name, MS: t.ms})
			sample[name] = t.sample
		}
		(*list)[i].Count += t.count
	}
	for _, list := range [][]Work{u.Stored, u.Samples} {
		slices.SortStableFunc(list, func(a, b Work) int { return -cmp.Compare(a.Count, b.Count) })
	}
	s.askPool(&u, sample)
	for _, list := range [][]Work{u.Stored, u.Samples} {
		for _, w := range list {
			u.MS += w.MS
		}
	}
	return u
}

// mostSamples bounds the samples. A pool compares each with each, so that thousands, which nobody has but who plants them, would take minutes.
const mostSamples = 256

// askPool leaves those samples of u that a pool takes, together, and parts from them what it refuses: a sample that takes too long with the longest
// password, or after those before it.
func (s *Survey) askPool(u *Unknown, sample map[string]string) {
	all := u.Samples
	u.Samples = []Work{}
	o := password.Options{Policy: s.policy, Workers: 1}
	o.Policy.Algorithm, o.Policy.Iterations = password.PBKDF2SHA256, 1          // the pool's own hash takes no time
	o.Policy.Limits.PBKDF2Iterations = max(0, o.Policy.Limits.PBKDF2Iterations) // below 0 they refuse it
	for _, w := range all {
		if len(o.Samples) == mostSamples {
			u.Apart += w.Count
			continue
		}
		before := o.Samples
		o.Samples = append(before, sample[w.Name])
		pool, err := password.NewPool(o)
		if err != nil {
			o.Samples, u.Refused = before, append(u.Refused, w)
			continue
		}
		_ = pool.Close(context.Background()) // nobody waits for a hash
		u.Samples = append(u.Samples, w)
	}
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fount/internal/fleet"
	"fount/internal/fleet/choice"
	"fount/password"
)

// The times and numbers of a call.
const (
	longestSilence = time.Second
	reconnect      = 250 * time.Millisecond // what a lost connection ended is sent again so often
	misses         = 3                      // requests that found nobody, until the queue group gets the call
)

var (
	errSilence = errors.New("remote: no reply")
	errLost    = errors.New("remote: the connection to the broker was lost")
)

// An outcome is what came of one request.
type outcome struct {
	reply *fleet.Reply
	err   error
}

// conclusive reports whether no other worker could do better.
func (o outcome) conclusive() bool {
	if o.err != nil {
		return answered(o.err)
	}
	switch o.reply.Verdict {
	case fleet.Overloaded, fleet.Closed, fleet.Failed, fleet.Unsupported:
		return false
	}
	return true
}

// nothing reports whether no worker and no guard has said anything.
func (o outcome) nothing() bool {
	return o.reply == nil && (o.err == nil || errors.Is(o.err, errLost) || errors.Is(o.err, errSilence))
}

// An attempt is one request of a call, at one worker or at the queue group.
type attempt struct {
	worker fleet.WorkerID
	direct bool // else worker is not known
	name   fleet.Name
}

type result struct {
	*attempt
	outcome
	from *fleet.WorkerID // who has said so, if it is known
}

// A call is on its way from its first request to its end. It belongs to one goroutine.
type call struct {
	*NATSClient
	ctx      context.Context // done when the call is
	request  fleet.Request
	deadline time.Time
	results  chan result

	open     []*attempt       // under way
	asked    []fleet.WorkerID // who is not asked again
	tries    int              // requests that may have been heard, since the connection was lost last
	missed   int              // those that were not
	silentAt time.Time        // when another worker gets the call for want of a reply; zero: never

	lost    []*attempt // by a lost connection
	broken  bool       // the connection was lost
	againAt time.Time  // when the call is sent again after that; zero: it has been
	heard   bool       // a worker was heard meanwhile

	sent bool
	last outcome // what the call comes to if nothing better comes
	done bool
}

// ask sends a request to a worker, and to others if that refuses or is gone. The first conclusive reply counts. If there is none, it
// returns what it knows best: a reply, a refusal's OverloadedError, ErrNoWorker if no worker has been found, or errSilence.
// Workers that have the request still are told that nobody waits.
func (c *NATSClient) ask(ctx context.Context, r fleet.Request) (*fleet.Reply, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	deadline, _ := ctx.Deadline()
	k := &call{NATSClient: c, ctx: within, request: r, deadline: deadline, results: make(chan result)}
	defer func() { c.tell(k.lost...) }()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		changed := c.workers.watch() // before acting, so that nothing is missed
		now := time.Now()            // one for both, so that what act finds not yet due is in next's future
		for k.act(now) {
			now = time.Now()
		}
		if k.done {
			break
		}
		timer.Stop()
		if at := k.next(now); !at.IsZero() {
			timer.Reset(time.Until(at))
		}
		select {
		case r := <-k.results:
			k.take(r)
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			k.done = true
		}
	}
	if k.last.nothing() {
		<-ctx.Done() // it is, or no time was left to ask in and its timer is late
		return nil, errors.Join(errSilence, k.last.err, ctx.Err())
	}
	return k.last.reply, k.last.err
}

// act does one thing that is due, and reports whether there was one.
func (k *call) act(now time.Time) bool {
	switch {
	case k.done:
		return false
	case !k.againAt.IsZero():
		return k.again(now)
	case !k.silentAt.IsZero() && !now.Before(k.silentAt):
		k.silentAt = time.Time{}
		if k.tries < k.limit && !k.try(now) {
			k.any()
		}
		return true
	case k.hope(now):
		return false
	case len(k.open) > 0:
		return k.elsewhere(now)
	case k.tries >= k.limit || !k.try(now): // more: it was with gone ones
		k.done = true
	}
	return true
}

// next returns when to act again if nothing comes; the zero time if nothing is due before the call's end.
func (k *call) next(now time.Time) (next time.Time) {
	if next = k.againAt; !next.IsZero() {
		return next // nothing else is done before
	}
	sooner := func(at time.Time) {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	if !k.silentAt.IsZero() {
		sooner(k.silentAt)
	}
	for _, a := range k.open {
		if at := k.workers.quietAt(now, a.worker); a.direct && !at.Before(now) {
			sooner(at.Add(1))
		}
	}
	return next
}

// hope reports whether a worker that is not gone has the call.
func (k *call) hope(now time.Time) bool {
	return slices.ContainsFunc(k.open, func(a *attempt) bool { return !a.direct || !k.workers.quietAt(now, a.worker).IsZero() })
}

// try sends the call to a worker that was not asked, or to the queue group where none is known. It reports false if all that are
// known were asked.
func (k *call) try(now time.Time) bool {
	if k.missed < misses {
		if sent, known := k.direct(now); sent || known {
			return sent
		}
	}
	k.any()
	return true
}

// any sends the call to the queue group.
func (k *call) any() { k.send(&attempt{}, k.subject.Any(), 0) }

// direct sends the call to a worker that was not asked, if one is known. known: a worker that takes calls is, asked or not.
func (k *call) direct(now time.Time) (sent, known bool) {
	p := k.workers.pick(now, k.costOf(k.request), k.asked)
	if p.ok {
		k.asked = append(k.asked, p.id)
		k.send(&attempt{worker: p.id, direct: true}, k.subject.Worker(p.id), p.answers)
	}
	return p.ok, p.known
}

// elsewhere finds another worker for a call that is with gone ones. Where all others have refused it, it is refused; where no other is
// known, it may yet be answered.
func (k *call) elsewhere(now time.Time) bool {
	sent, known := k.direct(now)
	if !sent && known && (k.last != outcome{}) {
		k.done = true
	}
	return sent || k.done
}

// again sends a call that a lost connection ended, when workers are heard again, or some time has passed.
func (k *call) again(now time.Time) bool {
	if !k.heard && k.workers.any(now) {
		k.heard = true
		if at := now.Add(time.Duration(k.workers.intN(int(choice.Every)))); at.Before(k.againAt) {
			k.againAt = at // the others are heard meanwhile, and clients don't send all at once
		}
	}
	if now.Before(k.againAt) {
		return false
	}
	k.tell(k.lost...) // before they get it again
	k.lost, k.asked, k.tries, k.missed, k.againAt = nil, nil, 0, 0, time.Time{}
	k.try(now)
	return true
}

// wait has the call sent again later.
func (k *call) wait() {
	k.heard, k.silentAt, k.againAt = false, time.Time{}, time.Now().Add(reconnect)
}

// take takes in what came of a request.
func (k *call) take(r result) {
	k.open = slices.DeleteFunc(k.open, func(a *attempt) bool { return a == r.attempt })
	switch {
	case r.conclusive():
		k.done, k.last = true, r.outcome
		return
	case errors.Is(r.err, ErrNoWorker) && r.direct:
		k.tries--
		k.missed++
		k.asked = slices.DeleteFunc(k.asked, func(id fleet.WorkerID) bool { return id == r.worker })
		k.workers.unheard(r.worker)
		if len(k.open) > 0 { // it was the second
			k.silentAt = time.Now()
		}
	case errors.Is(r.err, errLost):
		k.workers.lost()
		k.lost, k.broken = append(k.lost, r.attempt), true
		k.wait()
	case errors.Is(r.err, ErrNoWorker) && k.broken && k.options.Local == nil:
		k.wait()
	case errors.Is(r.err, ErrNoWorker):
		k.done = len(k.open) == 0
	case r.from != nil && !r.direct:
		k.asked = append(k.asked, *r.from)
	}
	k.last = better(k.last, r.outcome)
}

// send seals and sends a request.
func (k *call) send(a *attempt, subject string, answers time.Duration) {
	k.tries++
	left := time.Until(k.deadline)
	if k.tries == 1 {
		k.silentAt = time.Now().Add(k.silence(left, answers))
	}
	k.count(func(s *NATSStats) {
		s.Attempts++
		if k.sent {
			s.Seconds++
		}
	})
	k.sent = true
	request, pending, err := k.seal(k.request, left)
	if err != nil {
		k.done = true
		if !errors.Is(err, errSilence) || k.last.nothing() {
			k.last = outcome{nil, err}
		}
		return
	}
	a.name, _ = fleet.NameOf(request)
	k.open = append(k.open, a)
	go k.exchange(a, subject, request, pending)
}

// silence returns how long to wait for a reply that is expected after some time.
func (c *NATSClient) silence(left, answers time.Duration) time.Duration {
	if c.options.Silence > 0 {
		return c.options.Silence
	}
	return min(left/5*3, max(longestSilence, 2*answers))
}

// costOf returns what a request says it costs. Until a reply has said what the fleet's policy costs, none says anything: those for
// unknown users must look like the others.
func (c *NATSClient) costOf(r fleet.Request) fleet.Cost {
	policy := c.policy.Load()
	switch {
	case policy == nil:
		return fleet.Cost{}
	case r.Encoded != "":
		return fleet.CostOf(r.Encoded)
	}
	return *policy
}

// seal seals a request with the time that is left.
func (c *NATSClient) seal(r fleet.Request, left time.Duration) ([]byte, *fleet.Pending, error) {
	r.Left, r.Cost = left, c.costOf(r)
	if len(r.Password) == 0 && len(r.Encoded) > fleet.MaxEncoded { // a pool looks at the password first
		return nil, nil, password.ErrMismatch
	}
	if left < time.Microsecond {
		return nil, nil, errSilence
	}
	return c.sealer.Seal(time.Now(), r)
}

// exchange sends a sealed request and opens its reply. If the call ends before, it tells the worker.
func (k *call) exchange(a *attempt, subject string, request []byte, pending *fleet.Pending) {
	defer pending.Wipe()
	r := result{attempt: a}
	b, err := k.broker.Request(k.ctx, subject, request)
	switch {
	case err != nil && k.ctx.Err() != nil:
		k.tell(a)
		return
	case errors.Is(err, ErrNoWorker):
		r.err = err
	case err != nil:
		r.err = fmt.Errorf("%w: %w", errLost, err)
	default:
		r.outcome, r.from = k.read(b, pending)
	}
	select {
	case k.results <- r:
	case <-k.ctx.Done():
	}
}

// read opens a reply. from is the worker, if it says.
func (c *NATSClient) read(b []byte, pending *fleet.Pending) (o outcome, from *fleet.WorkerID) {
	reply, err := pending.Open(time.Now(), b)
	if refusal, ok := errors.AsType[fleet.Refusal](err); ok {
		if news, ok := fleet.RefusalNews(b); ok {
			from = c.hear(news, false)
		}
		return outcome{nil, errorOfRefusal(refusal)}, from
	}
	if err != nil {
		return outcome{nil, &Error{detail: printable(err.Error()), as: []error{err, password.OverloadedError{After: wait(0)}}}}, nil
	}
	if reply.News != nil {
		from = c.hear(*reply.News, false)
	}
	if reply.Policy != (fleet.Cost{}) {
		c.policy.Store(&reply.Policy)
	}
	return outcome{&reply, nil}, from
}

// hear takes in news.
func (c *NATSClient) hear(n fleet.News, published bool) *fleet.WorkerID {
	if c.options.Route == ByNews {
		c.workers.hear(time.Now(), n, published)
	}
	return &n.Worker
}

// tell tells workers that nobody waits for their answers any more.
func (c *NATSClient) tell(attempts ...*attempt) {
	for _, a := range attempts {
		if !a.direct {
			continue
		}
		if err := c.broker.Publish(c.subject.Worker(a.worker), a.name.Cancel()); err == nil {
			c.count(func(s *NATSStats) { s.Cancels++ })
		}
	}
}

// errorOfRefusal is an OverloadedError: whatever the reason, and whoever wrote it, another attempt may succeed.
func errorOfRefusal(r fleet.Refusal) error {
	return &Error{detail: printable(r.Error()), as: []error{password.OverloadedError{After: wait(r.After)}, r}}
}

// better returns which of two outcomes says more, neither being conclusive.
func better(a, b outcome) outcome {
	rank := func(x outcome) int {
		switch {
		case x.reply != nil:
			return 4
		case x.err == nil:
			return 0
		case errors.Is(x.err, errLost):
			return 1
		case errors.Is(x.err, ErrNoWorker):
			return 2
		}
		return 3
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

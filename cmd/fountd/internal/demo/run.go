// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"fount/cmd/fountd/internal/trial"
	"fount/internal/policytext"
	"fount/remote"
)

// A show is what shows frames.
type show interface {
	frame(trial.Frame) error
	end(summary) error
}

// A summary is what a demo came to.
type summary struct {
	trial.Counts
	Seconds    float64        `json:"seconds"`
	AnswerP50  float64        `json:"answer_p50_ms"`
	AnswerP99  float64        `json:"answer_p99_ms"`
	RefusalP50 float64        `json:"refusal_p50_ms"`
	RefusalP99 float64        `json:"refusal_p99_ms"`
	Requests   uint64         `json:"requests"` // a refused call is two
	Workers    []trial.Report `json:"workers"`
}

// run is the demo. A signal that ended it is its error.
func (c *config) run(ctx context.Context, cancel context.CancelCauseFunc, stdout io.Writer) (err error) {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	perCore, err := trial.PerCore(ctx, c.policy)
	if err != nil {
		return causeOr(ctx, err)
	}
	f, err := trial.Open(trial.Options{Program: []string{program}, Cores: c.workers, Policy: c.policy})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	clients, err := f.Connect(c.clients, remote.NATSOptions{Route: c.route})
	if err != nil {
		return err
	}
	defer clients.Close()
	if err := clients.Await(ctx); err != nil {
		return causeOr(ctx, err)
	}
	rate := c.load * perCore * f.Cores()
	title := fmt.Sprintf("%.0f calls/s, %s, %v", rate, policytext.Of(c.policy), c.deadline)
	operate := &operator{fleet: f}
	defer operate.close()
	s, err := c.show(stdout, title, f, operate, cancel)
	if err != nil {
		return err
	}
	if end, ok := s.(io.Closer); ok {
		defer end.Close()
	}
	ledger := trial.NewLedger()
	load, stop := context.WithTimeout(ctx, c.lasts)
	defer stop()
	var calls sync.WaitGroup
	defer calls.Wait()
	calls.Go(func() {
		clients.Run(load, trial.Load{Rate: rate, Deadline: c.deadline, Policy: c.policy}, ledger)
	})
	if c.kill > 0 {
		defer time.AfterFunc(c.kill, func() { operate.toggle(0) }).Stop()
		defer time.AfterFunc(c.kill+downTime, func() { operate.toggle(0) }).Stop()
	}
	if err := c.frames(load, f.Watch(ledger), s); err != nil {
		return err
	}
	stop()
	calls.Wait()
	failed := operate.close()
	sum := sumUp(f, clients, ledger)
	if err := errors.Join(failed, s.end(sum)); err != nil {
		return err
	}
	if err := c.judge(sum, clients.Stats(), ledger); err != nil {
		return err
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errQuit) {
		return cause
	}
	return nil
}

// errQuit is the end that the user asked for.
var errQuit = errors.New("quit")

// causeOr is why a context ended, or err if it did not.
func causeOr(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// downTime is how long a worker that --kill has killed is down.
const downTime = 3 * time.Second

// frames shows a frame each second until ctx is done.
func (c *config) frames(ctx context.Context, w *trial.Watch, s show) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := s.frame(w.Next(ctx)); err != nil {
				return err
			}
		}
	}
}

// sumUp counts when all calls have ended.
func sumUp(f *trial.Fleet, clients *trial.Clients, l *trial.Ledger) summary {
	s := summary{Seconds: l.Now().Seconds(), Requests: clients.Stats().Attempts}
	var answered, refused []time.Duration
	s.Counts, answered, refused = l.Between(0, l.Now())
	s.AnswerP50, s.AnswerP99 = ms(trial.Quantile(answered, 0.5)), ms(trial.Quantile(answered, 0.99))
	s.RefusalP50, s.RefusalP99 = ms(trial.Quantile(refused, 0.5)), ms(trial.Quantile(refused, 0.99))
	for _, w := range f.Workers {
		w.Report(context.Background())
		s.Workers = append(s.Workers, w.Total())
	}
	return s
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// judge says what a fleet must never do.
func (c *config) judge(s summary, clients remote.NATSStats, l *trial.Ledger) error {
	switch n := s.Answered + s.Late + s.Refused + s.Expired + s.Canceled; {
	case s.Wrong+s.Failed > 0:
		return fmt.Errorf("%d wrong answers and %d failures: %w", s.Wrong, s.Failed, l.Failures())
	case s.InFlight > 0 || n != s.Submitted:
		return fmt.Errorf("of %d calls %d have an end", s.Submitted, n)
	case clients.InFlight > 0 || clients.Submitted != clients.Answered+clients.Refused+clients.Expired+clients.Canceled:
		return fmt.Errorf("the clients' counts don't add up: %+v", clients)
	}
	return nil
}

// objects prints frames as JSON.
type objects struct{ out io.Writer }

func (o objects) frame(f trial.Frame) error { return o.print(map[string]any{"frame": f}) }
func (o objects) end(s summary) error       { return o.print(map[string]any{"summary": s}) }

func (o objects) print(x any) error { return json.NewEncoder(o.out).Encode(x) }

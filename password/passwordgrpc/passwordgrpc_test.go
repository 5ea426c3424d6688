// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordgrpc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"fount/password"
	"fount/password/accountlimit"
)

// health is a service whose answers are a test's: gRPC has its stubs already.
type health struct {
	grpc_health_v1.UnimplementedHealthServer
	do func(ctx context.Context, name string) error
}

func (h health) Check(ctx context.Context, r *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	return &grpc_health_v1.HealthCheckResponse{}, h.do(ctx, r.Service)
}

func (h health) Watch(r *grpc_health_v1.HealthCheckRequest, s grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]) error {
	return h.do(s.Context(), r.Service)
}

// serve serves do over TCP on loopback, and returns a client.
func serve(t *testing.T, do func(context.Context, string) error, options ...grpc.DialOption) grpc_health_v1.HealthClient {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.ChainUnaryInterceptor(UnaryServerInterceptor), grpc.ChainStreamInterceptor(StreamServerInterceptor))
	grpc_health_v1.RegisterHealthServer(server, health{do: do})
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	conn, err := grpc.NewClient(listener.Addr().String(), append(options, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return grpc_health_v1.NewHealthClient(conn)
}

// ways are the kinds of calls.
var ways = map[string]func(context.Context, grpc_health_v1.HealthClient, string) error{
	"unary": func(ctx context.Context, c grpc_health_v1.HealthClient, name string) error {
		_, err := c.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: name})
		return err
	},
	"stream": func(ctx context.Context, c grpc_health_v1.HealthClient, name string) error {
		stream, err := c.Watch(ctx, &grpc_health_v1.HealthCheckRequest{Service: name})
		if err != nil {
			return err
		}
		_, err = stream.Recv()
		return err
	},
}

// chosen is an error for which its handler chose a status.
type chosen struct{ error }

func (c chosen) Unwrap() error            { return c.error }
func (chosen) GRPCStatus() *status.Status { return status.New(codes.PermissionDenied, "no") }

func TestStatuses(t *testing.T) {
	const secret = "$2b$10$secret"
	var err error
	client := serve(t, func(context.Context, string) error { return err })
	for _, c := range []struct {
		err   error
		code  codes.Code
		after time.Duration
	}{
		{password.OverloadedError{After: 1234567 * time.Microsecond}, codes.Unavailable, 1234567 * time.Microsecond},
		{fmt.Errorf("%s: %w", secret, password.OverloadedError{After: time.Second}), codes.Unavailable, time.Second},
		{accountlimit.LimitedError{After: time.Minute}, codes.ResourceExhausted, time.Minute},
		{errors.Join(password.OverloadedError{After: time.Second}, context.DeadlineExceeded), codes.DeadlineExceeded, 0},
		{password.ErrMismatch, codes.Unauthenticated, 0},
		{fmt.Errorf("%w: %s", password.ErrMalformed, secret), codes.DataLoss, 0},
		{fmt.Errorf("%w: %s", password.ErrCost, secret), codes.DataLoss, 0},
		{password.ErrKey, codes.DataLoss, 0},
		{password.ErrTooLong, codes.InvalidArgument, 0},
		{password.ErrEmpty, codes.InvalidArgument, 0},
		{password.ErrNUL, codes.InvalidArgument, 0},
		{password.ErrClosed, codes.Unavailable, 0},
		{errors.Join(password.ErrClosed, password.OverloadedError{After: time.Second}), codes.Unavailable, time.Second},
		{fmt.Errorf("%s: %w", secret, context.DeadlineExceeded), codes.DeadlineExceeded, 0},
		{context.Canceled, codes.Canceled, 0},
		{status.Error(codes.NotFound, "the handler's own"), codes.NotFound, 0},
		{chosen{password.ErrMismatch}, codes.PermissionDenied, 0},
		{errors.New("another"), codes.Unknown, 0},
	} {
		err = c.err
		for way, call := range ways {
			got := call(t.Context(), client, "")
			if status.Code(got) != c.code {
				t.Errorf("%s: %v: %v; want %v", way, c.err, got, c.code)
			}
			if after, ok := RetryAfter(got); after != c.after || ok != (c.after > 0) {
				t.Errorf("%s: %v: retry after %v, %v; want %v", way, c.err, after, ok, c.after)
			}
			if strings.Contains(got.Error(), secret) {
				t.Errorf("%s: the answer has the error's text: %v", way, got)
			}
		}
	}
	err = nil
	if got := ways["unary"](t.Context(), client, ""); got != nil {
		t.Error(got)
	}
	if _, ok := RetryAfter(nil); ok {
		t.Error("no error says when to retry")
	}
	if s, ok := Status(errors.New("another")); ok {
		t.Errorf("another package's error has the status %v", s)
	}
}

// A real pool, a real connection: the right password, a wrong one, a damaged hash and a pool that is closed.
func TestPool(t *testing.T) {
	policy := password.Policy{Algorithm: password.Bcrypt, Cost: 4}
	pool, err := password.NewPool(password.Options{Policy: policy, MaxWait: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := password.Hash(policy, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	client := serve(t, func(ctx context.Context, name string) error {
		user, given, _ := strings.Cut(name, ":")
		if Principal(ctx) != "127.0.0.1" {
			t.Errorf("principal %q; want 127.0.0.1", Principal(ctx))
		}
		hash := map[string]string{"ada": stored, "damaged": stored[:20]}[user]
		_, err := pool.Verify(ctx, password.Login{Principal: Principal(ctx)}, []byte(given), hash)
		return err
	})
	for way, call := range ways {
		for name, want := range map[string]codes.Code{
			"ada:wrong": codes.Unauthenticated, "nobody:right": codes.Unauthenticated, "damaged:right": codes.DataLoss,
			"ada:" + strings.Repeat("x", 2000): codes.InvalidArgument,
		} {
			if err := call(t.Context(), client, name); status.Code(err) != want {
				t.Errorf("%s: %.20s: %v; want %v", way, name, err, want)
			}
		}
	}
	if err := ways["unary"](t.Context(), client, "ada:right"); err != nil {
		t.Error(err)
	}
	gone, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	if err := ways["unary"](gone, client, "ada:right"); status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("without time: %v; want DEADLINE_EXCEEDED", err)
	}
	if err := pool.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := ways["unary"](t.Context(), client, "ada:right"); status.Code(err) != codes.Unavailable {
		t.Errorf("closed: %v; want UNAVAILABLE", err)
	}
}

// gRPC's own client waits as long as the pool says, whatever its policy has.
func TestRetryPolicyHeedsThePool(t *testing.T) {
	const after = 20 * time.Millisecond
	var calls atomic.Int32
	client := serve(t, func(context.Context, string) error {
		if calls.Add(1) == 1 {
			return password.OverloadedError{After: after}
		}
		return nil
	}, grpc.WithDefaultServiceConfig(`{"methodConfig": [{"name": [{}], "retryPolicy": {
		"maxAttempts": 2, "initialBackoff": "3600s", "maxBackoff": "3600s", "backoffMultiplier": 1, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`))
	start := time.Now()
	if err := ways["unary"](t.Context(), client, ""); err != nil { // the policy alone would wait for an hour
		t.Fatal(err)
	}
	if took := time.Since(start); calls.Load() != 2 || took < after {
		t.Errorf("%d calls in %v; want 2, no sooner than %v", calls.Load(), took, after)
	}
}

// A wait that can't be counted in milliseconds is a long one, and none is below zero: not even one that a server made up.
func TestWaitsWithoutMeasure(t *testing.T) {
	for after, want := range map[time.Duration]time.Duration{
		math.MaxInt64: longest, longest + 1: longest, longest: longest, 1: 1, 0: 0, -1: 0, math.MinInt64: 0,
	} {
		var trailer metadata.MD
		got := answer(password.OverloadedError{After: after}, func(md metadata.MD) { trailer = md })
		if wait, ok := RetryAfter(got); !ok || wait != want {
			t.Errorf("%v: retry after %v, %v; want %v", after, wait, ok, want)
		}
		ms := strconv.FormatInt(max(1, want.Milliseconds()), 10)
		if pushback := trailer.Get("grpc-retry-pushback-ms"); len(pushback) != 1 || pushback[0] != ms {
			t.Errorf("%v: pushback %v; want %s", after, pushback, ms)
		}
		lie, err := status.New(codes.Unavailable, "").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(after)})
		if err != nil {
			t.Fatal(err)
		}
		if wait, ok := RetryAfter(lie.Err()); !ok || wait != want {
			t.Errorf("a server's %v: %v, %v; want %v", after, wait, ok, want)
		}
	}
}

// Whoever has no address that can be told from others is one principal.
func TestPrincipalWithoutAnAddress(t *testing.T) {
	if p := Principal(t.Context()); p != "" {
		t.Errorf("without a peer: %q", p)
	}
	for _, addr := range []net.Addr{nil, &net.UnixAddr{Name: "@", Net: "unix"}, &net.UnixAddr{Name: "/run/a", Net: "unix"},
		&net.UnixAddr{Name: "192.0.2.1:80", Net: "unix"}} { // a client may give its end the name of an address
		if p := Principal(peer.NewContext(t.Context(), &peer.Peer{Addr: addr})); p != "" {
			t.Errorf("%v: %q", addr, p)
		}
	}
}

// Both kinds of calls tell gRPC's own client when to come back.
func TestPushback(t *testing.T) {
	client := serve(t, func(context.Context, string) error { return password.OverloadedError{After: 1500 * time.Microsecond} })
	var unary metadata.MD
	client.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{}, grpc.Trailer(&unary))
	stream, err := client.Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	stream.Recv()
	for way, trailer := range map[string]metadata.MD{"unary": unary, "stream": stream.Trailer()} {
		if got := trailer.Get("grpc-retry-pushback-ms"); len(got) != 1 || got[0] != "2" {
			t.Errorf("%s: pushback %v; want 2", way, got)
		}
	}
}

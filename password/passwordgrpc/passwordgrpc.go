// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package passwordgrpc answers the errors of package password over gRPC, as
// passwordhttp.ServeError does over HTTP. It is not a service, and it verifies nothing by
// itself.
//
//	server := grpc.NewServer(
//		grpc.ChainUnaryInterceptor(passwordgrpc.UnaryServerInterceptor),
//		grpc.ChainStreamInterceptor(passwordgrpc.StreamServerInterceptor),
//	)
//
// A handler passes Principal(ctx) as the password.Login's and returns the error of
// Verify or Hash as it is.
package passwordgrpc

import (
	"context"
	"errors"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"fount/password"
	"fount/password/accountlimit"
)

// Status returns the status for an error of package password, and whether err is one.
// Its message is general: it reveals nothing of err.
//
//	OverloadedError                 UNAVAILABLE with RetryInfo
//	accountlimit.LimitedError       RESOURCE_EXHAUSTED with RetryInfo
//	ErrClosed                       UNAVAILABLE
//	ErrMismatch                     UNAUTHENTICATED
//	ErrMalformed, ErrCost, ErrKey   DATA_LOSS: the store holds what can't be verified
//	ErrTooLong, ErrEmpty, ErrNUL    INVALID_ARGUMENT: Hash takes no such password
//	ctx's errors                    DEADLINE_EXCEEDED, CANCELED
func Status(err error) (*status.Status, bool) {
	if limited, ok := errors.AsType[accountlimit.LimitedError](err); ok { // which is an OverloadedError too
		return retry(codes.ResourceExhausted, "too many wrong passwords", limited.After), true
	}
	for _, m := range meanings {
		if errors.Is(err, m.err) {
			return status.New(m.code, m.message), true
		}
	}
	if overloaded, ok := errors.AsType[password.OverloadedError](err); ok {
		return retry(codes.Unavailable, "overloaded", overloaded.After), true
	}
	if errors.Is(err, password.ErrClosed) {
		return status.New(codes.Unavailable, "shutting down"), true
	}
	return nil, false
}

// meanings come before OverloadedError: a client of a remote pool wraps that beside the cause.
var meanings = []struct {
	err     error
	code    codes.Code
	message string
}{
	{password.ErrMismatch, codes.Unauthenticated, "wrong user name or password"},
	{password.ErrMalformed, codes.DataLoss, "the stored password can't be verified"},
	{password.ErrCost, codes.DataLoss, "the stored password can't be verified"},
	{password.ErrKey, codes.DataLoss, "the stored password can't be verified"},
	{password.ErrTooLong, codes.InvalidArgument, "password too long"},
	{password.ErrEmpty, codes.InvalidArgument, "empty password"},
	{password.ErrNUL, codes.InvalidArgument, "password with a NUL byte"},
	{context.DeadlineExceeded, codes.DeadlineExceeded, "the deadline passed before the answer"},
	{context.Canceled, codes.Canceled, "canceled"},
}

// longest is far above what a pool or a limit asks for, and can be counted in all units.
const longest = 30 * 24 * time.Hour

func retry(code codes.Code, message string, after time.Duration) *status.Status {
	s := status.New(code, message)
	if detailed, err := s.WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(sane(after))}); err == nil {
		return detailed
	}
	return s // WithDetails fails for codes.OK alone
}

func sane(wait time.Duration) time.Duration { return min(max(wait, 0), longest) }

// RetryAfter returns how long a client is to wait before the next attempt, as the
// RetryInfo of a status says: 0 to 30 days, whatever the server wrote. Without one it
// returns false.
func RetryAfter(err error) (time.Duration, bool) {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok && info.GetRetryDelay().IsValid() {
			return sane(info.GetRetryDelay().AsDuration()), true
		}
	}
	return 0, false
}

// Principal returns the principal of the call's peer (see password.PrincipalOf): its
// address without the port. It is "" if the peer has none, as over a Unix socket. Behind a
// proxy it is the proxy's: take what your own proxy added to the metadata instead.
func Principal(ctx context.Context) string {
	p, ok := peer.FromContext(ctx)
	if !ok || p.Addr == nil || p.Addr.Network() == "unix" { // whose name the client may choose to look like an address
		return ""
	}
	return password.PrincipalOf(p.Addr.String())
}

// UnaryServerInterceptor answers the errors of package password by their Status, and
// tells clients whose retryPolicy has the code when to come back
// (grpc-retry-pushback-ms; gRFC A6). It passes on all other errors as they are.
func UnaryServerInterceptor(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	reply, err := handler(ctx, request)
	return reply, answer(err, func(md metadata.MD) { grpc.SetTrailer(ctx, md) })
}

// StreamServerInterceptor does the same for streams.
func StreamServerInterceptor(server any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	return answer(handler(server, stream), stream.SetTrailer)
}

func answer(err error, setTrailer func(metadata.MD)) error {
	if err == nil {
		return nil
	}
	if _, ok := err.(interface{ GRPCStatus() *status.Status }); ok { // the handler chose one
		return err
	}
	s, ok := Status(err)
	if !ok {
		return err
	}
	if after, ok := RetryAfter(s.Err()); ok {
		ms := max(1, (after + time.Millisecond - 1).Milliseconds())
		setTrailer(metadata.Pairs("grpc-retry-pushback-ms", strconv.FormatInt(ms, 10)))
	}
	return s.Err()
}

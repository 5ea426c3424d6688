// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsconn_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/nats-io/nats.go"

	"fount/password"
	"fount/remote"
	"fount/remote/natsconn"
)

// A client of a fleet, whose key it has from the fleet's owner.
func Example() {
	key, err := os.ReadFile("fleet.pub")
	if err != nil {
		log.Fatal(err)
	}
	nc, err := nats.Connect("nats://127.0.0.1:4222", natsconn.Options()...)
	if err != nil {
		log.Fatal(err)
	}
	defer nc.Close()
	fleet, err := remote.NATS(natsconn.New(nc), string(key), remote.NATSOptions{})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	login := password.Login{Principal: "192.0.2.1"}
	_, err = fleet.Verify(ctx, login, []byte("correct horse battery staple"), "$2b$10$xPdJfNz5DFgwalm28vVjB.3uKsiWHDMC67zMLcA840LzZQIx1YAg6")
	overloaded, refused := errors.AsType[password.OverloadedError](err)
	switch {
	case refused:
		fmt.Println("overloaded: try again in", overloaded.After)
	case err == nil, errors.Is(err, password.ErrMismatch):
		fmt.Println(err == nil)
	default:
		log.Fatal(err)
	}
}

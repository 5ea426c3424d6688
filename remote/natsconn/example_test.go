// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsconn_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats.go"

	"fount/password"
	"fount/remote"
	"fount/remote/natsconn"
)

// A service asks a fleet in place of a pool of its own.
func Example() {
	key, err := os.ReadFile("fleet.pub") // by: fountd key public fleet.key
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
	_, err = fleet.Verify(context.Background(), password.Login{Principal: "192.0.2.1"}, []byte("secret"), "$2b$10$...")
	fmt.Println(errors.Is(err, password.ErrMismatch))
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsconn_test

import (
	"context"
	"fmt"
	"log"
	"os"

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
	defer fleet.Close(context.Background())

	var pool password.Verifier = fleet // which is used as every other
	fmt.Println(pool.Ready(context.Background(), password.Login{Principal: "192.0.2.1"}))
}

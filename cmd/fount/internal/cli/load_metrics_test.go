// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"fount/internal/test/socketdir"
)

var submitted = regexp.MustCompile(`(?m)^fount_password_calls_submitted_total\{class="sign_in",pool="load"\} [1-9]`)

// Metrics are served while a run lasts, over TCP and a Unix socket, and the page ends with it.
func TestLoadMetrics(t *testing.T) {
	addresses := map[string]string{"tcp": "127.0.0.1:0"}
	if runtime.GOOS != "plan9" && runtime.GOOS != "windows" {
		addresses["unix"] = "unix!" + filepath.Join(socketdir.New(t), "load.sock")
	}
	for network, address := range addresses {
		t.Run(network, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := newLoadPassword()
			cmd.SetArgs([]string{"-m", "pool", "--cost", "4", "--rate", "200", "-d", "1h", "--metrics", address, "--json"})
			stderr, to := io.Pipe()
			cmd.SetOut(io.Discard)
			cmd.SetErr(to)
			ended := make(chan error, 1)
			go func() { ended <- cmd.ExecuteContext(ctx) }()
			line, err := bufio.NewReader(stderr).ReadString('\n')
			go io.Copy(io.Discard, stderr)
			_, at, found := strings.Cut(strings.TrimSpace(line), ": metrics at ")
			if err != nil || !found {
				t.Fatalf("standard error says %q, %v", line, err)
			}
			dial := func(ctx context.Context) (net.Conn, error) {
				var d net.Dialer
				if network == "unix" {
					return d.DialContext(ctx, "unix", strings.TrimSuffix(strings.TrimPrefix(at, "unix!"), ", /metrics"))
				}
				return d.DialContext(ctx, "tcp", strings.TrimSuffix(strings.TrimPrefix(at, "http://"), "/metrics"))
			}
			client := http.Client{Transport: &http.Transport{
				DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
			}}
			defer client.CloseIdleConnections()
			for page := ""; !submitted.MatchString(page); {
				if page, err = get(ctx, &client); err != nil {
					t.Fatal(err)
				}
			}
			cancel()
			<-ended // with the context's error
			if c, err := dial(t.Context()); err == nil {
				c.Close()
				t.Error("the address is served after the run")
			}
		})
	}
}

func get(ctx context.Context, client *http.Client) (page string, err error) {
	request, err := http.NewRequestWithContext(ctx, "GET", "http://load/metrics", nil)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

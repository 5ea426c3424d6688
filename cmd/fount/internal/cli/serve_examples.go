// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What messages and help suggest to those who serve files and read them, on this system and for its shell.

package cli

import "runtime"

// examples are of one system. An address is quoted because an interactive bash expands ! to an earlier command.
type examples struct {
	address       string // of a server, for its clients
	flag          string // of fount serve files, with a value
	parent, files string // lines of help for fount serve and fount serve files
}

var serving = servingOn(runtime.GOOS)

// servingOn are the examples for a system. Plan 9 has no unix sockets.
func servingOn(goos string) examples {
	if goos == "plan9" {
		return examples{
			address: "'tcp!127.0.0.1!5640'",
			flag:    "--post fount",
			parent: `  fount serve files --post fount     until it is interrupted
  mount /srv/fount /n/fount; dd -if /n/fount/random -bs 32 -count 1`,
			files: `  fount serve files --post fount
  mount /srv/fount /n/fount dev; bind /n/fount/random /dev/random`,
		}
	}
	return examples{
		address: "'unix!/run/fount.sock'",
		flag:    "--listen 'unix!/run/fount.sock'",
		parent: `  fount serve files --listen 'unix!/run/fount.sock'     until Ctrl-C
  fount rand 32 --hex --from 'unix!/run/fount.sock'     from another terminal`,
		files: `  fount serve files --listen 'unix!/run/fount.sock'
  mount -t 9p -o trans=unix,version=9p2000,cache=none /run/fount.sock /mnt`,
	}
}

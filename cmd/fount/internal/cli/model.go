// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount model: what can't be measured on this machine, computed.

package cli

import "github.com/spf13/cobra"

// newModel is the command "fount model", which has commands of its own.
func newModel() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "model scale [flags]",
		Short: "locks on machines of several sockets, modelled",
		Example: `  fount model scale --lock node --draws 10000
  fount model scale --lock mcs --sockets 8 --work 500 --draws 10000`,
	}, "model", newModelScale())
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What Windows tells.

import (
	"crypto/rand"
	"fmt"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

func inspectOS(f *Facts) {
	v := windows.RtlGetVersion()
	f.Kernel = fmt.Sprintf("%d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
	const hardware = `HARDWARE\DESCRIPTION\System\`
	f.CPU = strings.TrimSpace(registryString(hardware+`CentralProcessor\0`, "ProcessorNameString"))
	s := signs{
		bit: Unknown,
		dmi: registryString(hardware+"BIOS", "SystemManufacturer") + " " + registryString(hardware+"BIOS", "SystemProductName"),
	}
	f.Virtual, f.Vendor = s.judge()
	f.Random.Repeats = repeats(fill(rand.Read))
}

// registryString reads a value of HKEY_LOCAL_MACHINE, "" if it is not there.
func registryString(path, name string) string {
	k, err := registry.OpenKey(registry.LOCAL_MACHINE, path, registry.QUERY_VALUE)
	if err != nil {
		return ""
	}
	defer k.Close()
	s, _, err := k.GetStringValue(name)
	if err != nil {
		return ""
	}
	return s
}

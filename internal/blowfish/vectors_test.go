// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"strings"
	"testing"
)

// vectors are those of crypt_blowfish 1.3, wrapper.c, the array tests
// (https://www.openwall.com/crypt/; read at
// github.com/bemxio/libbcrypt, commit ad86c2ad8dbc1f67f5223afc5a78247480c533db,
// crypt_blowfish/wrapper.c), without the malformed settings, which package
// password refuses before any key gets here.
//
// There, 2x is the algorithm with a sign extended where it should not be, and
// 2a has a countermeasure against what that made equal. An Engine computes 2y
// and 2b. The others must come out when, and only when, the defect does not
// show: want says so.
var vectors = []struct {
	hash, password string
	want           bool
}{
	{"$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U", true},
	{"$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK", "U*U*", true},
	{"$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a", "U*U*U", true},
	{"$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui",
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored", true},
	{"$2x$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e", "\xa3", false},
	{"$2x$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e", "\xff\xff\xa3", true},
	{"$2a$05$/OK.fbVrR/bpIqNJ5ianF.nqd1wy.pTMdcvrRWxyiGL2eMz.2a85.", "\xff\xff\xa3", false},
	{"$2y$05$/OK.fbVrR/bpIqNJ5ianF.Sa7shbm4.OzKpvFnX1pQLmQW96oUlCq", "\xa3", true},
	{"$2x$05$/OK.fbVrR/bpIqNJ5ianF.o./n25XVfn6oAPaUvHe.Csk4zRfsYPi", "1\xa3345", false},
	{"$2x$05$/OK.fbVrR/bpIqNJ5ianF.o./n25XVfn6oAPaUvHe.Csk4zRfsYPi", "\xff\xa3345", false},
	{"$2x$05$/OK.fbVrR/bpIqNJ5ianF.o./n25XVfn6oAPaUvHe.Csk4zRfsYPi", "\xff\xa334\xff\xff\xff\xa3345", true},
	{"$2a$05$/OK.fbVrR/bpIqNJ5ianF.ZC1JEJ8Z4gPfpe1JOr/oyPXTWl9EFd.", "\xff\xa334\xff\xff\xff\xa3345", false},
	{"$2y$05$/OK.fbVrR/bpIqNJ5ianF.nRht2l/HRhr6zmCp9vYUvvsqynflf9e", "\xff\xa3345", true},
	{"$2a$05$/OK.fbVrR/bpIqNJ5ianF.6IflQkJytoRVc1yuaNtHfiuq.FRlSIS", "\xa3ab", true},
	{"$2x$05$6bNw2HLQYeqHYyBfLMsv/OiwqTymGIGzFsA4hOTWebfehXHNprcAS", "\xd1\x91", false},
	{"$2x$05$6bNw2HLQYeqHYyBfLMsv/O9LIGgn8OMzuDoHfof8AQimSGfcSWxnS", "\xd0\xc1\xd2\xcf\xcc\xd8", false},
	{"$2a$05$/OK.fbVrR/bpIqNJ5ianF.swQOIzjOiJ9GHEPuhEkvqrUyvWhEMx6",
		strings.Repeat("\xaa", 72) + "chars after 72 are ignored as usual", true},
	{"$2a$05$/OK.fbVrR/bpIqNJ5ianF.R9xrDjiycxMbQE2bp.vgqlYpW5wx2yy", strings.Repeat("\xaa\x55", 36), true},
	{"$2a$05$/OK.fbVrR/bpIqNJ5ianF.9tQZzcJfm3uj2NvJ/n5xkhpqLrMpWCe", strings.Repeat("\x55\xaa\xff", 24), true},
	{"$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy", "", true},
}

func TestVectorsOfCryptBlowfish(t *testing.T) {
	e := new(Engine)
	for width := 1; width <= MaxLanes; width++ {
		for i := 0; i < len(vectors); i += width {
			part := vectors[i:min(i+width, len(vectors))]
			lanes := make([]*Lane, len(part))
			for j, v := range part {
				lanes[j] = newLane(v.password, decodeSalt(t, v.hash[7:29]))
			}
			e.Run(5, lanes)
			for j, v := range part {
				if got := encode(lanes[j].Sum[:]) == v.hash[29:]; !lanes[j].Done || got != v.want {
					t.Errorf("width %d: %q came out for %q: %v (done: %v), want %v",
						width, v.hash, v.password, got, lanes[j].Done, v.want)
				}
			}
		}
	}
}

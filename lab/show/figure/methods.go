// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

// How each way to draw random values looks, in all plots.

// Methods is the look of each method's line, by the method's name: one colour a family, fount's strong.
var Methods = map[string]Look{
	"fount":        {Color: Vermilion, Strong: true},
	"fount.Strict": {Color: Vermilion},

	"crypto/rand":      {Color: Black},
	"crypto/rand FIPS": {Color: Black, Dashed: true},
	"getrandom, vDSO":  {Color: Gray},
	"getrandom(2)":     {Color: Gray, Dashed: true},
	"/dev/urandom":     {Color: Silver},

	"math/rand/v2":         {Color: BluishGreen},
	"math/rand/v2 ChaCha8": {Color: BluishGreen},
	"sync.Pool":            {Color: Blue},
	"frand":                {Color: Blue, Dashed: true},
	"AES-256-CTR":          {Color: Purple},
	"one mutex":            {Color: Purple},
	"mutex per node":       {Color: Purple, Dashed: true},
	"channel":              {Color: Purple},

	// What draws nothing, and shows what the machine allows.
	"arithmetic":  {Color: Silver, Plain: true},
	"no draw":     {Color: Silver, Dashed: true, Plain: true},
	"clock alone": {Color: Silver, Dashed: true},
}

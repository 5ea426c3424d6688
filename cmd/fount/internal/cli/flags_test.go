// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of every flag of every command with values at its edges: what is refused is named, with what would be right, and
// that is true.

package cli

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/lab/nonce"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A domain is what a flag takes, as its documentation has it and not as the program decides.
type domain struct {
	takes func(string) bool
	says  []string // each is in the refusal, after the value
	edges []string // values beside those that all flags get
	empty bool     // what is refused is the empty string, which is not quoted
}

// whole is the domain of whole numbers.
func whole(least, most int64) domain {
	return domain{
		takes: func(s string) bool {
			n, err := strconv.ParseInt(s, 10, 64)
			return err == nil && least <= n && n <= most
		},
		says:  []string{fmt.Sprintf("from %d to %d", least, most), "use for example "},
		edges: edgesOf(least, most),
	}
}

func edgesOf(least, most int64) (edges []string) {
	for _, n := range []int64{least, most} {
		for d := int64(-1); d <= 1; d++ {
			edges = append(edges, strconv.FormatInt(n+d, 10)) // one that overflows is an edge too
		}
	}
	return edges
}

// unsigned is the domain of whole numbers of 64 bits.
func unsigned(least uint64) domain {
	return domain{
		takes: func(s string) bool {
			n, err := strconv.ParseUint(s, 10, 64)
			return err == nil && n >= least
		},
		says: []string{fmt.Sprintf("from %d to %d", least, uint64(math.MaxUint64)), "use for example "},
	}
}

// list is the domain of whole numbers between commas.
func list(most int64, words ...string) domain {
	one := whole(1, most)
	one.takes, one.edges = each(one.takes, words), append(one.edges, "1,2", "1,0", "1,,2", ",", "none")
	return one
}

// eachOf is the domain of lists of what a domain takes.
func eachOf(d domain) domain {
	d.takes, d.edges = each(d.takes, nil), append(d.edges, "16,32", "16,,32", "16,15", ",")
	return d
}

func each(takes func(string) bool, words []string) func(string) bool {
	return func(s string) bool {
		for part := range strings.SplitSeq(s, ",") {
			if !takes(part) {
				return len(words) > 0 && s == words[0]
			}
		}
		return true
	}
}

// real is the domain of numbers, least included or not.
func real(least, most float64, inclusive bool, suffix string, says ...string) domain {
	return domain{
		takes: func(s string) bool {
			x, err := strconv.ParseFloat(strings.TrimSuffix(s, suffix), 64)
			return err == nil && (x > least || inclusive && x == least) && x <= most
		},
		says:  says,
		edges: []string{fmt.Sprint(least), fmt.Sprint(most), fmt.Sprint(math.Nextafter(most, math.Inf(1))), "1e-9"},
	}
}

// nanos are the seconds of a time that Go writes, for those that the tests use.
var nanos = map[string]float64{
	"0": 0, "-0": 0, "+0": 0, "0s": 0, "-1s": -1, "1ns": 1e-9, "40ms": 0.04, "59s": 59, "1m": 60, "1m1ns": 60.000000001,
	"60s": 60, "1h": 3600, "3600s": 3600, "1h1ns": 3600.000000001, "99h": 356400,
}

// span is the domain of times up to most seconds.
func span(zero bool, most float64, says string) domain {
	return domain{
		takes: func(s string) bool {
			x, ok := nanos[s]
			return ok && x <= most && (x > 0 || zero && x == 0)
		},
		says:  []string{says, "use for example "},
		edges: []string{"0s", "-1s", "1ns", "59s", "60s", "1m1ns", "1h", "1h1ns", "99h", "9999999999h", "5 s"},
	}
}

// words is the domain of some words.
func oneOf(says string, all ...string) domain {
	return domain{
		takes: func(s string) bool {
			for _, word := range all {
				if s == word {
					return true
				}
			}
			return false
		},
		says:  []string{says, "use "},
		edges: append(all, strings.ToUpper(all[0]), all[0]+" "),
	}
}

// sizes is the domain of numbers of bytes above 0.
func sizes(most float64, more func(float64) bool, says ...string) domain {
	return domain{
		takes: func(s string) bool {
			digits := strings.TrimRight(s, "KMGkmg")
			n, err := strconv.ParseUint(digits, 10, 63)
			unit, ok := map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[strings.ToUpper(s[len(digits):])]
			x := float64(n) * unit
			ok = ok && err == nil && x < 1<<63 || s == "9223372036854775807"
			return ok && x != 0 && x <= most && (more == nil || more(x))
		},
		says:  says,
		edges: []string{"15", "16", "1M", "1m", "1048592", "0G", "8589934591G", "8589934592G", "99999999999999999999K", "1KK"},
	}
}

// free is the domain of names; what is wrong with one is found with the others.
var free = domain{takes: func(string) bool { return true }}

// named is the domain of names that may not be empty.
var named = domain{takes: func(s string) bool { return s != "" }, says: []string{" has an empty ", "; use "}, empty: true}

// expression is the domain of regular expressions.
var expression = domain{
	takes: func(s string) bool { return s != "(" && s != "*" && s != "+1" && s != "1\xff" },
	says:  []string{"is not a regular expression: "},
	edges: []string{"(", "*", ".*"},
}

var (
	policies = domain{
		takes: func(s string) bool {
			return strings.HasPrefix(s, "bcrypt") && !strings.HasSuffix(s, "0") && !strings.HasSuffix(s, "=") &&
				!strings.HasSuffix(s, "8") && !strings.HasSuffix(s, "?")
		},
		says: []string{" "},
		edges: []string{"bcrypt", "bcrypt,cost=0", "bcrypt,cost=1", "bcrypt,cost=2147483647", "bcrypt,cost=2147483648",
			"bcrypt,cost=", "bcrypt?", "md5", "argon2id,m=4294967295"},
	}
	octal = domain{
		takes: func(s string) bool {
			n, err := strconv.ParseUint(s, 8, 32)
			return err == nil && n&^0o666 == 0
		},
		says:  []string{"octal", "from 0 to 0666", "use for example "},
		edges: []string{"0600", "0666", "0667", "0777", "07777777777777", "0o600", "8"},
	}
	loopback = domain{
		takes: func(s string) bool { return slices.Contains(loopbacks, s) },
		says:  []string{"a loopback address with a port, or unix!PATH", "use for example "},
		edges: append([]string{
			"127.0.0.1:65536", "127.0.0.1", "127.0.0.1:", ":9464", "0.0.0.0:9464", "[::]:9464", "192.0.2.1:9464", "localhost.example:1",
			"unix!", "tcp!127.0.0.1!9464", "http://127.0.0.1:9464", "unix:/a",
		}, loopbacks...),
	}
	hour   = span(true, 3600, "from 0s to 1h;")
	minute = span(true, 60, "from 0s to 1m;")
	memory = sizes(math.MaxInt64+1, nil, " ")
)

// domains are those of all flags but those of type bool.
var domains = map[string]domain{
	"count": whole(1, 1e6), "cpu": list(mostCPUs), "goroutines": whole(1, 1e5), "bench": expression, "output": named,
	"benchtime": {
		takes: func(s string) bool {
			if digits, ok := strings.CutSuffix(s, "x"); ok {
				return whole(1, math.MaxInt32).takes(digits)
			}
			return span(false, 3600, "").takes(s)
		},
		says:  []string{"a time above 0s and up to 1h", "Nx with N from 1 to 2147483647", "use for example "},
		edges: []string{"0s", "-1s", "1ns", "1h", "1h1ns", "99h", "0x", "1x", "-1x", "x", "2147483647x", "2147483648x", "1.5x"},
	},
	"cost": whole(4, 15),

	"bench nonce capacity": whole(0, 1<<24), "bench nonce channels": whole(1, 1<<12), "bench nonce writers": whole(1, 1<<12),
	"bench nonce burst-length": whole(1, 1<<24), "bench nonce idle": span(false, 60, "above 0s and up to 1m;"),
	"bench nonce buffer": sizes(1<<20, func(x float64) bool { return math.Mod(x, 16) == 0 },
		"a multiple of 16 from 16 to 1M", "use for example "),
	"bench nonce buffers": eachOf(sizes(1<<20, func(x float64) bool { return math.Mod(x, 16) == 0 },
		"a list of multiples of 16 from 16 to 1M", "use for example ")),
	"bench nonce feeders": list(1 << 12),
	"bench nonce via":     oneOf("a way to the kernel", waysHere()...),
	"bench nonce call":    oneOf("a call", "none", "gosched", "loopback"),

	"bench source profile": minute,

	"bench seeds seedings": whole(1, 1e9), "bench seeds procs": whole(2, 1000), "bench seeds count": whole(1, 1000),

	"bench files procs": whole(1, 1000), "bench files count": whole(1, 1000), "bench files deadline": hour,
	"bench files ring": oneOf("a state", "empty", "full"), "bench files program": free,

	"bench password libargon2": free,
	"bench password argon2id": {
		takes: func(s string) bool { return s == "m=65536,t=3,p=4" || s == "t=2147483647" },
		says:  []string{"parameters of argon2id", "use for example 'm="},
		edges: []string{"m=65536,t=3,p=4", "m=0", "m=64,", "t=2147483647", "t=2147483648", "cost=4", ",", "argon2id,m=64"},
	},

	"bench scale mode":      oneOf("a mode", "threads", "processes", "both"),
	"bench scale benchtime": minute, "bench scale work": whole(0, 1e9), "bench scale nodes": whole(1, 1<<10),
	"bench scale goroutines": list(1e6, "none"), "bench scale svg": named,
	"bench scale submit": named, "bench scale from": named, "bench scale against": named,

	"load password mechanism": oneOf("a mechanism", "max_out", "buffered", "semaphore", "pool", "pool+lanes"),
	"load password engine":    oneOf("an engine", "x/crypto", "fount"),
	"load password callers":   whole(1, 1e6), "load password buffer": whole(0, 1e6), "load password workers": whole(1, 1e4),
	"duration": hour, "load password cut": hour, "load password deadline": hour, "load password memory": memory,
	"load password rate": real(0, 1e6, false, "", "above 0 and up to 1e6", "use for example "),
	"load password seed": unsigned(1), "load password metrics": loopback, "policy": policies,

	"password calibrate target": minute, "password calibrate memory": memory, "hash-file": free, "user": free,
	"password survey measure": hour, "password survey database": named, "password survey query": named,
	"password survey rate":    real(1, 1e9, true, "/day", "from 1/day to 1e9/day", "use for example "),
	"password calibrate rate": real(0, 1e6, false, "/s", "above 0/s and up to 1e6/s", "use for example "),

	"model scale lock": oneOf("a lock", "ticket", "mcs", "node", "none"), "model scale svg": named,
	"model scale sockets": whole(1, 64), "model scale cores": whole(1, 256),
	"model scale section": real(0.001, 1e6, true, "", "from 0.001 to 1e+06", "use for example "),
	"model scale work":    real(0, 1e9, true, "", "from 0 to 1e+09", "use for example "),
	"model scale near":    real(0, 1e4, true, "", "from 0 to 10000", "use for example "),
	"model scale far":     real(0, 1e6, true, "", "from 0 to 1e+06", "use for example "),
	"model scale seed":    whole(math.MinInt64, math.MaxInt64),
	"model scale draws": {
		takes: func(s string) bool {
			x, err := strconv.ParseFloat(s, 64)
			return err == nil && x == math.Trunc(x) && 1000 <= x && x <= 1e9
		},
		says:  []string{"from 1000 to 1e9", "use for example "},
		edges: []string{"999", "1000", "1e9", "1000000001", "1000.5"},
	},

	"nonce size": oneOf("the size of a nonce", "12", "16", "24"), "rand from": named,
	"rand count": unsigned(0), "token count": unsigned(0), "nonce count": unsigned(0),
	"uuid count": unsigned(0),
	"token alphabet": {
		takes: func(s string) bool {
			different := make(map[rune]bool)
			for _, c := range s {
				different[c] = true
			}
			return len(s) >= 2 && len(different) == len(s) && printable(s)
		},
		says:  []string{"; use "},
		edges: []string{"ab", "aa", "aba", "abc ", "~}", "\x7f!", "\x1fa", "éa", "0123456789"},
	},
	"passphrase separator": {
		takes: func(s string) bool {
			return 1 <= len(s) && len(s) <= 8 && printable(s) && !strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz")
		},
		says:  []string{"use "},
		edges: []string{"-", "_.", "12345678", "123456789", "a", "Z", "é", "\t"},
	},
	"serve files listen": free, "serve files post": free, "serve files mode": octal, "serve files max-conns": whole(1, 1<<20),
	"serve files max-user-conns": whole(1, 1<<20),
	"serve files max-fids":       whole(2, 1<<20), "serve files msize": whole(256, 16<<20+24), "mount attach": free, "report from": named,
	"top interval": {
		takes: func(s string) bool {
			return s == "59s" || s == "60s" || s == "1m" || s == "1m1ns" || s == "1h" || s == "100ms"
		},
		says:  []string{"a time from 100ms to 1h", "use for example "},
		edges: []string{"0s", "-1s", "99ms", "100ms", "59s", "60s", "1m1ns", "1h", "1h1ns", "99h", "5 s"},
	},
	"load recovery runs": expression, "iostats rows": whole(0, 1e6), "iostats source": free, "report against": named,
	"why pid": whole(1, 1<<22), "why pprof": named, "why perf": named,
}

var loopbacks = []string{"127.0.0.1:0", "127.0.0.1:65535", "127.9.9.9:1", "localhost:9464", "[::1]:9464", "unix!a", "unix!/a b!c"}

// printable reports whether s is of the characters of ASCII that leave a mark, and spaces.
func printable(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < 32 || c > 126 }) < 0
}

// waysHere are the ways to the kernel that this system has.
func waysHere() (names []string) {
	for _, via := range nonce.Vias {
		names = append(names, via.Name)
	}
	return names
}

// domainOf is the domain of a flag: of its command, or of all that have it.
func domainOf(command, name string) (domain, bool) {
	if d, ok := domains[command+" "+name]; ok {
		return d, true
	}
	d, ok := domains[name]
	return d, ok
}

// general are values for every flag.
var general = []string{
	"", " ", "0", "1", "-1", "+1", "007", "1.5", "1e3", "1e400", "NaN", "Inf", "-Inf", "junk", "0x10", "1_000", "٣", "1\xff",
	"2147483647", "2147483648", "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808",
	"-9223372036854775809", "18446744073709551615", "18446744073709551616", "99999999999999999999999999",
}

// eachFlag calls f with every flag of every command but those of type bool and hidden commands.
func eachFlag(f func(command string, flag *pflag.Flag)) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "fount"), " ")
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if flag.Value.Type() != "bool" {
				f(path, flag)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newProgram().root)
}

// Every flag takes what is in its domain and no more, and what it refuses ends the program with status 2 and a line that
// names the value and the domain. A flag without a domain here is one whose errors nobody has read.
func TestFlagsAtTheirEdges(t *testing.T) {
	tried := make(map[string]bool)
	refused := 0
	eachFlag(func(command string, flag *pflag.Flag) {
		d, ok := domainOf(command, flag.Name)
		if !ok {
			t.Errorf("fount %s --%s: no domain; add one", command, flag.Name)
			return
		}
		tried[command+" "+flag.Name], tried[flag.Name] = true, true
		for _, value := range append(append([]string{}, general...), d.edges...) {
			err := flag.Value.Set(value)
			if takes := d.takes(value); (err == nil) != takes {
				t.Errorf("fount %s --%s %q: %v, want it taken: %v", command, flag.Name, value, err, takes)
				continue
			}
			if err == nil {
				continue
			}
			refused++
			var stdout, stderr bytes.Buffer
			status := Main(append(strings.Fields(command), "--"+flag.Name, value), nil, &stdout, &stderr)
			said := stderr.String()
			want := append([]string{"fount " + command + ": " + flagName(flag) + " " + strconv.Quote(value) + " "}, d.says...)
			if d.empty {
				want[0] = "fount " + command + ": " + flagName(flag) + " has"
			}
			for _, part := range want {
				if !strings.Contains(said, part) {
					t.Errorf("fount %s --%s %q says %q, want %q in it", command, flag.Name, value, said, part)
				}
			}
			if status != statusUsage || stdout.Len() > 0 || strings.Count(said, "\n") != 1 {
				t.Errorf("fount %s --%s %q: status %d, stdout %q, stderr %q; want 2, none, and one line",
					command, flag.Name, value, status, stdout.String(), said)
			}
		}
	})
	for name := range domains {
		if !tried[name] {
			t.Errorf("no command has the flag %q", name)
		}
	}
	if refused < 1000 {
		t.Errorf("%d values refused: the walk does not come to the flags", refused)
	}
}

// A flag of type bool takes no value but those of Go, and says so.
func TestBoolFlags(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if flag.Value.Type() != "bool" {
				return
			}
			args := append(strings.Fields(cmd.CommandPath())[1:], "--"+flag.Name+"=junk")
			var stdout, stderr bytes.Buffer
			status := Main(args, nil, &stdout, &stderr)
			want := fmt.Sprintf("%s: %s takes no value, and %q was given\n", cmd.CommandPath(), flagName(flag), "junk")
			if status != statusUsage || stderr.String() != want || stdout.Len() > 0 {
				t.Errorf("%v: status %d, %q, want 2 and %q", args, status, stderr.String(), want)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newProgram().root)
}

// Names that are empty are refused before anything is done, by every flag for a file, a directory or an address.
func TestEmptyNames(t *testing.T) {
	eachFlag(func(command string, flag *pflag.Flag) {
		if flag.Value.Type() != "string" && flag.Value.Type() != "stringArray" || flag.Hidden {
			return
		}
		args := append(strings.Fields(command), "--"+flag.Name, "")
		switch command {
		case "mount", "password verify", "password inspect":
			return // their arguments come first; see their scripts
		}
		var stdout, stderr bytes.Buffer
		if status := Main(args, strings.NewReader(""), &stdout, &stderr); status != statusUsage || stdout.Len() > 0 ||
			strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "empty") &&
			!strings.Contains(stderr.String(), `""`) && !strings.Contains(stderr.String(), "Plan 9") {
			t.Errorf("%v: status %d, stdout %d bytes, stderr %q; want 2, none, and that the name is empty", args, status,
				stdout.Len(), stderr.String())
		}
	})
}

// A shell offers files for a flag that takes one, and for no other.
func TestFlagsOfferFiles(t *testing.T) {
	file := map[string]bool{"output": true, "svg": true, "hash-file": true, "libargon2": true, "report from": true, "report against": true, "bench scale submit": true, "bench scale from": true, "bench scale against": true, "iostats source": true}
	eachFlag(func(command string, flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		var stdout, stderr bytes.Buffer
		Main(append(append([]string{"__complete"}, strings.Fields(command)...), "--"+flag.Name, ""), nil, &stdout, &stderr)
		none := strings.HasSuffix(stdout.String(), fmt.Sprintf(":%d\n", cobra.ShellCompDirectiveNoFileComp))
		if want := !file[flag.Name] && !file[command+" "+flag.Name]; none != want || stdout.Len() == 0 {
			t.Errorf("fount %s --%s offers no files: %v, want %v: %q", command, flag.Name, none, want, stdout.String())
		}
	})
}

func TestTimeText(t *testing.T) {
	for text, seconds := range map[string]int{"1h": 3600, "1m": 60, "1h1m": 3660, "1h0m1s": 3601, "0s": 0, "10m": 600,
		"10s": 10, "20h": 72000} {
		if got := timeText(time.Duration(seconds) * time.Second); got != text {
			t.Errorf("%v s is %q, want %q", seconds, got, text)
		}
	}
}

// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

// Tests of the kernel under the process. They skip where it has no getrandom in its vDSO, and fail
// where it has one and the counter is not found: Linux 6.11 on amd64 is the flagship.

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func kernelAtLeast(t *testing.T, major, minor int) bool {
	t.Helper()
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		t.Fatal(err)
	}
	var x, y int
	fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &x, &y)
	return x > major || x == major && y >= minor
}

// realKernel returns the kernel of this process, or skips.
func realKernel(t testing.TB) *osKernel {
	t.Helper()
	k, err := openKernel()
	if err != nil {
		t.Skip("no kernel generation here:", err)
	}
	t.Cleanup(func() {
		unix.Munmap(k.(*osKernel).state)
		unix.Munmap(k.(*osKernel).scratch)
		k.release()
	})
	return k.(*osKernel)
}

func TestKernelGeneration(t *testing.T) {
	k, err := findVDSO()
	k.release()
	if err != nil {
		if runtime.GOARCH == "amd64" && kernelAtLeast(t, 6, 11) {
			t.Fatal("Linux 6.11 or later on amd64:", err)
		}
		t.Skip("no kernel generation here:", err)
	}

	forget()
	t.Cleanup(forget)
	Check()
	r := Status()
	if r.Mode == "vmclock" {
		t.Skip("a better counter is in use:", r.Mode)
	}

	mode := "kernel generation, verified"
	_, err = findNotifier(notifierDirs)
	if err != nil {
		mode = "window" // the counter is found, but not trusted
	}
	wantMode(t, mode, err == nil, "")

	urandom, err := os.Open("/dev/urandom")
	if err != nil {
		t.Fatal(err)
	}
	defer urandom.Close()

	const rndReseedCRNG = 0x5207 // _IO('R', 7), linux/random.h
	reseed := func() error { return unix.IoctlSetInt(int(urandom.Fd()), rndReseedCRNG, 0) }
	if err := reseed(); err != nil {
		t.Skip("RNDRESEEDCRNG needs CAP_SYS_ADMIN, so the counter can't be made to change:", err)
	}

	// The kernel's own reseed, once in 60 s, may fall between two reads, but not between all three.
	exact := 0
	for range 3 {
		before := Load()
		if err := reseed(); err != nil {
			t.Fatal(err)
		}
		after := Load()
		if after <= before {
			t.Fatalf("the kernel reseeded and Load stayed at %d", after)
		}
		if after == before+1 {
			exact++
		}
		Check()
		wantMode(t, mode, mode != "window", "")
	}

	if exact < 2 {
		t.Errorf("%d of 3 reseeds changed the counter by 1", exact)
	}
}

// The vDSO is called on goroutine stacks that grow, are copied and shrink, while the collector
// runs, signals arrive and a profile is taken.
func TestCallUnderPressure(t *testing.T) {
	calls := 200_000
	if testing.Short() {
		calls = 20_000
	}
	realKernel(t)

	defer debug.SetGCPercent(debug.SetGCPercent(1))
	if err := pprof.StartCPUProfile(&bytes.Buffer{}); err != nil {
		t.Log("no profile:", err)
	} else {
		defer pprof.StopCPUProfile()
	}

	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	defer signal.Stop(signals)

	stop := make(chan struct{})
	var noise sync.WaitGroup
	noise.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				garbage.Store(new([4096]byte))
				syscall.Kill(os.Getpid(), syscall.SIGUSR1)
			}
		}
	})

	const workers = 4
	var all sync.WaitGroup
	for range workers {
		k := realKernel(t)
		all.Go(func() {
			last := uint64(0)
			for done := 0; done < calls/workers; done += 100 {
				// A new goroutine has a small stack: the call's frame makes it grow, then the
				// recursion does.
				var one sync.WaitGroup
				one.Go(func() {
					for depth := range 100 {
						g, err := deep(k, depth)
						if err != nil || g != 0 && g < last {
							t.Errorf("generation %d after %d: %v", g, last, err)
							return
						}
						last = max(last, g)
					}
				})
				one.Wait()
			}
		})
	}
	all.Wait()

	close(stop)
	noise.Wait()
}

var garbage atomic.Pointer[[4096]byte]

// deep makes the call under depth frames of 256 bytes, and looks whether they are unharmed.
func deep(k *osKernel, depth int) (uint64, error) {
	var frame [32]uint64
	for i := range frame {
		frame[i] = uint64(depth*i) ^ 0x5555
	}

	var g uint64
	var err error
	if depth == 0 {
		g, err = k.generation()
	} else {
		g, err = deep(k, depth-1)
	}

	for i := range frame {
		if frame[i] != uint64(depth*i)^0x5555 {
			panic("the call wrote into a frame of Go")
		}
	}
	return g, err
}

// TestTrampoline calls a function in machine code that follows C's rules, checks its stack's
// alignment, writes 6 KiB below its stack pointer, spoils registers that C may, and returns a sum
// that each argument enters with its own weight. So the assembly is tested under qemu-user too,
// which has no getrandom in its vDSO.
func TestTrampoline(t *testing.T) {
	fn := executable(t, map[string][]byte{
		"amd64": {
			0x48, 0x89, 0xe0, // mov rax, rsp
			0x48, 0x83, 0xe0, 0x0f, // and rax, 15
			0x48, 0x83, 0xf8, 0x08, // cmp rax, 8
			0x75, 0x2e, // jne bad
			0x48, 0x89, 0x84, 0x24, 0x00, 0xe8, 0xff, 0xff, // mov [rsp-6144], rax
			0x49, 0xc7, 0xc1, 0xff, 0xff, 0xff, 0xff, // mov r9, -1
			0x4d, 0x89, 0xca, // mov r10, r9
			0x4d, 0x89, 0xcb, // mov r11, r9
			0x66, 0x45, 0x0f, 0x76, 0xff, // pcmpeqd xmm15, xmm15
			0x48, 0x8d, 0x04, 0x77, // lea rax, [rdi+rsi*2]
			0x48, 0x8d, 0x04, 0x90, // lea rax, [rax+rdx*4]
			0x48, 0x8d, 0x04, 0xc8, // lea rax, [rax+rcx*8]
			0x49, 0xc1, 0xe0, 0x04, // shl r8, 4
			0x4c, 0x01, 0xc0, // add rax, r8
			0xc3,                                     // ret
			0x48, 0xc7, 0xc0, 0xff, 0xff, 0xff, 0xff, // bad: mov rax, -1
			0xc3, // ret
		},
		"arm64": words(
			0x910003e9, // mov x9, sp
			0x92400d29, // and x9, x9, #15
			0xb50001c9, // cbnz x9, bad
			0xd2830010, // mov x16, #6144
			0xcb3063ea, // sub x10, sp, x16
			0xf9000149, // str x9, [x10]
			0x9280000b, // mov x11, #-1
			0x4f07e7ff, // movi v31.16b, #255
			0xaa1c03ec, // mov x12, x28
			0xaa0b03fc, // mov x28, x11
			0x8b010400, // add x0, x0, x1, lsl #1
			0x8b020800, // add x0, x0, x2, lsl #2
			0x8b030c00, // add x0, x0, x3, lsl #3
			0x8b041000, // add x0, x0, x4, lsl #4
			0xaa0c03fc, // mov x28, x12
			0xd65f03c0, // ret
			0x92800000, // bad: mov x0, #-1
			0xd65f03c0, // ret
		),
	})

	const wanted = 1 + 2*10 + 4*100 + 8*1000 + 16*10000
	for range 1000 {
		// One of these frames leaves the stack pointer at a multiple of 16, the other does not.
		for _, call := range []func(uintptr, int) int{narrow, wide} {
			for depth := range 4 {
				if got := call(fn, depth); got != wanted {
					t.Fatalf("%d, want %d (-1: the stack is not aligned)", got, wanted)
				}
			}
		}
		runtime.Gosched() // needs g
	}
}

//go:noinline
func narrow(fn uintptr, depth int) int {
	var frame [1]uint64
	return inFrame(frame[:], func() int {
		if depth > 0 {
			return narrow(fn, depth-1)
		}
		return vdsoCall(fn, 1, 10, 100, 1000, 10000)
	})
}

//go:noinline
func wide(fn uintptr, depth int) int {
	var frame [2]uint64
	return inFrame(frame[:], func() int {
		if depth > 0 {
			return wide(fn, depth-1)
		}
		return vdsoCall(fn, 1, 10, 100, 1000, 10000)
	})
}

// inFrame fails the sum if a frame of Go was written to.
func inFrame(frame []uint64, f func() int) int {
	for i := range frame {
		frame[i] = 7
	}
	sum := f()
	for i := range frame {
		if frame[i] != 7 {
			return -2
		}
	}
	return sum
}

// C's stack begins at the upper end of the frame, so that it grows into the room that the prologue
// made.
func TestStackOfCall(t *testing.T) {
	fn := executable(t, map[string][]byte{
		"amd64": {0x48, 0x89, 0xe0, 0xc3},      // mov rax, rsp; ret
		"arm64": words(0x910003e0, 0xd65f03c0), // mov x0, sp; ret
	})
	vdsoCall(fn, 0, 0, 0, 0, 0) // the stack grows, and moves, here
	var local byte
	here := uintptr(unsafe.Pointer(&local))
	if sp := uintptr(vdsoCall(fn, 0, 0, 0, 0, 0)); sp >= here || here-sp > 1024 {
		t.Fatalf("C's stack begins at %#x, %d bytes below a variable of the caller", sp, int64(here-sp))
	}
}

// executable returns the address of machine code.
func executable(t *testing.T, code map[string][]byte) uintptr {
	b, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(b) })
	copy(b, code[runtime.GOARCH])
	if err := unix.Mprotect(b, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		t.Skip("this system lets no memory become code:", err)
	}
	return addressOf(b)
}

func words(list ...uint32) (b []byte) {
	for _, w := range list {
		b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return b
}

// What a call drew is not left in memory.
func TestDiscarded(t *testing.T) {
	k := realKernel(t)
	for range 3 {
		if _, err := k.generation(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(k.scratch[:2*drawSize], append(make([]byte, drawSize), k.scratch[drawSize:2*drawSize]...)) {
			t.Fatal("drawn bytes were left behind")
		}
	}
}

// vdsoImage returns this process's vDSO.
func vdsoImage(t testing.TB) []byte {
	t.Helper()
	auxv, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		t.Skip("no auxiliary vector:", err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("no list of mappings:", err)
	}
	base := vdsoAddress(auxv)
	for _, a := range vdsoMappings(maps) {
		if a.start == base {
			at := uintptr(base)
			return bytes.Clone(unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), a.end-a.start))
		}
	}
	t.Skip("this process has no vDSO")
	return nil
}

// Every function of the real vDSO is found where debug/elf finds it.
func TestSymbolAgainstDebugELF(t *testing.T) {
	image := vdsoImage(t)
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Section == elf.SHN_UNDEF {
			continue
		}
		functions++
		if off, ok := findSymbol(image, s.Name); !ok || off != s.Value-f.Progs[0].Vaddr {
			t.Errorf("%s is at %#x, %v; debug/elf has %#x", s.Name, off, ok, s.Value)
		}
	}
	if functions == 0 {
		t.Error("debug/elf finds no function")
	}
	if _, ok := findSymbol(image, "__vdso_getrando"); ok {
		t.Error("a part of a name was found")
	}
}

// The call passes GRND_NONBLOCK. What the function answers before the kernel's generator is seeded
// is no generation yet.
func TestCallNeverBlocks(t *testing.T) {
	state, err := mmap("a page", -1, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(state)
	k := &osKernel{state: state, scratch: state}
	k.fn = executable(t, map[string][]byte{
		"amd64": {0x48, 0x89, 0xd0, 0xc3},      // mov rax, rdx; ret: the flags
		"arm64": words(0xaa0203e0, 0xd65f03c0), // mov x0, x2; ret
	})
	if _, err := k.generation(); err != callError(unix.GRND_NONBLOCK) {
		t.Errorf("a function that returns its flags: %v, want %v", err, callError(unix.GRND_NONBLOCK))
	}
	k.fn = executable(t, map[string][]byte{
		"amd64": {0x48, 0xc7, 0xc0, 0xf5, 0xff, 0xff, 0xff, 0xc3}, // mov rax, -11; ret
		"arm64": words(0x92800140, 0xd65f03c0),                    // mov x0, #-11; ret
	})
	if g, err := k.generation(); g != 0 || err != nil {
		t.Errorf("a function that says EAGAIN: generation %d, %v; want 0 and no error", g, err)
	}
}

package serbench

import (
	"syscall"
	"time"
	"unsafe"
)

const clockProcess = 2

// iteration is one of a test; its error is the contender's.
type iteration func() error

// processTime returns the nanoseconds of processor time that the process has used, its collector's included.
func processTime() int64 {
	var now syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockProcess, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

// pageFaults returns how often this process has been given a page of memory since it began: its minor page faults.
func pageFaults() int64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return used.Minflt
}

// repeat runs count iterations without a look at any clock, up to one that fails.
func repeat(iterate iteration, count uint64) error {
	for ; count > 0; count-- {
		if err := iterate(); err != nil {
			return err
		}
	}
	return nil
}

// timeChunks times chunks of so many iterations each, as many as wall is long: the nanoseconds of each chunk by the
// monotonic clock into wall and of this process into cpu.
func timeChunks(iterate iteration, iterations uint64, wall, cpu []int64) error {
	for i := range wall {
		// The CPU clock is a system call, so it stands outside of the wall clock's readings.
		before := processTime()
		start := time.Now()
		err := repeat(iterate, iterations)
		wall[i] = int64(time.Since(start))
		cpu[i] = processTime() - before
		if err != nil {
			return err
		}
	}
	return nil
}

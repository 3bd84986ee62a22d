package serbench

import (
	"fmt"
	"os"
	"testing"
)

var given Contender

// Run hands the contender to Benchmark.
func Run(contender Contender) {
	contender.complete()
	given = contender
}

// Benchmark times the iteration of a row: SERBENCH_TEST is the test, SERBENCH_REQUEST the worker's line `prepare`,
// SERBENCH_HASH what an iteration must give.
func Benchmark(b *testing.B) {
	s := &session{Contender: given, test: os.Getenv("SERBENCH_TEST")}
	if !s.choose() {
		b.Fatalf("the contender has no test %q", s.test)
	}
	if _, err := s.prepare(parseMessage(os.Getenv("SERBENCH_REQUEST"))); err != nil {
		b.Fatal(err)
	}
	iterate := s.iteration()
	for b.Loop() {
		if err := iterate(); err != nil {
			b.Fatal(err)
		}
	}
	if found, expected := fmt.Sprintf("%08x", s.hash.state), os.Getenv("SERBENCH_HASH"); found != expected {
		b.Fatalf("an iteration gives the hash %s in place of %s", found, expected)
	}
}

package main

import (
	"testing"

	"serbench"
)

func BenchmarkRow(b *testing.B) {
	main()
	serbench.Benchmark(b)
}

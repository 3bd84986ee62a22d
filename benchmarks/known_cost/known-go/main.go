// A reader and a writer of known cost: a chain of steps, then values or bytes that are there.
package main

import (
	"bytes"
	"strconv"

	"serbench"
)

var (
	texts [64][]byte
	block = bytes.Repeat([]byte{'x'}, 64000)
	sink  uint64
)

// takeSteps takes steps of which none can begin before the last one has ended.
func takeSteps(count uint64) {
	x := count
	for range count {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink = x
}

// read takes as many steps as the input begins with, then hashes values of all kinds, or where a letter follows of texts,
// integers, doubles or none.
func read(data []byte, hash *serbench.Hash) error {
	steps, err := strconv.ParseUint(string(data[:8]), 10, 64)
	if err != nil {
		return err
	}
	takeSteps(steps)
	kind, numbers := data[8], 1000
	if kind == 'a' {
		numbers = 100
	}
	wanted := func(count int, of byte) int {
		if kind == 'a' || kind == of {
			return count
		}
		return 0
	}
	for _, text := range texts[:wanted(len(texts), 't')] {
		hash.Bytes(text)
	}
	for i := range wanted(numbers, 'i') {
		hash.Uint(uint64(i) * 1234567)
	}
	for i := range wanted(numbers, 'd') {
		hash.Float(float64(i) + 0.5)
	}
	hash.Count(len(texts))
	return nil
}

// write takes as many steps as the first element says.
func write(root any, out *serbench.Output) error {
	takeSteps(uint64(root.([]any)[0].(int64)))
	out.Block(block)
	return nil
}

func main() {
	for i := range texts {
		texts[i] = bytes.Repeat([]byte{'x'}, 1000)
	}
	serbench.Run(serbench.Contender{Write: write, Tree: read})
}

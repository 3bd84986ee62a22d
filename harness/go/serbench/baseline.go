package serbench

import (
	"math"
	"unsafe"
)

// Baseline is the harness's own data, which no contender but the baseline may touch, and the work that no row of a test
// can do without. Of several messages it is the one at hand.
type Baseline struct {
	Root any
	// The smallest encoding of the group; empty if there is no input.
	Input []byte
	// The words that exact_hash mixes, four bytes each; empty if none were given.
	words []byte
}

var current Baseline

// Current is the data of the message at hand. A reader has no root; a look-up's is the array of what is found.
func Current() *Baseline {
	return &current
}

// HashWords does what no reader can do without: every value goes into the hash. Its words are read one after the
// other, so that nothing is subtracted that depends on how a tree is laid out or how a format is parsed.
func (b *Baseline) HashWords(hash *Hash) {
	hash.state = mixWords(hash.state, b.words)
}

var sink uint64

// Walk does what no writer can do without: every type, length, number and pointer of the tree is looked at.
func (b *Baseline) Walk() {
	sink += sum(b.Root)
}

func sum(value any) uint64 {
	switch x := value.(type) {
	case bool:
		if x {
			return 2
		}
		return 1
	case int64:
		return uint64(x)
	case uint64:
		return x
	case float64:
		return math.Float64bits(x)
	case string:
		return place(x)
	case []any:
		all := uint64(len(x))
		for _, item := range x {
			all += sum(item)
		}
		return all
	case Map:
		all := uint64(len(x))
		for i := range x {
			all += place(x[i].Key) + sum(x[i].Value)
		}
		return all
	}
	return 0
}

func place(text string) uint64 {
	return uint64(uintptr(unsafe.Pointer(unsafe.StringData(text)))) + uint64(len(text))
}

// RootIsArray says whether the root is an array. Only a format that has no root array (BSON) asks.
func RootIsArray() bool {
	return rootIsArray
}

var rootIsArray bool

func isArray(value any) bool {
	_, is := value.([]any)
	return is
}

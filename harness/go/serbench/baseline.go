package serbench

// Baseline is the harness's own data, which no contender but the baseline may touch. Of several messages it is the one
// at hand.
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

// HashWords hashes every value without a walk: its words are read one after the other.
func (b *Baseline) HashWords(hash *Hash) {
	hash.state = mixWords(hash.state, b.words)
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

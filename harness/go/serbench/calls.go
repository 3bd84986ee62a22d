package serbench

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// group has the calls of one kind: alone, or each after that of the key of an entry of a map without order.
type group[T any] struct {
	values []T
	keys   [][]byte
	keyed  []T
}

func (g *group[T]) add(key []byte, value T) {
	if key == nil {
		g.values = append(g.values, value)
		return
	}
	g.keys, g.keyed = append(g.keys, key), append(g.keyed, value)
}

// sort puts values in the order of their lengths, and entries in that of the lengths of their keys.
func (g *group[T]) sort(length func(T) int) {
	slices.SortStableFunc(g.values, func(a, b T) int { return length(a) - length(b) })
	order := make([]int, len(g.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if less := len(g.keys[a]) - len(g.keys[b]); less != 0 {
			return less
		}
		return length(g.keyed[a]) - length(g.keyed[b])
	})
	keys, keyed := make([][]byte, len(order)), make([]T, len(order))
	for i, from := range order {
		keys[i], keyed[i] = bytes.Clone(g.keys[from]), g.keyed[from]
	}
	g.keys, g.keyed = keys, keyed
}

// calls are those of the hash that a reader makes, repeated without the reader: what hashing its values takes.
//
// Those of one kind follow each other, strings by their lengths, so that no branch has to guess which kind comes next, or
// where a string ends: the processor would learn that in some launches and not in others. So the hash is not that of the
// reader.
type calls struct {
	// How many there are of a null is the length of a list of nothing.
	nulls    group[struct{}]
	booleans group[bool]
	signed   group[int64]
	unsigned group[uint64]
	doubles  group[float64]
	strings  group[[]byte]
	counts   []int
	// Keys of entries whose values are containers.
	alone [][]byte
	// Maps without an order.
	maps int
}

// callsOf returns the calls in a record as docs/protocol.md describes it. The value of an entry may be an array, whose
// first element then stands for it.
func callsOf(record []byte) *calls {
	c := new(calls)
	var key []byte
	number := func() uint64 {
		defer func() { record = record[8:] }()
		return binary.LittleEndian.Uint64(record)
	}
	text := func() []byte {
		length := binary.LittleEndian.Uint32(record)
		defer func() { record = record[4+length:] }()
		return record[4 : 4+length : 4+length]
	}
	for len(record) > 0 {
		tag := record[0]
		record = record[1:]
		if key != nil && (tag == '(' || tag == ')' || tag == 'e') {
			c.alone, key = append(c.alone, key), nil
		}
		switch tag {
		case '(':
			record = record[1:] // the tag of a string
			key = text()
			continue
		case ')':
			c.maps++
		case 'n':
			c.nulls.add(key, struct{}{})
		case 't', 'f':
			c.booleans.add(key, tag == 't')
		case 'i':
			c.signed.add(key, int64(number()))
		case 'u':
			c.unsigned.add(key, number())
		case 'd':
			c.doubles.add(key, math.Float64frombits(number()))
		case 's':
			c.strings.add(key, text())
		default:
			c.counts = append(c.counts, int(binary.LittleEndian.Uint32(record)))
			record = record[4:]
		}
		key = nil
	}
	c.sort()
	return c
}

func (c *calls) sort() {
	c.nulls.sort(func(struct{}) int { return 0 })
	c.booleans.sort(func(bool) int { return 0 })
	c.signed.sort(func(int64) int { return 0 })
	c.unsigned.sort(func(uint64) int { return 0 })
	c.doubles.sort(func(float64) int { return 0 })
	c.strings.sort(func(text []byte) int { return len(text) })
	slices.SortStableFunc(c.alone, func(a, b []byte) int { return len(a) - len(b) })
	for i, text := range c.strings.values {
		c.strings.values[i] = bytes.Clone(text)
	}
}

// repeat makes all of them.
func (c *calls) repeat(hash *Hash) {
	for range c.nulls.values {
		hash.Nil()
	}
	for _, value := range c.booleans.values {
		hash.Bool(value)
	}
	for _, value := range c.signed.values {
		hash.Int(value)
	}
	for _, value := range c.unsigned.values {
		hash.Uint(value)
	}
	for _, value := range c.doubles.values {
		hash.Float(value)
	}
	for _, value := range c.strings.values {
		hash.Bytes(value)
	}
	for _, value := range c.counts {
		hash.Count(value)
	}
	if c.maps > 0 {
		c.repeatEntries(hash)
	}
}

func (c *calls) repeatEntries(hash *Hash) {
	entries := hash.Entries()
	next := func(key []byte) {
		entries.Next()
		hash.Bytes(key)
	}
	for _, key := range c.nulls.keys {
		next(key)
		hash.Nil()
	}
	for i, key := range c.booleans.keys {
		next(key)
		hash.Bool(c.booleans.keyed[i])
	}
	for i, key := range c.signed.keys {
		next(key)
		hash.Int(c.signed.keyed[i])
	}
	for i, key := range c.unsigned.keys {
		next(key)
		hash.Uint(c.unsigned.keyed[i])
	}
	for i, key := range c.doubles.keys {
		next(key)
		hash.Float(c.doubles.keyed[i])
	}
	for i, key := range c.strings.keys {
		next(key)
		hash.Bytes(c.strings.keyed[i])
	}
	for _, key := range c.alone {
		next(key)
	}
	entries.End()
	for range c.maps - 1 {
		hash.mix(entries.sum)
	}
}

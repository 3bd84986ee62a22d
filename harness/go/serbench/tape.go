package serbench

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"unicode/utf8"
	"unsafe"
)

// Reading a tape (docs/tape.md). A tape may be damaged: every count is held against the bytes that are left and what
// the header announced, before anything is made.

const (
	headerSize = 40
	maxDepth   = 1024
)

type header struct {
	values, members, stringBytes, depth uint64
}

type reading struct {
	data  []byte
	at    int
	mapOf func([]Member) any
	// What the header announced, and what came.
	header, met header
}

var errMiddle = errors.New("it ends in the middle of a value")

// readTape reads the tape at path into a value tree, whose maps are made by mapOf. The error says why it cannot be read.
func readTape(path string, mapOf func([]Member) any) (any, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, reason(err)
	}
	return parseTape(data, mapOf)
}

func parseTape(data []byte, mapOf func([]Member) any) (any, error) {
	if len(data) < headerSize || string(data[:8]) != "sbtape1\n" {
		return nil, errors.New("it is not a tape of this version")
	}
	of := func(place int) uint64 { return binary.LittleEndian.Uint64(data[place:]) }
	r := reading{data: data, at: headerSize, mapOf: mapOf, header: header{of(8), of(16), of(24), of(32)}}
	length := uint64(len(data))
	if r.header.values == 0 || r.header.values > length || r.header.members >= r.header.values ||
		r.header.stringBytes > length {
		return nil, errors.New("its header does not fit its length")
	}
	root, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if r.at != len(data) {
		return nil, errors.New("bytes follow its root")
	}
	if r.met != r.header {
		return nil, errors.New("its header announces other counts than it has")
	}
	return root, nil
}

// take returns the next bytes; nil if there are fewer.
func (r *reading) take(count int) []byte {
	if count > len(r.data)-r.at {
		return nil
	}
	r.at += count
	return r.data[r.at-count : r.at]
}

func (r *reading) count() (uint64, error) {
	bytes := r.take(4)
	if bytes == nil {
		return 0, errMiddle
	}
	return uint64(binary.LittleEndian.Uint32(bytes)), nil
}

func (r *reading) number() (uint64, error) {
	bytes := r.take(8)
	if bytes == nil {
		return 0, errMiddle
	}
	return binary.LittleEndian.Uint64(bytes), nil
}

// string returns the next string, which stands in the tape itself: nobody changes that.
func (r *reading) string() (string, error) {
	length, err := r.count()
	if err != nil {
		return "", err
	}
	bytes := r.take(int(length))
	if bytes == nil {
		return "", errors.New("it ends in the middle of a string")
	}
	if r.met.stringBytes += length; r.met.stringBytes > r.header.stringBytes {
		return "", errors.New("its header announces fewer string bytes than it has")
	}
	if !utf8.Valid(bytes) {
		return "", errors.New("it has a string that is not UTF-8")
	}
	return unsafe.String(unsafe.SliceData(bytes), len(bytes)), nil
}

// announced says whether so many values more are still what the header announced.
func (r *reading) announced(count, members uint64) error {
	r.met.members += members
	if r.met.members > r.header.members || count > r.header.values-r.met.values {
		return errors.New("its header announces fewer values than it has")
	}
	return nil
}

func (r *reading) array(count, depth uint64) (any, error) {
	if err := r.announced(count, 0); err != nil {
		return nil, err
	}
	items := make([]any, count)
	for i := range items {
		var err error
		if items[i], err = r.value(depth); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func (r *reading) members(count, depth uint64) (any, error) {
	if err := r.announced(count, count); err != nil {
		return nil, err
	}
	members := make([]Member, count)
	for i := range members {
		var err error
		if members[i].Key, err = r.string(); err != nil {
			return nil, err
		}
		if members[i].Value, err = r.value(depth); err != nil {
			return nil, err
		}
	}
	return r.mapOf(members), nil
}

func (r *reading) value(depth uint64) (any, error) {
	tag := r.take(1)
	if tag == nil {
		return nil, errMiddle
	}
	if r.met.values++; r.met.values > r.header.values {
		return nil, errors.New("its header announces fewer values than it has")
	}
	switch tag[0] {
	case 'n':
		return nil, nil
	case 'f', 't':
		return tag[0] == 't', nil
	case 'i':
		x, err := r.number()
		return int64(x), err
	case 'u':
		x, err := r.number()
		if x <= math.MaxInt64 {
			return int64(x), err
		}
		return x, err
	case 'd':
		x, err := r.number()
		return math.Float64frombits(x), err
	case 's':
		return r.string()
	case 'a', 'm':
		if depth >= maxDepth {
			return nil, errors.New("it is nested deeper than 1,024 levels")
		}
		count, err := r.count()
		if err != nil {
			return nil, err
		}
		r.met.depth = max(r.met.depth, depth+1)
		if tag[0] == 'm' {
			return r.members(count, depth+1)
		}
		return r.array(count, depth+1)
	}
	return nil, errors.New("it has an unknown tag")
}

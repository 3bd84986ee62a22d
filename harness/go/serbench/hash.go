package serbench

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

const (
	start           = 15373
	largestIntegral = 1 << 53
)

// Hash is one of the two hashes of a value tree, content_hash and exact_hash (docs/tape.md).
//
// A contender calls one method for each value that it meets, in document order: the scalars as they come, a container's
// elements (for a map: key, value, key, value ...) before its count. The same calls yield either hash; which one is
// decided by the harness.
type Hash struct {
	state uint32
	// exact_hash mixes the bits of a double, content_hash a constant.
	exact bool
	// Gets every call, while the gate looks for what a reader changes (docs/protocol.md); nil in every timed call.
	seen *[]byte
}

func (h *Hash) mix(x uint32) {
	h.state = h.state*31 ^ x
}

// words mixes the high, then the low word.
func (h *Hash) words(x uint64) {
	h.state = (h.state*31^uint32(x>>32))*31 ^ uint32(x)
}

// show writes a call as the tape has it: a tag, then the low bytes of a number.
func (h *Hash) show(tag byte, number uint64, bytes int) {
	if h.seen != nil {
		*h.seen = append(*h.seen, tag)
		for ; bytes > 0; bytes-- {
			*h.seen = append(*h.seen, byte(number))
			number >>= 8
		}
	}
}

func (h *Hash) Nil() {
	h.show('n', 0, 0)
	h.mix(0)
	h.bytes([]byte("nil"))
}

func (h *Hash) Bool(value bool) {
	tag, x := byte('f'), uint32(0)
	if value {
		tag, x = 't', 1
	}
	h.show(tag, 0, 0)
	h.mix(x)
}

func (h *Hash) Int(value int64) {
	h.show('i', uint64(value), 8)
	h.words(uint64(value))
}

func (h *Hash) Uint(value uint64) {
	h.show('u', value, 8)
	h.words(value)
}

// Float hashes a double. One with an integral value within +-2^53, other than -0, counts as that integer.
func (h *Hash) Float(value float64) {
	bits := math.Float64bits(value)
	h.show('d', bits, 8)
	if value >= -largestIntegral && value <= largestIntegral && bits != 1<<63 {
		if whole := int64(value); float64(whole) == value {
			h.words(uint64(whole))
			return
		}
	}
	if h.exact {
		h.words(bits)
	} else {
		h.mix(43013)
	}
}

// String hashes a string, or a map's key.
func (h *Hash) String(text string) {
	h.Bytes(unsafe.Slice(unsafe.StringData(text), len(text)))
}

// Bytes does the same with a string that stands in a slice.
func (h *Hash) Bytes(text []byte) {
	if h.seen != nil {
		h.show('s', uint64(len(text)), 4)
		*h.seen = append(*h.seen, text...)
	}
	h.bytes(text)
}

func (h *Hash) bytes(text []byte) {
	state := mixWords(h.state*31^uint32(len(text)), text)
	if rest := text[len(text)&^3:]; len(rest) > 0 {
		word := uint32(0)
		for i, each := range rest {
			word |= uint32(each) << (8 * i)
		}
		state = state*31 ^ word
	}
	h.state = state
}

// Count ends an array or a map: the number of its elements or entries.
func (h *Hash) Count(number int) {
	h.show('e', uint64(number), 4)
	h.mix(uint32(number))
}

// mixWords returns the state with the whole little-endian words of text mixed in; what is left over is not.
func mixWords(state uint32, text []byte) uint32 {
	for len(text) >= 4 {
		state = state*31 ^ binary.LittleEndian.Uint32(text)
		text = text[4:]
	}
	return state
}

// Entries are those of one map that come in another order each time (docs/adding-a-language.md): a sum of the hash of
// each. Next begins an entry, whose key and value are then hashed; End ends the map.
type Entries struct {
	hash        *Hash
	before, sum uint32
	count       int
}

func (h *Hash) Entries() Entries {
	return Entries{hash: h, before: h.state}
}

func (e *Entries) add() {
	if e.count > 0 {
		e.sum += e.hash.state
	}
}

func (e *Entries) Next() {
	e.add()
	e.hash.state = start
	e.hash.show('(', 0, 0)
	e.count++
}

func (e *Entries) End() {
	e.add()
	e.hash.state = e.before
	e.hash.show(')', 0, 0)
	e.hash.mix(e.sum)
	e.hash.Count(e.count)
}

// number is what libraries have for a number that stays text: json.Number.
type number interface {
	Int64() (int64, error)
	Float64() (float64, error)
	String() string
}

// IsFloat says whether a number is to be read as a double: it has a fraction or an exponent, or is -0.
func IsFloat[T string | []byte](text T) bool {
	for i := range len(text) {
		if each := text[i]; each == '.' || each == 'e' || each == 'E' {
			return true
		}
	}
	return string(text) == "-0"
}

// Any hashes a value of Go's own types, as libraries decode into an empty interface. The order of a map does not count.
// The error names a type that no library should have made.
func (h *Hash) Any(value any) error {
	switch x := value.(type) {
	case nil:
		h.Nil()
	case bool:
		h.Bool(x)
	case string:
		h.String(x)
	case float64:
		h.Float(x)
	case int64:
		h.Int(x)
	case uint64:
		h.Uint(x)
	case map[string]any:
		entries := h.Entries()
		for key, member := range x {
			entries.Next()
			h.String(key)
			if err := h.Any(member); err != nil {
				return err
			}
		}
		entries.End()
	case []any:
		for _, item := range x {
			if err := h.Any(item); err != nil {
				return err
			}
		}
		h.Count(len(x))
	case Map:
		for _, member := range x {
			h.String(member.Key)
			if err := h.Any(member.Value); err != nil {
				return err
			}
		}
		h.Count(len(x))
	default:
		return h.less(value)
	}
	return nil
}

// less hashes what is rarer: numbers of fewer bytes, numbers that are text, and maps whose keys have any type.
func (h *Hash) less(value any) error {
	switch x := value.(type) {
	case int:
		h.Int(int64(x))
	case int8:
		h.Int(int64(x))
	case int16:
		h.Int(int64(x))
	case int32:
		h.Int(int64(x))
	case uint:
		h.Uint(uint64(x))
	case uint8:
		h.Uint(uint64(x))
	case uint16:
		h.Uint(uint64(x))
	case uint32:
		h.Uint(uint64(x))
	case float32:
		h.Float(float64(x))
	case number:
		return h.number(x)
	case map[any]any:
		entries := h.Entries()
		for key, member := range x {
			entries.Next()
			text, ok := key.(string)
			if !ok {
				return fmt.Errorf("a key is a %T", key)
			}
			h.String(text)
			if err := h.Any(member); err != nil {
				return err
			}
		}
		entries.End()
	default:
		return fmt.Errorf("a value is a %T", value)
	}
	return nil
}

// number hashes a number as what its text is: an integer, if it fits into 64 bits, else a double.
func (h *Hash) number(text number) error {
	if !IsFloat(text.String()) {
		if x, err := text.Int64(); err == nil {
			h.Int(x)
			return nil
		}
		if x, err := strconv.ParseUint(text.String(), 10, 64); err == nil {
			h.Uint(x)
			return nil
		}
	}
	x, err := text.Float64()
	h.Float(x)
	return err
}

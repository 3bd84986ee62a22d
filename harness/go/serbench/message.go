package serbench

import (
	"math"
	"strconv"
	"strings"
)

// The worker's side of the protocol's lines: flat JSON objects of strings, whole numbers and booleans. Not by
// encoding/json, which is a contender: what it keeps would be live memory.

const maxFields = 16

// message is one request: texts, and numbers, which are 1 or 0 for a boolean.
type message struct {
	texts   map[string]string
	numbers map[string]uint64
}

// number returns the number or boolean of a field, or otherwise if there is none.
func (m *message) number(name string, otherwise uint64) uint64 {
	if x, ok := m.numbers[name]; ok {
		return x
	}
	return otherwise
}

// parseMessage returns the request in a line, an empty one if it is none.
func parseMessage(line string) *message {
	none := &message{}
	c := cursor{rest: line}
	made := &message{texts: map[string]string{}, numbers: map[string]uint64{}}
	if !c.skip('{') {
		return none
	}
	for fields := 0; !c.skip('}'); fields++ {
		if fields == maxFields || fields > 0 && !c.skip(',') || !c.field(made) {
			return none
		}
	}
	if c.blank(); c.rest != "" {
		return none
	}
	return made
}

type cursor struct {
	rest string
}

func (c *cursor) blank() {
	c.rest = strings.TrimLeft(c.rest, " \t\r\n")
}

// skip skips white space, and the byte if it follows; says whether it did.
func (c *cursor) skip(wanted byte) bool {
	c.blank()
	found := c.rest != "" && c.rest[0] == wanted
	if found {
		c.rest = c.rest[1:]
	}
	return found
}

func (c *cursor) word(wanted string) bool {
	rest, found := strings.CutPrefix(c.rest, wanted)
	c.rest = rest
	return found
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// string undoes the escapes that stand for one byte each; the orchestrator sends UTF-8 and needs no others.
func (c *cursor) string() (string, bool) {
	if !c.skip('"') {
		return "", false
	}
	var text []byte
	for i := 0; i < len(c.rest); i++ {
		switch each := c.rest[i]; each {
		case '"':
			c.rest = c.rest[i+1:]
			return string(text), true
		case 0:
			return "", false
		case '\\':
			if i++; i == len(c.rest) || escapes[c.rest[i]] == 0 {
				return "", false
			}
			text = append(text, escapes[c.rest[i]])
		default:
			text = append(text, each)
		}
	}
	return "", false
}

func (c *cursor) field(to *message) bool {
	name, ok := c.string()
	if !ok || !c.skip(':') {
		return false
	}
	c.blank()
	switch {
	case strings.HasPrefix(c.rest, `"`):
		to.texts[name], ok = c.string()
		return ok
	case c.word("true"):
		to.numbers[name] = 1
	case c.word("false"):
		to.numbers[name] = 0
	default:
		end := 0
		for end < len(c.rest) && c.rest[end] >= '0' && c.rest[end] <= '9' {
			end++
		}
		x, err := strconv.ParseUint(c.rest[:end], 10, 64)
		c.rest = c.rest[end:]
		to.numbers[name] = x
		return err == nil
	}
	return true
}

// size returns a number that a slice can have as its length, at the most the largest one.
func size(x uint64) int {
	return int(min(x, math.MaxInt))
}

// quoted returns text as a JSON string with its quotes.
func quoted(text string) string {
	out := []byte{'"'}
	for _, each := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case each == '"' || each == '\\':
			out = append(out, '\\', byte(each))
		case each < ' ' || each == 0x7f:
			out = append(out, "\\u00"...)
			out = append(out, "0123456789abcdef"[each>>4], "0123456789abcdef"[each&15])
		default:
			out = append(out, string(each)...)
		}
	}
	return string(append(out, '"'))
}

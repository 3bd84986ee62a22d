package main

import (
	"errors"
	"io"

	"github.com/segmentio/encoding/json"

	"serbench"
)

// flags are those of the row.
var flags json.ParseFlags

func write(root any, out *serbench.Output) error {
	data, err := json.Marshal(root)
	out.Block(data)
	return err
}

// writeUnescaped leaves <, > and & as they are, which Marshal escapes for HTML.
func writeUnescaped(root any, out *serbench.Output) error {
	data, err := json.Append(nil, root, json.SortMapKeys)
	out.Block(data)
	return err
}

func decode(data []byte) (any, error) {
	var root any
	err := json.Unmarshal(data, &root)
	return root, err
}

// decodeWithFlags does the same with flags, which Unmarshal does not take.
func decodeWithFlags(data []byte) (any, error) {
	var root any
	rest, err := json.Parse(data, &root, flags)
	if err == nil && len(rest) > 0 {
		err = errors.New("something follows the root")
	}
	return root, err
}

func incremental(data []byte, hash *serbench.Hash) error {
	var open []int // of each container that is open: its elements, or its keys and values
	roots := 0
	tokens := json.NewTokenizer(data)
	for tokens.Next() {
		switch tokens.Delim {
		case ',', ':':
			continue
		case ']', '}':
			last := len(open) - 1
			if tokens.Delim == '}' {
				open[last] /= 2
			}
			hash.Count(open[last])
			open = open[:last]
			continue
		}
		if last := len(open) - 1; last >= 0 {
			open[last]++
		} else {
			roots++
		}
		switch kind := tokens.Kind(); kind.Class() {
		case json.Null:
			hash.Nil()
		case json.Bool:
			hash.Bool(tokens.Bool())
		case json.Num:
			if err := number(tokens, hash); err != nil {
				return err
			}
		case json.String:
			hash.Bytes(tokens.String())
		case json.Array, json.Object:
			open = append(open, 0)
		}
	}
	switch {
	case tokens.Err != nil:
		return tokens.Err
	case len(open) > 0 || roots == 0:
		return io.ErrUnexpectedEOF
	case roots > 1:
		return errors.New("something follows the root")
	}
	return nil
}

// number hashes what the token is; one of too many digits for Int or Uint as its text, since these do not say so.
func number(token *json.Tokenizer, hash *serbench.Hash) error {
	const safe = 18 // digits, or one less and a sign
	switch kind := token.Kind(); {
	case len(token.Value) > safe || kind == json.Float || string(token.Value) == "-0":
		return hash.Any(json.Number(token.Value))
	case kind == json.Uint:
		hash.Uint(token.Uint())
	default:
		hash.Int(token.Int())
	}
	return nil
}

func main() {
	contender := serbench.Contender{Write: write, Decode: decode, Incremental: incremental, Map: serbench.Unordered}
	switch {
	case serbench.Defined("UNESCAPED"):
		contender.Write = writeUnescaped
	case serbench.Defined("NUMBER"):
		flags = json.UseNumber
	case serbench.Defined("INT64"):
		flags = json.UseInt64 | json.UseUint64
	case serbench.Defined("ZERO_COPY"):
		flags = json.ZeroCopy
	}
	if flags != 0 {
		contender.Decode = decodeWithFlags
	}
	serbench.Run(contender)
}

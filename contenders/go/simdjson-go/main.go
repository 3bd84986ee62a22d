package main

import (
	"errors"

	"github.com/minio/simdjson-go"

	"serbench"
)

// last is what the variant reuse gives the parser again.
var last *simdjson.ParsedJson

var reuse = serbench.Defined("REUSE")

var options []simdjson.ParserOption

func parse(data []byte) (*simdjson.ParsedJson, error) {
	if !simdjson.SupportedCPU() {
		return nil, errors.New("simdjson-go needs a processor with AVX2 and CLMUL")
	}
	parsed, err := simdjson.Parse(data, last, options...)
	if reuse {
		last = parsed
	}
	return parsed, err
}

// open returns what stands in the root of a tape.
func open(parsed *simdjson.ParsedJson) (simdjson.Type, *simdjson.Iter, error) {
	outer := parsed.Iter()
	outer.Advance()
	return outer.Root(nil)
}

func tree(data []byte, hash *serbench.Hash) error {
	parsed, err := parse(data)
	if err != nil {
		return err
	}
	kind, root, err := open(parsed)
	if err != nil {
		return err
	}
	return walk(kind, root, hash)
}

func walk(kind simdjson.Type, value *simdjson.Iter, hash *serbench.Hash) error {
	switch kind {
	case simdjson.TypeArray:
		return array(value, hash)
	case simdjson.TypeObject:
		return object(value, hash)
	case simdjson.TypeNull:
		hash.Nil()
	case simdjson.TypeBool:
		x, err := value.Bool()
		hash.Bool(x)
		return err
	case simdjson.TypeString:
		x, err := value.StringBytes()
		hash.Bytes(x)
		return err
	case simdjson.TypeInt:
		x, err := value.Int()
		hash.Int(x)
		return err
	case simdjson.TypeUint:
		x, err := value.Uint()
		hash.Uint(x)
		return err
	case simdjson.TypeFloat:
		x, err := value.Float()
		hash.Float(x)
		return err
	default:
		return errors.New("no value")
	}
	return nil
}

func array(value *simdjson.Iter, hash *serbench.Hash) error {
	var items simdjson.Array
	if _, err := value.Array(&items); err != nil {
		return err
	}
	all := items.Iter()
	var item simdjson.Iter
	for count := 0; ; count++ {
		kind, err := all.AdvanceIter(&item)
		if err != nil {
			return err
		}
		if kind == simdjson.TypeNone {
			hash.Count(count)
			return nil
		}
		if err := walk(kind, &item, hash); err != nil {
			return err
		}
	}
}

func object(value *simdjson.Iter, hash *serbench.Hash) error {
	var members simdjson.Object
	if _, err := value.Object(&members); err != nil {
		return err
	}
	var member simdjson.Iter
	for count := 0; ; count++ {
		key, kind, err := members.NextElementBytes(&member)
		if err != nil {
			return err
		}
		if kind == simdjson.TypeNone {
			hash.Count(count)
			return nil
		}
		hash.Bytes(key)
		if err := walk(kind, &member, hash); err != nil {
			return err
		}
	}
}

func document(data []byte) (func(out *serbench.Output) error, error) {
	parsed, err := parse(data)
	if err != nil {
		return nil, err
	}
	return func(out *serbench.Output) error {
		all := parsed.Iter()
		written, err := all.MarshalJSON()
		out.Block(written)
		return err
	}, nil
}

func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	parsed, err := parse(data)
	if err != nil {
		return err
	}
	var keys []string
	for _, path := range paths {
		kind, place, err := open(parsed)
		if err != nil {
			return err
		}
		for steps := path.Steps; len(steps) > 0; {
			if steps[0].Index >= 0 {
				kind, err = index(place, steps[0].Index)
				steps = steps[1:]
			} else {
				// Keys one after the other are one path of the library.
				for keys = keys[:0]; len(steps) > 0 && steps[0].Index < 0; steps = steps[1:] {
					keys = append(keys, steps[0].Key)
				}
				var found simdjson.Element
				_, err = place.FindElement(&found, keys...)
				kind, *place = found.Type, found.Iter
			}
			if err != nil {
				return errors.Join(path.Missing(), err)
			}
		}
		if kind == simdjson.TypeArray || kind == simdjson.TypeObject {
			return path.Missing()
		}
		if err := walk(kind, place, hash); err != nil {
			return err
		}
	}
	return nil
}

// index moves an array's Iter to one of its elements.
func index(place *simdjson.Iter, number int) (simdjson.Type, error) {
	items, err := place.Array(nil)
	if err != nil {
		return simdjson.TypeNone, err
	}
	all := items.Iter()
	for ; number > 0; number-- {
		if all.Advance() == simdjson.TypeNone {
			return simdjson.TypeNone, simdjson.ErrPathNotFound
		}
	}
	kind, err := all.AdvanceIter(place)
	if err == nil && kind == simdjson.TypeNone {
		err = simdjson.ErrPathNotFound
	}
	return kind, err
}

func main() {
	if serbench.Defined("NO_COPY") {
		options = append(options, simdjson.WithCopyStrings(false))
	}
	serbench.Run(serbench.Contender{Tree: tree, Serialize: document, Lookup: lookup})
}

package main

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/hashicorp/go-msgpack/v2/codec"

	"serbench"
)

// object is a map whose order counts: keys and values in turn, which the library writes as a map.
type object []any

func (object) MapBySlice() {}

func ordered(members []serbench.Member) any {
	made := make(object, 0, 2*len(members))
	for _, member := range members {
		made = append(made, member.Key, member.Value)
	}
	return made
}

var handle = &codec.MsgpackHandle{}

func write(root any, out *serbench.Output) error {
	var data []byte
	err := codec.NewEncoderBytes(&data, handle).Encode(root)
	out.Block(data)
	return err
}

func decode(data []byte) (any, error) {
	return decoded(codec.NewDecoderBytes(data, handle), data)
}

func decoded(decoder *codec.Decoder, data []byte) (root any, err error) {
	if err = decoder.Decode(&root); err == nil && decoder.NumBytesRead() != len(data) {
		err = errors.New("something follows the root")
	}
	return root, err
}

// tree decodes maps into objects, which keep their order.
func tree(data []byte, hash *serbench.Hash) error {
	root, err := decode(data)
	if err != nil {
		return err
	}
	return walk(root, hash)
}

func walk(value any, hash *serbench.Hash) error {
	switch x := value.(type) {
	case object:
		for i, each := range x {
			if key, ok := each.(string); !ok && i%2 == 0 {
				return fmt.Errorf("a key is a %T", each)
			} else if i%2 == 0 {
				hash.String(key)
			} else if err := walk(each, hash); err != nil {
				return err
			}
		}
		hash.Count(len(x) / 2)
	case []any:
		for _, item := range x {
			if err := walk(item, hash); err != nil {
				return err
			}
		}
		hash.Count(len(x))
	default:
		return hash.Any(value)
	}
	return nil
}

// reuse makes functions that keep one encoder and one decoder for all documents.
func reuse() (serbench.Write, func([]byte) (any, error)) {
	handle.ExplicitRelease = true
	encoder, decoder := codec.NewEncoderBytes(nil, handle), codec.NewDecoderBytes(nil, handle)
	write := func(root any, out *serbench.Output) error {
		var data []byte
		encoder.ResetBytes(&data)
		err := encoder.Encode(root)
		out.Block(data)
		return err
	}
	decode := func(data []byte) (any, error) {
		decoder.ResetBytes(data)
		return decoded(decoder, data)
	}
	return write, decode
}

func main() {
	handle.MapType = reflect.TypeFor[map[string]any]()
	// Strings become []byte without it, as in the specification before 2013, which the library writes by default.
	handle.RawToString = true
	handle.Canonical = serbench.Defined("CANONICAL")
	handle.WriteExt = serbench.Defined("NEW_SPEC")
	contender := serbench.Contender{Write: write, Decode: decode, Map: ordered}
	if handle.Canonical {
		contender.Map = serbench.Unordered
	}
	if serbench.Defined("REUSE") {
		contender.Write, contender.Decode = reuse()
	}
	if serbench.Defined("ORDERED") {
		handle.MapType = reflect.TypeFor[object]()
		contender.Tree = tree
	}
	serbench.Run(contender)
}

package main

import (
	"errors"
	"reflect"

	"github.com/ugorji/go/codec"

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

var handle = &codec.JsonHandle{}

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

// reuse makes functions that keep one encoder and one decoder for all documents.
func reuse() (serbench.Write, func([]byte) (any, error)) {
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
	handle.Canonical = serbench.Defined("CANONICAL")
	handle.ZeroCopy = serbench.Defined("ZERO_COPY")
	handle.HTMLCharsAsIs = serbench.Defined("UNESCAPED")
	handle.PreferFloat = serbench.Defined("FLOAT")
	contender := serbench.Contender{Write: write, Decode: decode, Map: ordered}
	if handle.Canonical {
		contender.Map = serbench.Unordered
	}
	if serbench.Defined("REUSE") {
		contender.Write, contender.Decode = reuse()
	}
	serbench.Run(contender)
}

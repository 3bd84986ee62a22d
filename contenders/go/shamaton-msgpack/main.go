package main

import (
	"bytes"
	"errors"

	"github.com/shamaton/msgpack/v3"

	"serbench"
)

func decode(data []byte) (any, error) {
	var root any
	err := msgpack.Unmarshal(data, &root)
	return root, err
}

// decodeStream reads from a stream, in which another document may follow.
func decodeStream(data []byte) (any, error) {
	var root any
	reader := bytes.NewReader(data)
	err := msgpack.UnmarshalRead(reader, &root)
	if err == nil && reader.Len() > 0 {
		err = errors.New("something follows the root")
	}
	return root, err
}

func main() {
	contender := serbench.Contender{Decode: decode}
	if serbench.Defined("STREAM") {
		contender.Decode = decodeStream
	}
	serbench.Run(contender)
}

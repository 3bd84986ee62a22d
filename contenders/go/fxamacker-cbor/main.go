package main

import (
	"github.com/fxamacker/cbor/v2"

	"serbench"
)

// sorted is how the library encodes the maps of data that are the same each time.
var sorted cbor.EncMode

func write(root any, out *serbench.Output) error {
	data, err := sorted.Marshal(root)
	out.Block(data)
	return err
}

func decode(data []byte) (any, error) {
	var root any
	err := cbor.Unmarshal(data, &root)
	return root, err
}

func main() {
	var err error
	if sorted, err = (cbor.EncOptions{Sort: cbor.SortBytewiseLexical}).EncMode(); err != nil {
		panic(err)
	}
	serbench.Run(serbench.Contender{Write: write, Decode: decode, Map: serbench.Unordered})
}

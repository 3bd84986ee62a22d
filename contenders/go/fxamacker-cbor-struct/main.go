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

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	if err := cbor.Unmarshal(data, &root); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func main() {
	var err error
	if sorted, err = (cbor.EncOptions{Sort: cbor.SortBytewiseLexical}).EncMode(); err != nil {
		panic(err)
	}
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

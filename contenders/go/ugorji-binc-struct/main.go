package main

import (
	"errors"

	"github.com/ugorji/go/codec"

	"serbench"
)

var handle = &codec.BincHandle{}

// The option that sorts the keys of a map holds for those of a struct too, whose order counts.
//
//serbench:refuse write map the library writes a map's entries in another order each time
func write(root any, out *serbench.Output) error {
	var data []byte
	err := codec.NewEncoderBytes(&data, handle).Encode(root)
	out.Block(data)
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	decoder := codec.NewDecoderBytes(data, handle)
	if err := decoder.Decode(&root); err != nil {
		return err
	}
	if decoder.NumBytesRead() != len(data) {
		return errors.New("something follows the root")
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

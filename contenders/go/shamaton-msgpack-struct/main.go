package main

import (
	"github.com/shamaton/msgpack/v3"

	"serbench"
)

// There is no option that sorts a map.
//
//serbench:refuse write map the library writes a map's entries in another order each time
func write(root any, out *serbench.Output) error {
	data, err := msgpack.Marshal(root)
	out.Block(data)
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	if err := msgpack.Unmarshal(data, &root); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

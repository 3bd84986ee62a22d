//go:build !generate

package main

import (
	"github.com/mailru/easyjson"

	"serbench"
)

//go:generate go run -tags generate .

// The library's maps come in another order each time, and it has no option that sorts keys.
//
//serbench:refuse write map the library writes a map's entries in another order each time
func write(root any, out *serbench.Output) error {
	made, ok := any((*document)(root.(*Root))).(easyjson.Marshaler)
	if !ok {
		return errScalar
	}
	data, err := easyjson.Marshal(made)
	out.Block(data)
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	read, ok := any((*document)(&root)).(easyjson.Unmarshaler)
	if !ok {
		return errScalar
	}
	if err := easyjson.Unmarshal(data, read); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

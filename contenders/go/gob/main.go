package main

import (
	"bytes"
	"encoding/gob"
	"errors"

	"serbench"
)

//serbench:refuse all map the library writes a map's entries in another order each time
//serbench:refuse all pointer the library leaves out 0, false and what is empty, as if it were absent
//serbench:refuse all null-item the library writes no nil in a list, nor as the root
//serbench:refuse all empty the library takes no struct without fields

func write(root any, out *serbench.Output) error {
	var buffer bytes.Buffer
	err := gob.NewEncoder(&buffer).Encode(root)
	out.Block(buffer.Bytes())
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	reader := bytes.NewReader(data)
	var root Root
	if err := gob.NewDecoder(reader).Decode(&root); err != nil {
		return err
	}
	if reader.Len() > 0 {
		return errors.New("something follows the root")
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

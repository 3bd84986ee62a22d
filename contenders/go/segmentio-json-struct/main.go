package main

import (
	"github.com/segmentio/encoding/json"

	"serbench"
)

func write(root any, out *serbench.Output) error {
	data, err := json.Marshal(root)
	out.Block(data)
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	if err := json.Unmarshal(data, &root); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

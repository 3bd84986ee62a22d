package main

import (
	jsoniter "github.com/json-iterator/go"

	"serbench"
)

var api = jsoniter.ConfigCompatibleWithStandardLibrary

func write(root any, out *serbench.Output) error {
	data, err := api.Marshal(root)
	out.Block(data)
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	if err := api.Unmarshal(data, &root); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

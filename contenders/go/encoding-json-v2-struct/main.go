package main

import (
	v1 "encoding/json"
	"encoding/json/v2"

	"serbench"
)

// options keep a pointer to what is empty, and the order of a map's keys the same each time.
var options = json.JoinOptions(json.Deterministic(true), v1.OmitEmptyWithLegacySemantics(true))

func write(root any, out *serbench.Output) error {
	data, err := json.Marshal(root, options)
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

package main

import (
	"github.com/hamba/avro/v2"

	"serbench"
)

//serbench:avro

var schema = avro.MustParse(avsc)

func write(root any, out *serbench.Output) error {
	data, err := avro.Marshal(schema, root)
	out.Block(data)
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	if err := avro.Unmarshal(schema, data, &root); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

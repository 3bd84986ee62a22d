package main

import (
	"google.golang.org/protobuf/proto"

	"serbench"
)

//serbench:protoc google.golang.org/protobuf/cmd/protoc-gen-go

func write(root any, out *serbench.Output) error {
	data, err := proto.Marshal(message(root))
	out.Block(data)
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	if err := proto.Unmarshal(data, &root); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func serialize(data []byte) (func(out *serbench.Output) error, error) {
	var root Root
	err := proto.Unmarshal(data, &root)
	return func(out *serbench.Output) error {
		made, err := proto.Marshal(&root)
		out.Block(made)
		return err
	}, err
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Serialize: serialize, Struct: plain})
}

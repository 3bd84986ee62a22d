package main

import (
	_ "github.com/planetscale/vtprotobuf/protohelpers" // What the generated code calls.
	_ "google.golang.org/protobuf/proto"

	"serbench"
)

//serbench:protoc google.golang.org/protobuf/cmd/protoc-gen-go
//serbench:protoc github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto features=marshal+unmarshal+size

func write(root any, out *serbench.Output) error {
	data, err := message(root).MarshalVT()
	out.Block(data)
	return err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	if err := root.UnmarshalVT(data); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func serialize(data []byte) (func(out *serbench.Output) error, error) {
	var root Root
	err := root.UnmarshalVT(data)
	return func(out *serbench.Output) error {
		made, err := root.MarshalVT()
		out.Block(made)
		return err
	}, err
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Serialize: serialize, Struct: plain})
}

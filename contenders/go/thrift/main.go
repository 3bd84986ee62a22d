package main

import (
	"context"

	"github.com/apache/thrift/lib/go/thrift"

	"serbench"
)

func encode(from thrift.TStruct, out *serbench.Output) error {
	transport := thrift.NewTMemoryBufferLen(1024)
	serializer := thrift.TSerializer{Transport: transport, Protocol: thrift.NewTCompactProtocolConf(transport, nil)}
	made, err := serializer.Write(context.Background(), from)
	out.Block(made)
	return err
}

func decode(from []byte, to thrift.TStruct) error {
	transport := thrift.NewTMemoryBufferLen(1024)
	deserializer := thrift.TDeserializer{Transport: transport, Protocol: thrift.NewTCompactProtocolConf(transport, nil)}
	return deserializer.Read(context.Background(), to, from)
}

func write(root any, out *serbench.Output) error {
	return encode(fillRoot(root), out)
}

func tree(from []byte, hash *serbench.Hash) error {
	root := newRoot()
	if err := decode(from, root); err != nil {
		return err
	}
	walkRoot(root, hash)
	return nil
}

func serialize(from []byte) (func(out *serbench.Output) error, error) {
	root := newRoot()
	err := decode(from, root)
	return func(out *serbench.Output) error { return encode(root, out) }, err
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Serialize: serialize, Struct: plain})
}

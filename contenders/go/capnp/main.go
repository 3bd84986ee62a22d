package main

import (
	"math"

	"capnproto.org/go/capnp/v3"

	"serbench"
)

var marshal = (*capnp.Message).Marshal

func write(root any, out *serbench.Output) error {
	message, segment, err := capnp.NewMessage(capnp.SingleSegment(nil))
	if err != nil {
		return err
	}
	if err := packRoot(segment, root); err != nil {
		return err
	}
	data, err := marshal(message)
	out.Block(data)
	return err
}

func incremental(data []byte, hash *serbench.Hash) error {
	message, err := capnp.Unmarshal(data)
	if err != nil {
		return err
	}
	return read(message, hash)
}

// tree unpacks into a message of its own.
func tree(data []byte, hash *serbench.Hash) error {
	message, err := capnp.UnmarshalPacked(data)
	if err != nil {
		return err
	}
	return read(message, hash)
}

func read(message *capnp.Message, hash *serbench.Hash) error {
	message.TraverseLimit, message.DepthLimit = math.MaxUint64, math.MaxUint
	return walkRoot(message, hash)
}

func main() {
	contender := serbench.Contender{Write: write, Incremental: incremental, Struct: plain}
	if serbench.Defined("PACKED") {
		marshal, contender.Incremental, contender.Tree = (*capnp.Message).MarshalPacked, nil, tree
	}
	serbench.Run(contender)
}

package main

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"serbench"
)

func write(root any, out *serbench.Output) error {
	builder := flatbuffers.NewBuilder(1024)
	builder.Finish(packRoot(builder, root))
	out.Block(builder.FinishedBytes())
	return nil
}

func incremental(data []byte, hash *serbench.Hash) error {
	walkRoot(data, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Incremental: incremental, Struct: plain})
}

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

// given is a pointer to what is there, be it null: nil is what is absent.
func given[T any](made func(any) T) func(any) *T {
	return func(value any) *T {
		there := made(value)
		return &there
	}
}

// entriesOf a map come in its order.
func entriesOf[T any](entry func(serbench.Member) T) func(any) []T {
	return func(value any) []T {
		made := []T{}
		for _, member := range value.(serbench.Map) {
			made = append(made, entry(member))
		}
		return made
	}
}

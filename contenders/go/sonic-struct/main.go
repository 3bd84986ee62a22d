package main

import (
	"errors"

	"github.com/bytedance/sonic"

	"serbench"
)

var api = sonic.Config{SortMapKeys: true}.Froze()

// errFallback is the reason of every row where it would be another library's work that is measured.
var errFallback = errors.New("with this Go or processor sonic hands its work to encoding/json")

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
	contender := serbench.Contender{Write: write, Tree: tree, Struct: plain}
	if sonic.APIKind != sonic.UseSonicJSON {
		contender.Write = func(any, *serbench.Output) error { return errFallback }
		contender.Tree = func([]byte, *serbench.Hash) error { return errFallback }
	}
	serbench.Run(contender)
}

//go:build !generate

package main

import (
	"errors"

	"github.com/tinylib/msgp/msgp"

	"serbench"
)

//go:generate go run -tags generate .

var errFollows = errors.New("something follows the root")

// The library's maps come in another order each time, and it has no option that sorts keys.
//
//serbench:refuse write map the library writes a map's entries in another order each time
func write(root any, out *serbench.Output) error {
	data, err := any((*document)(root.(*Root))).(msgp.Marshaler).MarshalMsg(nil)
	out.Block(data)
	return err
}

// number is what a double is read as, since the library takes no integer where a float64 is wanted.
//
//msgp:ignore number
type number float64

func (n *number) UnmarshalMsg(data []byte) ([]byte, error) {
	var read msgp.Number
	rest, err := read.UnmarshalMsg(data)
	*n = number(read.CoerceFloat())
	return rest, err
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	rest, err := any((*document)(&root)).(msgp.Unmarshaler).UnmarshalMsg(data)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return errFollows
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

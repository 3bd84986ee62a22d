package main

import (
	"errors"
	"unsafe"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/ast"
	"github.com/bytedance/sonic/encoder"

	"serbench"
)

// api has the settings of the row.
var api sonic.API

// text makes a string of the input: with a copy, or the same bytes.
var text = func(data []byte) string { return string(data) }

func sameBytes(data []byte) string {
	return unsafe.String(unsafe.SliceData(data), len(data))
}

func write(root any, out *serbench.Output) error {
	data, err := api.Marshal(root)
	out.Block(data)
	return err
}

// object is a map whose order counts: a type with the hook of encoding/json, which the library calls, too.
type object []serbench.Member

func (o object) MarshalJSON() ([]byte, error) {
	var data []byte
	err := o.append(&data)
	return data, err
}

// append writes objects in objects at once; the library would check the text of each, and copy it.
func (o object) append(data *[]byte) error {
	*data = append(*data, '{')
	for i, member := range o {
		if i > 0 {
			*data = append(*data, ',')
		}
		err := encoder.EncodeInto(data, member.Key, 0)
		if err != nil {
			return err
		}
		*data = append(*data, ':')
		if inner, ok := member.Value.(object); ok {
			err = inner.append(data)
		} else {
			err = encoder.EncodeInto(data, member.Value, 0)
		}
		if err != nil {
			return err
		}
	}
	*data = append(*data, '}')
	return nil
}

func decode(data []byte) (any, error) {
	var root any
	err := api.UnmarshalFromString(text(data), &root)
	return root, err
}

func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	var steps []any
	for _, path := range paths {
		steps = steps[:0]
		for _, step := range path.Steps {
			if step.Index < 0 {
				steps = append(steps, step.Key)
			} else {
				steps = append(steps, step.Index)
			}
		}
		node, err := get(data, steps)
		if err == nil {
			err = scalar(&node, hash)
		}
		if errors.Is(err, ast.ErrNotExist) {
			return path.Missing()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func get(data []byte, path []any) (ast.Node, error) {
	if serbench.Defined("NO_COPY") {
		return sonic.GetFromString(sameBytes(data), path...)
	}
	return sonic.Get(data, path...)
}

func scalar(node *ast.Node, hash *serbench.Hash) error {
	switch node.TypeSafe() {
	case ast.V_ARRAY, ast.V_OBJECT:
		return ast.ErrNotExist
	}
	value, err := node.InterfaceUseNumber()
	if err != nil {
		return err
	}
	return hash.Any(value)
}

// errFallback is the reason of every row where it would be another library's work that is measured.
var errFallback = errors.New("with this Go or processor sonic hands its work to encoding/json")

func main() {
	config := sonic.Config{SortMapKeys: true, UseInt64: serbench.Defined("INT64"), UseNumber: serbench.Defined("NUMBER")}
	api = config.Froze()
	if serbench.Defined("STD") {
		api = sonic.ConfigStd
	}
	contender := serbench.Contender{Write: write, Decode: decode, Lookup: lookup, Map: serbench.Unordered}
	if serbench.Defined("HOOK") {
		contender.Map = func(members []serbench.Member) any { return object(members) }
	}
	if serbench.Defined("NO_COPY") {
		text = sameBytes
	}
	if sonic.APIKind != sonic.UseSonicJSON {
		contender.Write = func(any, *serbench.Output) error { return errFallback }
		contender.Decode = func([]byte) (any, error) { return nil, errFallback }
		contender.Lookup = func([]byte, []serbench.Path, *serbench.Hash) error { return errFallback }
	}
	serbench.Run(contender)
}

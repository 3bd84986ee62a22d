package main

import (
	"encoding/json"
	"errors"
	"unsafe"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/ast"

	"serbench"
)

var noCopy = serbench.Defined("NO_COPY")

// text makes a string of the input: with a copy, or the same bytes.
func text(data []byte) string {
	if noCopy {
		return sameBytes(data)
	}
	return string(data)
}

func sameBytes(data []byte) string {
	return unsafe.String(unsafe.SliceData(data), len(data))
}

// parse makes a node of the whole document, which refers to its text.
func parse(data []byte) (ast.Node, error) {
	if noCopy {
		return sonic.GetFromString(sameBytes(data))
	}
	return sonic.Get(data)
}

func tree(data []byte, hash *serbench.Hash) error {
	root, err := parse(data)
	if err != nil {
		return err
	}
	return walk(&root, hash)
}

func walk(node *ast.Node, hash *serbench.Hash) error {
	switch node.TypeSafe() {
	case ast.V_NULL:
		hash.Nil()
	case ast.V_TRUE:
		hash.Bool(true)
	case ast.V_FALSE:
		hash.Bool(false)
	case ast.V_STRING:
		value, err := node.StrictString()
		hash.String(value)
		return err
	case ast.V_NUMBER:
		value, err := node.StrictNumber()
		if err != nil {
			return err
		}
		return number(value, hash)
	case ast.V_ARRAY, ast.V_OBJECT:
		count := 0
		var failed error
		err := node.ForEach(func(place ast.Sequence, child *ast.Node) bool {
			if place.Key != nil {
				hash.String(*place.Key)
			}
			count++
			failed = walk(child, hash)
			return failed == nil
		})
		hash.Count(count)
		return errors.Join(err, failed, node.Check())
	default:
		return node.Check()
	}
	return nil
}

// number hashes the text of a number as what it is.
func number(text json.Number, hash *serbench.Hash) error {
	if !serbench.IsFloat(text.String()) {
		if x, err := text.Int64(); err == nil {
			hash.Int(x)
			return nil
		}
		return hash.Any(text)
	}
	x, err := text.Float64()
	hash.Float(x)
	return err
}

// visitor hashes what ast.Preorder tells it.
type visitor struct {
	hash *serbench.Hash
	// Of each container that is open.
	counts []int
}

func (v *visitor) value() {
	if last := len(v.counts) - 1; last >= 0 {
		v.counts[last]++
	}
}

func (v *visitor) OnNull() error {
	v.value()
	v.hash.Nil()
	return nil
}

func (v *visitor) OnBool(value bool) error {
	v.value()
	v.hash.Bool(value)
	return nil
}

func (v *visitor) OnString(value string) error {
	v.value()
	v.hash.String(value)
	return nil
}

func (v *visitor) OnInt64(value int64, _ json.Number) error {
	v.value()
	v.hash.Int(value)
	return nil
}

// OnFloat64 gets integers beyond 64 bits with sign, too.
func (v *visitor) OnFloat64(value float64, text json.Number) error {
	v.value()
	if !serbench.IsFloat(text.String()) {
		return v.hash.Any(text)
	}
	v.hash.Float(value)
	return nil
}

func (v *visitor) OnObjectKey(key string) error {
	v.hash.String(key)
	return nil
}

func (v *visitor) OnObjectBegin(int) error {
	v.value()
	v.counts = append(v.counts, 0)
	return nil
}

func (v *visitor) OnObjectEnd() error {
	last := len(v.counts) - 1
	v.hash.Count(v.counts[last])
	v.counts = v.counts[:last]
	return nil
}

func (v *visitor) OnArrayBegin(capacity int) error { return v.OnObjectBegin(capacity) }

func (v *visitor) OnArrayEnd() error { return v.OnObjectEnd() }

func incremental(data []byte, hash *serbench.Hash) error {
	return ast.Preorder(text(data), &visitor{hash: hash}, nil)
}

func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	root, err := parse(data)
	if err != nil {
		return err
	}
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
		node := root.GetByPath(steps...)
		if err := node.Check(); err != nil {
			return err
		}
		if kind := node.TypeSafe(); !node.Exists() || kind == ast.V_ARRAY || kind == ast.V_OBJECT {
			return path.Missing()
		}
		if err := walk(node, hash); err != nil {
			return err
		}
	}
	return nil
}

// errFallback is the reason of every row where it would be another library's work that is measured.
var errFallback = errors.New("with this Go or processor sonic hands its work to encoding/json")

func main() {
	contender := serbench.Contender{Tree: tree, Incremental: incremental, Lookup: lookup}
	if sonic.APIKind != sonic.UseSonicJSON {
		read := func([]byte, *serbench.Hash) error { return errFallback }
		contender.Tree, contender.Incremental = read, read
		contender.Lookup = func([]byte, []serbench.Path, *serbench.Hash) error { return errFallback }
	}
	serbench.Run(contender)
}

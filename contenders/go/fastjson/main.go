package main

import (
	"github.com/valyala/fastjson"

	"serbench"
)

// parse is a function that makes a new tree, or a method of a parser that keeps its memory.
var parse = fastjson.ParseBytes

func tree(data []byte, hash *serbench.Hash) error {
	root, err := parse(data)
	if err != nil {
		return err
	}
	return walk(root, hash)
}

func walk(value *fastjson.Value, hash *serbench.Hash) error {
	switch value.Type() {
	case fastjson.TypeNull:
		hash.Nil()
	case fastjson.TypeTrue, fastjson.TypeFalse:
		hash.Bool(value.GetBool())
	case fastjson.TypeString:
		hash.Bytes(value.GetStringBytes())
	case fastjson.TypeNumber:
		return number(value, hash)
	case fastjson.TypeArray:
		items := value.GetArray()
		for _, item := range items {
			if err := walk(item, hash); err != nil {
				return err
			}
		}
		hash.Count(len(items))
	case fastjson.TypeObject:
		object := value.GetObject()
		var failed error
		object.Visit(func(key []byte, member *fastjson.Value) {
			hash.Bytes(key)
			if err := walk(member, hash); err != nil {
				failed = err
			}
		})
		hash.Count(object.Len())
		return failed
	}
	return nil
}

// number looks at the text, which is what the library keeps of a number.
func number(value *fastjson.Value, hash *serbench.Hash) error {
	var room [32]byte
	if !serbench.IsFloat(value.MarshalTo(room[:0])) {
		if x, err := value.Int64(); err == nil {
			hash.Int(x)
			return nil
		}
		if x, err := value.Uint64(); err == nil {
			hash.Uint(x)
			return nil
		}
	}
	x, err := value.Float64()
	hash.Float(x)
	return err
}

func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	root, err := parse(data)
	if err != nil {
		return err
	}
	for _, path := range paths {
		value := root
		for _, step := range path.Steps {
			if step.Index < 0 {
				value = value.Get(step.Key)
			} else if items := value.GetArray(); step.Index < len(items) {
				value = items[step.Index]
			} else {
				return path.Missing()
			}
		}
		if value == nil || value.Type() == fastjson.TypeArray || value.Type() == fastjson.TypeObject {
			return path.Missing()
		}
		if err := walk(value, hash); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if serbench.Defined("REUSE") {
		parse = new(fastjson.Parser).ParseBytes
	}
	serbench.Run(serbench.Contender{Tree: tree, Lookup: lookup})
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"

	"serbench"
)

// encode encodes a tree. A root array becomes what every array is in BSON, a document whose keys are the indexes.
func encode(root any) ([]byte, error) {
	if array, ok := root.([]any); ok {
		_, data, err := bson.MarshalValue(array)
		return data, err
	}
	return bson.Marshal(root)
}

func write(root any, out *serbench.Output) error {
	data, err := encode(root)
	out.Block(data)
	return err
}

// writeCompact takes four bytes for an integer that fits. Its encoder takes a document only at the root: a root
// array is the only member of one, and what stands around it is cut off.
func writeCompact(root any, out *serbench.Output) error {
	array, wrapped := root.([]any)
	if wrapped {
		root = bson.D{{Value: array}}
	}
	var buffer bytes.Buffer
	encoder := bson.NewEncoder(bson.NewDocumentWriter(&buffer))
	encoder.IntMinSize()
	if err := encoder.Encode(root); err != nil {
		return err
	}
	data := buffer.Bytes()
	if wrapped {
		const before, after = 6, 1 // length, type and empty key; the end of the document
		data = data[before : len(data)-after]
	}
	out.Block(data)
	return nil
}

// ordered makes the library's own type for a document whose order counts.
func ordered(members []serbench.Member) any {
	document := make(bson.D, len(members))
	for i, member := range members {
		document[i] = bson.E{Key: member.Key, Value: member.Value}
	}
	return document
}

func decode(data []byte) (any, error) {
	if serbench.RootIsArray() {
		var root bson.A
		err := bson.UnmarshalValue(bson.TypeArray, data, &root)
		return []any(root), err
	}
	var root bson.D
	err := bson.Unmarshal(data, &root)
	return root, err
}

func tree(data []byte, hash *serbench.Hash) error {
	root, err := decode(data)
	if err != nil {
		return err
	}
	return walk(root, hash)
}

// treeMap decodes into Go's own maps, but for a root array, whose elements only a bson.D has in their order.
func treeMap(data []byte, hash *serbench.Hash) error {
	decoder := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(data)))
	decoder.DefaultDocumentM()
	if !serbench.RootIsArray() {
		var root bson.M
		if err := decoder.Decode(&root); err != nil {
			return err
		}
		return walk(root, hash)
	}
	var root bson.D
	if err := decoder.Decode(&root); err != nil {
		return err
	}
	for _, element := range root {
		if err := walk(element.Value, hash); err != nil {
			return err
		}
	}
	hash.Count(len(root))
	return nil
}

func walk(value any, hash *serbench.Hash) error {
	switch x := value.(type) {
	case bson.D:
		for _, member := range x {
			hash.String(member.Key)
			if err := walk(member.Value, hash); err != nil {
				return err
			}
		}
		hash.Count(len(x))
	case bson.M:
		entries := hash.Entries()
		for key, member := range x {
			entries.Next()
			hash.String(key)
			if err := walk(member, hash); err != nil {
				return err
			}
		}
		entries.End()
	case bson.A:
		return walk([]any(x), hash)
	case []any:
		for _, item := range x {
			if err := walk(item, hash); err != nil {
				return err
			}
		}
		hash.Count(len(x))
	default:
		return hash.Any(value)
	}
	return nil
}

func incremental(data []byte, hash *serbench.Hash) error {
	if serbench.RootIsArray() {
		return array(bson.RawArray(data), hash)
	}
	return document(bson.Raw(data), hash)
}

func document(raw bson.Raw, hash *serbench.Hash) error {
	elements, err := raw.Elements()
	if err != nil {
		return err
	}
	for _, element := range elements {
		key, err := element.KeyErr()
		if err != nil {
			return err
		}
		hash.String(key)
		member, err := element.ValueErr()
		if err != nil {
			return err
		}
		if err := value(member, hash); err != nil {
			return err
		}
	}
	hash.Count(len(elements))
	return nil
}

func array(raw bson.RawArray, hash *serbench.Hash) error {
	items, err := raw.Values()
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := value(item, hash); err != nil {
			return err
		}
	}
	hash.Count(len(items))
	return nil
}

var errShort = errors.New("a value is cut off")

// value hashes a value that stands in the input.
func value(raw bson.RawValue, hash *serbench.Hash) error {
	switch raw.Type {
	case bson.TypeEmbeddedDocument:
		inner, ok := raw.DocumentOK()
		if !ok {
			return errShort
		}
		return document(inner, hash)
	case bson.TypeArray:
		inner, ok := raw.ArrayOK()
		if !ok {
			return errShort
		}
		return array(inner, hash)
	}
	return scalar(raw, hash)
}

func scalar(raw bson.RawValue, hash *serbench.Hash) error {
	complete := true
	switch raw.Type {
	case bson.TypeNull:
		hash.Nil()
	case bson.TypeBoolean:
		var x bool
		x, complete = raw.BooleanOK()
		hash.Bool(x)
	case bson.TypeInt32:
		var x int32
		x, complete = raw.Int32OK()
		hash.Int(int64(x))
	case bson.TypeInt64:
		var x int64
		x, complete = raw.Int64OK()
		hash.Int(x)
	case bson.TypeDouble:
		var x float64
		x, complete = raw.DoubleOK()
		hash.Float(x)
	case bson.TypeString:
		var x string
		x, complete = raw.StringValueOK()
		hash.String(x)
	default:
		return fmt.Errorf("a value is a %s", raw.Type)
	}
	if !complete {
		return errShort
	}
	return nil
}

func serialize(data []byte) (func(*serbench.Output) error, error) {
	root, err := decode(data)
	return func(out *serbench.Output) error { return write(root, out) }, err
}

func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	for i := range paths {
		keys := make([]string, len(paths[i].Steps))
		for j, step := range paths[i].Steps {
			if keys[j] = step.Key; step.Index >= 0 {
				keys[j] = strconv.Itoa(step.Index)
			}
		}
		found, err := bson.Raw(data).LookupErr(keys...)
		if err != nil {
			return fmt.Errorf("%w: %w", paths[i].Missing(), err)
		}
		if err := scalar(found, hash); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	contender := serbench.Contender{
		Write: write, Tree: tree, Incremental: incremental, Serialize: serialize, Lookup: lookup, Map: ordered,
	}
	if serbench.Defined("COMPACT") {
		contender.Write = writeCompact
	}
	if serbench.Defined("MAP") {
		contender.Tree = treeMap
	}
	serbench.Run(contender)
}

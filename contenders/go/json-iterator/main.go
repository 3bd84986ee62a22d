package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	jsoniter "github.com/json-iterator/go"

	"serbench"
)

// api has the settings of the row.
var api = jsoniter.ConfigCompatibleWithStandardLibrary

func write(root any, out *serbench.Output) error {
	data, err := api.Marshal(root)
	out.Block(data)
	return err
}

// writeStream writes maps whose order counts.
func writeStream(root any, out *serbench.Output) error {
	stream := jsoniter.NewStream(api, nil, 512)
	err := put(root, stream)
	out.Block(stream.Buffer())
	return err
}

func put(value any, stream *jsoniter.Stream) error {
	switch x := value.(type) {
	case nil:
		stream.WriteNil()
	case bool:
		stream.WriteBool(x)
	case int64:
		stream.WriteInt64(x)
	case uint64:
		stream.WriteUint64(x)
	case float64:
		stream.WriteFloat64(x)
	case string:
		stream.WriteString(x)
	case []any:
		stream.WriteArrayStart()
		for i, item := range x {
			if i > 0 {
				stream.WriteMore()
			}
			if err := put(item, stream); err != nil {
				return err
			}
		}
		stream.WriteArrayEnd()
	case serbench.Map:
		stream.WriteObjectStart()
		for i, member := range x {
			if i > 0 {
				stream.WriteMore()
			}
			stream.WriteObjectField(member.Key)
			if err := put(member.Value, stream); err != nil {
				return err
			}
		}
		stream.WriteObjectEnd()
	default:
		return fmt.Errorf("a value is a %T", value)
	}
	return stream.Error
}

func decode(data []byte) (any, error) {
	var root any
	err := api.Unmarshal(data, &root)
	return root, err
}

func incremental(data []byte, hash *serbench.Hash) error {
	iterator := jsoniter.ParseBytes(api, data)
	if !value(iterator, hash) {
		return failure(iterator)
	}
	// As Unmarshal does it: the end of the text is an error of the iterator, and here the right one.
	if iterator.WhatIsNext() != jsoniter.InvalidValue || iterator.Error != io.EOF {
		return errors.New("something follows the root")
	}
	return nil
}

func failure(iterator *jsoniter.Iterator) error {
	if iterator.Error == nil || iterator.Error == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return iterator.Error
}

// value hashes the next value; false if there is none, and the iterator has the error.
func value(iterator *jsoniter.Iterator, hash *serbench.Hash) bool {
	switch iterator.WhatIsNext() {
	case jsoniter.NilValue:
		iterator.ReadNil()
		hash.Nil()
	case jsoniter.BoolValue:
		hash.Bool(iterator.ReadBool())
	case jsoniter.NumberValue:
		if err := hash.Any(iterator.ReadNumber()); err != nil {
			iterator.ReportError("number", err.Error())
		}
	case jsoniter.StringValue:
		hash.String(iterator.ReadString())
	case jsoniter.ArrayValue:
		count := 0
		ended := iterator.ReadArrayCB(func(iterator *jsoniter.Iterator) bool {
			count++
			return value(iterator, hash)
		})
		hash.Count(count)
		return ended
	case jsoniter.ObjectValue:
		count := 0
		ended := iterator.ReadObjectCB(func(iterator *jsoniter.Iterator, key string) bool {
			hash.String(key)
			count++
			return value(iterator, hash)
		})
		hash.Count(count)
		return ended
	default:
		iterator.ReportError("value", "no value")
	}
	return iterator.Error == nil || iterator.Error == io.EOF
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
		found := api.Get(data, steps...)
		switch found.ValueType() {
		case jsoniter.NilValue:
			hash.Nil()
		case jsoniter.BoolValue:
			hash.Bool(found.ToBool())
		case jsoniter.StringValue:
			hash.String(found.ToString())
		case jsoniter.NumberValue:
			if err := hash.Any(json.Number(found.ToString())); err != nil {
				return err
			}
		default:
			return path.Missing()
		}
	}
	return nil
}

func main() {
	contender := serbench.Contender{Write: write, Decode: decode, Incremental: incremental, Lookup: lookup, Map: serbench.Unordered}
	switch {
	case serbench.Defined("NUMBER"):
		api = jsoniter.Config{EscapeHTML: true, SortMapKeys: true, ValidateJsonRawMessage: true, UseNumber: true}.Froze()
	case serbench.Defined("UNESCAPED"):
		api = jsoniter.Config{SortMapKeys: true, ValidateJsonRawMessage: true}.Froze()
	case serbench.Defined("STREAM"):
		contender.Write, contender.Map = writeStream, nil
	}
	serbench.Run(contender)
}

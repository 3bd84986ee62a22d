package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tinylib/msgp/msgp"

	"serbench"
)

// object is a map whose order counts, with the methods that the library's generator makes for a type.
type object []serbench.Member

func (o object) EncodeMsg(writer *msgp.Writer) error {
	if err := writer.WriteMapHeader(uint32(len(o))); err != nil {
		return err
	}
	for _, member := range o {
		if err := writer.WriteString(member.Key); err != nil {
			return err
		}
		if err := writer.WriteIntf(member.Value); err != nil {
			return err
		}
	}
	return nil
}

func (o object) MarshalMsg(to []byte) ([]byte, error) {
	to = msgp.AppendMapHeader(to, uint32(len(o)))
	var err error
	for _, member := range o {
		to = msgp.AppendString(to, member.Key)
		if to, err = msgp.AppendIntf(to, member.Value); err != nil {
			return to, err
		}
	}
	return to, nil
}

// written is a root of any type.
type written struct {
	root any
}

func (w written) EncodeMsg(writer *msgp.Writer) error {
	return writer.WriteIntf(w.root)
}

func write(root any, out *serbench.Output) error {
	return msgp.Encode(out, written{root})
}

// writeBytes appends to a slice.
func writeBytes(root any, out *serbench.Output) error {
	data, err := msgp.AppendIntf(nil, root)
	out.Block(data)
	return err
}

var errFollows = errors.New("something follows the root")

// read is what a stream is decoded with.
type read func(*msgp.Reader) error

func (r read) DecodeMsg(reader *msgp.Reader) error {
	if err := r(reader); err != nil {
		return err
	}
	if _, err := reader.NextType(); err != io.EOF {
		return errFollows
	}
	return nil
}

func decode(data []byte) (root any, err error) {
	err = msgp.Decode(bytes.NewReader(data), read(func(reader *msgp.Reader) (err error) {
		root, err = reader.ReadIntf()
		return err
	}))
	return root, err
}

func decodeBytes(data []byte) (any, error) {
	root, rest, err := msgp.ReadIntfBytes(data)
	if err == nil && len(rest) > 0 {
		err = errFollows
	}
	return root, err
}

func incremental(data []byte, hash *serbench.Hash) error {
	return msgp.Decode(bytes.NewReader(data), read(func(reader *msgp.Reader) error {
		return value(reader, hash)
	}))
}

// value hashes the next value of a stream.
func value(reader *msgp.Reader, hash *serbench.Hash) error {
	kind, err := reader.NextType()
	if err != nil {
		return err
	}
	switch kind {
	case msgp.MapType:
		count, err := reader.ReadMapHeader()
		if err != nil {
			return err
		}
		for range count {
			key, err := reader.ReadString()
			if err != nil {
				return err
			}
			hash.String(key)
			if err := value(reader, hash); err != nil {
				return err
			}
		}
		hash.Count(int(count))
	case msgp.ArrayType:
		count, err := reader.ReadArrayHeader()
		if err != nil {
			return err
		}
		for range count {
			if err := value(reader, hash); err != nil {
				return err
			}
		}
		hash.Count(int(count))
	case msgp.StrType:
		x, err := reader.ReadString()
		hash.String(x)
		return err
	case msgp.IntType:
		x, err := reader.ReadInt64()
		hash.Int(x)
		return err
	case msgp.UintType:
		x, err := reader.ReadUint64()
		hash.Uint(x)
		return err
	case msgp.Float64Type:
		x, err := reader.ReadFloat64()
		hash.Float(x)
		return err
	case msgp.BoolType:
		x, err := reader.ReadBool()
		hash.Bool(x)
		return err
	case msgp.NilType:
		hash.Nil()
		return reader.ReadNil()
	default:
		return fmt.Errorf("a value is a %s", kind)
	}
	return nil
}

func incrementalBytes(data []byte, hash *serbench.Hash) error {
	rest, err := valueBytes(data, hash)
	if err == nil && len(rest) > 0 {
		err = errFollows
	}
	return err
}

// text hashes a string at the start of data, and returns what follows it.
var text = func(data []byte, hash *serbench.Hash) ([]byte, error) {
	x, rest, err := msgp.ReadStringBytes(data)
	hash.String(x)
	return rest, err
}

// textInPlace makes no copy of the string.
func textInPlace(data []byte, hash *serbench.Hash) ([]byte, error) {
	x, rest, err := msgp.ReadStringZC(data)
	hash.Bytes(x)
	return rest, err
}

// valueBytes hashes the value at the start of data, and returns what follows it.
func valueBytes(data []byte, hash *serbench.Hash) ([]byte, error) {
	switch msgp.NextType(data) {
	case msgp.MapType:
		count, rest, err := msgp.ReadMapHeaderBytes(data)
		if err != nil {
			return nil, err
		}
		for range count {
			if rest, err = text(rest, hash); err != nil {
				return nil, err
			}
			if rest, err = valueBytes(rest, hash); err != nil {
				return nil, err
			}
		}
		hash.Count(int(count))
		return rest, nil
	case msgp.ArrayType:
		count, rest, err := msgp.ReadArrayHeaderBytes(data)
		if err != nil {
			return nil, err
		}
		for range count {
			if rest, err = valueBytes(rest, hash); err != nil {
				return nil, err
			}
		}
		hash.Count(int(count))
		return rest, nil
	}
	return scalar(data, hash)
}

func scalar(data []byte, hash *serbench.Hash) ([]byte, error) {
	switch kind := msgp.NextType(data); kind {
	case msgp.StrType:
		return text(data, hash)
	case msgp.IntType:
		x, rest, err := msgp.ReadInt64Bytes(data)
		hash.Int(x)
		return rest, err
	case msgp.UintType:
		x, rest, err := msgp.ReadUint64Bytes(data)
		hash.Uint(x)
		return rest, err
	case msgp.Float64Type:
		x, rest, err := msgp.ReadFloat64Bytes(data)
		hash.Float(x)
		return rest, err
	case msgp.BoolType:
		x, rest, err := msgp.ReadBoolBytes(data)
		hash.Bool(x)
		return rest, err
	case msgp.NilType:
		hash.Nil()
		return msgp.ReadNilBytes(data)
	case msgp.InvalidType:
		return nil, msgp.ErrShortBytes
	default:
		return nil, fmt.Errorf("a value is a %s", kind)
	}
}

func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	for i := range paths {
		found := data
		for _, step := range paths[i].Steps {
			if step.Index < 0 {
				if found = msgp.Locate(step.Key, found); len(found) == 0 {
					return paths[i].Missing()
				}
				continue
			}
			count, rest, err := msgp.ReadArrayHeaderBytes(found)
			if err != nil || step.Index >= int(count) {
				return paths[i].Missing()
			}
			for range step.Index {
				if rest, err = msgp.Skip(rest); err != nil {
					return err
				}
			}
			found = rest
		}
		if _, err := scalar(found, hash); err != nil {
			return fmt.Errorf("%w: %w", paths[i].Missing(), err)
		}
	}
	return nil
}

func main() {
	contender := serbench.Contender{Write: write, Decode: decode, Incremental: incremental, Lookup: lookup}
	contender.Map = func(members []serbench.Member) any { return object(members) }
	if serbench.Defined("BYTES") {
		contender.Write, contender.Decode, contender.Incremental = writeBytes, decodeBytes, incrementalBytes
	}
	if serbench.Defined("ZERO_COPY") {
		text = textInPlace
	}
	serbench.Run(contender)
}

package main

import (
	"bytes"
	"errors"
	"io"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"serbench"
)

// object is a map whose order counts: a type with the library's hook.
type object []serbench.Member

func (o object) EncodeMsgpack(encoder *msgpack.Encoder) error {
	if err := encoder.EncodeMapLen(len(o)); err != nil {
		return err
	}
	for _, member := range o {
		if err := encoder.EncodeString(member.Key); err != nil {
			return err
		}
		if err := encoder.Encode(member.Value); err != nil {
			return err
		}
	}
	return nil
}

func write(root any, out *serbench.Output) error {
	data, err := msgpack.Marshal(root)
	out.Block(data)
	return err
}

// writeCompact writes integers in their shortest form.
func writeCompact(root any, out *serbench.Output) error {
	var buffer bytes.Buffer
	encoder := msgpack.NewEncoder(&buffer)
	encoder.UseCompactInts(true)
	err := encoder.Encode(root)
	out.Block(buffer.Bytes())
	return err
}

func decode(data []byte) (any, error) {
	var root any
	err := msgpack.Unmarshal(data, &root)
	return root, err
}

func incremental(data []byte, hash *serbench.Hash) error {
	reader := bytes.NewReader(data)
	if err := value(msgpack.NewDecoder(reader), hash); err != nil {
		return err
	}
	if reader.Len() > 0 {
		return errors.New("something follows the root")
	}
	return nil
}

// value hashes the next value.
func value(decoder *msgpack.Decoder, hash *serbench.Hash) error {
	code, err := decoder.PeekCode()
	if err != nil {
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	switch {
	case isMap(code):
		count, err := decoder.DecodeMapLen()
		if err != nil {
			return err
		}
		for range count {
			key, err := decoder.DecodeString()
			if err != nil {
				return err
			}
			hash.String(key)
			if err := value(decoder, hash); err != nil {
				return err
			}
		}
		hash.Count(count)
	case isArray(code):
		count, err := decoder.DecodeArrayLen()
		if err != nil {
			return err
		}
		for range count {
			if err := value(decoder, hash); err != nil {
				return err
			}
		}
		hash.Count(count)
	default:
		return scalar(decoder, code, hash)
	}
	return nil
}

// scalar hashes the next value by the call for its type.
func scalar(decoder *msgpack.Decoder, code byte, hash *serbench.Hash) error {
	switch {
	case code == msgpcode.Nil:
		hash.Nil()
		return decoder.DecodeNil()
	case code == msgpcode.True, code == msgpcode.False:
		x, err := decoder.DecodeBool()
		hash.Bool(x)
		return err
	case msgpcode.IsString(code):
		x, err := decoder.DecodeString()
		hash.String(x)
		return err
	case code == msgpcode.Float, code == msgpcode.Double:
		x, err := decoder.DecodeFloat64()
		hash.Float(x)
		return err
	case code == msgpcode.Uint64:
		x, err := decoder.DecodeUint64()
		hash.Uint(x)
		return err
	}
	x, err := decoder.DecodeInt64()
	hash.Int(x)
	return err
}

// lookup reads the keys on the way to each value, and skips the values that it passes.
func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	decoder := msgpack.NewDecoder(nil)
	for i := range paths {
		decoder.Reset(bytes.NewReader(data))
		for _, step := range paths[i].Steps {
			there, err := enter(decoder, step)
			if err != nil {
				return err
			}
			if !there {
				return paths[i].Missing()
			}
		}
		code, err := decoder.PeekCode()
		if err != nil {
			return err
		}
		if isMap(code) || isArray(code) {
			return paths[i].Missing()
		}
		if err := scalar(decoder, code, hash); err != nil {
			return err
		}
	}
	return nil
}

// enter stops before the value at a step, and says whether there is one.
func enter(decoder *msgpack.Decoder, step serbench.Step) (bool, error) {
	code, err := decoder.PeekCode()
	if err != nil {
		return false, err
	}
	if step.Index >= 0 {
		if !isArray(code) {
			return false, nil
		}
		count, err := decoder.DecodeArrayLen()
		if err != nil || step.Index >= count {
			return false, err
		}
		for range step.Index {
			if err := decoder.Skip(); err != nil {
				return false, err
			}
		}
		return true, nil
	}
	if !isMap(code) {
		return false, nil
	}
	count, err := decoder.DecodeMapLen()
	if err != nil {
		return false, err
	}
	for range count {
		key, err := decoder.DecodeString()
		if err != nil || key == step.Key {
			return err == nil, err
		}
		if err := decoder.Skip(); err != nil {
			return false, err
		}
	}
	return false, nil
}

func isMap(code byte) bool {
	return msgpcode.IsFixedMap(code) || code == msgpcode.Map16 || code == msgpcode.Map32
}

func isArray(code byte) bool {
	return msgpcode.IsFixedArray(code) || code == msgpcode.Array16 || code == msgpcode.Array32
}

func main() {
	contender := serbench.Contender{Write: write, Decode: decode, Incremental: incremental, Lookup: lookup}
	contender.Map = func(members []serbench.Member) any { return object(members) }
	if serbench.Defined("COMPACT") {
		contender.Write = writeCompact
	}
	serbench.Run(contender)
}

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
	case msgpcode.IsFixedMap(code), code == msgpcode.Map16, code == msgpcode.Map32:
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
	case msgpcode.IsFixedArray(code), code == msgpcode.Array16, code == msgpcode.Array32:
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

func main() {
	contender := serbench.Contender{Write: write, Decode: decode, Incremental: incremental}
	contender.Map = func(members []serbench.Member) any { return object(members) }
	if serbench.Defined("COMPACT") {
		contender.Write = writeCompact
	}
	serbench.Run(contender)
}

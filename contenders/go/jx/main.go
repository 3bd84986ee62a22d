package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-faster/jx"

	"serbench"
)

func write(root any, out *serbench.Output) error {
	var encoder jx.Encoder
	err := encode(root, &encoder)
	out.Block(encoder.Bytes())
	return err
}

func writeReusing(root any, out *serbench.Output) error {
	encoder := jx.GetEncoder()
	defer jx.PutEncoder(encoder)
	err := encode(root, encoder)
	out.Block(encoder.Bytes())
	return err
}

var errFull = errors.New("the encoder failed")

// encode writes a value. The functions of Encoder are true if they fail, which only one that writes to a file does.
func encode(value any, to *jx.Encoder) error {
	failed := false
	switch x := value.(type) {
	case nil:
		failed = to.Null()
	case bool:
		failed = to.Bool(x)
	case int64:
		failed = to.Int64(x)
	case uint64:
		failed = to.UInt64(x)
	case float64:
		failed = to.Float64(x)
	case string:
		failed = to.Str(x)
	case []any:
		failed = to.ArrStart()
		for _, item := range x {
			if err := encode(item, to); err != nil {
				return err
			}
		}
		failed = to.ArrEnd() || failed
	case serbench.Map:
		failed = to.ObjStart()
		for _, member := range x {
			failed = to.FieldStart(member.Key) || failed
			if err := encode(member.Value, to); err != nil {
				return err
			}
		}
		failed = to.ObjEnd() || failed
	default:
		return fmt.Errorf("a value is a %T", value)
	}
	if failed {
		return errFull
	}
	return nil
}

func writeWriter(root any, out *serbench.Output) error {
	var writer jx.Writer
	err := put(root, &writer)
	out.Block(writer.Buf)
	return err
}

// put does the same with a Writer, which writes no commas of its own.
func put(value any, to *jx.Writer) error {
	failed := false
	switch x := value.(type) {
	case nil:
		failed = to.Null()
	case bool:
		failed = to.Bool(x)
	case int64:
		failed = to.Int64(x)
	case uint64:
		failed = to.UInt64(x)
	case float64:
		failed = to.Float64(x)
	case string:
		failed = to.Str(x)
	case []any:
		failed = to.ArrStart()
		for i, item := range x {
			if i > 0 {
				failed = to.Comma() || failed
			}
			if err := put(item, to); err != nil {
				return err
			}
		}
		failed = to.ArrEnd() || failed
	case serbench.Map:
		failed = to.ObjStart()
		for i, member := range x {
			if i > 0 {
				failed = to.Comma() || failed
			}
			failed = to.FieldStart(member.Key) || failed
			if err := put(member.Value, to); err != nil {
				return err
			}
		}
		failed = to.ObjEnd() || failed
	default:
		return fmt.Errorf("a value is a %T", value)
	}
	if failed {
		return errFull
	}
	return nil
}

func incremental(data []byte, hash *serbench.Hash) error {
	return document(jx.DecodeBytes(data), hash)
}

func incrementalReusing(data []byte, hash *serbench.Hash) error {
	decoder := jx.GetDecoder()
	defer jx.PutDecoder(decoder)
	decoder.ResetBytes(data)
	return document(decoder, hash)
}

func document(decoder *jx.Decoder, hash *serbench.Hash) error {
	if err := value(decoder, hash); err != nil {
		return err
	}
	if err := decoder.Skip(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the root")
	}
	return nil
}

// value hashes the next value.
func value(decoder *jx.Decoder, hash *serbench.Hash) error {
	switch decoder.Next() {
	case jx.Null:
		hash.Nil()
		return decoder.Null()
	case jx.Bool:
		x, err := decoder.Bool()
		hash.Bool(x)
		return err
	case jx.String:
		return text(decoder, hash)
	case jx.Number:
		return number(decoder, hash)
	case jx.Array:
		count := 0
		err := decoder.Arr(func(decoder *jx.Decoder) error {
			count++
			return value(decoder, hash)
		})
		hash.Count(count)
		return err
	case jx.Object:
		count := 0
		err := members(decoder, func() error {
			count++
			return value(decoder, hash)
		}, hash)
		hash.Count(count)
		return err
	default:
		return decoder.Skip() // It says what is wrong.
	}
}

var inBytes bool

func text(decoder *jx.Decoder, hash *serbench.Hash) error {
	if inBytes {
		x, err := decoder.StrBytes()
		hash.Bytes(x)
		return err
	}
	x, err := decoder.Str()
	hash.String(x)
	return err
}

// members hashes the keys, and calls what hashes the value of each.
func members(decoder *jx.Decoder, member func() error, hash *serbench.Hash) error {
	if inBytes {
		return decoder.ObjBytes(func(_ *jx.Decoder, key []byte) error {
			hash.Bytes(key)
			return member()
		})
	}
	return decoder.Obj(func(_ *jx.Decoder, key string) error {
		hash.String(key)
		return member()
	})
}

func number(decoder *jx.Decoder, hash *serbench.Hash) error {
	num, err := decoder.Num()
	if err != nil {
		return err
	}
	if !serbench.IsFloat([]byte(num)) {
		if x, err := num.Int64(); err == nil {
			hash.Int(x)
			return nil
		}
		if x, err := num.Uint64(); err == nil {
			hash.Uint(x)
			return nil
		}
	}
	x, err := num.Float64()
	hash.Float(x)
	return err
}

func main() {
	contender := serbench.Contender{Write: write, Incremental: incremental}
	inBytes = serbench.Defined("BYTES")
	switch {
	case serbench.Defined("WRITER"):
		contender.Write = writeWriter
	case serbench.Defined("REUSE"):
		contender.Write, contender.Incremental = writeReusing, incrementalReusing
	}
	serbench.Run(contender)
}

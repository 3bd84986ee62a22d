package main

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/amazon-ion/ion-go/ion"

	"serbench"
)

func write(root any, out *serbench.Output) error {
	writer := ion.NewBinaryWriter(out)
	if err := put(writer, root); err != nil {
		return err
	}
	return writer.Finish()
}

func put(writer ion.Writer, value any) error {
	switch x := value.(type) {
	case nil:
		return writer.WriteNull()
	case bool:
		return writer.WriteBool(x)
	case int64:
		return writer.WriteInt(x)
	case uint64:
		return writer.WriteUint(x)
	case float64:
		return writer.WriteFloat(x)
	case string:
		return writer.WriteString(x)
	case []any:
		if err := writer.BeginList(); err != nil {
			return err
		}
		for _, item := range x {
			if err := put(writer, item); err != nil {
				return err
			}
		}
		return writer.EndList()
	case serbench.Map:
		if err := writer.BeginStruct(); err != nil {
			return err
		}
		for _, member := range x {
			if err := writer.FieldName(ion.NewSymbolTokenFromString(member.Key)); err != nil {
				return err
			}
			if err := put(writer, member.Value); err != nil {
				return err
			}
		}
		return writer.EndStruct()
	}
	return fmt.Errorf("a value is a %T", value)
}

// writeMap writes Go's own map, whose keys the library sorts.
func writeMap(root any, out *serbench.Output) error {
	encoder := ion.NewEncoderOpts(ion.NewBinaryWriter(out), ion.EncodeSortMaps)
	if err := encoder.Encode(root); err != nil {
		return err
	}
	return encoder.Finish()
}

var (
	errFollows = errors.New("something follows the root")
	errNothing = errors.New("there is no value")
)

// first goes to the next value.
func first(reader ion.Reader) error {
	if reader.Next() {
		return nil
	}
	if err := reader.Err(); err != nil {
		return err
	}
	return errNothing
}

// end is an error if another value follows, or the input is damaged there.
func end(reader ion.Reader) error {
	if reader.Next() {
		return errFollows
	}
	return reader.Err()
}

func tree(data []byte, hash *serbench.Hash) error {
	reader := ion.NewReaderBytes(data)
	var root any
	if err := ion.UnmarshalFrom(reader, &root); err != nil {
		return err
	}
	if err := end(reader); err != nil {
		return err
	}
	return walk(root, hash)
}

// walk hashes what the library decodes: pointers for doubles and strings, and a large integer's own type.
func walk(value any, hash *serbench.Hash) error {
	switch x := value.(type) {
	case *string:
		hash.String(*x)
	case *float64:
		hash.Float(*x)
	case *big.Int:
		return large(x, hash)
	case []any:
		for _, item := range x {
			if err := walk(item, hash); err != nil {
				return err
			}
		}
		hash.Count(len(x))
	case map[string]any:
		entries := hash.Entries()
		for key, member := range x {
			entries.Next()
			hash.String(key)
			if err := walk(member, hash); err != nil {
				return err
			}
		}
		entries.End()
	default:
		return hash.Any(value)
	}
	return nil
}

func large(number *big.Int, hash *serbench.Hash) error {
	switch {
	case number.IsInt64():
		hash.Int(number.Int64())
	case number.IsUint64():
		hash.Uint(number.Uint64())
	default:
		return fmt.Errorf("an integer has %d bits", number.BitLen())
	}
	return nil
}

func incremental(data []byte, hash *serbench.Hash) error {
	reader := ion.NewReaderBytes(data)
	if err := first(reader); err != nil {
		return err
	}
	if err := value(reader, hash); err != nil {
		return err
	}
	return end(reader)
}

// value hashes the value that the reader is at.
func value(reader ion.Reader, hash *serbench.Hash) error {
	kind := reader.Type()
	if reader.IsNull() || kind != ion.ListType && kind != ion.StructType {
		return scalar(reader, hash)
	}
	if err := reader.StepIn(); err != nil {
		return err
	}
	count := 0
	for ; reader.Next(); count++ {
		if kind == ion.StructType {
			key, err := name(reader)
			if err != nil {
				return err
			}
			hash.String(key)
		}
		if err := value(reader, hash); err != nil {
			return err
		}
	}
	if err := reader.Err(); err != nil {
		return err
	}
	hash.Count(count)
	return reader.StepOut()
}

func name(reader ion.Reader) (string, error) {
	token, err := reader.FieldName()
	if err != nil {
		return "", err
	}
	if token == nil || token.Text == nil {
		return "", errors.New("a key has no text")
	}
	return *token.Text, nil
}

func scalar(reader ion.Reader, hash *serbench.Hash) error {
	if reader.IsNull() {
		hash.Nil()
		return nil
	}
	switch kind := reader.Type(); kind {
	case ion.BoolType:
		x, err := reader.BoolValue()
		if err != nil {
			return err
		}
		hash.Bool(*x)
	case ion.FloatType:
		x, err := reader.FloatValue()
		if err != nil {
			return err
		}
		hash.Float(*x)
	case ion.StringType:
		x, err := reader.StringValue()
		if err != nil {
			return err
		}
		hash.String(*x)
	case ion.IntType:
		return integer(reader, hash)
	default:
		return fmt.Errorf("a value is a %s", kind)
	}
	return nil
}

func integer(reader ion.Reader, hash *serbench.Hash) error {
	size, err := reader.IntSize()
	if err != nil {
		return err
	}
	if size == ion.BigInt {
		x, err := reader.BigIntValue()
		if err != nil {
			return err
		}
		return large(x, hash)
	}
	x, err := reader.Int64Value()
	if err != nil {
		return err
	}
	hash.Int(*x)
	return nil
}

// lookup reads the document once for each path, and passes over what is beside it.
func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	for i := range paths {
		reader := ion.NewReaderBytes(data)
		if err := first(reader); err != nil {
			return err
		}
		for _, step := range paths[i].Steps {
			found, err := follow(reader, step)
			if err != nil {
				return err
			}
			if !found {
				return paths[i].Missing()
			}
		}
		if err := scalar(reader, hash); err != nil {
			return fmt.Errorf("%w: %w", paths[i].Missing(), err)
		}
	}
	return nil
}

// follow goes from a container to a value in it; false if there is none.
func follow(reader ion.Reader, step serbench.Step) (bool, error) {
	wanted := ion.ListType
	if step.Index < 0 {
		wanted = ion.StructType
	}
	if reader.Type() != wanted || reader.IsNull() {
		return false, nil
	}
	if err := reader.StepIn(); err != nil {
		return false, err
	}
	for count := 0; reader.Next(); count++ {
		if wanted == ion.ListType {
			if count == step.Index {
				return true, nil
			}
			continue
		}
		key, err := name(reader)
		if err != nil {
			return false, err
		}
		if key == step.Key {
			return true, nil
		}
	}
	return false, reader.Err()
}

func main() {
	contender := serbench.Contender{Write: write, Tree: tree, Incremental: incremental, Lookup: lookup}
	if serbench.Defined("MARSHAL") {
		contender.Write, contender.Map = writeMap, serbench.Unordered
	}
	serbench.Run(contender)
}

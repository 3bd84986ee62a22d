package main

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"

	"serbench"
)

// object is a map whose order counts: a type with the library's hook.
type object []serbench.Member

func (o object) MarshalJSONTo(encoder *jsontext.Encoder) error {
	if err := encoder.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, member := range o {
		if err := encoder.WriteToken(jsontext.String(member.Key)); err != nil {
			return err
		}
		if err := json.MarshalEncode(encoder, member.Value); err != nil {
			return err
		}
	}
	return encoder.WriteToken(jsontext.EndObject)
}

func write(root any, out *serbench.Output) error {
	data, err := json.Marshal(root)
	out.Block(data)
	return err
}

// writeSorted writes Go's own maps.
func writeSorted(root any, out *serbench.Output) error {
	data, err := json.Marshal(root, json.Deterministic(true))
	out.Block(data)
	return err
}

func decode(data []byte) (any, error) {
	var root any
	err := json.Unmarshal(data, &root)
	return root, err
}

func incremental(data []byte, hash *serbench.Hash) error {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data))
	if err := value(decoder, hash); err != nil {
		return err
	}
	if _, err := decoder.ReadToken(); err != io.EOF {
		return errors.New("something follows the root")
	}
	return nil
}

// value hashes the next value.
func value(decoder *jsontext.Decoder, hash *serbench.Hash) error {
	token, err := decoder.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case 'n':
		hash.Nil()
	case 't', 'f':
		hash.Bool(token.Bool())
	case '"':
		hash.String(token.String())
	case '0':
		return number(token, hash)
	case '[', '{':
		count := 0
		for ; decoder.PeekKind() != ']' && decoder.PeekKind() != '}'; count++ {
			if token.Kind() == '{' {
				if err := value(decoder, hash); err != nil {
					return err
				}
			}
			if err := value(decoder, hash); err != nil {
				return err
			}
		}
		hash.Count(count)
		_, err = decoder.ReadToken()
	}
	return err
}

func number(token jsontext.Token, hash *serbench.Hash) error {
	if !serbench.IsFloat(token.String()) {
		if x, err := token.Int(); err == nil {
			hash.Int(x)
			return nil
		}
		if x, err := token.Uint(); err == nil {
			hash.Uint(x)
			return nil
		}
	}
	x, err := token.Float()
	hash.Float(x)
	return err
}

// lookup reads the tokens on the way to each value, and skips the values that it passes.
func lookup(data []byte, paths []serbench.Path, hash *serbench.Hash) error {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data))
	for i := range paths {
		decoder.Reset(bytes.NewBuffer(data))
		for _, step := range paths[i].Steps {
			there, err := enter(decoder, step)
			if err != nil {
				return err
			}
			if !there {
				return paths[i].Missing()
			}
		}
		if kind := decoder.PeekKind(); kind == '[' || kind == '{' {
			return paths[i].Missing()
		}
		if err := value(decoder, hash); err != nil {
			return err
		}
	}
	return nil
}

// enter stops before the value at a step, and says whether there is one.
func enter(decoder *jsontext.Decoder, step serbench.Step) (bool, error) {
	token, err := decoder.ReadToken()
	if err != nil {
		return false, err
	}
	if kind := token.Kind(); kind != '[' && kind != '{' || (kind == '[') != (step.Index >= 0) {
		return false, nil
	}
	for at := 0; ; at++ {
		if kind := decoder.PeekKind(); kind == ']' || kind == '}' {
			return false, nil
		}
		if step.Index < 0 {
			key, err := decoder.ReadToken()
			if err != nil || key.String() == step.Key {
				return err == nil, err
			}
		} else if at == step.Index {
			return true, nil
		}
		if err := decoder.SkipValue(); err != nil {
			return false, err
		}
	}
}

func main() {
	contender := serbench.Contender{Write: write, Decode: decode, Incremental: incremental, Lookup: lookup}
	contender.Map = func(members []serbench.Member) any { return object(members) }
	if serbench.Defined("SORTED") {
		contender.Write, contender.Map = writeSorted, serbench.Unordered
	}
	serbench.Run(contender)
}

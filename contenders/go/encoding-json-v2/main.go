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

func main() {
	contender := serbench.Contender{Write: write, Decode: decode, Incremental: incremental}
	contender.Map = func(members []serbench.Member) any { return object(members) }
	if serbench.Defined("SORTED") {
		contender.Write, contender.Map = writeSorted, serbench.Unordered
	}
	serbench.Run(contender)
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"serbench"
)

func write(root any, out *serbench.Output) error {
	data, err := json.Marshal(root)
	out.Block(data)
	return err
}

// writeUnescaped leaves <, > and & as they are, which Marshal escapes for HTML.
func writeUnescaped(root any, out *serbench.Output) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(root)
}

func decode(data []byte) (any, error) {
	var root any
	err := json.Unmarshal(data, &root)
	return root, err
}

// decodeNumber keeps every number as its text.
func decodeNumber(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var root any
	if err := decoder.Decode(&root); err != nil {
		return nil, err
	}
	return root, end(decoder)
}

// end is an error if something follows the root, which a decoder of a stream takes for the next document.
func end(decoder *json.Decoder) error {
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something follows the root")
	}
	return nil
}

var numbers = serbench.Defined("NUMBER")

func incremental(data []byte, hash *serbench.Hash) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if numbers {
		decoder.UseNumber()
	}
	if err := value(decoder, hash); err != nil {
		return err
	}
	return end(decoder)
}

// value hashes the next value.
func value(decoder *json.Decoder, hash *serbench.Hash) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return hash.Any(token)
	}
	count := 0
	for ; decoder.More(); count++ {
		if open == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			hash.String(key.(string))
		}
		if err := value(decoder, hash); err != nil {
			return err
		}
	}
	hash.Count(count)
	_, err = decoder.Token()
	return err
}

func main() {
	contender := serbench.Contender{Write: write, Decode: decode, Incremental: incremental, Map: serbench.Unordered}
	if numbers {
		contender.Decode = decodeNumber
	}
	if serbench.Defined("UNESCAPED") {
		contender.Write = writeUnescaped
	}
	serbench.Run(contender)
}

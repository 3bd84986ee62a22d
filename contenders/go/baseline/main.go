// What every row pays even if its library cost nothing.
package main

import "serbench"

// write hands over the smallest encoding.
func write(_ any, out *serbench.Output) error {
	out.Block(serbench.Current().Input)
	return nil
}

// document is the encoding that is handed over.
func document(data []byte) (func(*serbench.Output) error, error) {
	return func(out *serbench.Output) error {
		out.Block(data)
		return nil
	}, nil
}

// read hashes all values.
func read(_ []byte, hash *serbench.Hash) error {
	serbench.Current().HashWords(hash)
	return nil
}

// lookup hashes the values that were found, which are the harness's tree.
func lookup(_ []byte, _ []serbench.Path, hash *serbench.Hash) error {
	for _, found := range serbench.Current().Root.([]any) {
		if err := hash.Any(found); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: read, Incremental: read, Serialize: document, Lookup: lookup})
}

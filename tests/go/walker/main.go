// Not a library: the harness's own values, so that its tape reader and its hashes are tested.
package main

import (
	"fmt"
	"slices"

	"serbench"
)

// unordered hashes maps by the rule for those whose order differs each time.
func unordered(value any, hash *serbench.Hash) error {
	switch x := value.(type) {
	case []any:
		for _, item := range x {
			if err := unordered(item, hash); err != nil {
				return err
			}
		}
		hash.Count(len(x))
	case serbench.Map:
		entries := hash.Entries()
		for _, member := range slices.Backward(x) {
			entries.Next()
			hash.String(member.Key)
			if err := unordered(member.Value, hash); err != nil {
				return err
			}
		}
		entries.End()
	default:
		return hash.Any(value)
	}
	return nil
}

func tree(data []byte, hash *serbench.Hash) error {
	root := serbench.Current().Root
	switch string(data) {
	case "panic":
		panic(fmt.Sprintf("this is %s", "why"))
	case "index":
		return hash.Any(data[len(data)])
	case "unordered":
		return unordered(root, hash)
	}
	return hash.Any(root)
}

func main() {
	serbench.Run(serbench.Contender{Tree: tree, KeepsTree: true})
}

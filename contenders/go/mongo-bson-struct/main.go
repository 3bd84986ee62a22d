package main

import (
	"go.mongodb.org/mongo-driver/v2/bson"

	"serbench"
)

// A root that is no document has functions of its own: an array is a document whose keys are the indexes.
//
//serbench:refuse write map the library writes a map's entries in another order each time
func write(root any, out *serbench.Output) error {
	data, err := encode(root)
	out.Block(data)
	return err
}

func encode(root any) ([]byte, error) {
	if serbench.RootIsArray() {
		_, data, err := bson.MarshalValue(root)
		return data, err
	}
	return bson.Marshal(root)
}

func decode(data []byte, root *Root) error {
	if serbench.RootIsArray() {
		return bson.UnmarshalValue(bson.TypeArray, data, root)
	}
	return bson.Unmarshal(data, root)
}

func tree(data []byte, hash *serbench.Hash) error {
	var root Root
	if err := decode(data, &root); err != nil {
		return err
	}
	walk(&root, hash)
	return nil
}

func main() {
	serbench.Run(serbench.Contender{Write: write, Tree: tree, Struct: plain})
}

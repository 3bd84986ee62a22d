// Package serbench is what a contender in Go may use.
//
// A contender is one program for all its tests. It hands functions of these types to Run:
//
//	func write(root any, out *serbench.Output) error         // encode the tree at root into out
//	func tree(data []byte, hash *serbench.Hash) error        // decode data, call the hash for every value
//
//	func main() {
//		serbench.Run(serbench.Contender{Write: write, Tree: tree})
//	}
//
// data is a fresh copy of the input in every call. It may be changed, is followed by at least one zero byte (more if
// the manifest states a padding), and belongs to the harness. An error that a function returns, and a panic, fail the
// row, with their text as the reason.
package serbench

// Write encodes the tree at a root.
type Write func(root any, out *Output) error

// Read decodes data and calls the hash for every value.
type Read func(data []byte, hash *Hash) error

// Lookup calls the hash for the scalar at each of the paths, in their order; an error if there is none at one of them.
type Lookup func(data []byte, paths []Path, hash *Hash) error

// Document makes the library's own document of data that stay as long as the document, before the clock runs, and
// returns what encodes it. What the library keeps in a document so that it need not encode it again must not be used.
type Document func(data []byte) (func(out *Output) error, error)

// Contender has the functions of a contender's tests, as its manifest lists them.
type Contender struct {
	Write       Write
	Tree        Read
	Incremental Read
	Serialize   Document
	Lookup      Lookup
	// Decode is for a library that decodes data into an empty interface: a tree of Go's own types. Tree and Lookup
	// are made of it where they are not given.
	Decode func(data []byte) (any, error)
	// What a map of the value tree is made of, before the clock runs: the members as a type of the contender's own,
	// which has the methods that its library calls. They stay a Map without it.
	Map func(members []Member) any
	// What a writer gets in the place of a value tree, which it is made of before the clock runs: the struct of the schema.
	Struct func(root any) any
	// KeepsTree gives a reader the harness's own values, which only a test of the harness needs: they are live memory,
	// which decides how often the collector runs.
	KeepsTree bool
}

// complete makes of Decode what the contender has not given.
func (c *Contender) complete() {
	if c.Decode == nil {
		return
	}
	if c.Tree == nil {
		c.Tree = func(data []byte, hash *Hash) error {
			root, err := c.Decode(data)
			if err != nil {
				return err
			}
			return hash.Any(root)
		}
	}
	if c.Lookup == nil {
		c.Lookup = func(data []byte, paths []Path, hash *Hash) error {
			root, err := c.Decode(data)
			if err != nil {
				return err
			}
			return look(root, paths, hash)
		}
	}
}

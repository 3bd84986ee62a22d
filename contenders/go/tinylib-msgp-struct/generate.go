//go:build generate

package main

import (
	"bytes"
	"log"
	"os"
	"reflect"
	"strings"

	"github.com/tinylib/msgp/gen"
	"github.com/tinylib/msgp/parse"
)

// What the command msgp does, without formatting, for which it needs other modules.
func main() {
	root := strings.ReplaceAll(reflect.TypeFor[Root]().String(), "main.", "")
	put("root.go", "package main\n\ntype document "+root+"\n")
	put("root_marshal.go", methods(gen.Marshal|gen.Size))
	put("root_unmarshal.go", methods(gen.Unmarshal, "replace float64 with:number"))
}

func methods(which gen.Method, directives ...string) string {
	code := bytes.NewBufferString("package main\n\nimport \"github.com/tinylib/msgp/msgp\"\n")
	files, err := parse.File(".", true, directives)
	if err == nil {
		err = files.PrintTo(gen.NewPrinter(which, code, nil))
	}
	if err != nil {
		log.Fatal(err)
	}
	return code.String()
}

func put(name, text string) {
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
}

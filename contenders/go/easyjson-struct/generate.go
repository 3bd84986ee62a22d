//go:build generate

package main

import (
	"log"
	"os"
	"reflect"

	"github.com/mailru/easyjson/gen"
)

// What the command easyjson runs as a program of its own, which cannot import a package main.
func main() {
	file, err := os.Create("root_easyjson.go")
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout = file // where the generator prints the head of the file
	generator := gen.NewGenerator(file.Name())
	generator.SetPkg("main", "main")
	switch reflect.TypeFor[document]().Kind() {
	case reflect.Struct, reflect.Slice, reflect.Map:
		generator.Add(new(document))
	}
	if err := generator.Run(file); err != nil {
		log.Fatal(err)
	}
}

package main

// document is the root with the methods that the library's generator writes. It knows no type behind an alias, as the
// root is: generate.go writes that type here.
type document Root

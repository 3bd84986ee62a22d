package main

import "errors"

// document is the root with the methods that the library's generator writes.
type document Root

var errScalar = errors.New("the library makes code for structs, lists and maps only")

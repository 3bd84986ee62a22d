package serbench

import "fmt"

// What the structs of a schema are made of, before the clock runs. Each function but Put makes one of Go's types of a
// value of the tree; those for what has something in it return such a function. They panic on a value that the schema
// has not. What stands once for each field is not inlined: Go's compiler took minutes for an object of 2,000 fields.

func Bool(value any) bool {
	return value.(bool)
}

func Text(value any) string {
	return value.(string)
}

func Integer[T int32 | uint32 | int64 | uint64](value any) T {
	switch x := value.(type) {
	case int64:
		return T(x)
	case uint64:
		return T(x)
	}
	panic(fmt.Sprintf("a %T stands where the schema has an integer", value))
}

func Double(value any) float64 {
	if x, ok := value.(float64); ok {
		return x
	}
	return float64(Integer[int64](value))
}

// Put stores what `made` makes of a value: one call for each field, which keeps the function of a large object small.
//
//go:noinline
func Put[T any](to *T, made func(any) T, value any) {
	*to = made(value)
}

//go:noinline
func Pointer[T any](given func(any) T) func(any) *T {
	return func(value any) *T {
		if value == nil {
			return nil
		}
		made := given(value)
		return &made
	}
}

// Given is a pointer to what is there, be it null, where nil is what is absent.
//
//go:noinline
func Given[T any](given func(any) T) func(any) *T {
	return func(value any) *T {
		made := given(value)
		return &made
	}
}

// List takes a map, too, as the list of its members.
//
//go:noinline
func List[T any](item func(any) T) func(any) []T {
	return func(value any) []T {
		made := []T{}
		if members, ok := value.(Map); ok {
			for _, member := range members {
				made = append(made, item(member))
			}
			return made
		}
		for _, each := range value.([]any) {
			made = append(made, item(each))
		}
		return made
	}
}

//go:noinline
func Members[T any](item func(any) T) func(any) map[string]T {
	return func(value any) map[string]T {
		made := map[string]T{}
		for _, member := range value.(Map) {
			made[member.Key] = item(member.Value)
		}
		return made
	}
}

// EntriesOf a map come in its order.
//
//go:noinline
func EntriesOf[T any](entry func(Member) T) func(any) []T {
	return func(value any) []T {
		made := []T{}
		for _, member := range value.(Map) {
			made = append(made, entry(member))
		}
		return made
	}
}

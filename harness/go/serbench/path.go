package serbench

import (
	"fmt"
	"strconv"
	"strings"
)

// Path is where a look-up finds a value.
type Path struct {
	// From the root.
	Steps []Step
	// The same as a JSON Pointer.
	Pointer string
}

// Step leads from a value to one in it.
type Step struct {
	// Of a map; empty if Index counts.
	Key string
	// Of an array; -1 if Key counts.
	Index int
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// pathOf returns the path that an array of keys and indexes is; false for another value.
func pathOf(value any) (Path, bool) {
	items, ok := value.([]any)
	var path Path
	for _, item := range items {
		switch x := item.(type) {
		case string:
			path.Steps = append(path.Steps, Step{Key: x, Index: -1})
			path.Pointer += "/" + escape.Replace(x)
		case int64:
			path.Steps = append(path.Steps, Step{Index: int(x)})
			path.Pointer += "/" + strconv.FormatInt(x, 10)
		default:
			return path, false
		}
	}
	return path, ok
}

// Missing is the error that there is no scalar at this path.
func (p *Path) Missing() error {
	return fmt.Errorf("no value at %.200q", p.Pointer)
}

// look hashes the scalars that the paths lead to from the root of a tree of Go's own types.
func look(root any, paths []Path, hash *Hash) error {
	for i := range paths {
		value := root
		for _, step := range paths[i].Steps {
			there := false
			switch x := value.(type) {
			case map[string]any:
				value, there = x[step.Key]
			case map[any]any:
				value, there = x[step.Key]
			case []any:
				if there = step.Index >= 0 && step.Index < len(x); there {
					value = x[step.Index]
				}
			}
			if !there {
				return paths[i].Missing()
			}
		}
		switch value.(type) {
		case map[string]any, map[any]any, []any:
			return paths[i].Missing()
		}
		if err := hash.Any(value); err != nil {
			return err
		}
	}
	return nil
}

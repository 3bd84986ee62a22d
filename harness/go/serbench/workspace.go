package serbench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// workspace is what prepare loads.
type workspace struct {
	// What an iteration handles one by one, usually one root alone; nil for readers, which must not have them.
	roots []any
	// Several messages: inputs and outputs are framed files (message_file.go).
	framed bool
	// Whether each root is an array.
	arrays []bool
	// The encoded input of each; empty for most writers.
	inputs [][]byte
	// The words that exact_hash mixes; empty for all but baselines.
	words [][]byte
	// What a reader is given, made anew for every message, and the zero bytes that follow it.
	copy    []byte
	padding int
	// What a serializer made of each input.
	documents []func(*Output) error
	// Of each message, for a look-up.
	paths [][]Path
}

// messagesOf returns what an iteration handles one by one.
func messagesOf(root any, framed bool) []any {
	if !framed {
		return []any{root}
	}
	items, _ := root.([]any)
	return items
}

// loadParts returns the file that each message has a part of; empty parts without a path.
func loadParts(path string, count int, framed bool) ([][]byte, error) {
	if path == "" {
		return make([][]byte, count), nil
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the input %s cannot be read: %w", path, reason(err))
	}
	if !framed {
		return [][]byte{file}, nil
	}
	if parts := split(file, count); parts != nil {
		return parts, nil
	}
	return nil, fmt.Errorf("the input %s cannot be read: it is not a file of these messages", path)
}

// load loads what prepare names. The error says what cannot be read.
func load(request *message, mapOf func([]Member) any, keep bool) (*workspace, error) {
	path := request.texts["tape"]
	root, err := readTape(path, mapOf)
	if err != nil {
		return nil, fmt.Errorf("the tape %s cannot be read: %w", path, err)
	}
	w := &workspace{framed: request.number("messages", 0) != 0, padding: size(request.number("padding", 1))}
	w.roots = messagesOf(root, w.framed)
	count := len(w.roots)
	if count == 0 {
		return nil, fmt.Errorf("the tape %s has no messages", path)
	}
	if w.inputs, err = loadParts(request.texts["input"], count, w.framed); err != nil {
		return nil, err
	}
	if w.words, err = loadParts(request.texts["words"], count, w.framed); err != nil {
		return nil, err
	}
	largest := 0
	for i, each := range w.roots {
		largest = max(largest, len(w.inputs[i]))
		w.arrays = append(w.arrays, isArray(each))
	}
	w.copy = make([]byte, largest+w.padding)
	if file := request.texts["paths"]; file != "" {
		if err := w.loadPaths(file); err != nil {
			return nil, err
		}
	}
	if !keep {
		w.roots = nil
	}
	return w, nil
}

// loadPaths loads the paths of the tape at path, which belong to the roots: arrays of what they lead to.
func (w *workspace) loadPaths(path string) error {
	root, err := readTape(path, func(members []Member) any { return Map(members) })
	if err != nil {
		return fmt.Errorf("the tape of paths cannot be read: %w", err)
	}
	foreign := errors.New("the tape of paths does not belong to the values")
	all := messagesOf(root, w.framed)
	if len(all) != len(w.roots) {
		return foreign
	}
	for i, each := range all {
		values, _ := w.roots[i].([]any)
		items, ok := each.([]any)
		if !ok || len(items) != len(values) {
			return foreign
		}
		paths := make([]Path, len(items))
		for j, item := range items {
			if paths[j], ok = pathOf(item); !ok {
				return foreign
			}
		}
		w.paths = append(w.paths, paths)
	}
	return nil
}

// copied returns a copy of an input in the place that is made for it, with zero bytes behind it.
func (w *workspace) copied(index int, to []byte) []byte {
	length := copy(to, w.inputs[index])
	clear(to[length : length+w.padding])
	return to[:length]
}

// choose makes a message the one at hand, and returns its root.
func (w *workspace) choose(index int) any {
	rootIsArray = w.arrays[index]
	current = Baseline{Input: w.inputs[index], words: w.words[index]}
	if w.roots != nil {
		current.Root = w.roots[index]
	}
	return current.Root
}

// reason returns the system's words for an error, without what was tried.
func reason(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		text := []byte(number.Error())
		if len(text) > 0 && text[0] >= 'a' && text[0] <= 'z' {
			text[0] -= 'a' - 'A' // as the C library says it
		}
		return errors.New(string(text))
	}
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

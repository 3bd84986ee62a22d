package serbench

import (
	"bytes"
	"fmt"
	"os"
	"slices"
)

// A reader's iteration: copy the input, let the contender decode it and hash every value. A look-up is a reader of the
// values at some paths, whose tree is an array of these values for each document.

func (s *session) readCopies(hash *Hash) error {
	w := s.work
	for index, input := range w.inputs {
		w.choose(index)
		data := w.copied(index, w.copy[:len(input)+w.padding])
		if s.lookup == nil {
			if err := s.read(data, hash); err != nil {
				return err
			}
			continue
		}
		if err := s.lookup(data, w.paths[index], hash); err != nil {
			return err
		}
		hash.Count(len(w.paths[index]))
	}
	return nil
}

// readOnce is one iteration, as it is timed; leaves its hash in the session.
func (s *session) readOnce() error {
	s.hash = Hash{state: start, exact: true}
	return s.readCopies(&s.hash)
}

// recordReader makes an iteration that is not timed, and returns what the harness itself does in one.
func (s *session) recordReader() (iteration, error) {
	hash := Hash{state: start, exact: true, seen: &[]byte{}}
	if err := s.readCopies(&hash); err != nil {
		return nil, err
	}
	calls := callsOf(*hash.seen)
	return func() error {
		s.hash = Hash{state: start, exact: true}
		for index, input := range s.work.inputs {
			s.work.choose(index)
			s.work.copied(index, s.work.copy[:len(input)+s.work.padding])
		}
		calls.repeat(&s.hash)
		return nil
	}, nil
}

// verifyReader reads once for either hash; the answer says what that proves. Every call of the hash is left at output,
// unless that is empty.
func (s *session) verifyReader(output string) (string, error) {
	content, exact := Hash{state: start}, Hash{state: start, exact: true}
	if output != "" {
		exact.seen = &[]byte{}
	}
	if err := s.readCopies(&content); err != nil {
		return "", err
	}
	if err := s.readCopies(&exact); err != nil {
		return "", err
	}
	if output != "" {
		if err := os.WriteFile(output, *exact.seen, 0o666); err != nil {
			return "", fmt.Errorf("cannot write %s: %w", output, reason(err))
		}
	}
	return fmt.Sprintf(`"content_hash":"%08x","exact_hash":"%08x"`, content.state, exact.state), nil
}

// A writer's iteration: let the contender encode the tree, hash its output as one string. A serializer writes a
// document that it made before, in the place of the tree.

func (s *session) writeAll() error {
	w := s.work
	s.out.reset()
	for index := range w.inputs {
		root := w.choose(index)
		var err error
		if s.write != nil {
			err = s.write(root, &s.out)
		} else {
			err = w.documents[index](&s.out)
		}
		s.out.end()
		if err != nil {
			return err
		}
	}
	s.hash = s.out.hash
	return nil
}

// recordWriter makes an iteration that is not timed, and returns what the harness itself does in one: it hashes as many
// bytes as those of each output.
func (s *session) recordWriter() (iteration, error) {
	s.out.kept = true
	err := s.writeAll()
	sizes := s.out.sizes
	s.out = Output{}
	if err != nil {
		return nil, err
	}
	block := bytes.Repeat([]byte{'x'}, slices.Max(sizes))
	return func() error {
		s.hash = Hash{state: start, exact: true}
		for _, size := range sizes {
			s.hash.Bytes(block[:size])
		}
		return nil
	}, nil
}

// verifyWriter writes once and leaves the bytes at output; the answer says what that proves.
func (s *session) verifyWriter(output string) (string, error) {
	s.out.kept = true
	err := s.writeAll()
	written, sizes := s.out.copy, s.out.sizes
	s.out = Output{}
	if err != nil {
		return "", err
	}
	size := len(written)
	if s.work.framed {
		written = join(sizes, written)
	}
	if err := os.WriteFile(output, written, 0o666); err != nil {
		return "", fmt.Errorf("cannot write the output %s: %w", output, reason(err))
	}
	return fmt.Sprintf(`"bytes":%d,"hash":"%08x"`, size, s.hash.state), nil
}

// makeDocuments makes the documents of all messages, each with a copy of its input for as long as it is there.
func (s *session) makeDocuments(w *workspace) error {
	for index, input := range w.inputs {
		w.choose(index)
		made, err := s.serialize(w.copied(index, make([]byte, len(input)+w.padding)))
		if err != nil {
			return err
		}
		w.documents = append(w.documents, made)
	}
	return nil
}

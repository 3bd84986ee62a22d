package serbench

import "encoding/binary"

// Encoded messages in one file: the eight bytes of the magic, their number, the size of each (little-endian u64), then
// the messages one after the other.

const magic = "sbmsgs1\n"

// split returns the count messages of the file; nil if it is not a file of so many messages.
func split(file []byte, count int) [][]byte {
	at := func(word int) uint64 { return binary.LittleEndian.Uint64(file[len(magic)+8*word:]) }
	start := len(magic) + 8*(count+1)
	if len(file) < start || string(file[:len(magic)]) != magic || at(0) != uint64(count) {
		return nil
	}
	parts := make([][]byte, count)
	for i := range parts {
		length := at(i + 1)
		if length > uint64(len(file)-start) {
			return nil
		}
		parts[i] = file[start : start+int(length)]
		start += int(length)
	}
	return parts
}

// join returns such a file of the messages with these sizes, which stand one after the other.
func join(sizes []int, messages []byte) []byte {
	file := binary.LittleEndian.AppendUint64([]byte(magic), uint64(len(sizes)))
	for _, size := range sizes {
		file = binary.LittleEndian.AppendUint64(file, uint64(size))
	}
	return append(file, messages...)
}

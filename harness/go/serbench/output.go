package serbench

const firstCapacity = 4096

// Output is where a writer leaves its bytes, in one of two ways.
type Output struct {
	// The harness's buffer, without memory until something is written.
	buffer     []byte
	handedOver bool
	// Of all messages so far.
	hash Hash
	// Of each message, if they are kept.
	sizes []int
	// Where the bytes go too; kept in no timed call.
	copy []byte
	kept bool
	// What the buffer took, which is not the library's.
	allocations, bytes uint64
}

// Block is for a library that builds the whole output in its own memory: hands it over once.
func (o *Output) Block(data []byte) {
	o.handedOver = true
	o.hash.Bytes(data)
	if o.kept {
		o.copy = append(o.copy, data...)
		o.sizes = append(o.sizes, len(data))
	}
}

// Write makes it an io.Writer, for a library that needs one: appends to the harness's buffer, which doubles as it grows
// and is made anew in every call.
func (o *Output) Write(data []byte) (int, error) {
	if len(data) > cap(o.buffer)-len(o.buffer) {
		o.grow(len(data))
	}
	o.buffer = append(o.buffer, data...)
	return len(data), nil
}

func (o *Output) grow(more int) {
	capacity := max(2*cap(o.buffer), firstCapacity)
	for capacity < len(o.buffer)+more {
		capacity *= 2
	}
	larger := make([]byte, len(o.buffer), capacity)
	copy(larger, o.buffer)
	o.buffer = larger
	o.allocations++
	o.bytes += uint64(capacity)
}

// reset makes it ready for another call.
func (o *Output) reset() {
	*o = Output{hash: Hash{state: start, exact: true}, kept: o.kept}
}

// end ends a message: what was written is handed over, unless a block was.
func (o *Output) end() {
	if !o.handedOver {
		o.Block(o.buffer)
	}
	o.buffer, o.handedOver = nil, false
}

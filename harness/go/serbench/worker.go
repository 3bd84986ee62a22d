package serbench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
)

const (
	protocol  = 1
	maxChunks = 100_000
)

// What the build program says of the worker, by the linker's option -X.
var language, libraryVersion, compiler, flags string

// gcOff is the one define that is not the contender's own: the collector only runs between samples.
const gcOff = "GC_OFF"

// Defined says whether the row's variant has this define in its manifest.
func Defined(name string) bool {
	return len(os.Args) > 2 && slices.Contains(os.Args[2:], name)
}

// session is all that a worker knows between two lines.
type session struct {
	Contender
	test string
	// The functions of the test at hand; nil but one.
	write     Write
	read      Read
	serialize Document
	lookup    Lookup
	work      *workspace
	out       Output
	// What the harness itself does in an iteration; nil until it was asked for.
	own iteration
	// Of the last iteration.
	hash Hash
}

var errUnprepared = errors.New("nothing is prepared")

func (s *session) iteration() iteration {
	if s.reads() {
		return s.readOnce
	}
	return s.writeAll
}

func (s *session) reads() bool {
	return s.read != nil || s.lookup != nil
}

func (s *session) describe() (string, error) {
	collector := "GOGC=100"
	if Defined(gcOff) {
		collector = "GOGC=off"
	}
	version := libraryVersion
	if version == "" { // It is a part of Go itself.
		version = strings.TrimPrefix(runtime.Version(), "go")
	}
	return fmt.Sprintf(`"protocol":%d,"language":%s,"test":%s,"library_version":%s,"compiler":%s,"flags":%s`, protocol,
		quoted(language), quoted(s.test), quoted(version), quoted(compiler), quoted(flags+" "+collector)), nil
}

func (s *session) prepare(request *message) (string, error) {
	s.work, s.own, current = nil, nil, Baseline{} // All hold what was prepared before.
	if request.texts["input"] == "" && s.write == nil {
		return "", errors.New("a reader needs an input")
	}
	mapOf := s.Map
	if mapOf == nil {
		mapOf = func(members []Member) any { return Map(members) }
	}
	work, err := load(request, mapOf, s.write != nil || s.lookup != nil || s.KeepsTree)
	if err != nil {
		return "", err
	}
	if s.lookup != nil && work.paths == nil {
		return "", errors.New("the tape of paths cannot be read: there is none")
	}
	if s.write != nil && s.Struct != nil {
		for i, root := range work.roots {
			work.roots[i] = s.Struct(root)
		}
	}
	if s.serialize != nil {
		if err := s.makeDocuments(work); err != nil {
			return "", err
		}
	}
	s.work = work
	runtime.GC() // What loading left behind is no row's.
	return "", nil
}

func (s *session) verify(request *message) (string, error) {
	if s.reads() {
		return s.verifyReader(request.texts["output"])
	}
	return s.verifyWriter(request.texts["output"])
}

func (s *session) sample(request *message) (string, error) {
	return s.timed(request, s.iteration())
}

// overhead times what the harness itself does in an iteration, and nothing else.
func (s *session) overhead(request *message) (string, error) {
	if s.own == nil {
		record := s.recordWriter
		if s.reads() {
			record = s.recordReader
		}
		own, err := record()
		if err != nil {
			return "", err
		}
		s.own = own
	}
	return s.timed(request, s.own)
}

func (s *session) timed(request *message, iterate iteration) (string, error) {
	chunks := request.number("chunks", 1)
	if chunks < 1 || chunks > maxChunks {
		return "", errors.New("a sample has 1 to 100,000 chunks")
	}
	wall, cpu := make([]int64, chunks), make([]int64, chunks)
	if Defined(gcOff) {
		runtime.GC()
	}
	if err := repeat(iterate, request.number("warmup", 0)); err != nil {
		return "", err
	}
	before := pageFaults() // a system call, as the one behind: outside of all chunks
	if err := timeChunks(iterate, request.number("iterations", 1), wall, cpu); err != nil {
		return "", err
	}
	faults := pageFaults() - before
	return fmt.Sprintf(`"hash":"%08x","wall":[%s],"cpu":[%s],"page_faults":%d`, s.hash.state, list(wall), list(cpu),
		faults), nil
}

func (s *session) count(request *message) (string, error) {
	if err := repeat(s.iteration(), request.number("iterations", 1)); err != nil {
		return "", err
	}
	return fmt.Sprintf(`"hash":"%08x"`, s.hash.state), nil
}

// heap counts what an iteration allocates, the least of three: the runtime itself may allocate, too.
func (s *session) heap() (string, error) {
	before, after := new(runtime.MemStats), new(runtime.MemStats)
	iterate := s.iteration()
	// The collector empties pools.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	// What a library allocates once and keeps is not one iteration's.
	if err := iterate(); err != nil {
		return "", err
	}
	var allocations, bytes uint64 = math.MaxUint64, math.MaxUint64
	for range 3 {
		runtime.ReadMemStats(before)
		if err := iterate(); err != nil {
			return "", err
		}
		runtime.ReadMemStats(after)
		allocations = min(allocations, after.Mallocs-before.Mallocs-s.out.allocations)
		bytes = min(bytes, after.TotalAlloc-before.TotalAlloc-s.out.bytes)
	}
	return fmt.Sprintf(`"allocations":%d,"bytes":%d,"peak":null`, allocations, bytes), nil
}

// answer answers one request with the fields after `ok`, or with a reason, which may be that of a panic.
func (s *session) answer(request *message) (fields string, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	what := request.texts["do"]
	switch what {
	case "describe":
		return s.describe()
	case "prepare":
		return s.prepare(request)
	case "verify", "sample", "overhead", "count", "heap":
		if s.work == nil {
			return "", errUnprepared
		}
	}
	switch what {
	case "verify":
		return s.verify(request)
	case "sample":
		return s.sample(request)
	case "overhead":
		return s.overhead(request)
	case "count":
		return s.count(request)
	case "heap":
		return s.heap()
	}
	return "", errors.New("unknown request")
}

func list(numbers []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

// choose takes the function of the test; false if the contender has none.
func (s *session) choose() bool {
	switch s.test {
	case "write":
		s.write = s.Write
	case "tree":
		s.read = s.Tree
	case "incremental":
		s.read = s.Incremental
	case "serialize":
		s.serialize = s.Serialize
	case "lookup":
		s.lookup = s.Lookup
	}
	return s.write != nil || s.read != nil || s.serialize != nil || s.lookup != nil
}

// Run is the worker of one test, which its first argument names; the further ones are the variant's defines. It ends
// when its standard input does.
func Run(contender Contender) {
	contender.complete()
	s := &session{Contender: contender}
	if len(os.Args) > 1 {
		s.test = os.Args[1]
	}
	if !s.choose() {
		fmt.Fprintf(os.Stderr, "the contender has no test %q\n", s.test)
		os.Exit(2)
	}
	// The collector's work is done where it is timed: on this processor, between the library's own.
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(math.MaxInt64)
	if Defined(gcOff) {
		debug.SetGCPercent(-1)
	}
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
	// The protocol keeps standard output to itself: what a library prints goes to standard error.
	descriptor, err := syscall.Dup(1)
	if err != nil || syscall.Dup3(2, 1, 0) != nil {
		os.Exit(1)
	}
	s.serve(bufio.NewReader(os.Stdin), os.NewFile(uintptr(descriptor), "replies"))
}

func (s *session) serve(input *bufio.Reader, replies io.Writer) {
	for {
		line, err := input.ReadString('\n')
		if line == "" && err != nil {
			return
		}
		request := parseMessage(line)
		if request.texts["do"] == "quit" {
			return
		}
		fields, err := s.answer(request)
		text := `{"ok":true`
		switch {
		case err != nil:
			text = `{"ok":false,"error":` + quoted(err.Error())
		case fields != "":
			text += "," + fields
		}
		if _, err := replies.Write([]byte(text + "}\n")); err != nil {
			os.Exit(1)
		}
	}
}

module contender

go 1.27

require (
	github.com/go-faster/jx v1.2.0
	serbench v0.0.0
)

require (
	github.com/go-faster/errors v0.7.1 // indirect
	github.com/segmentio/asm v1.2.1 // indirect
	golang.org/x/sys v0.1.0 // indirect
)

replace serbench => ../../../harness/go/serbench

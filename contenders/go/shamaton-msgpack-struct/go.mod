module contender

go 1.27

require (
	github.com/shamaton/msgpack/v3 v3.1.0
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

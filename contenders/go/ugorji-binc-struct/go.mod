module contender

go 1.27

require (
	github.com/ugorji/go/codec v1.3.2
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

module contender

go 1.27

require (
	github.com/google/flatbuffers v25.12.19+incompatible
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

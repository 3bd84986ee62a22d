module contender

go 1.27

require (
	google.golang.org/protobuf v1.36.12
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

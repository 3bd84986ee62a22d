module contender

go 1.27

require (
	github.com/hashicorp/go-msgpack/v2 v2.1.5
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

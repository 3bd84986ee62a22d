module contender

go 1.27

require (
	github.com/apache/thrift v0.25.0
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

module contender

go 1.27

require (
	github.com/tinylib/msgp v1.6.5
	serbench v0.0.0
)

require github.com/philhofer/fwd v1.2.0 // indirect

replace serbench => ../../../harness/go/serbench

module contender

go 1.27

require (
	github.com/valyala/fastjson v1.6.10
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

module contender

go 1.27

require (
	github.com/goccy/go-json v0.12.0
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

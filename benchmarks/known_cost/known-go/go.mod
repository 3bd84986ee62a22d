module contender

go 1.27

require serbench v0.0.0

replace serbench => ../../../harness/go/serbench

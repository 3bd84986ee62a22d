module contender

go 1.27

require (
	github.com/amazon-ion/ion-go v1.5.0
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

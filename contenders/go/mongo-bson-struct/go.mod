module contender

go 1.27

require (
	go.mongodb.org/mongo-driver/v2 v2.10.0
	serbench v0.0.0
)

replace serbench => ../../../harness/go/serbench

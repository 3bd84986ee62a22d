package serbench

// The value tree, which a writer gets, has these types:
//
//	nil, bool, string, float64
//	int64, or uint64 for an integer that is larger
//	[]any
//	Map, or what Contender.Map makes of its members

// Map keeps the order of its members; no two have the same key.
type Map []Member

type Member struct {
	Key   string
	Value any
}

// Unordered makes Go's own map of a map's members: a Contender.Map for libraries that write it.
func Unordered(members []Member) any {
	made := make(map[string]any, len(members))
	for _, member := range members {
		made[member.Key] = member.Value
	}
	return made
}

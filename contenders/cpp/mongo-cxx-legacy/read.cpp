#include <mongo/bson/bson.h>
#include <serbench/reader.h>

#include <exception>

static void walk(const mongo::BSONObj &document, bool array, sb_hash *h) {
    size_t count = 0;
    for (mongo::BSONObjIterator iterator(document); iterator.more(); count++) {
        const mongo::BSONElement element = iterator.next();
        if (!array) sb_hash_str(h, element.fieldName(), static_cast<size_t>(element.fieldNameSize() - 1));
        switch (element.type()) {
            case mongo::jstNULL: sb_hash_nil(h); break;
            case mongo::Bool: sb_hash_bool(h, element.Bool()); break;
            case mongo::NumberInt: sb_hash_i64(h, element.Int()); break;
            case mongo::NumberLong: sb_hash_i64(h, element.Long()); break;
            case mongo::NumberDouble: sb_hash_f64(h, element.Double()); break;
            case mongo::String: {
                const mongo::StringData text = element.checkAndGetStringData();
                sb_hash_str(h, text.rawData(), text.size());
                break;
            }
            case mongo::Object: walk(element.Obj(), false, h); break;
            case mongo::Array: walk(element.Obj(), true, h); break;
            default: throw mongo::UserException(0, "unexpected type");
        }
    }
    sb_hash_count(h, count);
}

bool sb_read(char *data, size_t size, sb_hash *h) try {
    const mongo::BSONObj document(data);
    if (static_cast<size_t>(document.objsize()) != size) return sb_fail("the document states another size");
    walk(document, sb_root_is_array, h);
    return true;
} catch (const std::exception &error) {
    return sb_fail("%s", error.what());
}

const char *sb_library_version(void) { return ""; }

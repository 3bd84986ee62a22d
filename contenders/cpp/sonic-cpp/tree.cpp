#include <serbench/reader.h>

#include "sonic.h"

static void walk(const sonic_json::Node &node, sb_hash *h) {
    if (node.IsArray()) {
        for (auto item = node.CBegin(); item != node.CEnd(); ++item) walk(*item, h);
        sb_hash_count(h, node.Size());
    } else if (node.IsObject()) {
        for (auto member = node.CMemberBegin(); member != node.CMemberEnd(); ++member) {
            const auto key = member->name.GetStringView();
            sb_hash_str(h, key.data(), key.size());
            walk(member->value, h);
        }
        sb_hash_count(h, node.Size());
    } else {
        hash_scalar(node, h);
    }
}

bool sb_read(char *data, size_t size, sb_hash *h) {
    sonic_json::Document document;
    document.Parse(data, size);
    if (document.HasParseError())
        return sb_fail("%s at byte %zu", sonic_json::ErrorMsg(document.GetParseError()),
                       document.GetErrorOffset());
    walk(document, h);
    return true;
}

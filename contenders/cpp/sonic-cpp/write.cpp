#include <serbench/writer.h>

#include "sonic.h"

using Node = sonic_json::Node;

static Node convert(const sb_value &value, sonic_json::Document::Allocator &allocator) {
    switch (value.type) {
        case SB_NIL: return Node(sonic_json::kNull);
        case SB_BOOL: return Node(value.as.boolean);
        case SB_I64: return Node(value.as.i64);
        case SB_U64: return Node(value.as.u64);
        case SB_F64: return Node(value.as.f64);
        default: break;
    }
    Node node;
    if (value.type == SB_STR) {
        node.SetString(value.as.str, value.length);
    } else if (value.type == SB_ARRAY) {
        node.SetArray();
        for (uint32_t i = 0; i < value.length; i++)
            node.PushBack(convert(value.as.items[i], allocator), allocator);
    } else {
        node.SetObject();
        for (uint32_t i = 0; i < value.length; i++) {
            const sb_member &member = value.as.members[i];
            const sonic_json::StringView key(member.key, member.key_length);
            node.AddMember(key, convert(member.value, allocator), allocator);
        }
    }
    return node;
}

bool sb_write(const sb_value *root, sb_output *out) {
    sonic_json::Document document;
    static_cast<Node &>(document) = convert(*root, document.GetAllocator());
    sonic_json::WriteBuffer buffer;
    const sonic_json::SonicError error = document.Serialize(buffer);
    if (error != sonic_json::kErrorNone) return sb_fail("%s", sonic_json::ErrorMsg(error));
    sb_output_block(out, buffer.ToString(), buffer.Size());
    return true;
}

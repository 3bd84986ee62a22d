#include <capnp/serialize-packed.h>

#include <serbench/struct_writer.hpp>

#include "capnp.h"
#include "tables.hpp"

bool sb_write_struct(const data::Root &root, sb_output *out) try {
    capnp::MallocMessageBuilder message;
    pack_root(message.initRoot<Root>(), root);
#ifdef PACKED
    kj::VectorOutputStream stream;
    capnp::writePackedMessage(stream, message);
    const auto bytes = stream.getArray();
#else
    const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
    const auto bytes = words.asBytes();
#endif
    sb_output_block(out, bytes.begin(), bytes.size());
    return true;
} catch (const kj::Exception &error) {
    return sb_fail("%s", error.getDescription().cStr());
}

/* What RapidJSON found wrong, in a sentence of ours and with the place of the offending token. */
#ifndef SERBENCH_JSON_REFUSAL_H
#define SERBENCH_JSON_REFUSAL_H

#include <rapidjson/error/error.h>

#include "json_source.h"

namespace serbench {

void refuse_at(const sb_text &text, size_t offset, sb_refusal *refusal, const char *sentence);

/* For a string, just read or being read, in which an escape is half of a surrogate pair. */
void refuse_surrogate(const sb_text &text, const JsonSource &source, sb_refusal *refusal);

/* `code` and `offset` are RapidJSON's. */
void refuse_syntax(const sb_text &text, const JsonSource &source, rapidjson::ParseErrorCode code,
                   size_t offset, sb_refusal *refusal);

}  // namespace serbench

#endif

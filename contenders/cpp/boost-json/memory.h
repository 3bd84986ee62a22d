/* Where the values of a call are allocated: one by one, or by a variant in blocks that are freed together,
 * which the manual recommends for a document that is made, used and thrown away. */
#ifndef MEMORY_H
#define MEMORY_H

#include <boost/json/src.hpp>

#ifdef MONOTONIC
#define MEMORY(name)                        \
    boost::json::monotonic_resource blocks; \
    const boost::json::storage_ptr name(&blocks)
#else
#define MEMORY(name) const boost::json::storage_ptr name
#endif

#endif

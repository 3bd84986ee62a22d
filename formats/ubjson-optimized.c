/* The canonical encoder of UBJSON with optimized containers: ubjson.c, with counts and types. */
#define OPTIMIZED
#include "ubjson.c"

#define REUSE
#include "incremental.cpp"

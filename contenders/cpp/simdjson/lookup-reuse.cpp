#define REUSE
#include "lookup.cpp"

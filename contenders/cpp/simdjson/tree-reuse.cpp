#define REUSE
#include "tree.cpp"

/* The canonical encoder of JSON with white space: json.cpp, with lines and indentation. */
#define PRETTY
#include "json.cpp"

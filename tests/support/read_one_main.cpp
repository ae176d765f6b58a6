#include "read_one.h"

int main(int argc, char** argv) { return argc == 2 ? readOne(argv[1]) : 2; }

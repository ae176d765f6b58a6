#include <fitup/io/read_assembly.h>

int main(int argc, char** argv) {
  return argc == 2 && fitup::readAssembly(argv[1]).assembly.partCount() > 0 ? 0 : 1;
}

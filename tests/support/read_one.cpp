#include "read_one.h"

#include <cstdio>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>

int readOne(const char* file) {
  try {
    fitup::ReadOptions options;
    options.useCache = false;
    (void)fitup::readAssembly(file, options);
    std::puts("read");
    return 0;
  } catch (const fitup::Error& error) {
    std::puts(error.what());
    return 1;
  }
}

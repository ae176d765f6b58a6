#pragma once

#include <cstddef>

namespace fitup::viewer {

/// Bytes of this process that are in RAM; all 0 if that is not known.
struct ProcessMemory {
  std::size_t resident = 0;   ///< all of them, as task managers show it
  std::size_t fromFiles = 0;  ///< of these, those of programs and mapped files, which the system can drop
  std::size_t peak = 0;       ///< the largest number that were resident so far
};
ProcessMemory processMemory();

/// Returns memory to the system that was freed, which the C library may keep for later.
void returnFreedMemory();

}  // namespace fitup::viewer

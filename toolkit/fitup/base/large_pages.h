#pragma once

#include <cstddef>
#include <vector>

namespace fitup {

/// Tells the system that memory not yet written had better come in large pages (2 MB on Linux) as far as it
/// covers whole ones: fewer addresses to translate where it is read here and there. A hint: nothing happens
/// where the system has no such pages. Thread-safe.
void preferLargePages(void* memory, std::size_t bytes) noexcept;

/// As `std::vector<T>(size)`, in large pages if it is large.
template <typename T>
std::vector<T> vectorInLargePages(std::size_t size) {
  std::vector<T> values;
  values.reserve(size);
  preferLargePages(values.data(), size * sizeof(T));
  values.resize(size);
  return values;
}

}  // namespace fitup

#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <fitup/base/shared_array.h>
#include <fitup/base/tuning-inl.h>

namespace fitup::detail {

/// Memory of the system's, not of the heap, so that small blocks never come to lie where large pages were
/// asked for. Begins at a multiple of 2 MB, zeroed; large pages are a hint. Throws std::bad_alloc.
void* allocateInLargePages(std::size_t bytes);
void freeLargePages(void* memory, std::size_t bytes) noexcept;

/// For arrays that are read here and there: with large pages the processor has fewer addresses to translate.
template <typename T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <typename U>
  LargePageAllocator(const LargePageAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    if (isLarge(count)) return static_cast<T*>(allocateInLargePages(count * sizeof(T)));
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (isLarge(count)) return freeLargePages(memory, count * sizeof(T));
    std::allocator<T>().deallocate(memory, count);
  }
  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }

 private:
  static bool isLarge(std::size_t count) noexcept { return count >= tuning::leastForLargePages / sizeof(T); }
};

template <typename T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

/// Takes the vector over.
template <typename T>
SharedArray<T> shared(LargeVector<T>&& values) {
  const auto owned = std::make_shared<const LargeVector<T>>(std::move(values));
  return SharedArray<T>(std::span<const T>(*owned), owned);
}

}  // namespace fitup::detail

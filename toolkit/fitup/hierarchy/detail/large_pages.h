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

/// Allocates zeroed memory from the system, not from the heap, so that small blocks never end up in large
/// pages. It starts at a multiple of 2 MB. Large pages are a hint. Throws std::bad_alloc.
void* allocateInLargePages(std::size_t bytes);
void freeLargePages(void* memory, std::size_t bytes) noexcept;

/// Allocator for arrays with random access. With large pages the processor has fewer addresses to translate.
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

/// Takes ownership of the vector.
template <typename T>
SharedArray<T> shared(LargeVector<T>&& values) {
  const auto owned = std::make_shared<const LargeVector<T>>(std::move(values));
  return SharedArray<T>(std::span<const T>(*owned), owned);
}

}  // namespace fitup::detail

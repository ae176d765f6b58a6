#include <fitup/hierarchy/detail/large_pages.h>

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fitup::detail {

#if defined(__linux__)

namespace {

constexpr std::size_t page = std::size_t{2} << 20;

std::size_t inWholePages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

}  // namespace

void* allocateInLargePages(std::size_t bytes) {
  if (bytes > SIZE_MAX - 2 * page) throw std::bad_alloc();
  const std::size_t size = inWholePages(bytes);
  void* const memory = mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Returns the excess before and after to the system.
  char* const first = static_cast<char*>(memory);
  const std::size_t before =
      inWholePages(reinterpret_cast<std::uintptr_t>(first)) - reinterpret_cast<std::uintptr_t>(first);
  if (before > 0) munmap(first, before);
  if (before < page) munmap(first + before + size, page - before);
  // A kernel without large pages may refuse.
  (void)madvise(first + before, size, MADV_HUGEPAGE);
  return first + before;
}

void freeLargePages(void* memory, std::size_t bytes) noexcept { munmap(memory, inWholePages(bytes)); }

#else

namespace {
constexpr std::align_val_t alignment{64};
}

void* allocateInLargePages(std::size_t bytes) { return ::operator new(bytes, alignment); }
void freeLargePages(void* memory, std::size_t) noexcept { ::operator delete(memory, alignment); }

#endif

}  // namespace fitup::detail

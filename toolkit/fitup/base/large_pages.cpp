#include <fitup/base/large_pages.h>

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fitup {

void preferLargePages(void* memory, std::size_t bytes) noexcept {
#if defined(__linux__)
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (address + page - 1) / page * page, end = (address + bytes) / page * page;
  // What a kernel without such pages answers does not matter.
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)bytes;
#endif
}

}  // namespace fitup

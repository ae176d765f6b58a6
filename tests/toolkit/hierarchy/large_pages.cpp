#include <fitup/hierarchy/detail/large_pages.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

namespace large_pages_tests {

using namespace fitup;
using namespace fitup::detail;

namespace {

/// Whether the mapping around an address requests large pages, according to Linux.
bool asksForLargePages(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> begin >> dash >> end && dash == '-') inside = begin <= at && at < end;
    if (inside && line.rfind("VmFlags:", 0) == 0) return line.find(" hg") != std::string::npos;
  }
  return false;
}
const bool haveLargePages = std::filesystem::exists("/sys/kernel/mm/transparent_hugepage");

}  // namespace

TEST_CASE("large arrays ask for large pages, which small ones and the heap after them do not",
          "[hierarchy]") {
  constexpr std::size_t large = tuning::leastForLargePages / sizeof(int);
  for (int round = 0; round < 3; ++round) {
    const LargeVector<int> just(large), more(5 * large + 12345), less(large - 1);
    for (const LargeVector<int>* v : {&just, &more, &less})
      CHECK(std::count(v->begin(), v->end(), 0) == static_cast<std::ptrdiff_t>(v->size()));
    CHECK_FALSE(asksForLargePages(less.data() + large / 2));
    if (haveLargePages)
      for (const LargeVector<int>* v : {&just, &more}) {
        CHECK(asksForLargePages(v->data()));
        CHECK(asksForLargePages(v->data() + v->size() - 1));
      }
    CHECK(reinterpret_cast<std::uintptr_t>(just.data()) % (std::size_t{2} << 20) == 0);
  }
  // Other allocations do not reuse freed memory with this request.
  const LargeVector<int> afterwards(large / 2);
  CHECK_FALSE(asksForLargePages(afterwards.data() + large / 4));
  if (!haveLargePages) WARN("skipped in part: this system has no large pages to ask for");
}

TEST_CASE("large arrays grow, move and are shared", "[hierarchy]") {
  LargeVector<std::uint32_t> values;
  const std::size_t count = tuning::leastForLargePages / 2;  // twice the minimum, which is passed on the way
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<std::uint32_t>(i));
  const std::uint32_t* const data = values.data();
  const SharedArray<std::uint32_t> array = shared(std::move(values));
  CHECK(array.data() == data);
  REQUIRE(array.size() == count);
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) right += array[i] == i ? 1 : 0;
  CHECK(right == count);
  CHECK_THROWS_AS(allocateInLargePages(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  CHECK_THROWS_AS(allocateInLargePages(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
}

}  // namespace large_pages_tests

#include <fitup/base/large_pages.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace fitup;

namespace {

/// Whether the mapping around an address asks for large pages, as Linux lists it.
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

}  // namespace

TEST_CASE("large vectors ask for large pages and are zeros", "[base]") {
  CHECK(vectorInLargePages<int>(0).empty());
  CHECK(vectorInLargePages<int>(3) == std::vector<int>(3));
  const std::size_t size = std::size_t{8} << 20;
  const std::vector<int> large = vectorInLargePages<int>(size);
  CHECK(large.size() == size);
  CHECK(std::count(large.begin(), large.end(), 0) == static_cast<std::ptrdiff_t>(size));
  if (std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
    CHECK(asksForLargePages(large.data() + size / 2));
  else
    WARN("skipped: this system has no large pages to ask for");
}

TEST_CASE("memory that covers no large page stays as it is", "[base]") {
  preferLargePages(nullptr, 0);
  std::vector<char> small(100000, 'x');
  preferLargePages(small.data(), small.size());
  CHECK(std::count(small.begin(), small.end(), 'x') == 100000);
}

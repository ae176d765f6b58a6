#include <fitup/hierarchy/query_mode.h>

#include <cstddef>

namespace fitup {

std::string_view name(QueryMode mode) noexcept {
  constexpr std::string_view names[] = {"first", "surfaces", "triangles"};
  return names[static_cast<std::size_t>(mode)];
}

std::string_view name(OverlapBoxSetting setting) noexcept {
  constexpr std::string_view names[] = {"on", "off", "classical"};
  return names[static_cast<std::size_t>(setting)];
}

}  // namespace fitup

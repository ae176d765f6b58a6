#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace fitup::viewer {

/// Returns the value of an enumeration whose `name` is a text.
template <typename Enum, std::size_t count>
std::optional<Enum> named(const std::array<Enum, count>& all, std::string_view text) noexcept {
  for (const Enum each : all)
    if (text == name(each)) return each;
  return std::nullopt;
}

}  // namespace fitup::viewer

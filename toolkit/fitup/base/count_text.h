#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Returns a number with its noun, such as "1 surface" or "2 surfaces". `many` is the plural if appending an
/// 's' to `one` does not make it.
inline std::string countText(std::size_t count, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(count) + ' ';
  if (count == 1 || many.empty())
    text += one;
  else
    text += many;
  if (count != 1 && many.empty()) text += 's';
  return text;
}

}  // namespace fitup

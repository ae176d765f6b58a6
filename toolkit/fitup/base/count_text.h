#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// "1 surface", "2 surfaces"; the plural is given where an 's' at the end does not make it.
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

#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

namespace fitup::detail {

/// With its dot; the letters A to Z in small, whatever the locale.
inline std::string lowerExtension(const std::filesystem::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return text;
}

}  // namespace fitup::detail

#pragma once

#include <string_view>

namespace fitup {

/// Of the library; the project's version in the root CMakeLists.txt.
inline constexpr std::string_view version = "0.1.0";

}  // namespace fitup

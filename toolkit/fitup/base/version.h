#pragma once

#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Version of the library and its programs. CMake reads it from here.
inline constexpr std::string_view version = "0.1.0";

}  // namespace fitup

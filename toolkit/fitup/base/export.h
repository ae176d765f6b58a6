#pragma once

#if __cplusplus < 202002L
// clang-format off
#error "Fitup's headers need C++20: compile with -std=c++20 or later (CMake: target_compile_features(... cxx_std_20))"
// clang-format on
#endif

/// Marks the namespace of a public header: its declarations are exported from the shared library. All other
/// symbols are hidden.
#define FITUP_EXPORT [[gnu::visibility("default")]]

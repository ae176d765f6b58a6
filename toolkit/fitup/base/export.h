#pragma once

#if __cplusplus < 202002L
// clang-format off
#error "Fitup's headers need C++20: compile with -std=c++20 or later (CMake: target_compile_features(... cxx_std_20))"
// clang-format on
#endif

/// Before the name of a namespace in a header that is for users: what it declares can be linked where the
/// library is a shared one. All else is hidden in it.
#define FITUP_EXPORT [[gnu::visibility("default")]]

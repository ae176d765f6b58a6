#pragma once

#include <optional>
#include <string_view>

namespace fitup::viewer {

/// How well a name matches what a user has typed; higher is better, and unset is no match. The words of
/// `typed`, which blanks separate, may match in any order, each with its letters in their order. The
/// first letters of a word of the name count most, then letters that each begin a word; letters in the middle
/// of words lower the value. An empty `typed` matches everything with 0. Precondition: both texts are
/// in the same case.
std::optional<int> fuzzyScore(std::u16string_view typed, std::u16string_view name);

}  // namespace fitup::viewer

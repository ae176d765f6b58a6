#pragma once

#include <optional>
#include <string>
#include <string_view>

// Numbers in files and command lines: the C locale whatever the user's.
namespace fitup::detail {

/// The fewest digits that give the same double back.
std::string numberText(double value);
/// The whole text as a number, or nothing.
std::optional<double> numberFromText(std::string_view text);

}  // namespace fitup::detail

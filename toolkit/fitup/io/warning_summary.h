#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

namespace FITUP_EXPORT fitup {

/// Warnings of one kind: `incomplete` is the same in all of them, and their messages differ only in numbers.
struct WarningGroup {
  ImportWarning first;
  std::size_t count = 1;
};

/// Groups warnings by kind, in the order of the first warning of each group; groups about missing geometry
/// come first. Takes O(n log n) comparisons of texts for n warnings, whatever their content.
std::vector<WarningGroup> summarise(std::span<const ImportWarning> warnings);

/// "bracket: has no faces", or "300 times, the first: bracket: has no faces". The text is as in the file;
/// pass it through `escaped` to show it.
std::string text(const WarningGroup& group);

}  // namespace fitup

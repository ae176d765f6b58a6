#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

namespace FITUP_EXPORT fitup {

/// Warnings of one kind: either all of them say that geometry is missing or none does, and their messages
/// differ in nothing but numbers.
struct WarningGroup {
  ImportWarning first;
  std::size_t count = 1;
};

/// One group for each kind, in the order of their first warnings, those that say that geometry is missing
/// before all others. Takes O(n log n) comparisons of texts for n warnings, whatever they say.
std::vector<WarningGroup> summarise(std::span<const ImportWarning> warnings);

/// "bracket: has no faces", or "300 times, the first: bracket: has no faces". As the file gives it: `escaped`
/// is for whoever shows it.
std::string text(const WarningGroup& group);

}  // namespace fitup

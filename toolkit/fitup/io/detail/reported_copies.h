#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// The sets of copies in one place among gathered pairs. Refers to the pairs, which must outlive it.
class ReportedCopies {
 public:
  explicit ReportedCopies(const std::vector<ReportedPair>& pairs) {
    for (const ReportedPair& pair : pairs)
      for (const std::string& path : pair.copies) setsOf_[path].push_back(&pair);
  }
  /// The first set that both instances belong to, or null.
  [[nodiscard]] const ReportedPair* covering(const std::string& a, const std::string& b) const {
    const auto ofA = setsOf_.find(a), ofB = setsOf_.find(b);
    if (ofA == setsOf_.end() || ofB == setsOf_.end()) return nullptr;
    for (const ReportedPair* set : ofA->second)
      for (const ReportedPair* other : ofB->second)
        if (set == other) return set;
    return nullptr;
  }

 private:
  std::unordered_map<std::string, std::vector<const ReportedPair*>> setsOf_;
};

}  // namespace fitup::detail

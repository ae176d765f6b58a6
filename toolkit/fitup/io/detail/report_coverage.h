#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// Answers whether the new one of two reports looked at what the old one found. Refers to both; they must
/// outlive it.
class ReportCoverage {
 public:
  ReportCoverage(const ReportDocument& before, const ReportDocument& now);

  /// Empty if it looked at the pair to the end: what it does not list is then not there. `pair` is what it
  /// lists of the two, or null.
  [[nodiscard]] std::string gap(const std::string& a, const std::string& b, const ReportedPair* pair) const;
  /// The same of one finding of such a pair.
  [[nodiscard]] std::string gap(const ReportedPair& oldPair, const ReportedFinding& before,
                                const ReportedPair* pair) const;

 private:
  /// Of the moved paths the one that takes an instance along, or null.
  [[nodiscard]] const std::string* mover(const std::string& path) const;
  [[nodiscard]] std::string gapOfMotion(const ReportedFinding& before) const;
  /// Of whole parts, which no query for surfaces finds.
  [[nodiscard]] std::string gapOfWholeParts(const ReportedPair& oldPair, const Assessment& before,
                                            const ReportedPair* pair) const;
  /// Of the pair's verdict in the new report, if that is known.
  [[nodiscard]] std::optional<double> toleranceOf(const ReportedPair& oldPair,
                                                  const ReportedPair* pair) const;

  const ReportDocument &before_, &now_;
  std::unordered_map<std::string_view, std::size_t> positions_;  ///< of instances
  /// Where the new model lacks geometry that the old one had: the instances, or that these are not known.
  std::unordered_set<std::string_view> incomplete_;
  bool lacksUnknown_ = false;
  bool asksForVerdicts_ = false;
};

}  // namespace fitup::detail

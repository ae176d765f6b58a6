#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// Determines whether the new one of two reports checked what the old one found. Refers to both reports; they
/// must outlive it.
class ReportCoverage {
 public:
  ReportCoverage(const ReportDocument& before, const ReportDocument& now);

  /// The reason why the pair was not checked completely. Empty if it was: a finding that the new report does
  /// not list then does not exist. `pair` is the pair as the new report lists it, or null.
  [[nodiscard]] std::string gap(const std::string& a, const std::string& b, const ReportedPair* pair) const;
  /// The same for one finding of such a pair.
  [[nodiscard]] std::string gap(const ReportedPair& oldPair, const ReportedFinding& before,
                                const ReportedPair* pair) const;

 private:
  /// The moved path that carries the instance along, or null.
  [[nodiscard]] const std::string* mover(const std::string& path) const;
  [[nodiscard]] std::string gapOfMotion(const ReportedFinding& before) const;
  /// For a finding between whole parts, which no query for surfaces finds.
  [[nodiscard]] std::string gapOfWholeParts(const ReportedPair& oldPair, const Assessment& before,
                                            const ReportedPair* pair) const;
  /// Tolerance of the pair's verdict in the new report, if known.
  [[nodiscard]] std::optional<double> toleranceOf(const ReportedPair& oldPair,
                                                  const ReportedPair* pair) const;

  const ReportDocument &before_, &now_;
  std::unordered_map<std::string_view, std::size_t> positions_;  ///< of instances
  /// Instances of which the new model lacks geometry that the old one had; `lacksUnknown_` if they are not
  /// known.
  std::unordered_set<std::string_view> incomplete_;
  bool lacksUnknown_ = false;
  bool asksForVerdicts_ = false;
};

}  // namespace fitup::detail

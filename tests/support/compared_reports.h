#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fitup/io/report_diff.h>

namespace fitup::test {

/// Returns the f-th finding of the first pair of the first run.
inline ReportedFinding& finding(ReportDocument& report, std::size_t f) {
  return report.runs.at(0).pairs.at(0).findings.at(f);
}

/// The numbers of findings that are new, gone, unchanged and not checked again.
using Counts = std::vector<std::size_t>;
inline Counts countsOf(const ReportComparison& c) { return {c.isNew, c.gone, c.unchanged, c.notRechecked}; }

/// Returns why the first finding that was not checked again was not; empty if there is none.
inline std::string reasonOf(const ReportComparison& c) {
  for (const ReportedPair& pair : c.diff.runs.at(0).pairs)
    for (const ReportedFinding& f : pair.findings)
      if (f.change == FindingChange::notRechecked) return f.changeReason;
  return "";
}

}  // namespace fitup::test
